import type { StepOrder } from "../steps/order.ts";

/** Steps that do not depend on each other, and one that needs all of their outputs. */
export interface Flow {
  /** Begins with a letter; of letters, digits and `-`. The same for the same flow. */
  readonly id: string;
  readonly steps: readonly StepOrder[];
  readonly last: StepOrder;
  /** Epochs of the training that the flow is a round of; absent where it is none. */
  readonly epochs?: number | undefined;
  /** Number of shards of the round. */
  readonly shards?: number | undefined;
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
  /** Called when the weights of a training are there, beside which a network may still be trained. */
  weightsDone?(): void;
  /** Ends what the runner has started. */
  close(): Promise<void>;
}
