import type { Decoder, DecoderCapabilities } from "./decoder.ts";
import { UnsupportedCapability } from "./errors/decoder-errors.ts";
import type { GraphDecoder } from "./graphs/graph-decoder.ts";

/** The name of a capability, of decoders of trees; decoders of graphs have some of them. */
export type Capability = keyof DecoderCapabilities;

/** A description of each capability, in the order of the contract. */
export const CAPABILITIES: Readonly<Record<Capability, string>> = {
  kBest: "the k best trees",
  marginals: "marginal probabilities",
  sample: "random trees",
  minimumBayesRisk: "trees of minimum Bayes risk",
  decodeConstrained: "logical constraints",
  decodeWithReport: "a report",
  decodeRelaxed: "solutions of a relaxation",
  decodeWithSteps: "steps",
};

/** A decoder, of trees unless another type is given, that has some capabilities. */
export type DecoderWith<C extends Capability & keyof D, D = Decoder> = D & Required<Pick<D, C>>;

/** Whether a decoder of trees or graphs has a capability. */
export function hasCapability<D extends Decoder | GraphDecoder, C extends Capability & keyof D>(
  decoder: D,
  name: C,
): decoder is DecoderWith<C, D> {
  return decoder[name] !== undefined;
}

/**
 * Returns the decoder as one that has the capability.
 *
 * @param advice what to do without it, for the message
 * @throws UnsupportedCapability when it lacks it
 */
export function requireCapability<D extends Decoder | GraphDecoder, C extends Capability & keyof D>(
  decoder: D,
  name: C,
  advice?: string,
): DecoderWith<C, D> {
  if (hasCapability(decoder, name)) return decoder;
  throw new UnsupportedCapability(decoder.name, name, CAPABILITIES[name], advice);
}
