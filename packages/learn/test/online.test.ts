import { SparseVector } from "@arcwise/core";
import { AveragedWeights, mira, perceptron, type StructuredTask, trainOnline } from "@arcwise/learn";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dot, type ListTask, listTask, randomTask, separableTask } from "./list-task.ts";

const changes = fc.array(
  fc.record({
    entries: fc.array(fc.tuple(fc.nat(7), fc.integer({ min: -8, max: 8 })), { maxLength: 6 }),
    scale: fc.integer({ min: -4, max: 4 }),
    skipped: fc.boolean(),
  }),
  { maxLength: 40 },
);

describe("AveragedWeights", () => {
  it("averages as if the weights of all steps were added up", () => {
    fc.assert(
      fc.property(changes, (steps) => {
        const weights = new AveragedWeights(8);
        const naive = new Float64Array(8);
        const sum = new Float64Array(8);
        for (const { entries, scale, skipped } of steps) {
          const change = new SparseVector(4);
          for (const [index, value] of entries) change.add(index, value);
          if (skipped) weights.skip();
          else {
            weights.add(change, scale);
            for (const [index, value] of entries) naive[index] += scale * value;
          }
          for (let i = 0; i < 8; i++) sum[i] += naive[i];
        }
        expect(weights.steps).toBe(steps.length);
        expect([...weights.values]).toEqual([...naive].map((value) => value + 0));
        const average = weights.average();
        for (let i = 0; i < 8; i++) expect(average[i]).toBeCloseTo(sum[i] / Math.max(1, steps.length), 3);
      }),
    );
  });

  it("averages into a given array", () => {
    const weights = new AveragedWeights(2);
    const change = new SparseVector();
    change.add(1, 6);
    weights.skip();
    weights.add(change, 1);
    weights.skip();
    const into = Float32Array.of(9, 9);
    expect(weights.average(into)).toBe(into);
    expect([...into]).toEqual([0, 4]);
  });

  it("is 0 before the first step", () => {
    expect([...new AveragedWeights(3).average()]).toEqual([0, 0, 0]);
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity])("refuses the dimension %d", (dimension) => {
    expect(() => new AveragedWeights(dimension)).toThrow(RangeError);
  });
});

describe("perceptron", () => {
  it("makes at most R² / γ² mistakes on separable data (Novikoff 1962; Collins 2002)", async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const margin = 0.5;
      const { task, separator } = separableTask(seed, 30, 4, 6, margin);
      let radius = 0;
      for (const { features } of task.examples) {
        for (const row of features.slice(1)) {
          const gap = row.map((value, i) => features[0][i] - value);
          radius = Math.max(radius, Math.hypot(...gap));
          expect(dot(gap, separator)).toBeGreaterThan(margin - 1e-9);
        }
      }
      let mistakes = 0;
      let before = 0;
      const learner = perceptron(6);
      await trainOnline(task, learner, {
        epochs: 60,
        seed,
        onProgress: ({ done, cost }) => {
          if (done === task.size) mistakes += before = cost;
        },
      });
      expect(mistakes).toBeGreaterThan(0);
      expect(mistakes).toBeLessThanOrEqual((radius / margin) ** 2);
      expect(before).toBe(0);
    }
  });

  it("makes at most (R + D)² / γ² mistakes in one pass (Collins 2002, theorem 2)", async () => {
    let tightest = Infinity;
    for (let seed = 1; seed <= 20; seed++) {
      const { task, separator } = noisyTask(seed);
      const learner = perceptron(6);
      let mistakes = 0;
      await trainOnline(task, learner, {
        epochs: 1,
        seed,
        onProgress: ({ done, cost }) => {
          if (done === task.size) mistakes = cost;
        },
      });
      // No weights separate the data: two examples contradict each other.
      expect(mistakes).toBeGreaterThan(0);
      const learned = learner.weights.average();
      for (const direction of [separator, Float64Array.from(learned, (w) => w / Math.hypot(...learned))]) {
        for (const margin of [0.1, 0.5, 1, 2, 4, 8]) {
          const bound = mistakeBound(task, direction, margin);
          expect(mistakes).toBeLessThanOrEqual(bound);
          tightest = Math.min(tightest, bound / mistakes);
        }
      }
    }
    // The bound says something: it is not far above the mistakes of some data.
    expect(tightest).toBeLessThan(20);
  });

  it("adds the gold features, subtracts those of a wrong output, and ignores costs", () => {
    const task = listTask([{ features: [Float64Array.of(1, 0), Float64Array.of(0, 2)], costs: [0, 100] }], 2);
    const learner = perceptron(2);
    learner.weights.values.set([1, 1]);
    expect(learner.update(task, 0)).toEqual({ cost: 100, loss: 1 });
    expect([...learner.weights.values]).toEqual([2, -1]);
    expect(learner.update(task, 0)).toEqual({ cost: 0, loss: 0 });
    expect([...learner.weights.values]).toEqual([2, -1]);
    expect(learner.weights.steps).toBe(2);
  });
});

describe("mira", () => {
  it("makes the smallest change that gives the most violated output its margin", () => {
    fc.assert(
      fc.property(fc.nat(10_000), (seed) => {
        const task = randomTask(seed, 1, 3, 5);
        const learner = mira(5, { aggressiveness: Infinity });
        learner.weights.values.set([0.5, -0.25, 0, 0.125, 1]);
        const old = Float64Array.from(learner.weights.values);
        const output = task.decode(0, learner.weights.values, true);
        const gap = task.examples[0].features[0].map(
          (value, i) => value - task.examples[0].features[output][i],
        );
        const cost = task.examples[0].costs[output];
        const { loss } = learner.update(task, 0);
        expect(loss).toBeCloseTo(Math.max(0, cost - dot(gap, old)), 9);
        const change = old.map((value, i) => learner.weights.values[i] - value);
        const smallest = smallestChange(gap, cost - dot(gap, old));
        for (let i = 0; i < 5; i++) expect(change[i]).toBeCloseTo(smallest[i], 5);
      }),
    );
  });

  it("cuts the step at its aggressiveness", () => {
    const task = listTask([{ features: [Float64Array.of(1, 0), Float64Array.of(0, 1)], costs: [0, 4] }], 2);
    const learner = mira(2, { aggressiveness: 0.25 });
    expect(learner.update(task, 0)).toEqual({ cost: 4, loss: 4 });
    expect([...learner.weights.values]).toEqual([0.25, -0.25]);
  });

  it("changes nothing where two outputs have the same features, or the margin is met", () => {
    const same = Float64Array.of(1, 1);
    const task = listTask([{ features: [same, same], costs: [0, 1] }], 2);
    const learner = mira(2);
    expect(learner.update(task, 0)).toEqual({ cost: 1, loss: 1 });
    expect([...learner.weights.values]).toEqual([0, 0]);
    expect(learner.weights.steps).toBe(1);
  });

  it.each([0, -1, Number.NaN])("refuses the aggressiveness %d", (aggressiveness) => {
    expect(() => mira(2, { aggressiveness })).toThrow(RangeError);
  });
});

describe.each([
  ["perceptron", perceptron],
  ["mira", mira],
])("%s", (_name, create) => {
  it("refuses a task that returns NaN", () => {
    const task = listTask(
      [{ features: [Float64Array.of(1), Float64Array.of(0)], costs: [0, Number.NaN] }],
      1,
    );
    const broken: StructuredTask<number> = { ...task, decode: () => 1 };
    expect(() => create(1).update(broken, 0)).toThrow(RangeError);
    const learner = create(1);
    learner.weights.values[0] = Number.NaN;
    const wrong: StructuredTask<number> = { ...randomTask(1, 1, 2, 1), decode: () => 1 };
    const nan: StructuredTask<number> = {
      ...wrong,
      difference: (_example, _output, into) => {
        into.add(0, 1);
        return 1;
      },
    };
    expect(() => learner.update(nan, 0)).toThrow(RangeError);
  });
});

/** A separable task, a tenth of whose examples have another output as gold, and the separator. */
function noisyTask(seed: number) {
  const { task, separator } = separableTask(seed, 40, 3, 6, 1);
  const examples = task.examples.map(({ features, costs }, k) =>
    k % 10 === 0 ? { features: [features[1], features[0], features[2]], costs } : { features, costs },
  );
  const { features, costs } = task.examples[0];
  return { task: listTask([...examples, { features, costs }], 6), separator };
}

/**
 * The bound of theorem 2 for unit weights U and a margin: (R + D)² / γ², where R is the largest norm of a
 * difference of features, and D the norm of what each example lacks to the margin.
 */
function mistakeBound({ examples }: ListTask, direction: Float64Array, margin: number): number {
  let radius = 0;
  let squares = 0;
  for (const { features } of examples) {
    let least = Infinity;
    for (const row of features.slice(1)) {
      const gap = row.map((value, i) => features[0][i] - value);
      radius = Math.max(radius, Math.hypot(...gap));
      least = Math.min(least, dot(gap, direction));
    }
    squares += Math.max(0, margin - least) ** 2;
  }
  return ((radius + Math.sqrt(squares)) / margin) ** 2;
}

/** The least-norm d with gap · d >= loss, by projection: bisects the multiplier until the margin is met. */
function smallestChange(gap: Float64Array, loss: number): Float64Array {
  if (loss <= 0 || dot(gap, gap) === 0) return new Float64Array(gap.length);
  let low = 0;
  let high = 1e4;
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (middle * dot(gap, gap) >= loss) high = middle;
    else low = middle;
  }
  return gap.map((value) => high * value);
}
