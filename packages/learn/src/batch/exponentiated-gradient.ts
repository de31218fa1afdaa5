import { SparseVector } from "@arcwise/core";
import { ArcwiseError } from "@arcwise/core/errors";
import {
  checkUpdate,
  EXPECTED_ENTRIES,
  MissingMethod,
  type PartModel,
  type StructuredTask,
} from "../task.ts";
import {
  checkDualOptions,
  checkLength,
  closeGap,
  type DualityGap,
  type DualResult,
  type DualStepOptions,
  squaredNorm,
} from "./dual.ts";
import { hingeObjective, type Objective } from "./objective.ts";

/** Options of the exponentiated-gradient learner. */
export interface ExponentiatedGradientOptions extends DualStepOptions<ExponentiatedGradientState> {
  /**
   * `log`: the conditional log-linear loss; `hinge`: the loss of the structured SVM with margin rescaling,
   * for tasks whose parts have `costs`. Default: `log`.
   */
  readonly loss?: "log" | "hinge" | undefined;
  /** The first step size of each example, above 0 and at most 1. Default: 0.5. */
  readonly rate?: number | undefined;
}

/** The state of training. The arrays are the learner's own, not copies. */
export interface ExponentiatedGradientState extends DualityGap {
  readonly epoch: number;
  readonly weights: Float64Array;
  /** The dual variables: the potentials of the parts of all examples, one example after the other. */
  readonly potentials: Float64Array;
  /** The step size of each example. */
  readonly rates: Float64Array;
}

/** Maximum number of times that a step which lowers the dual is halved. */
const MAX_HALVINGS = 20;
/** Tolerance for rounding of an increase of the dual, relative to the entropy. */
const ROUNDING = 1e-14;
/**
 * The first potential of the parts of gold outputs. Where gold outputs have nearly all the probability, the
 * weights are near 0; the weights of uniform distributions would be far off where l2 is small.
 */
const GOLD_POTENTIAL = 5;
/** Factor of an example's step size after a step that raised the dual. */
const GROWTH = 1.05;
/** The largest step size. At 1 potentials of the log-loss become scores; 1e6 keeps the others finite. */
const MAX_RATE = { log: 1, hinge: 1e6 } as const;

/**
 * The conditional log-linear loss with an L2 penalty (see `crf`) by online exponentiated gradient on its dual
 * (Collins, Globerson, Koo, Carreras and Bartlett 2008). Each example has a distribution over its outputs,
 * given by potentials of their parts; an update moves the potentials towards the scores under the current
 * weights, θ' = (1 - rate) θ + rate · s, and changes the weights accordingly. An update that would lower the
 * dual is repeated with half its rate, so the dual never falls; the gap between objective and dual bounds the
 * distance from the minimum.
 *
 * With the hinge loss (Bartlett, Collins, Taskar and McAllester 2004), the dual has the expected cost in
 * place of the entropy, and the update is θ' = θ + rate · (s + c) with the costs c of the parts.
 *
 * An update costs the scores of the example's parts, their marginals, and their features. Memory: the weights
 * in 64 bits, and 16 bytes for each part of each example.
 *
 * @throws ArcwiseError `missing-method` when the task has no `parts`
 * @throws ArcwiseError `missing-method` when its parts have no costs, with the hinge loss
 * @throws RangeError when an option is out of its range, the state is of another task, or a score is not
 *   finite
 * @throws the reason of the signal once that is aborted
 */
export async function exponentiatedGradient<Output>(
  task: StructuredTask<Output>,
  options: ExponentiatedGradientOptions,
): Promise<DualResult> {
  const { rate = 0.5 } = options;
  checkDualOptions(options, options.epochs, options.checkEvery);
  if (!(rate > 0 && rate <= 1)) throw new RangeError(`rate must be > 0 and <= 1, got ${rate}`);
  if (task.parts === undefined) throw new MissingMethod("exponentiated gradient", "parts");
  const dual = new Distributions(task, task.parts, { ...options, rate });
  dual.begin(options.resume);
  const { weights, potentials, rates } = dual;
  return closeGap(
    task,
    options,
    { primal: Infinity, dual: dual.value() },
    {
      step: (example) => dual.update(example),
      gap: () => ({ primal: dual.objective(), dual: dual.value() }),
      state: (epoch, gap) => ({ ...gap, epoch, weights, potentials, rates }),
      result: () => weights,
    },
  );
}

/** A distribution for each example, and the sum of their weights. */
class Distributions {
  readonly weights: Float64Array;
  readonly potentials: Float64Array;
  readonly rates: Float64Array;
  readonly #model: PartModel;
  readonly #size: number;
  readonly #l2: number;
  readonly #loss: "log" | "hinge";
  readonly #hinge: Objective;
  /** Offset of the parts of each example. */
  readonly #starts: Float64Array;
  readonly #marginals: Float64Array;
  /** The contribution of each example to the dual: its entropy, or with the hinge loss its expected cost. */
  readonly #gains: Float64Array;
  /** Scratch memory for one example. */
  readonly #old: Float64Array;
  readonly #scores: Float64Array;
  readonly #next: Float64Array;
  readonly #nextMarginals: Float64Array;
  readonly #amounts: Float64Array;
  readonly #costs: Float64Array;
  readonly #change = new SparseVector(EXPECTED_ENTRIES);
  #proofWeights: Float64Array | undefined;

  constructor(
    task: StructuredTask<unknown>,
    model: PartModel,
    { l2, rate, loss = "log" }: Pick<ExponentiatedGradientOptions, "l2" | "loss"> & { readonly rate: number },
  ) {
    const { size, dimension } = task;
    this.#model = model;
    this.#size = size;
    this.#l2 = l2;
    this.#loss = loss;
    this.#hinge = hingeObjective(task, { l2 });
    if (loss === "hinge" && model.costs === undefined) {
      const message = "exponentiated gradient of the hinge loss needs a task whose parts have costs";
      throw new ArcwiseError("missing-method", message);
    }
    this.#starts = new Float64Array(size + 1);
    let most = 0;
    for (let example = 0; example < size; example++) {
      const count = model.count(example);
      most = Math.max(most, count);
      this.#starts[example + 1] = this.#starts[example] + count;
    }
    const parts = this.#starts[size];
    this.weights = new Float64Array(dimension);
    this.potentials = new Float64Array(parts);
    this.rates = new Float64Array(size).fill(rate);
    this.#marginals = new Float64Array(parts);
    this.#gains = new Float64Array(size);
    this.#old = new Float64Array(most);
    this.#scores = new Float64Array(most);
    this.#next = new Float64Array(most);
    this.#nextMarginals = new Float64Array(most);
    this.#amounts = new Float64Array(most);
    this.#costs = new Float64Array(most);
  }

  /**
   * Sets the distributions to given potentials, or to ones that favour the gold outputs, and computes the
   * weights.
   */
  begin(state?: ExponentiatedGradientState): void {
    if (state !== undefined) {
      checkLength("potentials", state.potentials.length, this.potentials.length);
      checkLength("rates", state.rates.length, this.rates.length);
      checkLength("weights", state.weights.length, this.weights.length);
      this.potentials.set(state.potentials);
      this.rates.set(state.rates);
    }
    const marginals = this.#nextMarginals;
    const amounts = this.#amounts;
    const change = this.#change;
    for (let example = 0; example < this.#size; example++) {
      const from = this.#starts[example];
      const count = this.#starts[example + 1] - from;
      if (state === undefined) {
        this.#model.gold(example, amounts);
        for (let r = 0; r < count; r++) this.potentials[from + r] = GOLD_POTENTIAL * amounts[r];
      }
      this.#read(example);
      const logSum = this.#model.marginals(example, this.#old, marginals);
      this.#marginals.set(marginals.subarray(0, count), from);
      if (this.#loss === "hinge") this.#model.costs!(example, this.#costs);
      this.#gains[example] = this.#gain(this.#old, marginals, logSum, count);
      this.#model.gold(example, amounts);
      for (let r = 0; r < count; r++) amounts[r] -= marginals[r];
      change.clear();
      this.#model.addFeatures(example, amounts, change);
      this.#addToWeights();
    }
    // Sums in another order differ in their last bits, so a resumed training takes the weights of the state.
    if (state !== undefined) this.weights.set(state.weights);
  }

  /** Makes a step on the distribution of an example. */
  update(example: number): void {
    const from = this.#starts[example];
    const count = this.#starts[example + 1] - from;
    const scores = this.#scores;
    this.#read(example);
    this.#model.scores(example, this.weights, scores);
    if (this.#loss === "hinge") {
      this.#model.costs!(example, this.#costs);
      for (let r = 0; r < count; r++) scores[r] += this.#costs[r];
    }
    for (let halving = 0; halving < MAX_HALVINGS; halving++) {
      const rate = this.rates[example];
      const gain = this.#tryRate(example, count, rate);
      const { weights } = this;
      const change = this.#change;
      const scale = 1 / (this.#l2 * this.#size);
      // n times the increase of the dual: of the gain, less the increase of n l2 / 2 · |w|².
      const growth = change.dot(weights) + (scale / 2) * change.squaredNorm();
      const rise = gain - this.#gains[example] - growth;
      if (Number.isNaN(rise)) throw new RangeError(`example ${example}: expected finite scores of its parts`);
      if (rise < -ROUNDING * Math.max(1, gain)) {
        this.rates[example] = rate / 2;
        continue;
      }
      this.#addToWeights();
      this.#gains[example] = gain;
      this.potentials.set(this.#next.subarray(0, count), from);
      this.#marginals.set(this.#nextMarginals.subarray(0, count), from);
      this.rates[example] = Math.min(MAX_RATE[this.#loss], rate * GROWTH);
      return;
    }
  }

  /**
   * Computes the result of a rate: the potentials, marginals and the change of features. @returns the gain
   */
  #tryRate(example: number, count: number, rate: number): number {
    const from = this.#starts[example];
    const next = this.#next;
    const marginals = this.#nextMarginals;
    const amounts = this.#amounts;
    const kept = this.#loss === "hinge" ? 1 : 1 - rate;
    for (let r = 0; r < count; r++) next[r] = kept * this.#old[r] + rate * this.#scores[r];
    const logSum = this.#model.marginals(example, next, marginals);
    for (let r = 0; r < count; r++) amounts[r] = this.#marginals[from + r] - marginals[r];
    this.#change.clear();
    this.#model.addFeatures(example, amounts, this.#change);
    return this.#gain(next, marginals, logSum, count);
  }

  /** Entropy of a distribution over outputs, or its expected cost; the costs have been read. */
  #gain(potentials: Float64Array, marginals: Float64Array, logSum: number, count: number): number {
    if (this.#loss === "hinge") return inner(this.#costs, marginals, count);
    return logSum - inner(potentials, marginals, count);
  }

  /** Mean entropy or cost less l2 / 2 · |w|²: the dual, a lower bound of the objective. */
  value(): number {
    const gain = this.#gains.reduce((sum, one) => sum + one, 0);
    return gain / Math.max(1, this.#size) - (this.#l2 / 2) * squaredNorm(this.weights);
  }

  /** The objective at the weights. */
  objective(): number {
    if (this.#loss === "hinge") return this.#hinge.evaluate(this.weights, this.#gradient());
    let loss = 0;
    for (let example = 0; example < this.#size; example++) {
      const count = this.#starts[example + 1] - this.#starts[example];
      this.#model.scores(example, this.weights, this.#scores);
      const logSum = this.#model.marginals(example, this.#scores, this.#nextMarginals);
      this.#model.gold(example, this.#amounts);
      const one = logSum - inner(this.#scores, this.#amounts, count);
      checkUpdate(example, one, 0);
      loss += one;
    }
    return loss / Math.max(1, this.#size) + (this.#l2 / 2) * squaredNorm(this.weights);
  }

  /** Scratch memory, which only proofs of the hinge loss need. */
  #gradient(): Float64Array {
    this.#proofWeights ??= new Float64Array(this.weights.length);
    return this.#proofWeights;
  }

  #read(example: number): void {
    const from = this.#starts[example];
    this.#old.set(this.potentials.subarray(from, this.#starts[example + 1]));
  }

  #addToWeights(): void {
    const { indices, values, size } = this.#change;
    const scale = 1 / (this.#l2 * this.#size);
    const { weights } = this;
    for (let k = 0; k < size; k++) weights[indices[k]] += scale * values[k];
  }
}

function inner(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  for (let r = 0; r < count; r++) if (b[r] !== 0) sum += a[r] * b[r];
  return sum;
}
