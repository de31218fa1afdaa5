import { type Arcs, type DecoderWith, rootWords, type TreeMarginals } from "@arcwise/core";
import { createInsideOutside, createMatrixTree } from "@arcwise/decode-mst";

/** Returns the sums over trees by arc scores. @param gold heads of the gold tree */
type GoldSums = (
  arcs: Arcs,
  arcScores: Float64Array,
  gold: Int32Array,
) => Pick<TreeMarginals, "logPartition" | "arcs">;

/**
 * Returns sums over the trees that a decoder chooses from, by arc scores, such that they include the gold tree: where
 * that has several roots and the decoder's trees have one, over the trees with several.
 */
export function goldSums(decoder: DecoderWith<"marginals">): GoldSums {
  const sums = decoder.trees === "any" ? createMatrixTree : createInsideOutside;
  const severalRoots = sums({ singleRoot: false });
  return (arcs, arcScores, gold) => {
    if (decoder.singleRoot && rootWords(gold).length > 1) {
      const marginals = new Float64Array(arcScores.length);
      return { logPartition: severalRoots.marginals(arcs, arcScores, marginals), arcs: marginals };
    }
    return decoder.marginals({ arcs, arcScores, parts: [] });
  };
}
