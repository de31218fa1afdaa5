import type { Arcs, DecoderWith } from "@arcwise/core";
import { type ArcMarginals, createInsideOutside, createMatrixTree, type TreeSums } from "@arcwise/decode-mst";

/**
 * Sums over the trees that a decoder chooses from, by arc scores, such that they include the gold tree: where
 * that has several roots and the decoder's trees have one, over the trees with several.
 */
export class GoldSums {
  readonly #decoder: DecoderWith<"marginals">;
  readonly #severalRoots: TreeSums;

  constructor(decoder: DecoderWith<"marginals">) {
    const sums = decoder.trees === "any" ? createMatrixTree : createInsideOutside;
    this.#decoder = decoder;
    this.#severalRoots = sums({ singleRoot: false });
  }

  /** @param gold heads of the gold tree */
  marginals(arcs: Arcs, arcScores: Float64Array, gold: Int32Array): ArcMarginals {
    if (this.#decoder.singleRoot && rootsOf(gold) > 1) {
      const marginals = new Float64Array(arcScores.length);
      return { logPartition: this.#severalRoots.marginals(arcs, arcScores, marginals), marginals };
    }
    const { logPartition, arcs: marginals } = this.#decoder.marginals({ arcs, arcScores, parts: [] });
    return { logPartition, marginals };
  }
}

function rootsOf(heads: Int32Array): number {
  let roots = 0;
  for (let m = 1; m < heads.length; m++) if (heads[m] === 0) roots++;
  return roots;
}
