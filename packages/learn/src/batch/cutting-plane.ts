import { SparseVector } from "@arcwise/core";
import { yieldToEventLoop } from "../event-loop.ts";
import { blockOf, dotBlock, EMPTY_BLOCK, type SparseBlock } from "../sparse-block.ts";
import { checkUpdate, EXPECTED_ENTRIES, type StructuredTask } from "../task.ts";
import {
  checkDualOptions,
  checkLength,
  type DualityGap,
  type DualOptions,
  type DualResult,
  squaredNorm,
} from "./dual.ts";
import { maximiseOnSimplex } from "./simplex-qp.ts";

/** Options of the cutting-plane learner. */
export interface CuttingPlaneOptions extends DualOptions {
  /** Maximum number of epochs, each of which makes a plane. Default: 1000. */
  readonly epochs?: number | undefined;
  /** Called after each epoch and awaited; training ends when it returns false. */
  readonly onCheck?: ((state: CuttingPlaneState) => unknown) | undefined;
  /** A state of `onCheck` to resume from. */
  readonly resume?: CuttingPlaneState | undefined;
}

/** A lower bound of the mean loss: loss - weights · difference. */
export interface Plane {
  readonly difference: SparseBlock;
  readonly loss: number;
  /** Its multiplier: its share of the weights. */
  readonly share: number;
  /** Number of epochs in which the multiplier has been 0. */
  readonly idle: number;
}

/** The state of training. */
export interface CuttingPlaneState extends DualityGap {
  readonly epoch: number;
  /** The weights of the lowest objective so far. */
  readonly result: Float64Array;
  readonly planes: readonly Plane[];
}

/** Planes are dropped after this number of idle epochs. */
const MAX_IDLE = 50;

/**
 * The structured support vector machine (see `svm`) by cutting planes with one slack variable (Joachims,
 * Finley and Yu 2009, algorithm 3). Every epoch decodes all examples at the same weights; the result bounds
 * the mean loss from below by a plane, and the weights of the next epoch minimise l2 / 2 · |w|² plus the highest
 * of all planes: a quadratic programme with as many variables as there are planes, solved to a tenth of the
 * tolerance. The number of epochs needed for a tolerance does not depend on the number of
 * examples.
 *
 * An epoch costs a cost-augmented decoding of all examples and an inner product with each plane.
 *
 * @throws RangeError when an option is out of its range, the state is of another task, or a cost is not a number
 * @throws the reason of the signal once that is aborted
 */
export async function cuttingPlane<Output>(
  task: StructuredTask<Output>,
  options: CuttingPlaneOptions,
): Promise<DualResult> {
  const { epochs = 1000, tolerance = 1e-4, l2 } = options;
  checkDualOptions(options, epochs, 1);
  const planes = new Planes(task.dimension, l2);
  if (options.resume !== undefined) planes.restore(options.resume, tolerance);
  const pause = yieldToEventLoop(options.signal);
  const sum = new SparseVector(EXPECTED_ENTRIES);
  const result = new Float64Array(task.dimension);
  if (options.resume !== undefined) result.set(options.resume.result);
  let epoch = options.resume?.epoch ?? 0;
  let primal = options.resume?.primal ?? Infinity;
  let dual = options.resume?.dual ?? 0;
  while (epoch < epochs) {
    epoch++;
    sum.clear();
    let cost = 0;
    for (let example = 0; example < task.size; example++) {
      const price = task.difference(example, task.decode(example, planes.weights, true), sum);
      checkUpdate(example, 0, price);
      cost += price;
      if (await pause()) options.onProgress?.({ epoch, done: example + 1 });
    }
    const share = 1 / Math.max(1, task.size);
    const difference = blockOf(sum, share);
    const loss = share * cost;
    const value = loss - dotBlock(difference, planes.weights) + (l2 / 2) * squaredNorm(planes.weights);
    checkUpdate(task.size, value, cost);
    if (value < primal) {
      primal = value;
      result.set(planes.weights);
    }
    planes.add(difference, loss, tolerance / 10);
    dual = Math.max(dual, planes.dual());
    if ((await options.onCheck?.({ epoch, primal, dual, result, planes: planes.all() })) === false) break;
    if (primal - dual <= tolerance) break;
  }
  return { weights: result, primal, dual, epochs: epoch, converged: primal - dual <= tolerance };
}

class Planes {
  readonly weights: Float64Array;
  readonly #l2: number;
  /** The first plane is 0: no mean loss is below it. */
  #differences: SparseBlock[] = [EMPTY_BLOCK];
  #losses: number[] = [0];
  #shares: number[] = [1];
  #idle: number[] = [0];
  /** Inner products of the differences, divided by l2. */
  #products: number[][] = [[0]];

  constructor(dimension: number, l2: number) {
    this.weights = new Float64Array(dimension);
    this.#l2 = l2;
  }

  /** Adds a plane and sets the weights to the minimum under all planes. */
  add(difference: SparseBlock, loss: number, tolerance: number): void {
    this.#append(difference, loss, 0, 0);
    this.#solve(tolerance);
    this.#dropIdle();
  }

  #append(difference: SparseBlock, loss: number, share: number, idle: number): void {
    // The new difference is scattered into the memory of the weights, which are set anew afterwards.
    const { weights } = this;
    weights.fill(0);
    for (let k = 0; k < difference.indices.length; k++) {
      weights[difference.indices[k]] += difference.values[k];
    }
    this.#differences.push(difference);
    const row = this.#differences.map((other) => dotBlock(other, weights) / this.#l2);
    for (const [k, products] of this.#products.entries()) products.push(row[k]);
    this.#products.push(row);
    this.#losses.push(loss);
    this.#shares.push(share);
    this.#idle.push(idle);
  }

  #solve(tolerance: number): void {
    const shares = Float64Array.from(this.#shares);
    const quadratic = this.#products.map((row) => Float64Array.from(row));
    maximiseOnSimplex(quadratic, Float64Array.from(this.#losses), shares, tolerance);
    this.#shares = [...shares];
    this.#idle = this.#idle.map((idle, k) => (shares[k] > 0 ? 0 : idle + 1));
    this.#setWeights();
  }

  #setWeights(): void {
    const { weights } = this;
    weights.fill(0);
    for (const [k, { indices, values }] of this.#differences.entries()) {
      const scale = this.#shares[k] / this.#l2;
      if (scale === 0) continue;
      for (let e = 0; e < indices.length; e++) weights[indices[e]] += scale * values[e];
    }
  }

  #dropIdle(): void {
    if (!this.#idle.some((idle, k) => k > 0 && idle > MAX_IDLE)) return;
    const isKept = this.#idle.map((idle, k) => k === 0 || idle <= MAX_IDLE);
    const kept = <T>(list: readonly T[]): T[] => list.filter((_, k) => isKept[k]);
    this.#products = kept(this.#products).map(kept);
    this.#differences = kept(this.#differences);
    this.#losses = kept(this.#losses);
    this.#shares = kept(this.#shares);
    this.#idle = kept(this.#idle);
  }

  /** The dual at the multipliers, a lower bound of the objective. */
  dual(): number {
    const linear = this.#losses.reduce((sum, loss, k) => sum + loss * this.#shares[k], 0);
    return linear - (this.#l2 / 2) * squaredNorm(this.weights);
  }

  /** All planes except the zero plane. */
  all(): Plane[] {
    return this.#differences.slice(1).map((difference, k) => ({
      difference,
      loss: this.#losses[k + 1],
      share: this.#shares[k + 1],
      idle: this.#idle[k + 1],
    }));
  }

  restore({ planes, result }: CuttingPlaneState, tolerance: number): void {
    checkLength("weights", result.length, this.weights.length);
    let rest = 1;
    for (const { difference, loss, share, idle } of planes) {
      this.#append(difference, loss, share, idle);
      rest -= share;
    }
    this.#shares[0] = Math.max(0, rest);
    if (rest < -tolerance - 1e-6) throw new RangeError("the shares of the planes of a state exceed 1");
    this.#setWeights();
  }
}
