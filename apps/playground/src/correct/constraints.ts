import type { ConlluSentence, WordRow } from "@arcwise/conllu";
import type { FixedWords } from "./document.ts";

/** Returns the words of a sentence. */
export function wordsOf({ rows }: ConlluSentence): WordRow[] {
  return rows.filter((row): row is WordRow => row.kind === "word");
}

/** Returns the constraints of a parser under what an annotator fixed: n + 1 heads (-1: free) and labels. */
export function constraintsOf(sentence: ConlluSentence, fixed: FixedWords) {
  const words = wordsOf(sentence);
  const [heads, labels] = [new Set(fixed.heads), new Set(fixed.labels)];
  return {
    heads: Int32Array.from([-1, ...words.map((word, i) => (heads.has(i + 1) ? word.head : -1))]),
    labels: ["", ...words.map((word, i) => (labels.has(i + 1) ? word.deprel : ""))],
  };
}
