import { type Random, random } from "@arcwise/core";
import { type StructuredTask, trainOnline, votedOutput, votedPerceptron } from "@arcwise/learn";
import { dot, minimalMistakeBound } from "./mistake-bound.ts";

/** A distribution of examples of two classes. */
export interface Distribution {
  /** Number of features. */
  readonly dimension: number;
  /** Least distance from the separating plane; examples have length 1. */
  readonly margin: number;
  /** Probability that an example has the wrong class. */
  readonly noise: number;
}

/** Errors and bounds for one number of training examples, as means over samples. */
export interface GeneralisationRow extends Distribution {
  readonly examples: number;
  readonly samples: number;
  /** Probability of an error on a new example, after one epoch: of the vote, the average, the last weights. */
  readonly voted: number;
  readonly averaged: number;
  readonly last: number;
  /** 2 / (n + 1) times the mistakes on n + 1 examples: what the proof bounds the error of the vote by. */
  readonly mistakes: number;
  /** 2 / (n + 1) times the least (R + D)² / γ² on n + 1 examples: theorem 3. */
  readonly bound: number;
}

export interface SimulationOptions {
  readonly samples: number;
  /** New examples for each sample. */
  readonly tested: number;
  readonly seed: number;
}

interface Example {
  readonly x: Float64Array;
  readonly y: number;
}

/**
 * Simulates theorem 3 of Collins (2002), after Freund and Schapire (1999): the voted perceptron that was
 * trained for one epoch on n examples is wrong about another one with a probability of at most 2 / (n + 1) times
 * the expected least (R + D)² / γ² of n + 1 examples.
 */
export async function simulateGeneralisation(
  distribution: Distribution,
  examples: number,
  { samples, tested, seed }: SimulationOptions,
): Promise<GeneralisationRow> {
  const { dimension } = distribution;
  const sums = { voted: 0, averaged: 0, last: 0, mistakes: 0, bound: 0 };
  for (let k = 0; k < samples; k++) {
    const stream = random(seed).fork(k);
    const plane = unit(stream, dimension);
    const draw = (): Example => drawExample(stream, plane, distribution);
    const sample = Array.from({ length: examples + 1 }, draw);
    const learner = votedPerceptron(dimension);
    await trainOnline(binaryTask(sample.slice(0, -1), dimension), learner, { epochs: 1, seed: k });
    const vectors = learner.vectors();
    const [average, last] = [learner.weights.average(), learner.weights.values];
    for (let t = 0; t < tested; t++) {
      const { x, y } = draw();
      const keyOf = (output: number): number => output;
      const vote = votedOutput(vectors, { dimension, decode: (weights) => classOf(weights, x), keyOf });
      if (vote !== y) sums.voted += 1 / tested;
      if (classOf(average, x) !== y) sums.averaged += 1 / tested;
      if (classOf(last, x) !== y) sums.last += 1 / tested;
    }
    const whole = votedPerceptron(dimension);
    await trainOnline(binaryTask(sample, dimension), whole, { epochs: 1, seed: k });
    // Each mistake makes a vector; the first one is there before.
    sums.mistakes += whole.vectors().length - 1;
    const gaps = sample.map(({ x, y }) => [x.map((value) => y * value)]);
    sums.bound += minimalMistakeBound(gaps, dimension).bound;
  }
  const factor = 2 / (examples + 1);
  return {
    ...distribution,
    examples,
    samples,
    voted: sums.voted / samples,
    averaged: sums.averaged / samples,
    last: sums.last / samples,
    mistakes: (factor * sums.mistakes) / samples,
    bound: (factor * sums.bound) / samples,
  };
}

function unit(stream: Random, dimension: number): Float64Array {
  const direction = Float64Array.from({ length: dimension }, () => stream.normal());
  const length = Math.sqrt(dot(direction, direction));
  return direction.map((value) => value / length);
}

function drawExample(
  stream: Random,
  plane: Float64Array,
  { dimension, margin, noise }: Distribution,
): Example {
  for (;;) {
    const x = unit(stream, dimension);
    const side = dot(x, plane);
    if (Math.abs(side) < margin) continue;
    const y = side > 0 ? 1 : -1;
    return { x, y: stream.next() < noise ? -y : y };
  }
}

function classOf(weights: ArrayLike<number>, x: Float64Array): number {
  return dot(weights, x) > 0 ? 1 : -1;
}

/** Makes the task of two classes whose features are x / 2 and -x / 2; a score of 0 is a mistake. */
function binaryTask(examples: readonly Example[], dimension: number): StructuredTask<number> {
  return {
    size: examples.length,
    dimension,
    decode(example, weights) {
      const { x, y } = examples[example]!;
      return y * dot(weights, x) > 0 ? y : -y;
    },
    difference(example, output, into) {
      const { x, y } = examples[example]!;
      if (output === y) return 0;
      for (let i = 0; i < dimension; i++) into.add(i, y * x[i]!);
      return 1;
    },
  };
}
