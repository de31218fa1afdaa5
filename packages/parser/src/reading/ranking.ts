import { type Decoder, hasCapability, NoTree, type RankedTree } from "@arcwise/core";
import { kBestByPartition } from "@arcwise/decode-mst";
import type { DecodedTree } from "../decoding/decode.ts";
import { withArcScores } from "../scoring/sentence-scorer.ts";
import { sharedSteps } from "../validity/valid-search.ts";
import type { ParsingEngine, Scored } from "./engine.ts";

/** Returns the k best trees of a sentence in the order in which they are found. Throws as `Reading.kBest`. */
export function rankedTrees(engine: ParsingEngine, at: Scored, k: number): DecodedTree[] {
  const { decoder } = engine;
  const { problem } = at.scored;
  const isExact = hasCapability(decoder, "kBest");
  const trees = isExact ? decoder.kBest(problem) : kBestByPartition(decoder, problem);
  const best = first(k, trees, ({ heads, score }) => {
    const tree = { ...at.scored.labelled(heads), score, bound: isExact ? score : Infinity };
    return engine.relabel(at, tree);
  });
  if (best.every((tree) => engine.isValid(at, tree))) return best;
  const steps = sharedSteps(problem.arcs);
  const known = new Map<Int32Array, DecodedTree>();
  const valid: Decoder = {
    ...{ name: decoder.name, trees: decoder.trees, singleRoot: decoder.singleRoot, handles: decoder.handles },
    decode({ arcScores }) {
      // Without steps, the k trees are the best ones that have been found.
      if (steps.left <= 0 && known.size >= k) throw new NoTree(decoder.name, "the steps are used up");
      const tree = engine.best({ ...at, scored: withArcScores(at.scored, arcScores) }, steps);
      known.set(tree.heads, tree);
      return tree;
    },
  };
  return first(k, kBestByPartition(valid, problem), ({ heads, score }) => {
    return { ...known.get(heads)!, bound: isExact ? score : Infinity };
  });
}

function first(
  k: number,
  trees: Iterable<RankedTree>,
  treeOf: (ranked: RankedTree) => DecodedTree,
): DecodedTree[] {
  const found: DecodedTree[] = [];
  for (const ranked of trees) {
    found.push(treeOf(ranked));
    if (found.length === k) break;
  }
  return found;
}
