import type { Decoder } from "@arcwise/core";
import { eisnerDecoder, mstDecoder, projectiveDecoder } from "@arcwise/decode-mst";

/** The decoders that a model can be trained with, by name. */
export const DECODERS = { mst: mstDecoder, eisner: eisnerDecoder, projective: projectiveDecoder } as const;
export type DecoderName = keyof typeof DECODERS;

/** A decoder by name. @throws RangeError when there is none of that name */
export function decoderNamed(name: string): Decoder {
  if (!Object.hasOwn(DECODERS, name)) {
    throw new RangeError(`no decoder is named "${name}"; there are ${Object.keys(DECODERS).join(", ")}`);
  }
  return DECODERS[name as DecoderName]();
}
