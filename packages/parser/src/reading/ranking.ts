import { type Decoder, hasCapability, type RankedTree } from "@arcwise/core";
import { kBestByPartition } from "@arcwise/decode-mst";
import type { DecodedTree } from "../decoding/decode.ts";
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
  if (best.every((tree) => engine.repaired(at, tree) === tree)) return best;
  const known = new Map<Int32Array, DecodedTree>();
  const valid: Decoder = {
    ...{ name: decoder.name, trees: decoder.trees, singleRoot: decoder.singleRoot, handles: decoder.handles },
    decode({ arcScores }) {
      const tree = engine.best({ ...at, scored: at.scored.withArcScores(arcScores) });
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
