import type { GradientEntries, GradientSink } from "../gradients.ts";

/** How a learner that sees the gradient of one example at a time moves its weights. */
export interface StochasticSteps {
  /** What it remembers of each weight, by name. */
  readonly memory: Readonly<Record<string, Float32Array>>;
  /** One step along the gradient of a gain (the negated gradient of a loss). Counts one step. */
  step(gradient: GradientEntries): void;
  /**
   * The same with gradient entries that are given one after the other, where the step is the same whether or
   * not they are summed up before: `begin` returns the sink for them, and brings weights up to date where
   * that is due; `end` counts the step.
   */
  begin?(): GradientSink;
  end?(): void;
  /** Brings all weights up to date. */
  flush(): void;
  /** After the weights and the memory were set from outside, to those of after a `flush`. */
  restored(): void;
}
