import { SparseVector } from "@arcwise/core";
import { addToDense, blockOf, type SparseBlock } from "../sparse-block.ts";
import { checkUpdate, EXPECTED_ENTRIES } from "../task.ts";
import type { OnlineLearner } from "./online-learner.ts";
import { AveragedWeights } from "./weights.ts";

/** A weight vector of the voted perceptron, as its difference from the one before. */
export interface VotedVector {
  readonly change: SparseBlock;
  /**
   * Number of examples that it survived: those since it was made that it got right, and the one that made it.
   */
  readonly count: number;
}

/** A perceptron that stores all of its weight vectors. */
export interface VotedPerceptron extends OnlineLearner {
  /**
   * Returns all vectors in the order in which they were made, the first of which is 0. Plain data. O(their
   * number).
   */
  vectors(): VotedVector[];
}

/**
 * Makes the voted perceptron (Freund and Schapire 1999) for structured outputs. It stores every weight vector
 * with the number of examples that it survived, which is its number of votes in `votedOutput`. `result` is
 * the average of the vectors weighted by these numbers: the averaged perceptron, which needs only one vector.
 *
 * An update costs a decoding and the non-zeros of the difference; memory: 12 bytes for each of these, of all
 * updates.
 *
 * @throws RangeError when the dimension is not an integer >= 1
 */
export function votedPerceptron(dimension: number): VotedPerceptron {
  const weights = new AveragedWeights(dimension);
  const difference = new SparseVector(EXPECTED_ENTRIES);
  const vectors: { change: SparseBlock; count: number }[] = [{ change: blockOf(difference), count: 0 }];
  return {
    name: "voted-perceptron",
    weights,
    update(task, example) {
      difference.clear();
      const output = task.decode(example, weights.values, false);
      const cost = task.difference(example, output, difference);
      const loss = -difference.dot(weights.values);
      checkUpdate(example, loss, cost);
      if (cost === 0) {
        vectors.at(-1)!.count++;
        weights.skip();
      } else {
        vectors.push({ change: blockOf(difference), count: 1 });
        weights.add(difference, 1);
      }
      return { cost, loss: Math.max(0, loss) };
    },
    result: (into) => weights.average(into),
    vectors: () => vectors.map((vector) => ({ ...vector })),
  };
}

/** Options of `votedOutput`: how weight vectors vote. */
export interface Vote<Output> {
  /** Number of weights. */
  readonly dimension: number;
  /** Returns the best output under some weights. The weights are changed after the call. */
  readonly decode: (weights: Float32Array) => Output;
  /** Identifies an output: two with the same key are the same. */
  readonly keyOf: (output: Output) => string | number;
}

/**
 * Returns the output with the most votes: each vector votes for its best output as many times as the
 * number of examples that it survived. Of outputs with equal votes, the one that was voted for first.
 *
 * Costs a decoding for each vector with a vote, and the non-zeros of all changes.
 *
 * @throws RangeError when no vector has a vote
 */
export function votedOutput<Output>(vectors: readonly VotedVector[], vote: Vote<Output>): Output {
  const weights = new Float32Array(vote.dimension);
  const votes = new Map<string | number, { readonly output: Output; count: number }>();
  for (const { change, count } of vectors) {
    addToDense(weights, change);
    if (count === 0) continue;
    const output = vote.decode(weights);
    const key = vote.keyOf(output);
    const found = votes.get(key);
    if (found === undefined) votes.set(key, { output, count });
    else found.count += count;
  }
  let winner: { readonly output: Output; count: number } | undefined;
  for (const candidate of votes.values()) {
    if (winner === undefined || candidate.count > winner.count) winner = candidate;
  }
  if (winner === undefined) throw new RangeError("expected a vector that survived an example, got none");
  return winner.output;
}
