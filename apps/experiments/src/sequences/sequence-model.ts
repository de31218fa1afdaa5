import type { LabelledSentence } from "@arcwise/sequence";

/** A trained model that labels sentences. */
export interface SequenceModel {
  /** Number of its weights. */
  readonly weights: number;
  label(sentence: LabelledSentence["sentence"]): readonly string[];
}
