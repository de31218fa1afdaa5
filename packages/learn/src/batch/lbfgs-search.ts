import { checkInteger, checkNotNegative } from "../checks.ts";
import { type Evaluation, type LinePoint, strongWolfe } from "./line-search.ts";

/** Options of L-BFGS. */
export interface LbfgsOptions {
  /** Number of pairs of changes from which the curvature is estimated. Default: 10. */
  readonly history?: number | undefined;
  /** Stop when no component of the gradient is larger. Default: 1e-6. */
  readonly tolerance?: number | undefined;
  /** Maximum number of iterations. Default: 1000. */
  readonly iterations?: number | undefined;
  /** Initial weights. Default: 0. */
  readonly initial?: ArrayLike<number> | undefined;
  /** Called after each iteration; training ends when it returns false. */
  readonly onIteration?: ((state: LbfgsState) => boolean | undefined) | undefined;
  /**
   * A state of `onIteration`: minimisation resumes from it, to the same weights as without the interruption.
   */
  readonly resume?: LbfgsState | undefined;
}

/** The state of a minimisation. The arrays are its own, not copies. */
export interface LbfgsState {
  readonly iteration: number;
  readonly evaluations: number;
  readonly value: number;
  /** The largest component of the gradient. */
  readonly steepest: number;
  readonly weights: Float64Array;
  readonly gradient: Float64Array;
  /** Changes of the weights and of the gradient, oldest first. */
  readonly history: readonly Correction[];
}

/** A change of the weights and the resulting change of the gradient. */
export interface Correction {
  readonly step: Float64Array;
  readonly change: Float64Array;
}

/** The end of a minimisation by L-BFGS. */
export interface Minimum extends LbfgsState {
  /**
   * Whether the gradient is within the tolerance; otherwise a limit was reached, or rounding hides a lower
   * value.
   */
  readonly converged: boolean;
}

/**
 * The state and steps of L-BFGS. Its steps are generators that yield evaluations and are resumed with the
 * value, so that evaluations may be synchronous or not.
 */
export class LbfgsSearch {
  readonly #maxHistory: number;
  readonly #tolerance: number;
  readonly #maxIterations: number;
  readonly #history: Correction[] = [];
  #weights: Float64Array;
  #gradient: Float64Array;
  readonly #direction: Float64Array;
  #nextWeights: Float64Array;
  #nextGradient: Float64Array;
  #value = 0;
  /** The largest absolute entry of the gradient. */
  #steepest = 0;
  #iteration = 0;
  #evaluations = 0;

  constructor(dimension: number, options: Omit<LbfgsOptions, "onIteration">) {
    const { history = 10, tolerance = 1e-6, iterations = 1000, initial, resume } = options;
    checkInteger("history", history, 1);
    checkInteger("iterations", iterations, 0);
    checkNotNegative("tolerance", tolerance);
    if (initial !== undefined && initial.length !== dimension) {
      throw new RangeError(`expected ${dimension} initial weights, got ${initial.length}`);
    }
    this.#maxHistory = history;
    this.#tolerance = tolerance;
    this.#maxIterations = iterations;
    this.#weights = initial === undefined ? new Float64Array(dimension) : Float64Array.from(initial);
    this.#gradient = new Float64Array(dimension);
    this.#direction = new Float64Array(dimension);
    this.#nextWeights = new Float64Array(dimension);
    this.#nextGradient = new Float64Array(dimension);
    if (resume !== undefined) this.#restore(resume);
  }

  /** Whether neither the tolerance nor the last iteration is reached. */
  get isOpen(): boolean {
    return this.#iteration < this.#maxIterations && this.#steepest > this.#tolerance;
  }

  minimum(): Minimum {
    return { ...this.state(), converged: this.#steepest <= this.#tolerance };
  }

  /** Evaluates the first weights. */
  *begin(): Generator<Evaluation, void, number> {
    this.#value = yield* this.#evaluate(this.#weights, this.#gradient);
    if (!Number.isFinite(this.#value)) {
      throw new RangeError(`expected a finite value at the first weights, got ${this.#value}`);
    }
    this.#updateSteepest();
  }

  #restore({ iteration, evaluations, value, weights, gradient, history }: LbfgsState): void {
    const dimension = this.#weights.length;
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
    this.#updateSteepest();
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

  /** Makes one step. @returns whether a lower value was found */
  *iterate(): Generator<Evaluation, boolean, number> {
    this.#setDirection();
    let found = yield* this.#advance();
    if (!found && this.#history.length > 0) {
      // The estimate of the curvature may be wrong: try again along the gradient itself.
      this.#history.length = 0;
      this.#setDirection();
      found = yield* this.#advance();
    }
    return found;
  }

  /** Makes a step along the direction and stores its curvature. */
  *#advance(): Generator<Evaluation, boolean, number> {
    const value = yield* this.#lineSearch();
    if (value === undefined) return false;
    this.#remember();
    [this.#weights, this.#nextWeights] = [this.#nextWeights, this.#weights];
    [this.#gradient, this.#nextGradient] = [this.#nextGradient, this.#gradient];
    this.#value = value;
    this.#iteration++;
    this.#updateSteepest();
    return true;
  }

  *#evaluate(weights: Float64Array, gradient: Float64Array): Generator<Evaluation, number, number> {
    this.#evaluations++;
    return yield { weights, gradient };
  }

  #updateSteepest(): void {
    const gradient = this.#gradient;
    let steepest = 0;
    for (let i = 0; i < gradient.length; i++) steepest = Math.max(steepest, Math.abs(gradient[i]));
    this.#steepest = steepest;
  }

  /** The two-loop recursion (Nocedal and Wright 2006, algorithm 7.4): minus the inverse curvature times the gradient. */
  #setDirection(): void {
    const direction = this.#direction;
    const gradient = this.#gradient;
    const history = this.#history;
    const shares = new Float64Array(history.length);
    for (let i = 0; i < direction.length; i++) direction[i] = -gradient[i];
    // Each pass over the direction adds a vector and takes the inner product with the one that comes next.
    let next = history.length > 0 ? dot(history.at(-1)!.step, direction) : 0;
    for (let k = history.length - 1; k >= 0; k--) {
      const { step, change } = history[k];
      shares[k] = next / dot(step, change);
      next = addScaled(direction, change, -shares[k], k > 0 ? history[k - 1].step : undefined);
    }
    const last = history.at(-1);
    if (last !== undefined) {
      const scale = dot(last.step, last.change) / dot(last.change, last.change);
      for (let i = 0; i < direction.length; i++) direction[i] *= scale;
      next = dot(history[0].change, direction);
    }
    for (let k = 0; k < history.length; k++) {
      const { step, change } = history[k];
      const share = shares[k] - next / dot(step, change);
      next = addScaled(direction, step, share, history[k + 1]?.change);
    }
  }

  /** Returns the first step size: 1 when the curvature is known, otherwise for a length of at most 1. */
  #firstStep(): number {
    if (this.#history.length > 0) return 1;
    return Math.min(1, 1 / Math.sqrt(dot(this.#gradient, this.#gradient)));
  }

  *#lineSearch(): Generator<Evaluation, number | undefined, number> {
    const direction = this.#direction;
    const derivative = dot(this.#gradient, direction);
    if (!(derivative < 0)) return undefined;
    const evaluate = function* (this: LbfgsSearch, step: number): Generator<Evaluation, LinePoint, number> {
      const next = this.#nextWeights;
      for (let i = 0; i < next.length; i++) next[i] = this.#weights[i] + step * direction[i];
      const value = yield* this.#evaluate(next, this.#nextGradient);
      return { step, value, derivative: dot(this.#nextGradient, direction) };
    };
    const start = { step: 0, value: this.#value, derivative };
    return (yield* strongWolfe(start, this.#firstStep(), (step) => evaluate.call(this, step)))?.value;
  }

  /**
   * Stores the changes of a step, in the memory of the oldest one. Steps without positive curvature are
   * skipped.
   */
  #remember(): void {
    const { length } = this.#weights;
    const full = this.#history.length === this.#maxHistory;
    const pair = full ? this.#history.shift()! : undefined;
    const step = pair?.step ?? new Float64Array(length);
    const change = pair?.change ?? new Float64Array(length);
    for (let i = 0; i < length; i++) {
      step[i] = this.#nextWeights[i] - this.#weights[i];
      change[i] = this.#nextGradient[i] - this.#gradient[i];
    }
    if (dot(step, change) > Number.EPSILON * dot(change, change)) this.#history.push({ step, change });
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * Adds `scale` times another vector. @returns the inner product of the sum with a third one, if there is one
 */
function addScaled(into: Float64Array, other: Float64Array, scale: number, third?: Float64Array): number {
  let sum = 0;
  if (third === undefined) {
    for (let i = 0; i < into.length; i++) into[i] += scale * other[i];
    return sum;
  }
  for (let i = 0; i < into.length; i++) {
    const value = into[i] + scale * other[i];
    into[i] = value;
    sum += value * third[i];
  }
  return sum;
}

/** Runs a step whose evaluations are synchronous. */
export function run<Result>(
  step: Generator<Evaluation, Result, number>,
  evaluate: (at: Evaluation) => number,
): Result {
  let request = step.next();
  while (!request.done) request = step.next(evaluate(request.value));
  return request.value;
}

/** Runs a step whose evaluations are awaited. */
export async function runInTurns<Result>(
  step: Generator<Evaluation, Result, number>,
  evaluate: (at: Evaluation) => number | Promise<number>,
): Promise<Result> {
  let request = step.next();
  while (!request.done) request = step.next(await evaluate(request.value));
  return request.value;
}
