import type { LearnerState, StateVector } from "../learner.ts";
import type { SparseBlock } from "../sparse-block.ts";
import type { FrankWolfeState } from "./frank-wolfe.ts";
import type { LbfgsState } from "./lbfgs-search.ts";
import type { ActiveOutput } from "./pairwise-shares.ts";

/** Concatenated blocks: the length of each, and the entries of all. */
interface FlatBlocks {
  readonly lengths: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

function flatten(blocks: readonly SparseBlock[]): FlatBlocks {
  const lengths = Int32Array.from(blocks, ({ indices }) => indices.length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const indices = new Int32Array(total);
  const values = new Float64Array(total);
  let offset = 0;
  for (const block of blocks) {
    indices.set(block.indices, offset);
    values.set(block.values, offset);
    offset += block.indices.length;
  }
  return { lengths, indices, values };
}

function unflatten({ lengths, indices, values }: FlatBlocks, dimension: number): SparseBlock[] {
  checkCounts("entries", lengths, indices.length);
  checkSame("entries", values.length, indices.length);
  const wrong = indices.find((index) => index < 0 || index >= dimension);
  if (wrong !== undefined) throw new RangeError(`expected indices below ${dimension}, got ${wrong}`);
  let offset = 0;
  return Array.from(lengths, (length) => {
    const from = offset;
    offset += length;
    return { indices: indices.slice(from, offset), values: values.slice(from, offset) };
  });
}

/** The state of Frank-Wolfe as plain data. */
export function packFrankWolfe(state: FrankWolfeState): LearnerState {
  const { epoch, primal, dual, steps, linear, weights, outputs } = state;
  const all = outputs.flat();
  return {
    epoch,
    numbers: { primal, dual, steps, linear },
    vectors: {
      weights,
      counts: Int32Array.from(outputs, ({ length }) => length),
      shares: Float64Array.from(all, ({ share }) => share),
      losses: Float64Array.from(all, ({ loss }) => loss),
      ...flatten(all.map(({ block }) => block)),
    },
  };
}

export function unpackFrankWolfe({ epoch, numbers, vectors }: LearnerState): FrankWolfeState {
  const weights = doubles(vectors, "weights");
  const shares = doubles(vectors, "shares");
  const losses = doubles(vectors, "losses");
  const blocks = unflatten(flatBlocks(vectors), weights.length);
  const counts = integers(vectors, "counts");
  checkCounts("outputs", counts, blocks.length);
  checkSame("shares", shares.length, blocks.length);
  checkSame("losses", losses.length, blocks.length);
  let next = 0;
  const outputs = Array.from(counts, (count) =>
    Array.from({ length: count }, (): ActiveOutput => {
      const k = next++;
      return { share: shares[k], loss: losses[k], block: blocks[k] };
    }),
  );
  return {
    epoch,
    primal: number(numbers, "primal"),
    dual: number(numbers, "dual"),
    steps: number(numbers, "steps"),
    linear: number(numbers, "linear"),
    weights,
    outputs,
  };
}

/** The state of L-BFGS as plain data. O(history). */
export function packLbfgs({ iteration, evaluations, value, steepest, ...state }: LbfgsState): LearnerState {
  const vectors: Record<string, StateVector> = { weights: state.weights, gradient: state.gradient };
  for (const [k, { step, change }] of state.history.entries()) {
    vectors[`step${k}`] = step;
    vectors[`change${k}`] = change;
  }
  return {
    epoch: iteration,
    numbers: { evaluations, value, steepest, history: state.history.length },
    vectors,
  };
}

export function unpackLbfgs({ epoch, numbers, vectors }: LearnerState): LbfgsState {
  return {
    iteration: epoch,
    evaluations: number(numbers, "evaluations"),
    value: number(numbers, "value"),
    steepest: number(numbers, "steepest"),
    weights: doubles(vectors, "weights"),
    gradient: doubles(vectors, "gradient"),
    history: Array.from({ length: number(numbers, "history") }, (_, k) => ({
      step: doubles(vectors, `step${k}`),
      change: doubles(vectors, `change${k}`),
    })),
  };
}

type Vectors = LearnerState["vectors"];

function flatBlocks(vectors: Vectors): FlatBlocks {
  return {
    lengths: integers(vectors, "lengths"),
    indices: integers(vectors, "indices"),
    values: doubles(vectors, "values"),
  };
}

export function number(numbers: LearnerState["numbers"], name: string): number {
  const found = numbers[name];
  if (found === undefined) throw otherState(name);
  return found;
}

export function doubles(vectors: Vectors, name: string): Float64Array {
  const found = vectors[name];
  if (!(found instanceof Float64Array)) throw otherState(name);
  return found;
}

function integers(vectors: Vectors, name: string): Int32Array {
  const found = vectors[name];
  if (!(found instanceof Int32Array)) throw otherState(name);
  return found;
}

function checkCounts(name: string, counts: Int32Array, total: number): void {
  let sum = 0;
  for (const count of counts) {
    if (count < 0) throw new RangeError(`expected no number of ${name} below 0, got ${count}`);
    sum += count;
  }
  checkSame(name, sum, total);
}

function checkSame(name: string, found: number, expected: number): void {
  if (found !== expected) throw new RangeError(`expected ${expected} ${name} in a state, got ${found}`);
}

function otherState(name: string): RangeError {
  return new RangeError(`expected a state of this learner; its "${name}" is missing or of another type`);
}
