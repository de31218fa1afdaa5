import { type ConlluSentence, sentenceId, sentenceText } from "@arcwise/conllu";
import {
  type AttachmentScores,
  type ErrorAnalysis,
  errorAnalysis,
  type SentenceErrors,
  type TreePair,
  worstSentences,
} from "@arcwise/evaluate";

/** A sentence with errors, and where it is. */
export interface LocatedErrors extends SentenceErrors {
  readonly id: string | undefined;
  /** Lines of the gold and of the system file where the sentence starts. */
  readonly lines: readonly [gold: number, system: number];
  readonly text: string;
}

/** The errors of a system file. */
export interface TreeErrors {
  readonly attachment: AttachmentScores;
  readonly analysis: ErrorAnalysis;
  readonly worst: readonly LocatedErrors[];
}

/** The sentences of both files, and their pairs. */
export interface ComparedFiles {
  readonly gold: readonly ConlluSentence[];
  readonly system: readonly ConlluSentence[];
  readonly pairs: readonly TreePair[];
  readonly attachment: AttachmentScores;
}

/** Returns the errors by class, and the worst sentences. @param count number of sentences at most */
export function treeErrors({ gold, system, pairs, attachment }: ComparedFiles, count: number): TreeErrors {
  const worst = worstSentences(pairs, { count }).map((errors): LocatedErrors => {
    const sentence = gold[errors.index]!;
    const text = sentenceText(sentence) ?? pairs[errors.index]!.words.map(({ form }) => form).join(" ");
    const lines = [sentence.line, system[errors.index]!.line] as const;
    return { ...errors, id: sentenceId(sentence), lines, text };
  });
  return { attachment, analysis: errorAnalysis(pairs), worst };
}
