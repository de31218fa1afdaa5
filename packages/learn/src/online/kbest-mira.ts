import { SparseVector } from "@arcwise/core";
import { checkInteger } from "../checks.ts";
import { checkUpdate, EXPECTED_ENTRIES, MissingMethod, type StructuredTask, type Update } from "../task.ts";
import { hildreth } from "./hildreth.ts";
import { checkAggressiveness, type MiraOptions } from "./mira.ts";
import type { OnlineLearner } from "./online-learner.ts";
import { AveragedWeights } from "./weights.ts";

/** Options of `kBestMira`. */
export interface KBestMiraOptions extends MiraOptions {
  /** Number of outputs per update. Default: 5. */
  readonly k?: number | undefined;
}

/**
 * Makes the learner k-best MIRA (McDonald, Crammer and Pereira 2005, section 3.2) with cost-augmented
 * decoding: an update is the smallest change of the weights that gives the gold output a margin of the cost
 * over each of the k best outputs, found by Hildreth's algorithm. Constraints have slack, so that no
 * multiplier exceeds `aggressiveness`. With k = 1 it equals `mira`. Weights are averaged.
 *
 * An update costs a k-best decoding, k² / 2 inner products of sparse differences, and k² steps per sweep.
 *
 * @throws RangeError when the dimension or k is not an integer >= 1 or `aggressiveness` is not above 0
 * @throws ArcwiseError `missing-method` from `update` when the task has no `kBest`
 */
export function kBestMira(dimension: number, options: KBestMiraOptions = {}): OnlineLearner {
  const { k = 5, aggressiveness = 0.1 } = options;
  checkAggressiveness(aggressiveness);
  checkInteger("k", k, 1);
  const weights = new AveragedWeights(dimension);
  const constraints = new Constraints();
  const change = new SparseVector(EXPECTED_ENTRIES);

  function update<Output>(task: StructuredTask<Output>, example: number): Update {
    if (task.kBest === undefined) throw new MissingMethod("kbest-mira", "kBest");
    const outputs = task.kBest(example, weights.values, k, true);
    constraints.clear();
    let worst = 0;
    let cost = 0;
    for (const [rank, output] of outputs.entries()) {
      const difference = constraints.vacant();
      const price = task.difference(example, output, difference);
      const loss = price - difference.dot(weights.values);
      checkUpdate(example, loss, price);
      if (rank === 0) cost = price;
      worst = Math.max(worst, loss);
      constraints.keep(loss);
    }
    change.clear();
    if (worst > 0) constraints.solve(aggressiveness, change);
    if (change.size > 0) weights.add(change, 1);
    else weights.skip();
    return { cost, loss: worst };
  }

  return {
    name: "kbest-mira",
    weights,
    sparse: true,
    update,
    result: (into) => weights.average(into),
  };
}

/** Constraints of an update: differences and losses. Memory is reused from one update to the next. */
class Constraints {
  readonly #differences: SparseVector[] = [];
  #count = 0;
  #losses = new Float64Array(8);
  #multipliers = new Float64Array(8);
  #gram = new Float64Array(64);

  clear(): void {
    this.#count = 0;
  }

  /** An empty difference for the next constraint. */
  vacant(): SparseVector {
    this.#differences[this.#count] ??= new SparseVector(EXPECTED_ENTRIES);
    const difference = this.#differences[this.#count];
    difference.clear();
    return difference;
  }

  /** Adds what was last `vacant` as a constraint, unless the two outputs have the same features. */
  keep(loss: number): void {
    if (this.#differences[this.#count].squaredNorm() === 0) return;
    if (this.#count === this.#losses.length) {
      const losses = new Float64Array(2 * this.#count);
      losses.set(this.#losses);
      this.#losses = losses;
      this.#multipliers = new Float64Array(2 * this.#count);
      this.#gram = new Float64Array(4 * this.#count * this.#count);
    }
    this.#losses[this.#count++] = loss;
  }

  /** Adds the change of the weights to `into`. */
  solve(most: number, into: SparseVector): void {
    const count = this.#count;
    const gram = this.#gram;
    for (let i = 0; i < count; i++) {
      for (let j = 0; j <= i; j++) {
        const product = innerProduct(this.#differences[i], this.#differences[j]);
        gram[i * count + j] = product;
        gram[j * count + i] = product;
      }
    }
    hildreth(gram, this.#losses, count, most, this.#multipliers);
    for (let j = 0; j < count; j++) {
      if (this.#multipliers[j] > 0) into.addScaled(this.#differences[j], this.#multipliers[j]);
    }
  }
}

function innerProduct(a: SparseVector, b: SparseVector): number {
  return a.size < b.size ? b.dotSparse(a) : a.dotSparse(b);
}
