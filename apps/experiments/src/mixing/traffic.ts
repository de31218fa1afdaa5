import { processorTime } from "@arcwise/bench/measures";
import type { OnlineState, ShardRunner } from "@arcwise/learn";

/** Bytes of an index of a weight (32-bit integer), and of an entry of a vector (32-bit float). */
const BYTES = 4;

/** The traffic of rounds of iterative mixing. */
export interface Traffic {
  /** Bytes of vectors and indices, in both directions, of all shards. */
  readonly bytes: number;
  /** Number of mixings. */
  readonly rounds: number;
}

/**
 * Returns a runner that does the same steps and counts what they would send with one machine per shard. Before
 * each round but the first, the mixer sends each shard the weights that the last mixing changed; after it, each
 * shard sends the weights that its step changed. A changed weight is its index and an entry of each vector of
 * the state; a state without a list of changes is all entries of its vectors, without indices. Nothing is
 * compressed; the few counts of a step are left out. The milliseconds of results are of processor time, if the
 * runner does one step after the other. The first state needs no sending: each machine makes it.
 */
export function countedRunner(runner: ShardRunner): {
  readonly runner: ShardRunner;
  readonly traffic: Traffic;
} {
  const traffic = { bytes: 0, rounds: 0 };
  const allocate = runner.allocate?.bind(runner);
  const counted: ShardRunner = {
    start: () => runner.start(),
    result: (state) => runner.result(state),
    allocate: allocate ?? ((length) => new Float32Array(length)),
    async *run(steps, from, options) {
      const { round, changed } = options.since ?? { round: 0 };
      if (round > 0) traffic.bytes += steps.length * sizeOf(from, changed);
      let begin = processorTime();
      for await (const result of runner.run(steps, from, options)) {
        const milliseconds = processorTime() - begin;
        traffic.bytes += sizeOf(result.state, result.changed);
        yield { ...result, milliseconds };
        begin = processorTime();
      }
      traffic.rounds++;
    },
  };
  return { runner: counted, traffic };
}

function sizeOf(state: OnlineState, changed: Int32Array | undefined): number {
  // Weights, the sums of their average, and what the learner remembers of each weight.
  const vectors = 2 + Object.keys(state.memory ?? {}).length;
  if (changed === undefined) return BYTES * vectors * state.values.length;
  return BYTES * (vectors + 1) * changed.length;
}
