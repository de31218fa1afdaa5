import type { GradientEntries, GradientSink } from "../gradients.ts";

/** Rule by which a learner changes its weights, given the gradient of one example at a time. */
export interface StochasticSteps {
  /** Vectors with one entry per weight, by name. */
  readonly memory: Readonly<Record<string, Float32Array>>;
  /** Makes one step along the gradient of a gain (the negated gradient of a loss). Counts one step. */
  step(gradient: GradientEntries): void;
  /**
   * Makes one step from gradient entries that are added one by one, for rules whose step is the same whether
   * or not the entries of a weight are summed first: `begin` returns the sink for them, and applies postponed
   * changes when due; `end` counts the step.
   */
  begin?(): GradientSink;
  end?(): void;
  /** Applies all postponed changes. */
  flush(): void;
  /** Called after the weights and the memory were restored to their values after a `flush`. */
  restored(): void;
}
