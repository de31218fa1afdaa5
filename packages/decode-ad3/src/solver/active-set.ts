import { BorderedInverse } from "./bordered-inverse.ts";
import type { LocalMaximizer } from "./local-maximizer.ts";
import { scoreOfVariables } from "./variables-score.ts";

/** Maximum number of steps in one call; the next call continues. */
const STEPS = 6;
/**
 * Below this, a configuration is an affine combination of the active ones (the exact values are integers).
 */
const DEPENDENT = 1e-9;
/** Changes of the inverse before it is recomputed. */
const REFRESH = 500;

/**
 * Solves the quadratic subproblem of a factor by its local maximizer alone. Finds the point z nearest to a in
 * the convex hull of the factor's configurations, where additional potentials count once, not squared:
 *
 *     min |z - a|² / 2 - w / eta,    z = sum of weight * variables that are on,  w = sum of weight * scores
 *
 * A solution needs few configurations. The active set holds them, with their weights; a step either solves
 * the problem over these, drops one whose weight would become negative, or adds the configuration that
 * improves z most. The active set is kept from one call to the next, since a changes little.
 *
 * A step takes one maximum or none and O(r² + r k) for r active configurations and k variables. Nocedal and
 * Wright (2006), section 16.5; Martins, Figueiredo, Aguiar, Smith and Xing (2015), section 6.
 */
export class ActiveSet {
  readonly maximizer: LocalMaximizer;
  /** Scratch memory for potentials: the caller writes eta * a here. */
  readonly input: Float64Array;
  /** The nearest point, after `solve`. */
  readonly output: Float64Array;
  /** Active configurations. */
  size = 0;
  /** The slot of each configuration; slot[size] is free. */
  #slot = new Int32Array(4);
  weight = new Float64Array(4);
  /**
   * The multiplier of "weights add up to 1", then the weight that each would have if it could be negative.
   */
  #target = new Float64Array(5);
  /** Whether `target` is up to date. */
  #solved = false;
  #value = new Float64Array(4);
  #column = new Float64Array(5);
  #image = new Float64Array(5);
  /** Inverse of [0 1; 1 M], M[i][j] = number of variables that are on in both. */
  readonly #inverse = new BorderedInverse();
  #changes = 0;
  readonly direction: Float64Array;
  readonly ignored: Float64Array;

  constructor(maximizer: LocalMaximizer) {
    this.maximizer = maximizer;
    this.input = new Float64Array(maximizer.variables);
    this.output = new Float64Array(maximizer.variables);
    this.direction = new Float64Array(maximizer.variables);
    this.ignored = new Float64Array(maximizer.additional);
    for (let i = 0; i < 4; i++) this.#slot[i] = i;
    maximizer.reserve(4);
  }

  /** Removes all active configurations. */
  clear(): void {
    this.size = 0;
  }

  /** Returns false when the factor has no configuration; otherwise `output` is the nearest point. */
  solve(additional: Float64Array, eta: number): boolean {
    if (this.size === 0 && !this.#begin(additional)) return false;
    this.#refreshValues(additional, eta);
    let fresh = true;
    for (let step = 0; step < STEPS; step++) {
      if (!this.#solved) this.#solveEqualities();
      if (this.#moveToTarget()) {
        // Optimal over the active set: does another configuration improve it?
        this.#writeOutput();
        fresh = true;
        if (!this.#extend(additional, eta, this.#target[0])) return true;
        fresh = false;
      } else {
        fresh = false;
      }
    }
    if (!fresh) this.#writeOutput();
    return true;
  }

  /** Calls `visitor` with the slot and the weight of each active configuration. */
  visit(visitor: (slot: number, weight: number) => void): void {
    for (let i = 0; i < this.size; i++) visitor(this.#slot[i], this.weight[i]);
  }

  /** Adds the additional posteriors at the current weights. */
  addPosteriors(variable: Float64Array, additional: Float64Array): void {
    for (let i = 0; i < this.size; i++) {
      this.maximizer.addPosteriors(this.#slot[i], this.weight[i], variable, additional);
    }
  }

  /** Returns the weighted sum of the configurations' scores that are not potentials of variables. */
  ownScore(additional: Float64Array): number {
    this.direction.fill(0);
    let sum = 0;
    for (let i = 0; i < this.size; i++) {
      sum += this.weight[i] * this.maximizer.evaluate(this.direction, additional, this.#slot[i]);
    }
    return sum;
  }

  /**
   * Returns the highest value under the potentials of `input`; writes the variables of its configuration to
   * `point`, if that is given.
   */
  maximum(additional: Float64Array, point: Float64Array | undefined): number {
    const { maximizer } = this;
    const slot = this.#slot[this.size];
    const value = maximizer.maximize(this.input, additional, slot);
    if (point !== undefined && value > -Infinity) {
      point.fill(0, 0, maximizer.variables);
      maximizer.addPosteriors(slot, 1, point, this.ignored);
    }
    return value;
  }

  /**
   * Returns the score of the configuration with exactly these variables on, without their own potentials;
   * -Infinity when there is none. Overwrites `input`.
   */
  scoreOf(on: Float64Array, additional: Float64Array): number {
    return scoreOfVariables(this.maximizer, this.#slot[this.size], on, additional, this);
  }

  /** Makes the configuration that `scoreOf` found the only active one. */
  settle(): void {
    const slot = this.#slot[this.size];
    this.#slot[this.size] = this.#slot[0];
    this.#slot[0] = slot;
    this.size = 1;
    this.weight[0] = 1;
    this.#rebuild();
  }

  #begin(additional: Float64Array): boolean {
    const value = this.maximizer.maximize(this.input, additional, this.#slot[0]);
    if (value === -Infinity) return false;
    this.size = 1;
    this.weight[0] = 1;
    this.#rebuild();
    return true;
  }

  /** Computes the value of each configuration at z = 0. */
  #refreshValues(additional: Float64Array, eta: number): void {
    const { maximizer, input, size } = this;
    const slot = this.#slot;
    const value = this.#value;
    for (let i = 0; i < size; i++) value[i] = maximizer.evaluate(input, additional, slot[i]) / eta;
    this.#solved = false;
  }

  /** Writes the solution over the active set, where weights may be negative, to `target`. O(r²). */
  #solveEqualities(): void {
    const { size } = this;
    const value = this.#value;
    const column = this.#column;
    column[0] = 1;
    for (let i = 0; i < size; i++) column[i + 1] = value[i];
    this.#inverse.multiply(size, column, this.#target);
    this.#solved = true;
  }

  /**
   * Moves the weights towards the target as far as they stay >= 0, and drops the configuration whose weight
   * becomes 0 first. Returns whether the target was reached.
   */
  #moveToTarget(): boolean {
    const { size, weight } = this;
    const target = this.#target;
    let share = 1;
    let blocking = -1;
    for (let i = 0; i < size; i++) {
      const aim = target[i + 1];
      if (aim >= -1e-12) continue;
      const reach = weight[i] / (weight[i] - aim);
      if (reach >= share && blocking >= 0) continue;
      share = reach < share ? reach : share;
      blocking = i;
    }
    for (let i = 0; i < size; i++) {
      const moved = weight[i] + share * (target[i + 1] - weight[i]);
      weight[i] = moved > 0 ? moved : 0;
    }
    if (blocking < 0) return true;
    this.#drop(blocking);
    return false;
  }

  #writeOutput(): void {
    this.output.fill(0);
    for (let i = 0; i < this.size; i++) {
      this.maximizer.addPosteriors(this.#slot[i], this.weight[i], this.output, this.ignored);
    }
  }

  /** Adds the configuration that improves most; returns false when none does. */
  #extend(additional: Float64Array, eta: number, threshold: number): boolean {
    const { maximizer, input, output, direction } = this;
    for (let i = 0; i < input.length; i++) direction[i] = input[i] - eta * output[i];
    const slot = this.#slot[this.size];
    const gain = maximizer.maximize(direction, additional, slot) / eta - threshold;
    if (!(gain > 1e-9)) return false;
    this.#grow();
    this.#value[this.size] = maximizer.evaluate(input, additional, slot) / eta;
    return this.#insert();
  }

  /** Adds the configuration of slot[size], and updates inverse and target. */
  #insert(): boolean {
    const { size } = this;
    const rest = this.#project(size, size);
    if (rest < 0) return this.#exchange();
    this.weight[size] = 0;
    const column = this.#column;
    const image = this.#image;
    const target = this.#target;
    const value = this.#value;
    let last = value[size];
    for (let i = 0; i <= size; i++) last -= column[i] * target[i];
    last /= rest;
    for (let i = 0; i <= size; i++) target[i] -= image[i] * last;
    target[size + 1] = last;
    this.#inverse.border(size, image, rest);
    this.size = size + 1;
    if (++this.#changes > REFRESH) this.#rebuild();
    return true;
  }

  /**
   * Writes the affine combination of the first `count` configurations that is nearest to a configuration to
   * `image`. Returns the Schur complement of its row, or -1 where the configuration is such a combination.
   */
  #project(count: number, which: number): number {
    const { maximizer } = this;
    const slot = this.#slot;
    const column = this.#column;
    const image = this.#image;
    const own = maximizer.countCommon(slot[which], slot[which]);
    column[0] = 1;
    for (let i = 0; i < count; i++) column[i + 1] = maximizer.countCommon(slot[which], slot[i]);
    this.#inverse.multiply(count, column, image);
    let rest = own;
    for (let i = 0; i <= count; i++) rest -= image[i] * column[i];
    return rest > DEPENDENT * (1 + own) ? rest : -1;
  }

  /**
   * Replaces an active configuration by the new one, which is an affine combination of active ones with
   * coefficients image[1..]: along the difference z does not change, and the score grows. Weights move as far
   * as they stay >= 0; the first that becomes 0 is replaced.
   */
  #exchange(): boolean {
    const { size, weight, maximizer } = this;
    const image = this.#image;
    for (let i = 0; i < size; i++) if (maximizer.same(this.#slot[size], this.#slot[i])) return false;
    let reach = Infinity;
    let blocking = -1;
    for (let i = 0; i < size; i++) {
      const coefficient = image[i + 1];
      if (coefficient <= 1e-9 || weight[i] >= reach * coefficient) continue;
      reach = weight[i] / coefficient;
      blocking = i;
    }
    if (blocking < 0) return false;
    for (let i = 0; i < size; i++) {
      const moved = weight[i] - reach * image[i + 1];
      weight[i] = moved > 0 ? moved : 0;
    }
    const freed = this.#slot[blocking];
    this.#slot[blocking] = this.#slot[size];
    this.#slot[size] = freed;
    this.#value[blocking] = this.#value[size];
    weight[blocking] = reach;
    this.#rebuild();
    return true;
  }

  /** Removes a configuration; the last one takes its index. */
  #drop(which: number): void {
    const inverse = this.#inverse;
    const target = this.#target;
    const end = this.size;
    this.#swap(which, end - 1);
    inverse.swap(which + 1, end);
    const kept = target[which + 1];
    target[which + 1] = target[end];
    target[end] = kept;
    const isExact = inverse.removeLast(end, target);
    this.size = end - 1;
    if (++this.#changes > REFRESH || !isExact) this.#rebuild();
  }

  /**
   * Recomputes the inverse, one configuration at a time; those that depend on others are dropped.
   * O(r³).
   */
  #rebuild(): void {
    const { maximizer, weight } = this;
    const inverse = this.#inverse;
    const slot = this.#slot;
    const image = this.#image;
    const count = this.size;
    this.#changes = 0;
    this.#solved = false;
    inverse.start(maximizer.countCommon(slot[0], slot[0]));
    let kept = 1;
    for (let next = 1; next < count; next++) {
      const rest = this.#project(kept, next);
      if (rest < 0) {
        for (let i = 0; i < kept; i++) weight[i] += weight[next] * image[i + 1];
        continue;
      }
      this.#swap(kept, next);
      inverse.border(kept, image, rest);
      kept++;
    }
    this.size = kept;
    let sum = 0;
    for (let i = 0; i < kept; i++) {
      if (weight[i] < 0) weight[i] = 0;
      sum += weight[i];
    }
    for (let i = 0; i < kept; i++) weight[i] /= sum;
  }

  #swap(a: number, b: number): void {
    if (a === b) return;
    for (const column of [this.#slot, this.weight, this.#value]) {
      const kept = column[a];
      column[a] = column[b];
      column[b] = kept;
    }
  }

  /** Grows the arrays to hold one more than `size`, and a slot after it. */
  #grow(): void {
    const capacity = this.#slot.length;
    if (this.size + 2 <= capacity) return;
    const larger = 2 * capacity;
    const grown = (old: Float64Array, length: number) => {
      const array = new Float64Array(length);
      array.set(old);
      return array;
    };
    const slot = Int32Array.from({ length: larger }, (_, i) => (i < capacity ? this.#slot[i] : i));
    this.#slot = slot;
    this.weight = grown(this.weight, larger);
    this.#target = grown(this.#target, larger + 1);
    this.#value = grown(this.#value, larger);
    this.#column = grown(this.#column, larger + 1);
    this.#image = grown(this.#image, larger + 1);
    this.#inverse.grow(this.size, larger + 1);
    this.maximizer.reserve(larger);
  }
}
