import type { Random } from "@arcwise/core";
import { DECODERS } from "../registry/decoders.ts";
import { type Area, type Fuzzer, type Outcome, pick } from "./area.ts";
import { checkDecoding, outcomeOf } from "./capabilities.ts";
import { randomProblem, toleranceOf } from "./problems.ts";

const MAX_WORDS = 24;

/**
 * Decodes random problems with the decoders of the registry and compares scores with bounds, each other and
 * all trees.
 */
export const decoders: Area = {
  name: "decoders",
  description: "random problems through all decoders, against their bounds and against all trees",
  share: 2,
  prepare: async () => new DecoderFuzzer(),
};

class DecoderFuzzer implements Fuzzer {
  readonly #decoders = DECODERS.map((entry) => ({ entry, decoder: entry.make() }));

  try(stream: Random): Outcome {
    const { entry, decoder } = pick(stream, this.#decoders);
    const problem = randomProblem(stream, entry.kinds, MAX_WORDS);
    const family = { singleRoot: decoder.singleRoot, projective: entry.projective };
    const slack = toleranceOf(problem);
    return outcomeOf(
      { decoder, exact: entry.exact, problem, stream, family, slack },
      "decode",
      checkDecoding,
    );
  }
}
