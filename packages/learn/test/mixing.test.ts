import {
  AveragedWeights,
  crf,
  kBestMira,
  localRunner,
  type Mixing,
  type MixingProgress,
  type MixingRound,
  mira,
  mixingShares,
  mixShards,
  mixStates,
  type OnlineLearner,
  type OnlineState,
  perceptron,
  type ShardResult,
  type ShardRunner,
  shardExamples,
  trainByMixing,
  trainOnline,
  trainShard,
} from "@arcwise/learn";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ListTask, listTask, randomTask, separableTask } from "./list-task.ts";

const DIMENSION = 12;

const learners: readonly (readonly [string, () => OnlineLearner])[] = [
  ["perceptron", () => perceptron(DIMENSION)],
  ["mira", () => mira(DIMENSION)],
  ["kbest-mira", () => kBestMira(DIMENSION, { k: 3 })],
  ["crf", () => crf(DIMENSION)],
  ["crf with a penalty", () => crf(DIMENSION, { l2: 0.01 })],
  ["crf that does not average", () => crf(DIMENSION, { averaged: false })],
];
const mixings: readonly Mixing[] = ["uniform", "error"];

const mistakes = (task: ListTask, weights: Float32Array): number =>
  [...task.examples.keys()].filter((example) => task.decode(example, weights, false) !== 0).length;

describe("shards", () => {
  it("have each example once, and differ in size by one at most", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(40), fc.integer(), (shards, more, seed) => {
        const size = shards + more;
        const all = Array.from({ length: shards }, (_, shard) => [
          ...shardExamples(size, { shard, shards, seed }),
        ]);
        expect(all.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, e) => e));
        for (const { length } of all)
          expect([Math.floor(size / shards), Math.ceil(size / shards)]).toContain(length);
      }),
      { numRuns: 50 },
    );
  });

  it("depend on the seed", () => {
    const of = (seed: number) => String(shardExamples(40, { shard: 1, shards: 4, seed }));
    expect(of(1)).toBe(of(1));
    expect(of(1)).not.toBe(of(2));
  });

  it.each([
    [-1, 2],
    [2, 2],
    [0, 0],
    [0.5, 2],
  ])("refuse shard %d of %d", (shard, shards) => {
    expect(() => shardExamples(10, { shard, shards, seed: 1 })).toThrow(RangeError);
  });
});

/** A result with nothing but a state of these vectors. */
function result(values: readonly number[], wrong: number, fields: Partial<OnlineState> = {}) {
  const vector = Float32Array.from(values);
  const state: OnlineState = {
    epoch: 2,
    steps: 10,
    values: vector,
    weighted: vector.map((v) => 0 - v),
    ...fields,
  };
  return { state, mistakes: wrong };
}

describe("the mixing step", () => {
  const table: readonly (readonly [Mixing, readonly number[], readonly number[]])[] = [
    ["uniform", [3, 1, 0], [1 / 3, 1 / 3, 1 / 3]],
    ["error", [3, 1, 0], [0.75, 0.25, 0]],
    ["error", [0, 0, 4], [0, 0, 1]],
    ["error", [0, 0, 0], [1 / 3, 1 / 3, 1 / 3]],
    ["error", [0, 2, 0], [0, 1, 0]],
  ];
  it.each(table)("%s, with mistakes %j: shares %j", (mixing, wrong, shares) => {
    const results = wrong.map((count, s) => result([2 ** s, 16, 0], count));
    expect([...mixingShares(results, mixing)]).toEqual(shares);
    const mixed = mixStates(results, mixing);
    const mean = shares[0]! + 2 * shares[1]! + 4 * shares[2]!;
    expect(mixed).toMatchObject({ epoch: 2, steps: 10 });
    expect(mixed.values[0]).toBeCloseTo(mean, 6);
    expect([...mixed.values.slice(1)]).toEqual([16, 0]);
    expect([...mixed.weighted]).toEqual([...mixed.values].map((value) => 0 - value));
  });

  it("is the weighted mean, of memory too, to the rounding of Float32", () => {
    const vector = fc.array(fc.float({ min: -100, max: 100, noNaN: true }), { minLength: 3, maxLength: 3 });
    const shards = fc.array(fc.record({ vector, wrong: fc.nat(50) }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(shards, fc.constantFrom(...mixings), (given, mixing) => {
        const results = given.map(({ vector: v, wrong }) =>
          result(v, wrong, { memory: { squares: Float32Array.from(v, (x) => x * x) } }),
        );
        const mixed = mixStates(results, mixing);
        const shares = mixingShares(results, mixing);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
        for (let i = 0; i < 3; i++) {
          const mean = given.reduce((sum, { vector: v }, s) => sum + shares[s]! * v[i]!, 0);
          const square = given.reduce((sum, { vector: v }, s) => sum + shares[s]! * v[i]! ** 2, 0);
          expect(Math.abs(mixed.values[i]! - mean)).toBeLessThan(1e-4);
          expect(Math.abs(mixed.memory!.squares![i]! - square)).toBeLessThan(1e-2);
        }
      }),
    );
  });

  it("leaves states that are the same as they are", () => {
    const one = result([0.1, -1e-9, 1e9], 3);
    expect(mixStates([one, one, one, one, one, one, one], "uniform")).toEqual(one.state);
  });

  it("changes no state that it is given", () => {
    const results = [result([1, 2], 1), result([3, 4], 1)];
    const before = structuredClone(results);
    const mixed = mixStates(results, "uniform");
    expect(results).toEqual(before);
    expect(mixed.values).not.toBe(results[0]!.state.values);
  });

  it.each([
    ["no states", [], /at least one/],
    ["other dimensions", [result([1], 1), result([1, 2], 1)], /1 weights.*2 weights/],
    ["other epochs", [result([1], 1), result([1], 1, { epoch: 3 })], /epoch 2.*epoch 3/],
    ["other steps", [result([1], 1), result([1], 1, { steps: 3 })], /10 steps.*3 steps/],
    ["other memory", [result([1], 1), result([1], 1, { memory: { a: new Float32Array(1) } })], /\[a, /],
    [
      "memory of examples",
      [result([1], 1, { memory: { duals: new Float32Array(7) } })],
      /one entry a weight.*7/,
    ],
    ["memory with a taken name", [result([1], 1, { memory: { values: new Float32Array(1) } })], /"values"/],
  ])("refuses %s", (_what, results, message) => {
    expect(() => mixStates(results, "uniform")).toThrow(message);
  });

  it("refuses a mixing that there is not", () => {
    expect(() => mixStates([result([1], 1)], "loss" as Mixing)).toThrow(/no mixing is named "loss"/);
  });
});

/** McDonald, Hall and Mann 2010, section 3.2: two shards of two examples; classes 0 and 1, a tie goes to 1. */
const THEOREM_2 = [
  [
    {
      gold: 0,
      features: [
        [1, 1, 0, 0, 0, 0],
        [0, 0, 0, 1, 1, 0],
      ],
    },
    {
      gold: 1,
      features: [
        [0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 1],
      ],
    },
  ],
  [
    {
      gold: 0,
      features: [
        [0, 1, 1, 0, 0, 0],
        [0, 0, 0, 0, 1, 1],
      ],
    },
    {
      gold: 1,
      features: [
        [1, 0, 0, 0, 0, 0],
        [0, 0, 0, 1, 0, 0],
      ],
    },
  ],
] as const;

/** The paper's examples with the gold class first, dealt out so that each shard of the seed has its two. */
function theorem2(seed: number): ListTask {
  const examples: { features: Float64Array[]; costs: number[]; tie: number }[] = [];
  for (const [shard, two] of THEOREM_2.entries()) {
    const places = shardExamples(4, { shard, shards: 2, seed });
    for (const [k, { gold, features }] of two.entries()) {
      const order = gold === 0 ? [0, 1] : [1, 0];
      examples[places[k]!] = {
        features: order.map((y) => Float64Array.from(features[y]!)),
        costs: [0, 1],
        tie: order.indexOf(1),
      };
    }
  }
  const task = listTask(examples, 6);
  const score = (example: number, y: number, weights: ArrayLike<number>) =>
    examples[example]!.features[y]!.reduce((sum, value, i) => sum + value * weights[i]!, 0);
  return {
    ...task,
    decode(example, weights) {
      const [gold, wrong] = [score(example, 0, weights), score(example, 1, weights)];
      if (gold === wrong) return examples[example]!.tie;
      return gold > wrong ? 0 : 1;
    },
  };
}

/** The perceptron without averaging, as the theorems have it. */
function plainPerceptron(dimension: number): OnlineLearner {
  const learner = perceptron(dimension);
  return { ...learner, result: () => learner.weights.values.slice() };
}

describe("the example of the paper's theorem 2", () => {
  const separator = Float32Array.of(-1, 2, -1, 1, -2, 1);

  it("can be separated, and each shard is by its own weights", async () => {
    const task = theorem2(1);
    expect(mistakes(task, separator)).toBe(0);
    for (const shard of [0, 1]) {
      const learner = plainPerceptron(6);
      const state = { epoch: 0, steps: 0, values: new Float32Array(6), weighted: new Float32Array(6) };
      const step = { shard, shards: 2, epoch: 1, epochs: 10, seed: 1 };
      await trainShard(task, learner, step, state);
      for (const example of shardExamples(4, step))
        expect(task.decode(example, learner.result(), false)).toBe(0);
    }
  });

  it.each(mixings)("is not separated by mixing once, however long (%s)", async (mixing) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const task = theorem2(seed);
      const learner = plainPerceptron(6);
      await trainByMixing(task, learner, { shards: 2, epochs: 100, seed, mixing, mixEvery: Infinity });
      // All four are taken for class 0.
      expect(mistakes(task, learner.result())).toBe(2);
    }
  });

  it.each(mixings)("is separated by iterative mixing (%s)", async (mixing) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const task = theorem2(seed);
      const learner = plainPerceptron(6);
      await trainByMixing(task, learner, { shards: 2, epochs: 20, seed, mixing });
      expect(mistakes(task, learner.result())).toBe(0);
    }
  });
});

describe("iterative mixing where a margin separates the examples", () => {
  it.each(mixings)("makes no more weighted mistakes than (R / γ)², then none (%s)", async (mixing) => {
    for (const seed of [1, 2, 3, 4]) {
      const margin = 0.5;
      const { task, separator } = separableTask(seed, 60, 3, 5, margin);
      const learner = plainPerceptron(5);
      let squaredRadius = 0;
      let narrowest = Infinity;
      for (const { features } of task.examples) {
        for (const row of features.slice(1)) {
          const difference = row.map((value, i) => features[0]![i]! - value);
          squaredRadius = Math.max(
            squaredRadius,
            difference.reduce((sum, d) => sum + d * d, 0),
          );
          narrowest = Math.min(
            narrowest,
            difference.reduce((sum, d, i) => sum + d * separator[i]!, 0),
          );
        }
      }
      expect(narrowest).toBeGreaterThan(0.99 * margin);
      const rounds: MixingRound[] = [];
      await trainByMixing(task, learner, {
        shards: 4,
        epochs: 200,
        seed,
        mixing,
        onMixed: (_state, round) => void rounds.push(round),
      });
      const weighted = rounds.flatMap(({ shards }) => shards.map((one) => one.share * one.mistakes));
      const sum = weighted.reduce((total, value) => total + value, 0);
      expect(sum).toBeGreaterThan(0);
      expect(sum).toBeLessThanOrEqual(squaredRadius / narrowest ** 2);
      expect(rounds.at(-1)!.shards.every(({ mistakes: wrong }) => wrong === 0)).toBe(true);
      expect(mistakes(task, learner.result())).toBe(0);
    }
  });
});

describe.each(learners)("mixing with %s", (_name, create) => {
  const task = randomTask(5, 30, 4, DIMENSION);
  const options = { shards: 4, epochs: 5, seed: 3 };

  async function train(more: Parameters<typeof mixShards>[1], learner = create()) {
    const states: OnlineState[] = [];
    await trainByMixing(task, learner, { ...more, onMixed: (s) => void states.push(structuredClone(s)) });
    return { states, weights: learner.result() };
  }

  it("with one shard is serial training, bit for bit", async () => {
    const serial = create();
    const states: OnlineState[] = [];
    await trainOnline(task, serial, {
      epochs: 5,
      seed: 3,
      onEpoch: (s) => void states.push(structuredClone(s)),
    });
    const mixed = await train({ ...options, shards: 1 });
    expect(mixed.weights).toEqual(serial.result());
    expect(mixed.states).toEqual(states);
    // In one step of five epochs as well.
    expect((await train({ ...options, shards: 1, mixEvery: Infinity })).weights).toEqual(serial.result());
  });

  it("is what its two steps do by themselves, on data that was sent", async () => {
    let state: OnlineState = structuredClone(emptyState(create()));
    for (let epoch = 1; epoch <= 5; epoch++) {
      const results: ShardResult[] = [];
      // In another order, each with a learner that has just been made.
      for (const shard of [2, 0, 3, 1]) {
        const step = { shard, shards: 4, epoch, epochs: 1, seed: 3 };
        results[shard] = structuredClone(await trainShard(task, create(), step, structuredClone(state)));
      }
      state = mixStates(results, "error");
    }
    const { states } = await train({ ...options, mixing: "error" });
    expect(states.at(-1)).toEqual(state);
  });

  it("goes on after any mixing to the same weights", async () => {
    for (const mixEvery of [1, 2]) {
      const whole = await train({ ...options, mixEvery });
      expect(whole.states.map(({ epoch }) => epoch)).toEqual(mixEvery === 1 ? [1, 2, 3, 4, 5] : [2, 4, 5]);
      for (const state of whole.states) {
        const resumed = await train({ ...options, mixEvery, resume: state });
        expect(resumed.weights).toEqual(whole.weights);
      }
    }
  });

  it("learns: fewer mistakes than at first, and other weights by another seed or number of shards", async () => {
    const rounds: MixingRound[] = [];
    const learner = create();
    await trainByMixing(task, learner, {
      ...options,
      epochs: 20,
      onMixed: (_, round) => void rounds.push(round),
    });
    const loss = ({ shards }: MixingRound) => shards.reduce((sum, one) => sum + one.loss, 0);
    expect(loss(rounds.at(-1)!)).toBeLessThan(0.95 * loss(rounds[0]!));
    const { weights } = await train(options);
    expect((await train({ ...options, seed: 4 })).weights).not.toEqual(weights);
    expect((await train({ ...options, shards: 3 })).weights).not.toEqual(weights);
  });
});

function emptyState({ weights: { values, weighted }, memory }: OnlineLearner): OnlineState {
  return { epoch: 0, steps: 0, values, weighted, ...(memory && { memory }) };
}

function addTo(sum: Float64Array, vector: ArrayLike<number>, scale: number): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += scale * vector[i]!;
}

describe("averaging", () => {
  it("is over all steps of all shards, each by its share", async () => {
    // 7 examples in 3 shards: two of them end each epoch with a step that changes nothing.
    const task = randomTask(11, 7, 4, 6);
    for (const mixing of mixings) {
      const sum = new Float64Array(6);
      let start: Float32Array = new Float32Array(6);
      let state: OnlineState = emptyState(perceptron(6));
      let steps = 0;
      for (let epoch = 1; epoch <= 4; epoch++) {
        const sums: Float64Array[] = [];
        const results: ShardResult[] = [];
        for (let shard = 0; shard < 3; shard++) {
          const learner = perceptron(6);
          const own = new Float64Array(6);
          const add = () => addTo(own, learner.weights.values, 1);
          const watched: OnlineLearner = {
            ...learner,
            update(of, example) {
              const update = learner.update(of, example);
              add();
              return update;
            },
          };
          const step = { shard, shards: 3, epoch, epochs: 1, seed: 2 };
          results.push(structuredClone(await trainShard(task, watched, step, structuredClone(state))));
          if (shardExamples(7, step).length < 3) add();
          sums.push(own);
        }
        const shares = mixingShares(results, mixing);
        for (const [s, own] of sums.entries()) addTo(sum, own, shares[s]!);
        state = mixStates(results, mixing);
        start = state.values;
        steps += 3;
      }
      const learner = perceptron(6);
      await trainByMixing(task, learner, { shards: 3, epochs: 4, seed: 2, mixing });
      expect(learner.weights.values).toEqual(start);
      expect(learner.weights.steps).toBe(steps);
      const average = learner.result();
      for (let i = 0; i < 6; i++) expect(average[i]).toBeCloseTo(sum[i]! / steps, 4);
    }
  });
});

describe("mixShards", () => {
  const task = randomTask(3, 10, 3, 6);
  const options = { shards: 3, epochs: 2, seed: 1 };

  it("tells how far the shards are", async () => {
    const reports: MixingProgress[] = [];
    await trainByMixing(task, mira(6), { ...options, mixEvery: 2, onProgress: (at) => reports.push(at) });
    expect(reports.map(({ epoch, done, total }) => [epoch, done, total])).toEqual([
      [2, 6, 20],
      [2, 12, 20],
      [2, 20, 20],
    ]);
    expect(reports.at(-1)!.cost).toBeGreaterThan(0);
    expect(reports.at(-1)!.mistakes).toBeGreaterThan(0);
  });

  it("waits for what is done after a mixing", async () => {
    const events: string[] = [];
    await trainByMixing(task, perceptron(6), {
      ...options,
      onMixed: async ({ epoch }) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        events.push(`saved ${epoch}`);
      },
      onProgress: ({ epoch, done }) => void (done === 10 && events.push(`done ${epoch}`)),
    });
    expect(events).toEqual(["done 1", "saved 1", "done 2", "saved 2"]);
  });

  it("ends by the reason of a signal, between two examples", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const inner = perceptron(6);
    let updates = 0;
    const learner: OnlineLearner = {
      ...inner,
      update(of, example) {
        if (++updates === 6) controller.abort(reason);
        return inner.update(of, example);
      },
    };
    const run = () => trainByMixing(task, learner, { ...options, signal: controller.signal });
    await expect(run()).rejects.toBe(reason);
    expect(updates).toBe(6);
    await expect(run()).rejects.toBe(reason);
    expect(updates).toBe(6);
  });

  it.each([
    ["shards", { shards: 0 }, /shards must be/],
    ["shards", { shards: 11 }, /11 shards of 10 examples/],
    ["epochs", { epochs: 1.5 }, /epochs must be/],
    ["mixEvery", { mixEvery: 0 }, /mixEvery must be/],
    ["mixing", { mixing: "best" as Mixing }, /no mixing/],
    ["the seed", { seed: 0.5 }, /seed/],
  ])("refuses %s: %j", async (_what, wrong, message) => {
    await expect(trainByMixing(task, perceptron(6), { ...options, ...wrong })).rejects.toThrow(message);
  });

  it("refuses the state of another learner, and a learner of another dimension", async () => {
    const state = structuredClone(emptyState(crf(6)));
    await expect(trainByMixing(task, mira(6), { ...options, resume: state })).rejects.toThrow(/squares/);
    const small = structuredClone(emptyState(mira(5)));
    await expect(trainByMixing(task, mira(6), { ...options, resume: small })).rejects.toThrow(
      /6 weights.*5 weights/,
    );
    expect(() => localRunner(task, mira(5))).toThrow(/6 weights.*5/);
  });

  it("refuses a runner that leaves out a shard", async () => {
    const runner = localRunner(task, mira(6));
    const lazy: ShardRunner = { ...runner, run: (steps, ...more) => runner.run(steps.slice(1), ...more) };
    await expect(mixShards(lazy, options)).rejects.toThrow(/expected 3 results of shards, got 2/);
  });

  it("trains on no examples at all", async () => {
    const state = await mixShards(localRunner({ ...task, size: 0 }, mira(6)), { ...options, shards: 1 });
    expect(state).toMatchObject({ epoch: 2, steps: 0 });
  });

  it("gives the weights to keep of a state", async () => {
    const runner = localRunner(task, perceptron(6));
    const state = await mixShards(runner, options);
    const expected = new AveragedWeights(6);
    expected.values.set(state.values);
    expected.weighted.set(state.weighted);
    expected.steps = state.steps;
    expect(await runner.result(state)).toEqual(expected.average());
  });
});
