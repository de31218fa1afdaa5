import { random } from "@arcwise/core";
import { perceptron, trainOnline, votedOutput, votedPerceptron } from "@arcwise/learn";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dot, type ListTask, randomTask } from "./list-task.ts";

const EPOCHS = 3;
const SEED = 5;

/** The best of an example's outputs, the later one of two that score alike. */
function best(task: ListTask, example: number, weights: ArrayLike<number>): number {
  const scores = task.examples[example].features.map((row) => dot(row, weights));
  return scores.lastIndexOf(Math.max(...scores));
}

/** Figure 1 of the paper, for outputs that are listed: dense vectors with their counts. */
function directVectors(task: ListTask): { weights: number[]; count: number }[] {
  let current = { weights: new Array<number>(task.dimension).fill(0), count: 0 };
  const all = [current];
  const shuffles = random(SEED);
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    for (const example of shuffles.fork(epoch).shuffle([...task.examples.keys()])) {
      const { features } = task.examples[example];
      const found = best(task, example, current.weights);
      if (found === 0) current.count++;
      else {
        const weights = current.weights.map((weight, i) => weight + features[0][i] - features[found][i]);
        current = { weights, count: 1 };
        all.push(current);
      }
    }
  }
  return all;
}

async function trained(task: ListTask) {
  const learner = votedPerceptron(task.dimension);
  await trainOnline(task, learner, { epochs: EPOCHS, seed: SEED });
  return learner;
}

const tasks = fc.nat(1000).map((seed) => randomTask(seed, 12, 4, 5));

describe("the voted perceptron", () => {
  it("keeps the vectors and counts of a direct implementation", async () => {
    await fc.assert(
      fc.asyncProperty(tasks, async (task) => {
        const vectors = (await trained(task)).vectors();
        const weights = new Float32Array(task.dimension);
        const dense = vectors.map(({ change, count }) => {
          for (const [k, index] of change.indices.entries()) weights[index] += change.values[k];
          return { weights: [...weights], count };
        });
        expect(dense).toEqual(directVectors(task));
      }),
      { numRuns: 20 },
    );
  });

  it("answers with the output that the counts elect", async () => {
    let disagreements = 0;
    await fc.assert(
      fc.asyncProperty(tasks, async (task) => {
        const learner = await trained(task);
        const direct = directVectors(task);
        for (const example of task.examples.keys()) {
          const votes = new Array<number>(4).fill(0);
          for (const { weights, count } of direct) votes[best(task, example, weights)] += count;
          const found = votedOutput(learner.vectors(), {
            dimension: task.dimension,
            decode: (weights) => best(task, example, weights),
            keyOf: (output) => output,
          });
          expect(votes[found]).toBe(Math.max(...votes));
          if (found !== best(task, example, learner.weights.values)) disagreements++;
        }
      }),
      { numRuns: 20 },
    );
    // The vote must matter: elsewhere the last vector alone would pass.
    expect(disagreements).toBeGreaterThan(0);
  });

  it("has the average of the averaged perceptron", async () => {
    const task = randomTask(3, 12, 4, 5);
    const averaged = perceptron(task.dimension);
    await trainOnline(task, averaged, { epochs: EPOCHS, seed: SEED });
    expect((await trained(task)).result()).toEqual(averaged.result());
  });

  it("breaks a tie for what was voted for first", () => {
    const change = (value: number) => ({ indices: Int32Array.of(0), values: Float64Array.of(value) });
    const vectors = [1, 1, 1, 1].map((value) => ({ change: change(value), count: 1 }));
    const found = votedOutput(vectors, {
      dimension: 1,
      decode: ([weight]) => (weight! > 2 ? "late" : "early"),
      keyOf: (output) => output,
    });
    expect(found).toBe("early");
  });

  it("refuses to vote without a vector that survived", () => {
    const vote = { dimension: 1, decode: () => 0, keyOf: (output: number) => output };
    expect(() => votedOutput([], vote)).toThrow(RangeError);
    expect(() => votedOutput(votedPerceptron(1).vectors(), vote)).toThrow("survived");
  });
});
