import type { ParsingProblem, Sentence } from "@arcwise/core";
import type { Parser } from "@arcwise/parser";
import type { ScoreSet } from "./score-sets.ts";

const LENGTHS = [10, 15, 20, 30, 40, 60, 80, 100];
/** Maximal ratio of the length of a cell and of its sentences. */
const WINDOW = 1.2;

/**
 * Returns the set of scores of a trained parser on sentences: its pruned candidates, and the parts that a
 * decoder handles. All decoders get the same scores.
 */
export function realScores(parser: Parser, sentences: readonly Sentence[], source: string): ScoreSet {
  return {
    name: "real",
    says: `scores and candidates of ${source}; of its parts those that the decoder handles`,
    lengths: LENGTHS,
    problems(n, kinds, count) {
      return nearest(sentences, n, count).map((sentence): ParsingProblem => {
        const problem = parser.read([sentence])[0]!.problem();
        return { ...problem, parts: problem.parts.filter(({ kind }) => kinds.includes(kind)) };
      });
    },
  };
}

/** Returns at most `count` sentences with lengths nearest to n, within the window. */
function nearest(sentences: readonly Sentence[], n: number, count: number): Sentence[] {
  const distance = ({ length }: Sentence): number => Math.abs(Math.log(length / n));
  return sentences
    .filter((sentence) => sentence.length > 0 && distance(sentence) <= Math.log(WINDOW))
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, count);
}
