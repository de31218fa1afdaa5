import { type Arcs, arcIndex, type Decoder, filterArcs, NoTree } from "@arcwise/core";
import { counted, hasCode } from "@arcwise/core/errors";
import type { EncodedSentence } from "@arcwise/core/features";
import { plainEisnerDecoder, plainMstDecoder } from "@arcwise/decode-mst";
import type { Pruner } from "../pruning/pruner.ts";
import { withinWindow } from "../pruning/reach.ts";
import { type CheckedConstraints, restrictCandidates } from "./constraints.ts";

/**
 * Restricts candidate arcs by constraints such that they still contain a tree: a pruner may keep exactly the
 * heads that the constraints exclude. One instance owns the memory of its decoders.
 */
export class ConstraintSearch {
  readonly #trees: Decoder["trees"];
  readonly #decoder: Decoder;

  /**
   * @param trees the trees of which the candidates must contain one
   */
  constructor(trees: Decoder["trees"]) {
    this.#trees = trees;
    this.#decoder = trees === "projective" ? plainEisnerDecoder() : plainMstDecoder();
  }

  /**
   * Returns the candidates that the constraints allow, with all forced arcs. If they contain no tree, the
   * arcs of the tree with the highest pruner score among all that meet the constraints are added.
   *
   * Cost: decoding by arcs over the candidates; over all arcs when these contain no tree.
   *
   * @param candidates the arcs that the pruner keeps, or all arcs without a pruner
   */
  restrict(
    candidates: Arcs,
    constraints: CheckedConstraints,
    sentence: EncodedSentence,
    pruner: Pruner | undefined,
  ): Arcs {
    if (!constraints.restrictsArcs) return candidates;
    const kept = restrictCandidates(candidates, constraints);
    if (this.#treeOf(kept, new Float64Array(kept.head.length)) !== undefined) return kept;
    const tree = pruner && this.#likeliestTree(constraints, sentence, pruner);
    if (tree === undefined) {
      const kind = this.#trees === "projective" ? "projective tree" : "tree";
      throw new NoTree(
        "parser",
        `no ${kind} of ${counted(kept.n, "word")} with a single root meets the constraints`,
      );
    }
    return withTreeArcs(kept, tree);
  }

  /** Returns the tree with the highest pruner score among all that meet the constraints. */
  #likeliestTree(
    constraints: CheckedConstraints,
    sentence: EncodedSentence,
    pruner: Pruner,
  ): Int32Array | undefined {
    const seen = pruner.score(sentence);
    const arcs = restrictCandidates(unprunedArcs(constraints), constraints);
    const lowest = seen.scores.reduce((low, score) => Math.min(low, score), 0);
    const scores = Float64Array.from(arcs.head, (h, a) => {
      const known = arcIndex(seen.arcs, h, arcs.modifier[a]!);
      return known < 0 ? lowest : seen.scores[known]!;
    });
    return this.#treeOf(arcs, scores);
  }

  #treeOf(arcs: Arcs, arcScores: Float64Array): Int32Array | undefined {
    try {
      return this.#decoder.decode({ arcs, arcScores, parts: [] }).heads;
    } catch (error) {
      if (hasCode(error, "no-tree")) return undefined;
      throw error;
    }
  }
}

/**
 * Returns all arcs; of a long sentence, those that the pruner scores, and all arcs of words that have forbidden
 * arcs or are the heads of forced arcs.
 */
function unprunedArcs({ n, heads, allows }: CheckedConstraints): Arcs {
  const special = new Uint8Array(n + 1);
  for (let m = 1; m <= n; m++) {
    if (heads[m]! >= 0) special[heads[m]!] = 1;
    for (let h = 0; h <= n && special[m] === 0; h++) if (!allows(h, m)) special[m] = 1;
  }
  return filterArcs(n, (h, m) => withinWindow(n, h, m) || special[m] === 1);
}

/** Adds the arcs of a tree to candidate arcs. O(arcs). */
function withTreeArcs(arcs: Arcs, tree: Int32Array): Arcs {
  const { n } = arcs;
  const start = new Int32Array(n + 2);
  const head: number[] = [];
  const modifier: number[] = [];
  for (let m = 1; m <= n; m++) {
    const own = [...arcs.head.subarray(arcs.start[m]!, arcs.start[m + 1]!)];
    if (!own.includes(tree[m]!)) own.push(tree[m]!);
    for (const h of own.sort((a, b) => a - b)) {
      head.push(h);
      modifier.push(m);
    }
    start[m + 1] = head.length;
  }
  return { n, start, head: Int32Array.from(head), modifier: Int32Array.from(modifier) };
}
