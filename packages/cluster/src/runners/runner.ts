import type { StepOrder } from "../steps/order.ts";

/** Steps that do not depend on each other, and one that needs all of their outputs. */
export interface Flow {
  /** Begins with a letter; of letters, digits and `-`. The same for the same flow. */
  readonly id: string;
  readonly steps: readonly StepOrder[];
  readonly last: StepOrder;
}

/** What may happen while a flow runs. */
export interface FlowRun {
  /** Called when a step is done, in any order. */
  readonly onDone?: ((step: StepOrder) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs steps: in this process, in threads, in workers of a queue. */
export interface StepRunner {
  /**
   * Runs a flow. Resolves when the output of its last step is in the store.
   *
   * @throws the error of a step that fails at each attempt
   * @throws the reason of the signal once that is aborted
   */
  run(flow: Flow, run?: FlowRun): Promise<void>;
  /** Ends what the runner has started. */
  close(): Promise<void>;
}
