import { type Arcs, arcIndex, type Decoder, filterArcs, NoTree } from "@arcwise/core";
import { counted, hasCode } from "@arcwise/core/errors";
import type { EncodedSentence } from "@arcwise/core/features";
import { plainEisnerDecoder, plainMstDecoder } from "@arcwise/decode-mst";
import type { Pruner } from "../pruning/pruner.ts";
import { withinWindow } from "../pruning/reach.ts";
import { arcsOfHeads, type CheckedConstraints, headsOf, restrictCandidates } from "./constraints.ts";

/**
 * Returns a function that restricts the candidate arcs of a sentence to those that the constraints allow, with all forced
 * arcs. A pruner may keep exactly the heads that the constraints exclude: if the candidates contain no tree, the arcs of the
 * tree with the highest pruner score among all that meet the constraints are added. It owns the memory of its decoder.
 *
 * Cost: decoding by arcs over the candidates, which are all arcs without a pruner; over all arcs when these contain no tree.
 *
 * @param trees the trees of which the candidates must contain one
 */
export function constraintSearch(trees: Decoder["trees"]) {
  const decoder = trees === "projective" ? plainEisnerDecoder() : plainMstDecoder();
  function treeOf(arcs: Arcs, arcScores: Float64Array): Int32Array | undefined {
    try {
      return decoder.decode({ arcs, arcScores, parts: [] }).heads;
    } catch (error) {
      if (hasCode(error, "no-tree")) return undefined;
      throw error;
    }
  }
  /** Returns the tree with the highest pruner score among all that meet the constraints. */
  function likeliestTree(
    constraints: CheckedConstraints,
    { arcs: known, scores }: ReturnType<Pruner["score"]>,
  ): Int32Array | undefined {
    const arcs = restrictCandidates(unprunedArcs(constraints), constraints);
    const lowest = scores.reduce((low, score) => Math.min(low, score), 0);
    const all = Float64Array.from(arcs.head, (h, a) => {
      const index = arcIndex(known, h, arcs.modifier[a]);
      return index < 0 ? lowest : scores[index];
    });
    return treeOf(arcs, all);
  }
  return (
    candidates: Arcs,
    constraints: CheckedConstraints,
    sentence: EncodedSentence,
    pruner: Pruner | undefined,
  ): Arcs => {
    if (!constraints.restrictsArcs) return candidates;
    const kept = restrictCandidates(candidates, constraints);
    if (treeOf(kept, new Float64Array(kept.head.length)) !== undefined) return kept;
    const tree = pruner && likeliestTree(constraints, pruner.score(sentence));
    if (tree !== undefined) return withTreeArcs(kept, tree);
    const kind = trees === "projective" ? "projective tree" : "tree";
    const words = counted(kept.n, "word");
    throw new NoTree("parser", `no ${kind} of ${words} with a single root meets the constraints`);
  };
}

/**
 * Returns all arcs; of a long sentence, those that the pruner scores, and all arcs of words that have forbidden
 * arcs or are the heads of forced arcs.
 */
function unprunedArcs({ n, heads, allows }: CheckedConstraints): Arcs {
  const special = new Uint8Array(n + 1);
  for (let m = 1; m <= n; m++) {
    if (heads[m] >= 0) special[heads[m]!] = 1;
    for (let h = 0; h <= n && special[m] === 0; h++) if (!allows(h, m)) special[m] = 1;
  }
  return filterArcs(n, (h, m) => withinWindow(n, h, m) || special[m] === 1);
}

/** Adds the arcs of a tree to candidate arcs. O(arcs). */
function withTreeArcs(arcs: Arcs, tree: Int32Array): Arcs {
  return arcsOfHeads(arcs.n, (m) => [...new Set([...headsOf(arcs, m), tree[m]])].sort((a, b) => a - b));
}
