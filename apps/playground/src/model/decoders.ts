import type { Decoder } from "@arcwise/core";
import { eisnerDecoder, mstDecoder, projectiveDecoder } from "@arcwise/decode-mst";
import type { DecoderName } from "./decoder-names.ts";

/** Climbs of hill climbing: few, so that all of them can be watched. */
const CLIMBS = { restarts: 10, patience: 5 };

const MAKERS: Readonly<Record<DecoderName, () => Decoder | Promise<Decoder>>> = {
  mst: () => mstDecoder(),
  eisner: () => eisnerDecoder(),
  projective: () => projectiveDecoder(),
  hillclimb: async () => (await import("@arcwise/decode-hillclimb")).hillclimbDecoder(CLIMBS),
  ad3: async () => (await import("@arcwise/decode-ad3")).ad3Decoder(),
};

/** Makes a decoder of `DECODER_NAMES`, whose code is loaded when it is needed first. */
export async function decoderNamed(name: string): Promise<Decoder> {
  const make = MAKERS[name as DecoderName];
  if (make === undefined) {
    throw new RangeError(`expected a decoder of ${Object.keys(MAKERS).join(", ")}, found ${name}`);
  }
  return make();
}
