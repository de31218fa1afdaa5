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

/** A mean over the outputs of a training, for reports. */
export class RunningMean {
  #sum = 0;
  #count = 0;

  add(sum: number, count: number): void {
    this.#sum += sum;
    this.#count += count;
  }

  /** Returns the mean since the last reset; 0 without outputs. */
  take(reset: boolean): number {
    const mean = this.#sum / Math.max(1, this.#count);
    if (reset) {
      this.#sum = 0;
      this.#count = 0;
    }
    return mean;
  }
}

/** The units in which training errors of trees are counted. */
export const HEADS_AND_LABELS = "heads and labels";
