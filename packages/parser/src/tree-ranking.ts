import type { ParsingProblem } from "@arcwise/core";
import { kBestProjectiveTrees, kBestTrees, type RankedTree } from "@arcwise/decode-mst";

/** The rankings of trees that go with decoders, by their names: the best tree is the one that the decoder finds. */
export const RANKINGS: Readonly<Record<string, (problem: ParsingProblem) => IterableIterator<RankedTree>>> = {
  mst: kBestTrees,
  eisner: kBestProjectiveTrees,
  projective: kBestProjectiveTrees,
};
