import type { LabelledSentence } from "@arcwise/sequence";

/** What labels sentences. */
export interface SequenceModel {
  /** Numbers that it consists of. */
  readonly weights: number;
  label(sentence: LabelledSentence["sentence"]): readonly string[];
}
