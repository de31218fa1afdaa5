import { SparseVector } from "@arcwise/core";
import type { StructuredTask } from "@arcwise/learn";

/** The mistakes of a training until an epoch without one, and the terms of their bound. */
export interface Separation {
  /** Number of epochs with a mistake. */
  readonly epochs: number;
  /** Number of mistakes in all epochs. */
  readonly mistakes: number;
  /**
   * The sum over epochs and shards of share · mistakes: at most (R / γ)² by theorem 3 of McDonald, Hall and Mann
   * (2010).
   */
  readonly weighted: number;
  /** R: the largest length of an update. */
  readonly radius: number;
  /** γ: `separatingMargin` of the last weights. */
  readonly margin: number;
}

/** Sums the mistakes of a training by perceptrons, and measures the length of its updates. */
export class SeparationCounts<Output> {
  /** The task, which notes the length of each update. */
  readonly task: StructuredTask<Output>;
  #epochs = 0;
  #mistakes = 0;
  #weighted = 0;
  #radius = 0;

  constructor(task: StructuredTask<Output>) {
    this.task = {
      ...task,
      difference: (example, output, into) => {
        const cost = task.difference(example, output, into);
        if (cost > 0) this.#radius = Math.max(this.#radius, Math.sqrt(into.squaredNorm()));
        return cost;
      },
    };
  }

  /** Adds the work of the shards in an epoch. */
  add(shards: readonly { readonly mistakes: number; readonly share: number }[]): void {
    if (shards.some(({ mistakes }) => mistakes > 0)) this.#epochs++;
    for (const { mistakes, share } of shards) {
      this.#mistakes += mistakes;
      this.#weighted += share * mistakes;
    }
  }

  result(margin: number): Separation {
    const [epochs, mistakes, weighted, radius] = [this.#epochs, this.#mistakes, this.#weighted, this.#radius];
    return { epochs, mistakes, weighted, radius, margin };
  }
}

/**
 * Returns the margin by which weights separate the examples: the least difference of the scores of a gold output and
 * the best wrong one, divided by the length of the weights. Not positive if a wrong output scores as much as the gold
 * one. A 2-best list per example.
 */
export function separatingMargin<Output>(task: StructuredTask<Output>, weights: Float32Array): number {
  if (task.kBest === undefined) throw new TypeError("the margin requires a task with k-best lists");
  const difference = new SparseVector();
  let least = Infinity;
  for (let example = 0; example < task.size; example++) {
    for (const output of task.kBest(example, weights, 2, false)) {
      difference.clear();
      if (task.difference(example, output, difference) > 0) least = Math.min(least, difference.dot(weights));
    }
  }
  let square = 0;
  for (const weight of weights) square += weight * weight;
  return least / Math.sqrt(square);
}
