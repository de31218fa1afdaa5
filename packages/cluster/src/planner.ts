import { ArcwiseError } from "@arcwise/core/errors";
import { anyOf, integer, list, oneOf, record } from "@arcwise/core/options";
import { readData, writeData } from "./blobs/contents.ts";
import { blobName, type Hash } from "./blobs/hash.ts";
import type { Store } from "./blobs/store.ts";
import type { Flow, FlowRun, StepRunner } from "./runners/runner.ts";
import { MAX_COUNT } from "./steps/counts.ts";
import { StepOutputs } from "./steps/step-outputs.ts";
import { NETWORK_ROUND, type NetworkRound } from "./steps/train-network.ts";
import { PART_SETTINGS, type PartSettings } from "./steps/train-part.ts";

/** What one process of a plan does: a step, or all steps of a shard, round by round. Plain data. */
export type PlannedProcess =
  | { readonly work: "part"; readonly settings: PartSettings }
  | { readonly work: "shard"; readonly run: Hash; readonly shard: number; readonly epochs: number }
  | {
      readonly work: "network";
      /** The round that it begins with. */
      readonly first: NetworkRound;
      readonly shard: number;
      readonly epochs: number;
    };

/** Processes that can run at the same time, and wait for each other where they must. Plain data. */
export interface Plan {
  readonly processes: readonly PlannedProcess[];
}

const count = integer(0, MAX_COUNT);
const common = { shard: count, epochs: count };
const PLAN = record<Plan>({
  processes: list(
    anyOf(
      record<{ work: string; settings: PartSettings }>({ work: oneOf("part"), settings: PART_SETTINGS }),
      record<{ work: string; run: Hash; shard: number; epochs: number }>({
        ...common,
        work: oneOf("shard"),
        run: blobName,
      }),
      record<{ work: string; first: NetworkRound; shard: number; epochs: number }>({
        ...common,
        work: oneOf("network"),
        first: NETWORK_ROUND,
      }),
    ),
  ),
});

/** Reads a plan that `TrainingPlanner.write` has written. @throws ArcwiseError `missing-blob`; DamagedBlob */
export function readPlan(store: Store, name: Hash): Promise<Plan> {
  return readData(store, { name, what: "a plan", check: PLAN });
}

/** Ends a training whose next steps are not done. */
class StepsMissing extends ArcwiseError {
  override readonly name = "StepsMissing";

  constructor() {
    super("interrupted", "the next steps of the training are not done: run the processes of its plan");
  }
}

/**
 * A runner that runs nothing, and plans the steps whose outputs are missing: all that can be done before the training
 * can go on. A training that it is given to ends with the first of them; once the processes of the plan are done, the
 * same training goes further.
 */
export class TrainingPlanner implements StepRunner {
  readonly #store: Store;
  readonly #outputs: StepOutputs;
  readonly #processes: PlannedProcess[] = [];
  readonly #end = new AbortController();

  constructor(store: Store) {
    this.#store = store;
    this.#outputs = new StepOutputs(store);
  }

  /** Plans a flow, and the rounds after it, unless its output is there. */
  async run(flow: Flow, { signal }: FlowRun = {}): Promise<void> {
    if (await this.#outputs.isDone(flow.last)) return;
    const processes = processesOf(flow);
    this.#processes.push(...processes);
    // Networks are trained beside the weights, whose steps are planned as well before the training ends.
    if (processes[0]!.work === "network")
      await endOf(signal ? AbortSignal.any([this.#end.signal, signal]) : this.#end.signal);
    throw new StepsMissing();
  }

  weightsDone(): void {
    this.#end.abort();
  }

  async close(): Promise<void> {}

  /** Returns whether an error is the end of a training that has been planned. */
  hasEnded(error: unknown): boolean {
    return error instanceof StepsMissing;
  }

  /** Number of processes of the plan. */
  get size(): number {
    return this.#processes.length;
  }

  /** Writes the plan to the store; returns its name. */
  write(): Promise<Hash> {
    const plan: Plan = { processes: this.#processes };
    return writeData(this.#store, plan);
  }
}

function endOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function processesOf({ last, epochs = 1, shards = 1 }: Flow): readonly PlannedProcess[] {
  const each = <Process>(made: (shard: number) => Process) =>
    Array.from({ length: shards }, (_, k) => made(k));
  switch (last.step) {
    case "train-part":
      return [{ work: "part", settings: last.settings }];
    case "mix": {
      const { run } = last.settings;
      return each((shard) => ({ work: "shard", run, shard, epochs }));
    }
    case "train-network":
    case "average-network": {
      const { order, epoch, rounds, round } = last.settings;
      const first = { order, epoch, rounds, round, shards };
      return each((shard) => ({ work: "network", first, shard, epochs }));
    }
    default:
      throw new Error(`a step ${last.step} is no part of a training`);
  }
}
