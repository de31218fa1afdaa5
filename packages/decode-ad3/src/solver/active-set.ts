import type { LocalMaximizer } from "./local-maximizer.ts";

/** Steps of the method in one call; what is left is done when the solver comes back. */
const STEPS = 10;
/** Below this, a configuration is an affine combination of the active ones (the exact values are integers). */
const DEPENDENT = 1e-9;
/** Changes of the inverse before it is computed anew. */
const REFRESH = 200;

/**
 * The quadratic subproblem of a factor of which only the local maximizer is known: over the convex hull of its
 * configurations, the point z nearest to a, where additional potentials count once, not squared:
 *
 *     min |z - a|² / 2 - w / eta,    z = sum of weight * variables that are on,  w = sum of weight * scores
 *
 * A solution needs few configurations. The active set holds them, with their weights; a step either solves the problem
 * over these, drops one whose weight would become negative, or asks for the configuration that improves z most. What
 * is active is kept from one call to the next, when a has changed little.
 *
 * A step takes one maximum or none and O(r² + r k) for r active configurations and k variables. Nocedal and Wright
 * (2006), section 16.5; Martins, Figueiredo, Aguiar, Smith and Xing (2015), section 6.
 */
export class ActiveSet {
  readonly maximizer: LocalMaximizer;
  /** The caller writes eta * a here. */
  readonly input: Float64Array;
  /** The nearest point, after `solve`. */
  readonly output: Float64Array;
  /** Active configurations. */
  size = 0;
  /** The slot of each; slot[size] is free. */
  private slot = new Int32Array(4);
  weight = new Float64Array(4);
  private target = new Float64Array(4);
  private value = new Float64Array(4);
  private column = new Float64Array(5);
  private image = new Float64Array(5);
  /** Inverse of [0 1; 1 M], M[i][j] = number of variables that are on in both; rows of `stride`. */
  private inverse = new Float64Array(25);
  private stride = 5;
  private changes = 0;
  private readonly direction: Float64Array;
  private readonly ignored: Float64Array;

  constructor(maximizer: LocalMaximizer) {
    this.maximizer = maximizer;
    this.input = new Float64Array(maximizer.variables);
    this.output = new Float64Array(maximizer.variables);
    this.direction = new Float64Array(maximizer.variables);
    this.ignored = new Float64Array(maximizer.additional);
    for (let i = 0; i < 4; i++) this.slot[i] = i;
    maximizer.reserve(4);
  }

  /** Forgets the active configurations. */
  clear(): void {
    this.size = 0;
  }

  /** Returns false when the factor has no configuration; otherwise `output` is the nearest point. */
  solve(additional: Float64Array, eta: number): boolean {
    if (this.size === 0 && !this.begin(additional)) return false;
    this.refreshValues(additional, eta);
    let fresh = true;
    for (let step = 0; step < STEPS; step++) {
      const threshold = this.solveEqualities();
      if (this.moveToTarget()) {
        // Optimal over the active set: does another configuration improve it?
        this.writeOutput();
        fresh = true;
        if (!this.extend(additional, eta, threshold)) return true;
        fresh = false;
      } else {
        fresh = false;
      }
    }
    if (!fresh) this.writeOutput();
    return true;
  }

  /** Adds the additional posteriors at the current weights. */
  addPosteriors(variable: Float64Array, additional: Float64Array): void {
    for (let i = 0; i < this.size; i++) {
      this.maximizer.addPosteriors(this.slot[i]!, this.weight[i]!, variable, additional);
    }
  }

  /** The weighted sum of the configurations' scores that are not potentials of variables. */
  ownScore(additional: Float64Array): number {
    this.direction.fill(0);
    let sum = 0;
    for (let i = 0; i < this.size; i++) {
      sum += this.weight[i]! * this.maximizer.evaluate(this.direction, additional, this.slot[i]!);
    }
    return sum;
  }

  /** The highest value under the potentials of `input`; writes where it is taken to `point`, if that is given. */
  maximum(additional: Float64Array, point: Float64Array | undefined): number {
    const { maximizer } = this;
    const slot = this.slot[this.size]!;
    const value = maximizer.maximize(this.input, additional, slot);
    if (point !== undefined && value > -Infinity) {
      point.fill(0, 0, maximizer.variables);
      maximizer.addPosteriors(slot, 1, point, this.ignored);
    }
    return value;
  }

  /**
   * What the configuration with just these variables on is paid, their own potentials not counted; -Infinity when there
   * is none. It is found as the best one under potentials that reward agreement more and more. Changes `input`.
   */
  scoreOf(on: Float64Array, additional: Float64Array): number {
    const { maximizer, input, direction } = this;
    const slot = this.slot[this.size]!;
    let largest = 1;
    for (let i = 0; i < additional.length; i++) largest = Math.max(largest, Math.abs(additional[i]!));
    for (const reward of [64, 65_536, 2 ** 32]) {
      for (let i = 0; i < input.length; i++) input[i] = (on[i]! - 0.5) * largest * reward;
      if (maximizer.maximize(input, additional, slot) === -Infinity) return -Infinity;
      direction.fill(0);
      maximizer.addPosteriors(slot, 1, direction, this.ignored);
      let equal = true;
      for (let i = 0; i < input.length && equal; i++) equal = direction[i] === on[i];
      if (!equal) continue;
      direction.fill(0);
      return maximizer.evaluate(direction, additional, slot);
    }
    return -Infinity;
  }

  /** Makes the configuration that `scoreOf` found the only active one. */
  settle(): void {
    const slot = this.slot[this.size]!;
    this.slot[this.size] = this.slot[0]!;
    this.slot[0] = slot;
    this.size = 1;
    this.weight[0] = 1;
    this.rebuild();
  }

  private begin(additional: Float64Array): boolean {
    const value = this.maximizer.maximize(this.input, additional, this.slot[0]!);
    if (value === -Infinity) return false;
    this.size = 1;
    this.weight[0] = 1;
    this.rebuild();
    return true;
  }

  /** What each configuration is worth at z = 0. */
  private refreshValues(additional: Float64Array, eta: number): void {
    const { maximizer, input, size, slot, value } = this;
    for (let i = 0; i < size; i++) value[i] = maximizer.evaluate(input, additional, slot[i]!) / eta;
  }

  /** The weights that solve the problem over the active set if they may be negative; returns the multiplier. */
  private solveEqualities(): number {
    const { size, inverse, stride, value, target } = this;
    let multiplier = inverse[0]!;
    for (let j = 0; j < size; j++) multiplier += inverse[j + 1]! * value[j]!;
    for (let i = 0; i < size; i++) {
      const row = (i + 1) * stride;
      let sum = inverse[row]!;
      for (let j = 0; j < size; j++) sum += inverse[row + 1 + j]! * value[j]!;
      target[i] = sum;
    }
    return multiplier;
  }

  /** Goes towards the target as far as weights stay >= 0; drops what stops it. Returns whether it got there. */
  private moveToTarget(): boolean {
    const { size, weight, target } = this;
    let share = 1;
    let blocking = -1;
    for (let i = 0; i < size; i++) {
      if (target[i]! >= -1e-12) continue;
      const reach = weight[i]! / (weight[i]! - target[i]!);
      if (reach >= share && blocking >= 0) continue;
      share = reach < share ? reach : share;
      blocking = i;
    }
    for (let i = 0; i < size; i++) {
      const moved = weight[i]! + share * (target[i]! - weight[i]!);
      weight[i] = moved > 0 ? moved : 0;
    }
    if (blocking < 0) return true;
    this.drop(blocking);
    return false;
  }

  private writeOutput(): void {
    this.output.fill(0);
    for (let i = 0; i < this.size; i++) {
      this.maximizer.addPosteriors(this.slot[i]!, this.weight[i]!, this.output, this.ignored);
    }
  }

  /** Adds the configuration that improves most; returns false when none does. */
  private extend(additional: Float64Array, eta: number, threshold: number): boolean {
    const { maximizer, input, output, direction } = this;
    for (let i = 0; i < input.length; i++) direction[i] = input[i]! - eta * output[i]!;
    const slot = this.slot[this.size]!;
    const gain = maximizer.maximize(direction, additional, slot) / eta - threshold;
    if (!(gain > 1e-9)) return false;
    for (let i = 0; i < this.size; i++) if (maximizer.same(slot, this.slot[i]!)) return false;
    this.grow();
    this.value[this.size] = maximizer.evaluate(input, additional, slot) / eta;
    return this.insert();
  }

  /** Takes in the configuration of slot[size]. */
  private insert(): boolean {
    const { size, column, image, inverse, stride } = this;
    const slot = this.slot[size]!;
    column[0] = 1;
    for (let i = 0; i < size; i++) column[i + 1] = this.maximizer.countCommon(slot, this.slot[i]!);
    const own = this.maximizer.countCommon(slot, slot);
    let rest = own;
    for (let i = 0; i <= size; i++) {
      const row = i * stride;
      let sum = 0;
      for (let j = 0; j <= size; j++) sum += inverse[row + j]! * column[j]!;
      image[i] = sum;
      rest -= sum * column[i]!;
    }
    if (rest > DEPENDENT * (1 + own)) {
      this.weight[size] = 0;
      this.size = size + 1;
      this.border(rest);
      if (++this.changes > REFRESH) this.rebuild();
      return true;
    }
    return this.exchange();
  }

  /**
   * The new configuration is an affine combination of active ones, with coefficients image[1..]: along the difference
   * z does not change, and the score grows. Goes as far as weights stay >= 0, and puts it in the place of the one that
   * stops this.
   */
  private exchange(): boolean {
    const { size, weight, image } = this;
    let reach = Infinity;
    let blocking = -1;
    for (let i = 0; i < size; i++) {
      const coefficient = image[i + 1]!;
      if (coefficient <= 1e-9 || weight[i]! >= reach * coefficient) continue;
      reach = weight[i]! / coefficient;
      blocking = i;
    }
    if (blocking < 0) return false;
    for (let i = 0; i < size; i++) {
      const moved = weight[i]! - reach * image[i + 1]!;
      weight[i] = moved > 0 ? moved : 0;
    }
    const freed = this.slot[blocking]!;
    this.slot[blocking] = this.slot[size]!;
    this.slot[size] = freed;
    this.value[blocking] = this.value[size]!;
    weight[blocking] = reach;
    this.rebuild();
    return true;
  }

  /** Extends the inverse by one row, whose Schur complement is `rest`. */
  private border(rest: number): void {
    const { size, image, inverse, stride } = this;
    const scale = 1 / rest;
    for (let i = 0; i < size; i++) {
      const row = i * stride;
      const factor = image[i]! * scale;
      for (let j = 0; j < size; j++) inverse[row + j]! += factor * image[j]!;
      inverse[row + size] = -factor;
      inverse[size * stride + i] = -factor;
    }
    inverse[size * stride + size] = scale;
  }

  /** Takes a configuration out: the last one takes its place. */
  private drop(which: number): void {
    const { inverse, stride, slot, weight, value } = this;
    const last = this.size - 1;
    const at = which + 1;
    const end = last + 1;
    if (which !== last) {
      for (let j = 0; j <= end; j++) {
        const kept = inverse[at * stride + j]!;
        inverse[at * stride + j] = inverse[end * stride + j]!;
        inverse[end * stride + j] = kept;
      }
      for (let i = 0; i <= end; i++) {
        const kept = inverse[i * stride + at]!;
        inverse[i * stride + at] = inverse[i * stride + end]!;
        inverse[i * stride + end] = kept;
      }
    }
    const freed = slot[which]!;
    slot[which] = slot[last]!;
    slot[last] = freed;
    weight[which] = weight[last]!;
    value[which] = value[last]!;
    this.size = last;
    const scale = 1 / inverse[end * stride + end]!;
    for (let i = 0; i <= last; i++) {
      const factor = inverse[i * stride + end]! * scale;
      if (factor === 0) continue;
      for (let j = 0; j <= last; j++) inverse[i * stride + j]! -= factor * inverse[end * stride + j]!;
    }
    if (++this.changes > REFRESH || !Number.isFinite(scale)) this.rebuild();
  }

  /** Computes the inverse from nothing, one configuration at a time; those that depend on others are dropped. */
  private rebuild(): void {
    const { inverse, stride, maximizer, slot, column, image } = this;
    const count = this.size;
    this.changes = 0;
    const own = maximizer.countCommon(slot[0]!, slot[0]!);
    inverse[0] = -own;
    inverse[1] = 1;
    inverse[stride] = 1;
    inverse[stride + 1] = 0;
    let kept = 1;
    for (let next = 1; next < count; next++) {
      column[0] = 1;
      for (let i = 0; i < kept; i++) column[i + 1] = maximizer.countCommon(slot[next]!, slot[i]!);
      const norm = maximizer.countCommon(slot[next]!, slot[next]!);
      let rest = norm;
      for (let i = 0; i <= kept; i++) {
        let sum = 0;
        for (let j = 0; j <= kept; j++) sum += inverse[i * stride + j]! * column[j]!;
        image[i] = sum;
        rest -= sum * column[i]!;
      }
      if (rest <= DEPENDENT * (1 + norm)) {
        for (let i = 0; i < kept; i++) this.weight[i]! += this.weight[next]! * image[i + 1]!;
        continue;
      }
      this.swap(kept, next);
      kept++;
      this.size = kept;
      this.border(rest);
    }
    this.size = kept;
    let sum = 0;
    for (let i = 0; i < kept; i++) {
      if (this.weight[i]! < 0) this.weight[i] = 0;
      sum += this.weight[i]!;
    }
    for (let i = 0; i < kept; i++) this.weight[i]! /= sum;
  }

  private swap(a: number, b: number): void {
    if (a === b) return;
    for (const column of [this.slot, this.weight, this.value]) {
      const kept = column[a]!;
      column[a] = column[b]!;
      column[b] = kept;
    }
  }

  /** Makes room for one more than `size`, and a slot after it. */
  private grow(): void {
    const capacity = this.slot.length;
    if (this.size + 2 <= capacity) return;
    const larger = 2 * capacity;
    const grown = (old: Float64Array, length: number) => {
      const array = new Float64Array(length);
      array.set(old);
      return array;
    };
    const slot = Int32Array.from({ length: larger }, (_, i) => (i < capacity ? this.slot[i]! : i));
    this.slot = slot;
    this.weight = grown(this.weight, larger);
    this.target = grown(this.target, larger);
    this.value = grown(this.value, larger);
    this.column = grown(this.column, larger + 1);
    this.image = grown(this.image, larger + 1);
    const stride = larger + 1;
    const inverse = new Float64Array(stride * stride);
    for (let i = 0; i <= this.size; i++) {
      for (let j = 0; j <= this.size; j++) inverse[i * stride + j] = this.inverse[i * this.stride + j]!;
    }
    this.inverse = inverse;
    this.stride = stride;
    this.maximizer.reserve(larger);
  }
}
