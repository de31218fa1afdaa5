import type { Decoder } from "@arcwise/core";
import { ad3Decoder } from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { eisnerDecoder, mstDecoder, projectiveDecoder } from "@arcwise/decode-mst";
import type { DecoderName } from "./decoder-names.ts";

/** Climbs of hill climbing: few, so that all of them can be watched. */
const CLIMBS = { restarts: 10, patience: 5 };

const MAKERS: Readonly<Record<DecoderName, () => Decoder>> = {
  mst: () => mstDecoder(),
  eisner: () => eisnerDecoder(),
  projective: () => projectiveDecoder(),
  hillclimb: () => hillclimbDecoder(CLIMBS),
  ad3: () => ad3Decoder(),
};

/** Makes a decoder of `DECODER_NAMES`. @throws RangeError for another name */
export function decoderNamed(name: string): Decoder {
  const make = MAKERS[name as DecoderName];
  if (make === undefined) {
    throw new RangeError(`expected a decoder of ${Object.keys(MAKERS).join(", ")}, found ${name}`);
  }
  return make();
}
