import type { ParsingProblem, Sentence } from "@arcwise/core";
import type { Parser } from "@arcwise/parser";
import type { ScoreSet } from "./score-sets.ts";

const LENGTHS = [10, 15, 20, 30, 40, 60, 80, 100];
/** Sentences of a cell are at most this much shorter or longer than its length. */
const WINDOW = 1.2;

/**
 * The scores that a trained parser gives to sentences: its pruned candidates, and of its parts those that a
 * decoder scores. All decoders see the same scores.
 */
export function realScores(parser: Parser, sentences: readonly Sentence[], source: string): ScoreSet {
  return {
    name: "real",
    says: `scores and candidates of ${source}; of its parts those that the decoder handles`,
    lengths: LENGTHS,
    problems(n, kinds, count) {
      return nearest(sentences, n, count).map((sentence): ParsingProblem => {
        const problem = parser.problem(sentence);
        return { ...problem, parts: problem.parts.filter(({ kind }) => kinds.includes(kind)) };
      });
    },
  };
}

/** At most `count` sentences, those whose lengths are nearest to n, within the window. */
function nearest(sentences: readonly Sentence[], n: number, count: number): Sentence[] {
  const distance = ({ length }: Sentence): number => Math.abs(Math.log(length / n));
  return sentences
    .filter((sentence) => sentence.length > 0 && distance(sentence) <= Math.log(WINDOW))
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, count);
}
