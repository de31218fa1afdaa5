import { SparseVector } from "@arcwise/core";
import { addBlock, blockOf, dotBlock, EMPTY_BLOCK, type SparseBlock } from "../sparse-block.ts";
import { checkUpdate, EXPECTED_ENTRIES, type StructuredTask } from "../task.ts";
import { checkLength, squaredNorm } from "./dual.ts";

/** An output with a share of its example: shares of an example are above 0 and sum to 1. */
export interface ActiveOutput {
  readonly share: number;
  /** Its cost over the number of examples. */
  readonly loss: number;
  /** The example's contribution to the weights if this output had all of its share. */
  readonly block: SparseBlock;
}

/** The state of shares. The arrays are their own, not copies. */
export interface SharesState {
  readonly steps: number;
  readonly weights: Float64Array;
  /** The outputs of each example that have a share. */
  readonly outputs: readonly (readonly ActiveOutput[])[];
  /** The linear term of the dual. */
  readonly linear: number;
}

/** The two outputs of a step: one loses share, the other one gains it. */
interface Pair {
  readonly to: number;
  readonly away: number;
}

/** Maximum number of consecutive steps among the stored outputs of an example. */
const CACHED_STEPS = 10;
/** Ascents below this share of the costs are rounding. */
const ROUNDING = 1e-15;

/**
 * The weights as a sum over the examples' active outputs. A step moves share from the output with the highest
 * derivative of the dual against it to the best one, by the step size that is optimal for the dual: a
 * pairwise step of Frank-Wolfe (Lacoste-Julien and Jaggi 2015). An output without share is removed. Stored
 * outputs are compared without decoding, so that each decoding is followed by several such steps, and there
 * can be sweeps over the examples without decoding (the cache of Osokin et al. 2016).
 */
export class PairwiseShares<Output> {
  readonly #task: StructuredTask<Output>;
  readonly #l2: number;
  readonly weights: Float64Array;
  readonly #outputs: ActiveOutput[][];
  #linear = 0;
  #steps = 0;
  readonly #difference = new SparseVector(EXPECTED_ENTRIES);
  readonly #change = new SparseVector(EXPECTED_ENTRIES);

  constructor(task: StructuredTask<Output>, l2: number) {
    this.#task = task;
    this.#l2 = l2;
    this.weights = new Float64Array(task.dimension);
    this.#outputs = Array.from({ length: task.size }, () => [{ share: 1, loss: 0, block: EMPTY_BLOCK }]);
  }

  /** Moves the shares of an example. */
  step(example: number): void {
    const task = this.#task;
    const { weights } = this;
    const difference = this.#difference;
    const outputs = this.#outputs[example];
    this.#steps++;
    difference.clear();
    const cost = task.difference(example, task.decode(example, weights, true), difference);
    checkUpdate(example, cost - difference.dot(weights), cost);
    const loss = cost / task.size;
    const block = blockOf(difference, 1 / (this.#l2 * task.size));
    let to = outputs.findIndex((one) => one.loss === loss && isSame(one.block, block));
    if (to < 0) to = outputs.push({ share: 0, loss, block }) - 1;
    this.#move(outputs, { to, away: this.#extremes(outputs).away });
    this.#stepCached(example);
  }

  /** Makes a sweep over examples without decoding. @returns the increase of the dual */
  passCached(order: Int32Array): number {
    let rise = 0;
    for (let k = 0; k < order.length; k++) rise += this.#stepCached(order[k]);
    return rise;
  }

  /** Makes steps among the stored outputs of an example. @returns the increase of the dual */
  #stepCached(example: number): number {
    const outputs = this.#outputs[example];
    let rise = 0;
    for (let step = 0; step < CACHED_STEPS && outputs.length > 1; step++) {
      const more = this.#move(outputs, this.#extremes(outputs));
      rise += more;
      if (more <= 0.1 * rise) break;
    }
    const kept = outputs.filter(({ share }) => share > 0);
    if (kept.length < outputs.length) this.#outputs[example] = kept;
    return rise;
  }

  /**
   * The outputs that speak most for themselves, and least of those that have a share. O(non-zeros of all).
   */
  #extremes(outputs: readonly ActiveOutput[]): Pair {
    let [to, away] = [0, 0];
    let [most, least] = [-Infinity, Infinity];
    for (const [k, { share, loss, block }] of outputs.entries()) {
      const gain = loss - this.#l2 * dotBlock(block, this.weights);
      if (gain > most) [most, to] = [gain, k];
      if (share > 0 && gain < least) [least, away] = [gain, k];
    }
    return { to, away };
  }

  /** @returns the increase of the dual */
  #move(outputs: ActiveOutput[], { to, away }: Pair): number {
    if (to === away) return 0;
    const [winner, loser] = [outputs[to], outputs[away]];
    const change = this.#change;
    change.clear();
    addBlock(change, winner.block, 1);
    addBlock(change, loser.block, -1);
    const ascent = winner.loss - loser.loss - this.#l2 * change.dot(this.weights);
    if (!(ascent > ROUNDING * (winner.loss + loser.loss))) return 0;
    const curvature = this.#l2 * change.squaredNorm();
    const step = ascent >= loser.share * curvature ? loser.share : ascent / curvature;
    for (let k = 0; k < change.size; k++) this.weights[change.indices[k]] += step * change.values[k];
    this.#linear += step * (winner.loss - loser.loss);
    outputs[to] = { ...winner, share: winner.share + step };
    outputs[away] = { ...loser, share: step === loser.share ? 0 : loser.share - step };
    return step * (ascent - (step / 2) * curvature);
  }

  dual(): number {
    return this.#linear - (this.#l2 / 2) * squaredNorm(this.weights);
  }

  state(): SharesState {
    return { steps: this.#steps, weights: this.weights, outputs: this.#outputs, linear: this.#linear };
  }

  restore(state: SharesState): void {
    checkLength("weights", state.weights.length, this.weights.length);
    checkLength("examples", state.outputs.length, this.#outputs.length);
    this.weights.set(state.weights);
    for (const [example, outputs] of state.outputs.entries()) this.#outputs[example] = [...outputs];
    this.#steps = state.steps;
    this.#linear = state.linear;
  }
}

/**
 * Whether two blocks have the same entries in the same order. The entries of an output are always in one
 * order.
 */
function isSame(a: SparseBlock, b: SparseBlock): boolean {
  const { length } = a.indices;
  if (length !== b.indices.length) return false;
  for (let k = 0; k < length; k++) {
    if (a.indices[k] !== b.indices[k] || a.values[k] !== b.values[k]) return false;
  }
  return true;
}
