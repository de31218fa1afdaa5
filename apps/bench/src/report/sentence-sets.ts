import type { PlainTree, SentenceTrees } from "../results/results.ts";
import type { Edge, SentenceSet } from "./page/sentences.ts";

/** Returns sentences with trees as sentences with edges. */
export function sentencesOfTrees(
  contestants: readonly string[],
  sentences: readonly SentenceTrees[],
): SentenceSet {
  return {
    contestants,
    sentences: sentences.map(({ index, forms, trees, found }) => ({
      index,
      forms,
      graphs: trees.map(edgesOfTree),
      found,
    })),
  };
}

function edgesOfTree({ heads, labels }: PlainTree): Edge[] {
  return heads.slice(1).map((head, i) => ({ head, modifier: i + 1, label: labels[i + 1]! }));
}
