import type { StepProgress } from "@arcwise/core/training";
import type { StructuredTask } from "@arcwise/learn";

/** The errors and the loss of the outputs of a training, for reports. */
export type Figures = Pick<StepProgress, "error" | "loss">;

/** A task whose outputs are counted. */
export interface CountedTask<Output> extends StructuredTask<Output> {
  /** Returns the mistakes or the mean cost of the outputs since the last reset. */
  takeFigures(reset: boolean): Figures;
  /** Prepares for an epoch, from 1, before it begins. */
  beginEpoch?(epoch: number): void;
}

/** The units in which training errors of trees are counted. */
export const HEADS_AND_LABELS = "heads and labels";
