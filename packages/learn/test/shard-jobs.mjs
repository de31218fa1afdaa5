import { writeFileSync } from "node:fs";
import { crf, mira, perceptron, shardJob } from "@arcwise/learn";

/**
 * What the worker threads of the tests work on: classes of random features. In plain JavaScript, since
 * threads run without the tests' compiler.
 *
 * @param data `features`: size · outputs · dimension numbers; an output's cost is its number, and 0 is gold.
 *   `accident`: what happens at an example, or at all of them if it names none; once, if it names a file that
 *   tells of it.
 */
export function createWork(data) {
  const { size, outputs, dimension, features, learner = "mira", accident } = data;
  if (data.broken) throw new RangeError(`expected sound data, got "${data.broken}"`);
  const at = (example, output, i) => features[(example * outputs + output) * dimension + i];

  function decode(example, weights, costAugmented) {
    if (accident && (accident.example ?? example) === example) happen(accident);
    let best = 0;
    let bestScore = -Infinity;
    for (let output = 0; output < outputs; output++) {
      let score = costAugmented ? output : 0;
      for (let i = 0; i < dimension; i++) score += at(example, output, i) * weights[i];
      if (score >= bestScore) [best, bestScore] = [output, score];
    }
    return best;
  }

  const task = {
    size,
    dimension,
    decode,
    difference(example, output, into) {
      for (let i = 0; i < dimension; i++) into.add(i, at(example, 0, i) - at(example, output, i));
      return output;
    },
    expectations(example, weights, into) {
      const scores = Array.from({ length: outputs }, (_, output) =>
        Array.from({ length: dimension }, (_, i) => at(example, output, i) * weights[i]).reduce(
          (a, b) => a + b,
        ),
      );
      const total = scores.reduce((sum, score) => sum + Math.exp(score), 0);
      for (const [output, score] of scores.entries()) {
        const p = Math.exp(score) / total;
        for (let i = 0; i < dimension; i++) into.add(i, p * (at(example, 0, i) - at(example, output, i)));
      }
      return { cost: 1 - Math.exp(scores[0]) / total, loss: Math.log(total) - scores[0] };
    },
  };
  const learners = { mira, perceptron, crf };
  return { task, learner: learners[learner](data.wrongDimension ?? dimension) };
}

export const classes = shardJob({ name: "classes-shard", module: import.meta.url, create: createWork });

/** Something that ends a thread, or only its step; once if a file tells that it has happened. */
function happen({ kind, once, milliseconds }) {
  if (once !== undefined) {
    try {
      writeFileSync(once, "", { flag: "wx" });
    } catch {
      return;
    }
  }
  if (kind === "exit") process.exit(7);
  if (kind === "throw") throw new TypeError("a fault of the task");
  if (kind === "slow") for (const end = performance.now() + milliseconds; performance.now() < end; );
}
