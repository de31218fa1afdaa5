import { checkInteger, checkNotNegative } from "../checks.ts";
import { type LinePoint, strongWolfe } from "./line-search.ts";
import type { Objective } from "./objective.ts";

export interface LbfgsOptions {
  /** Pairs of changes that the curvature is estimated from. Default: 10. */
  readonly history?: number;
  /** Strength of a penalty l1 · Σ |w_i|, which the objective does not have: OWL-QN. Default: 0. */
  readonly l1?: number;
  /** Stop when no component of the gradient is larger. Default: 1e-6. */
  readonly tolerance?: number;
  /** Stop after so many. Default: 1000. */
  readonly iterations?: number;
  /** Weights to begin with. Default: 0. */
  readonly initial?: ArrayLike<number>;
  /** Called after each iteration; training ends when it answers false. */
  readonly onIteration?: (state: LbfgsState) => boolean | undefined;
  /** A state of `onIteration`: goes on from it as if it had never stopped. */
  readonly resume?: LbfgsState;
}

/** Where minimisation stands, and all that it needs to go on: the arrays are its own, not copies. */
export interface LbfgsState {
  readonly iteration: number;
  readonly evaluations: number;
  /** Of the objective, with the L1 penalty. */
  readonly value: number;
  /** The largest component of the gradient, with the L1 penalty. */
  readonly steepest: number;
  readonly weights: Float64Array;
  /** Of the objective, without the L1 penalty. */
  readonly gradient: Float64Array;
  /** Changes of the weights and of the gradient, oldest first. */
  readonly history: readonly Correction[];
}

/** A change of the weights with the change of the gradient that came of it. */
export interface Correction {
  readonly step: Float64Array;
  readonly change: Float64Array;
}

export interface Minimum extends LbfgsState {
  /** Whether the gradient is within the tolerance; otherwise a limit was met, or rounding hides what is lower. */
  readonly converged: boolean;
}

/**
 * Minimises a smooth function by limited-memory BFGS (Liu and Nocedal 1989) with a line search for the strong Wolfe
 * conditions; with an L1 penalty by OWL-QN (Andrew and Gao 2007): the direction of the pseudo-gradient, within the
 * orthant where the function is smooth, with backtracking. Weights that the penalty holds are then exactly 0.
 *
 * An iteration costs one or a few evaluations and 4 · history · dimension; memory is 2 · history + 5 vectors. It runs to
 * its end without a turn of the event loop.
 *
 * @throws RangeError when an option is out of its range or the objective is no finite number at the first weights
 */
export function lbfgs(objective: Objective, options: LbfgsOptions = {}): Minimum {
  const { history = 10, l1 = 0, tolerance = 1e-6, iterations = 1000, onIteration, resume } = options;
  checkInteger("history", history, 1);
  checkInteger("iterations", iterations, 0);
  checkNotNegative("l1", l1);
  checkNotNegative("tolerance", tolerance);
  const search = new Search(objective, l1, history, options.initial);
  if (resume === undefined) search.begin();
  else search.restore(resume);
  let goesOn = true;
  while (goesOn && search.state().iteration < iterations && search.state().steepest > tolerance) {
    if (!search.iterate()) break;
    goesOn = onIteration?.(search.state()) !== false;
  }
  const state = search.state();
  return { ...state, converged: state.steepest <= tolerance };
}

class Search {
  readonly #objective: Objective;
  readonly #l1: number;
  readonly #most: number;
  readonly #history: Correction[] = [];
  #weights: Float64Array;
  #gradient: Float64Array;
  /** With an L1 penalty, the pseudo-gradient; else the gradient. */
  readonly #pseudoGradient: Float64Array;
  readonly #direction: Float64Array;
  #nextWeights: Float64Array;
  #nextGradient: Float64Array;
  #value = 0;
  /** The largest absolute entry of the pseudo-gradient. */
  #steepest = 0;
  #iteration = 0;
  #evaluations = 0;

  constructor(objective: Objective, l1: number, most: number, initial?: ArrayLike<number>) {
    const { dimension } = objective;
    if (initial !== undefined && initial.length !== dimension) {
      throw new RangeError(`expected ${dimension} initial weights, got ${initial.length}`);
    }
    this.#objective = objective;
    this.#l1 = l1;
    this.#most = most;
    this.#weights = initial === undefined ? new Float64Array(dimension) : Float64Array.from(initial);
    this.#gradient = new Float64Array(dimension);
    this.#pseudoGradient = new Float64Array(dimension);
    this.#direction = new Float64Array(dimension);
    this.#nextWeights = new Float64Array(dimension);
    this.#nextGradient = new Float64Array(dimension);
  }

  begin(): void {
    this.#value = this.#evaluate(this.#weights, this.#gradient);
    if (!Number.isFinite(this.#value)) {
      throw new RangeError(`expected a finite value at the first weights, got ${this.#value}`);
    }
    this.#updatePseudoGradient();
  }

  restore({ iteration, evaluations, value, weights, gradient, history }: LbfgsState): void {
    const { dimension } = this.#objective;
    for (const { length } of [weights, gradient, ...history.flatMap(({ step, change }) => [step, change])]) {
      if (length !== dimension)
        throw new RangeError(`expected a state of ${dimension} weights, got ${length}`);
    }
    this.#weights.set(weights);
    this.#gradient.set(gradient);
    for (const { step, change } of history) {
      this.#history.push({ step: step.slice(), change: change.slice() });
    }
    this.#iteration = iteration;
    this.#evaluations = evaluations;
    this.#value = value;
    this.#updatePseudoGradient();
  }

  state(): LbfgsState {
    return {
      iteration: this.#iteration,
      evaluations: this.#evaluations,
      value: this.#value,
      steepest: this.#steepest,
      weights: this.#weights,
      gradient: this.#gradient,
      history: this.#history,
    };
  }

  /** One step. @returns whether a lower value was found */
  iterate(): boolean {
    this.#setDirection();
    let found = this.#advance();
    if (!found && this.#history.length > 0) {
      // The estimate of the curvature may be at fault: once more along the gradient itself.
      this.#history.length = 0;
      this.#setDirection();
      found = this.#advance();
    }
    return found;
  }

  /** Takes a step along the direction and keeps what it tells of the curvature. */
  #advance(): boolean {
    const value = this.#l1 > 0 ? this.#backtrack() : this.#lineSearch();
    if (value === undefined) return false;
    this.#remember();
    [this.#weights, this.#nextWeights] = [this.#nextWeights, this.#weights];
    [this.#gradient, this.#nextGradient] = [this.#nextGradient, this.#gradient];
    this.#value = value;
    this.#iteration++;
    this.#updatePseudoGradient();
    return true;
  }

  #evaluate(weights: Float64Array, gradient: Float64Array): number {
    this.#evaluations++;
    const value = this.#objective.evaluate(weights, gradient);
    if (this.#l1 === 0) return value;
    let sum = 0;
    for (let i = 0; i < weights.length; i++) sum += Math.abs(weights[i]!);
    return value + this.#l1 * sum;
  }

  /** The gradient; with an L1 penalty, the steepest descent direction, negated. */
  #updatePseudoGradient(): void {
    const pseudoGradient = this.#pseudoGradient;
    if (this.#l1 === 0) pseudoGradient.set(this.#gradient);
    else this.#addL1();
    let steepest = 0;
    for (let i = 0; i < pseudoGradient.length; i++)
      steepest = Math.max(steepest, Math.abs(pseudoGradient[i]!));
    this.#steepest = steepest;
  }

  #addL1(): void {
    const l1 = this.#l1;
    const weights = this.#weights;
    const gradient = this.#gradient;
    const pseudoGradient = this.#pseudoGradient;
    for (let i = 0; i < weights.length; i++) {
      const derivative = gradient[i]!;
      const weight = weights[i]!;
      if (weight !== 0) pseudoGradient[i] = derivative + (weight > 0 ? l1 : -l1);
      else pseudoGradient[i] = derivative > l1 ? derivative - l1 : derivative < -l1 ? derivative + l1 : 0;
    }
  }

  /** The two-loop recursion (Nocedal and Wright 2006, algorithm 7.4): minus the inverse curvature times the pseudo-gradient. */
  #setDirection(): void {
    const direction = this.#direction;
    const pseudoGradient = this.#pseudoGradient;
    const history = this.#history;
    const shares = new Float64Array(history.length);
    for (let i = 0; i < direction.length; i++) direction[i] = -pseudoGradient[i]!;
    // Each pass over the direction adds a vector and takes the inner product with the one that comes next.
    let next = history.length > 0 ? dot(history.at(-1)!.step, direction) : 0;
    for (let k = history.length - 1; k >= 0; k--) {
      const { step, change } = history[k]!;
      shares[k] = next / dot(step, change);
      next = addScaled(direction, change, -shares[k]!, k > 0 ? history[k - 1]!.step : undefined);
    }
    const last = history.at(-1);
    if (last !== undefined) {
      const scale = dot(last.step, last.change) / dot(last.change, last.change);
      for (let i = 0; i < direction.length; i++) direction[i]! *= scale;
      next = dot(history[0]!.change, direction);
    }
    for (let k = 0; k < history.length; k++) {
      const { step, change } = history[k]!;
      const share = shares[k]! - next / dot(step, change);
      next = addScaled(direction, step, share, history[k + 1]?.change);
    }
    if (this.#l1 === 0) return;
    // Only where the direction goes down by the pseudo-gradient.
    for (let i = 0; i < direction.length; i++) if (direction[i]! * pseudoGradient[i]! >= 0) direction[i] = 0;
  }

  /** The first step to try: whole once the curvature is known, else of a length of at most 1. */
  #firstStep(): number {
    if (this.#history.length > 0) return 1;
    return Math.min(1, 1 / Math.sqrt(dot(this.#pseudoGradient, this.#pseudoGradient)));
  }

  #lineSearch(): number | undefined {
    const direction = this.#direction;
    const derivative = dot(this.#pseudoGradient, direction);
    if (!(derivative < 0)) return undefined;
    const evaluate = (step: number): LinePoint => {
      const next = this.#nextWeights;
      for (let i = 0; i < next.length; i++) next[i] = this.#weights[i]! + step * direction[i]!;
      const value = this.#evaluate(next, this.#nextGradient);
      return { step, value, derivative: dot(this.#nextGradient, direction) };
    };
    return strongWolfe({ step: 0, value: this.#value, derivative }, this.#firstStep(), evaluate)?.value;
  }

  /** OWL-QN: halves the step until the value is lower; a weight that would change its sign becomes 0. */
  #backtrack(): number | undefined {
    const weights = this.#weights;
    const next = this.#nextWeights;
    const pseudoGradient = this.#pseudoGradient;
    const direction = this.#direction;
    for (let step = this.#firstStep(), trial = 0; trial < 50; trial++, step /= 2) {
      let promised = 0;
      for (let i = 0; i < next.length; i++) {
        const weight = weights[i]!;
        const derivative = pseudoGradient[i]!;
        const moved = weight + step * direction[i]!;
        const leaves = weight === 0 ? moved * derivative > 0 : moved * weight < 0;
        next[i] = leaves ? 0 : moved;
        promised += derivative * (next[i]! - weight);
      }
      if (promised >= 0) return undefined;
      const value = this.#evaluate(next, this.#nextGradient);
      if (value <= this.#value + 1e-4 * promised) return value;
    }
    return undefined;
  }

  /** Keeps the changes of a step, in the memory of the oldest one. Steps without positive curvature tell nothing. */
  #remember(): void {
    const { length } = this.#weights;
    const full = this.#history.length === this.#most;
    const pair = full ? this.#history.shift()! : undefined;
    const step = pair?.step ?? new Float64Array(length);
    const change = pair?.change ?? new Float64Array(length);
    for (let i = 0; i < length; i++) {
      step[i] = this.#nextWeights[i]! - this.#weights[i]!;
      change[i] = this.#nextGradient[i]! - this.#gradient[i]!;
    }
    if (dot(step, change) > Number.EPSILON * dot(change, change)) this.#history.push({ step, change });
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Adds `scale` times another vector. @returns the inner product of the sum with a third one, if there is one */
function addScaled(into: Float64Array, other: Float64Array, scale: number, third?: Float64Array): number {
  let sum = 0;
  if (third === undefined) {
    for (let i = 0; i < into.length; i++) into[i]! += scale * other[i]!;
    return sum;
  }
  for (let i = 0; i < into.length; i++) {
    const value = into[i]! + scale * other[i]!;
    into[i] = value;
    sum += value * third[i]!;
  }
  return sum;
}
