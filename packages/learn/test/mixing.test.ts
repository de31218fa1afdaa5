import { random } from "@arcwise/core";
import {
  crf,
  kBestMira,
  type Mixing,
  mira,
  mixShards,
  mixStates,
  type OnlineLearner,
  type OnlineState,
  perceptron,
  runShardsHere,
  type ShardResult,
  type ShardRunner,
  trainOnline,
  trainShard,
} from "@arcwise/learn";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MixingOptions } from "../src/distributed/mixing.ts";
import { MIXINGS } from "../src/distributed/mixing-names.ts";
import type { MixingProgress, MixingRound } from "../src/distributed/mixing-progress.ts";
import { shardExamples } from "../src/distributed/mixing-shard.ts";
import { mixingShares, StateMixer } from "../src/distributed/mixing-state.ts";
import { restore } from "../src/online/train-online.ts";
import { dot, type ListedExample, type ListTask, listTask, randomTask, separableTask } from "./list-task.ts";

const DIMENSION = 12;

/** Trains a learner by mixing in this thread, as `trainOnline` does serial training. */
async function trainByMixing(task: ListTask, learner: OnlineLearner, options: MixingOptions): Promise<void> {
  restore(learner, await mixShards(runShardsHere(task, learner), options));
}

const learners: readonly (readonly [string, () => OnlineLearner])[] = [
  ["perceptron", () => perceptron(DIMENSION)],
  ["mira", () => mira(DIMENSION)],
  ["kbest-mira", () => kBestMira(DIMENSION, { k: 3 })],
  ["crf", () => crf(DIMENSION)],
  ["crf with a penalty", () => crf(DIMENSION, { l2: 0.01 })],
  ["crf that does not average", () => crf(DIMENSION, { averaged: false })],
];
/** Those of the paper: one share a shard. */
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

/** The changes, or a whole state if no changes are listed. */
function sparse(changed: readonly number[], values: readonly number[], wrong: number) {
  return { ...result(values, wrong), ...(changed.length > 0 && { changed: Int32Array.from(changed) }) };
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
    const mean = shares[0] + 2 * shares[1] + 4 * shares[2];
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
          const mean = given.reduce((sum, { vector: v }, s) => sum + shares[s] * v[i], 0);
          const square = given.reduce((sum, { vector: v }, s) => sum + shares[s] * v[i] ** 2, 0);
          expect(Math.abs(mixed.values[i] - mean)).toBeLessThan(1e-4);
          expect(Math.abs(mixed.memory!.squares![i] - square)).toBeLessThan(1e-2);
        }
      }),
    );
  });

  it("by what changed: each weight is the mean over the shards that changed it", () => {
    const before = sparse([], [8, 8, 8, 8], 0).state;
    const shards = [sparse([1, 3], [2, 4], 5), sparse([2, 3], [1, 8], 0), sparse([3], [3], 1)];
    const mixed = mixStates(shards, "changed", before);
    expect([...mixed.values]).toEqual([8, 2, 1, 5]);
    expect([...mixed.weighted]).toEqual([-8, -2, -1, -5]);
    // The others of the three have 8 of what they did not change.
    expect([...mixStates(shards, "uniform", before).values]).toEqual([8, 6, Math.fround(17 / 3), 5]);
    expect([...mixStates(shards, "error", before).values]).toEqual([8, 3, 8, Math.fround(23 / 6)]);
    expect([...before.values]).toEqual([8, 8, 8, 8]);
  });

  it("mixes whole states by what changed: a shard's update outweighs the penalty of the others", () => {
    const whole = (values: readonly number[], squares: readonly number[]) =>
      result(values, 1, { memory: { squares: Float32Array.from(squares) } });
    const before = whole([4, 4, 4, 4], [1, 1, 1, 1]);
    const shards = [
      whole([6, 3, 4, 6], [3, 1, 1, 2]),
      whole([3, 3, 4, 8], [1, 1, 1, 4]),
      whole([3, 1.5, 4, 4], [1, 1, 1, 1]),
    ];
    const mixed = mixStates(shards, "changed", before.state);
    expect([...mixed.values]).toEqual([6, 2.5, 4, 7]);
    expect([...mixed.memory!.squares!]).toEqual([3, 1, 1, 3]);
  });

  it("of changes is that of whole states", () => {
    const numbers = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 4, maxLength: 4 });
    // Powers of two: quotients are exact.
    const shards = fc.array(fc.record({ values: numbers, wrong: fc.constantFrom(0, 1, 2) }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(numbers, shards, fc.constantFrom(...MIXINGS), (start, given, mixing) => {
        const before = result(start, 0).state;
        const whole = given.map(({ values, wrong }) => result(values, wrong));
        const changes = given.map(({ values, wrong }) => {
          const changed = [0, 1, 2, 3].filter((i) => values[i] !== start[i]);
          const only = result(
            changed.map((i) => values[i]),
            wrong,
          );
          return { ...only, changed: Int32Array.from(changed) };
        });
        const expected = mixStates(whole, mixing, before);
        const found = mixStates(changes, mixing, before);
        for (let i = 0; i < 4; i++) expect(found.values[i]).toBeCloseTo(expected.values[i], 4);
      }),
    );
  });

  it("of changes of many weights is their mean, rounded once", () => {
    const dimension = 70_000;
    const draws = random(7);
    const drawn = () => Math.fround(draws.next() * 20 - 10);
    const before = result(Array.from({ length: dimension }, drawn), 0).state;
    const wrong = [2, 0, 5];
    const given = wrong.map((mistakes, s) => {
      // Neighbours, and weights that are far apart.
      const indices = Array.from({ length: dimension }, (_, i) => i).filter((i) =>
        i < 100 ? (i + s) % 3 > 0 : draws.int(300) === 0,
      );
      return sparse(indices, indices.map(drawn), mistakes);
    });
    for (const mixing of MIXINGS) {
      const mixer = new StateMixer(mixing);
      // A mixer is used again and again.
      for (let time = 0; time < 2; time++) {
        const own = structuredClone(before);
        for (const shard of given) mixer.add(shard, own);
        const { state, changed } = mixer.take(own);
        const amounts = given.map(({ mistakes }) => (mixing === "error" ? mistakes : 1));
        const all = [0, 1, 2].flatMap((s) => (amounts[s] > 0 ? [...given[s].changed!] : []));
        expect([...changed!]).toEqual([...new Set(all)].sort((a, b) => a - b));
        for (const i of changed!) {
          let sum = 0;
          let amount = 0;
          for (const [s, shard] of given.entries()) {
            const at = shard.changed!.indexOf(i);
            if (at < 0) continue;
            sum += amounts[s] * shard.state.values[at];
            amount += amounts[s];
          }
          const total = mixing === "changed" ? amount : amounts.reduce((one, other) => one + other);
          const mean = Math.fround((sum + (total - amount) * before.values[i]) / total);
          expect(state.values[i]).toBe(mean);
        }
        const others = before.values.filter((value, i) => value === state.values[i]).length;
        expect(others).toBeGreaterThanOrEqual(dimension - changed!.length);
      }
    }
  });

  it("changes none of its arguments", () => {
    const results = [result([1, 2], 1), result([3, 4], 1)];
    const before = structuredClone(results);
    const mixed = mixStates(results, "uniform");
    expect(results).toEqual(before);
    expect(mixed.values).not.toBe(results[0].state.values);
  });

  const before = result([1, 1], 0).state;
  it.each<[string, Parameters<typeof mixStates>[0], RegExp, OnlineState?]>([
    ["no states", [], /at least one/],
    ["other dimensions", [result([1], 1), result([1, 2], 1)], /1 weights.*2 weights/],
    ["other epochs", [result([1], 1), result([1], 1, { epoch: 3 })], /epoch 2.*epoch 3/],
    ["other steps", [result([1], 1), result([1], 1, { steps: 3 })], /10 steps.*3 steps/],
    ["other memory", [result([1], 1), result([1], 1, { memory: { a: new Float32Array(1) } })], /\[a, /],
    ["memory of examples", [result([1], 1, { memory: { duals: new Float32Array(7) } })], /per weight.*7/],
    ["changes without the previous state", [sparse([0], [1], 1)], /previous state/],
    ["memory with a taken name", [result([1], 1, { memory: { values: new Float32Array(1) } })], /"values"/],
    ["an unknown weight", [sparse([2], [1], 1)], /from 0 to 1, got 2/, before],
    ["weights that do not ascend", [sparse([1, 0], [1, 1], 1)], /from 2 to 1, got 0/, before],
    ["a weight twice", [sparse([1, 1], [1, 1], 1)], /from 2 to 1, got 1/, before],
    ["fewer values than changes", [sparse([0, 1], [1], 1)], /expected 2 changed weights/, before],
    ["changes of some shards", [sparse([0], [1], 1), result([1, 1], 1)], /all shards, or from none/, before],
  ])("refuses %s", (_what, results, message, previous) => {
    expect(() => mixStates(results, previous ? "changed" : "uniform", previous)).toThrow(message);
  });

  it("refuses an unknown mixing", () => {
    expect(() => mixStates([result([1], 1)], "loss" as Mixing)).toThrow(/unknown mixing "loss"/);
  });
});

/**
 * McDonald, Hall and Mann 2010, section 3.2: two shards of two examples, of class 0 and of class 1: the features
 * of the gold class, and those of the other one. A tie goes to class 1.
 */
const THEOREM_2 = [
  ["110000 000110", "000001 001000"],
  ["011000 000011", "000100 100000"],
];

/** The paper's examples, dealt out so that each shard of the seed has its two. */
function theorem2(seed: number): ListTask {
  const examples: ListedExample[] = [];
  const ties: number[] = [];
  for (const [shard, two] of THEOREM_2.entries()) {
    const places = shardExamples(4, { shard, shards: 2, seed });
    for (const [gold, classes] of two.entries()) {
      const features = classes.split(" ").map((digits) => Float64Array.from(digits, Number));
      examples[places[gold]] = { features, costs: [0, 1] };
      ties[places[gold]] = 1 - gold;
    }
  }
  const task = listTask(examples, 6);
  return {
    ...task,
    decode(example, weights) {
      const [gold, wrong] = examples[example].features.map((row) => dot(row, weights));
      if (gold === wrong) return ties[example];
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

  it.each([
    [0.5, 0.5],
    [0.2, 0.8],
  ])("is separable, as is each shard, but not by mixing once, by shares of %d and %d", async (...shares) => {
    const task = theorem2(1);
    expect(mistakes(task, separator)).toBe(0);
    const mixed = new Float64Array(6);
    for (const shard of [0, 1]) {
      const learner = plainPerceptron(6);
      const step = { shard, shards: 2, epoch: 1, epochs: 10, seed: 1 };
      await trainShard(task, learner, step, emptyState(learner));
      const own = learner.result();
      for (const example of shardExamples(4, step)) expect(task.decode(example, own, false)).toBe(0);
      addTo(mixed, own, shares[shard]);
    }
    expect(mistakes(task, Float32Array.from(mixed))).toBeGreaterThan(0);
  });

  it.each(MIXINGS)("is separated by iterative mixing (%s)", async (mixing) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const task = theorem2(seed);
      const learner = plainPerceptron(6);
      await trainByMixing(task, learner, { shards: 2, epochs: 20, seed, mixing });
      expect(mistakes(task, learner.result())).toBe(0);
    }
  });
});

/**
 * With shares by mistakes, the number of epochs is at most the sum of their weighted geometric means of mistakes,
 * which is at most the sum of the weighted mistakes (McDonald, Hall and Mann 2010, after theorem 3).
 */
function expectChain(rounds: readonly MixingRound[], weighted: number): void {
  let sum = 0;
  for (const { shards } of rounds) {
    const wrong = shards.filter(({ mistakes: count }) => count > 0);
    const geometric = Math.exp(wrong.reduce((all, one) => all + one.share * Math.log(one.mistakes), 0));
    const arithmetic = wrong.reduce((all, one) => all + one.share * one.mistakes, 0);
    expect(geometric).toBeGreaterThanOrEqual(1 - 1e-12);
    expect(geometric).toBeLessThanOrEqual(arithmetic * (1 + 1e-12));
    sum += geometric;
  }
  expect(rounds.length).toBeLessThanOrEqual(sum * (1 + 1e-12));
  expect(sum).toBeLessThanOrEqual(weighted * (1 + 1e-12));
}

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
          const difference = row.map((value, i) => features[0][i] - value);
          squaredRadius = Math.max(
            squaredRadius,
            difference.reduce((sum, d) => sum + d * d, 0),
          );
          narrowest = Math.min(
            narrowest,
            difference.reduce((sum, d, i) => sum + d * separator[i], 0),
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
      // Epochs with a mistake, bounded step by step as the paper does.
      const unsolved = rounds.filter(({ shards }) => shards.some(({ mistakes: wrong }) => wrong > 0));
      expect(unsolved.length).toBeGreaterThan(0);
      if (mixing === "uniform") expect(unsolved.length).toBeLessThanOrEqual(4 * sum);
      else expectChain(unsolved, sum);
      expect(mistakes(task, learner.result())).toBe(0);
    }
  });
});

describe.each(learners)("mixing with %s", (name, create) => {
  const task = randomTask(5, 30, 4, DIMENSION);
  const options = { shards: 4, epochs: 5, seed: 3 };

  async function train(more: Parameters<typeof mixShards>[1], learner = create()) {
    const states: OnlineState[] = [];
    await trainByMixing(task, learner, { ...more, onMixed: (s) => void states.push(structuredClone(s)) });
    return { states, weights: learner.result() };
  }

  it("with one shard is serial training, bit for bit, however often it is mixed", async () => {
    const serial = create();
    const states: OnlineState[] = [];
    const onEpoch = (state: OnlineState) => void states.push(structuredClone(state));
    await trainOnline(task, serial, { epochs: 3, seed: 3, onEpoch });
    const once = { ...options, epochs: 3, shards: 1 };
    expect(await train(once)).toEqual({ states, weights: serial.result() });
    // A penalty that is put off is taken at each mixing, in Float32.
    if (name.includes("penalty")) return;
    for (const mixing of MIXINGS) {
      expect((await train({ ...once, mixes: 7, mixing })).weights).toEqual(serial.result());
    }
  });

  it.each<[Mixing, number]>([
    ["error", 1],
    ["uniform", 2],
    ["changed", 3],
  ])(
    "is what its two steps do by themselves, on data that was sent: %s, %d an epoch",
    async (mixing, mixes) => {
      let state: OnlineState = structuredClone(emptyState(create()));
      for (let epoch = 1; epoch <= 5; epoch++) {
        for (let part = 0; part < mixes; part++) {
          const results: ShardResult[] = [];
          // In another order, each with a learner that has just been made.
          for (const shard of [2, 0, 3, 1]) {
            const step = { shard, shards: 4, epoch, epochs: 1, seed: 3, part, parts: mixes };
            results[shard] = structuredClone(await trainShard(task, create(), step, structuredClone(state)));
          }
          state = mixStates(results, mixing, state);
        }
        expect(state.epoch).toBe(epoch);
      }
      const { states } = await train({ ...options, mixing, mixes });
      expect(states.at(-1)).toEqual(state);
    },
  );

  it("resumes after any mixing to the same weights", async () => {
    for (const when of [{ mixes: 1 }, { mixes: 3, mixing: "changed" as const }]) {
      const whole = await train({ ...options, ...when });
      expect(whole.states.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4, 5]);
      for (const state of whole.states) {
        const resumed = await train({ ...options, ...when, resume: state });
        expect(resumed.weights).toEqual(whole.weights);
      }
    }
  });

  it("makes fewer mistakes than at first; another seed or number of shards gives other weights", async () => {
    const rounds: MixingRound[] = [];
    const learner = create();
    await trainByMixing(task, learner, {
      ...options,
      epochs: 20,
      onMixed: (_, round) => void rounds.push(round),
    });
    const loss = ({ shards }: MixingRound) => shards.reduce((sum, one) => sum + one.loss, 0);
    expect(loss(rounds.at(-1)!)).toBeLessThan(0.95 * loss(rounds[0]));
    const { weights } = await train(options);
    expect((await train({ ...options, seed: 4 })).weights).not.toEqual(weights);
    expect((await train({ ...options, shards: 3 })).weights).not.toEqual(weights);
  });
});

function emptyState({ weights: { values, weighted }, memory }: OnlineLearner): OnlineState {
  return { epoch: 0, steps: 0, values, weighted, ...(memory && { memory }) };
}

function addTo(sum: Float64Array, vector: ArrayLike<number>, scale: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] += scale * vector[i];
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
        for (const [s, own] of sums.entries()) addTo(sum, own, shares[s]);
        state = mixStates(results, mixing, state);
        start = state.values;
        steps += 3;
      }
      const learner = perceptron(6);
      await trainByMixing(task, learner, { shards: 3, epochs: 4, seed: 2, mixing });
      expect(learner.weights.values).toEqual(start);
      expect(learner.weights.steps).toBe(steps);
      const average = learner.result();
      for (let i = 0; i < 6; i++) expect(average[i]).toBeCloseTo(sum[i] / steps, 4);
    }
  });
});

describe("a step of a sparse learner", () => {
  const task = listTask(
    Array.from({ length: 8 }, (_, example) => ({
      // Each example has a feature of its own, and one that all have.
      features: [0, 1].map((y) =>
        Float64Array.from({ length: 10 }, (_, i) => (i === example + y || i === 9 ? y : 0)),
      ),
      costs: [0, 1],
    })),
    10,
  );
  const step = { shard: 1, shards: 4, epoch: 1, epochs: 1, seed: 5 };

  it("reports exactly the weights that it changed", async () => {
    const learner = mira(10);
    const state = structuredClone(emptyState(learner));
    const { changed, state: end } = await trainShard(task, learner, step, state);
    expect(changed!.length).toBeGreaterThan(0);
    expect(new Set(changed).size).toBe(changed!.length);
    const whole = new Float32Array(10);
    for (const [k, i] of changed!.entries()) whole[i] = end.values[k];
    expect(whole).toEqual(learner.weights.values);
    expect(changed!.length).toBeLessThan(6);
    // Serial training notes nothing.
    expect(learner.weights.changes).toBeUndefined();
  });

  it.each([
    [{ part: 2, parts: 2 }, /part/],
    [{ part: -1, parts: 2 }, /part/],
    [{ parts: 2, epochs: 2 }, /one epoch/],
  ])("refuses %j", async (wrong, message) => {
    const learner = mira(10);
    const state = structuredClone(emptyState(learner));
    await expect(trainShard(task, learner, { ...step, ...wrong }, state)).rejects.toThrow(message);
  });

  it("copies no weights that did not change: a runner goes on from the round before", async () => {
    const learner = mira(10);
    const runner = runShardsHere(task, learner);
    // A weight that no example has is set behind the back of the runner: it would be lost in copying.
    await mixShards(
      {
        ...runner,
        run(steps, from, options) {
          if (options.since?.round === 1) learner.weights.values[0] = 42;
          return runner.run(steps, from, options);
        },
      },
      { shards: 2, epochs: 2, seed: 1 },
    );
    expect(learner.weights.values[0]).toBe(42);
  });
});

describe("an average that begins after some epochs", () => {
  const task = randomTask(7, 20, 4, 6);
  const options = { shards: 3, epochs: 5, seed: 2, mixes: 2, mixing: "changed" as const };

  it("is that over the steps since then: the averages of both times make up that of all", async () => {
    const states: OnlineState[] = [];
    const watch = { onMixed: (state: OnlineState) => void states.push(structuredClone(state)) };
    const whole = perceptron(6);
    await trainByMixing(task, whole, { ...options, ...watch });
    const { values, weighted, steps } = states[1];
    const late = perceptron(6);
    await trainByMixing(task, late, { ...options, averageAfter: 2 });
    expect(late.weights.values).toEqual(whole.weights.values);
    expect(late.weights.steps).toBe(whole.weights.steps - steps);
    const [all, since] = [whole.result(), late.result()];
    for (let i = 0; i < 6; i++) {
      const before = values[i] * steps - weighted[i];
      expect((before + since[i] * late.weights.steps) / whole.weights.steps).toBeCloseTo(all[i], 4);
    }
  });

  it("is over all steps where training ends before", async () => {
    const [short, all] = [mira(6), mira(6)];
    await trainByMixing(task, short, { ...options, epochs: 2, averageAfter: 2 });
    await trainByMixing(task, all, { ...options, epochs: 2 });
    expect(short.result()).toEqual(all.result());
  });

  it("resumes after any epoch to the same weights", async () => {
    const states: OnlineState[] = [];
    const whole = mira(6);
    const late = { ...options, averageAfter: 2 };
    await trainByMixing(task, whole, { ...late, onMixed: (s) => void states.push(structuredClone(s)) });
    for (const resume of states) {
      const learner = mira(6);
      await trainByMixing(task, learner, { ...late, resume });
      expect(learner.result()).toEqual(whole.result());
    }
  });

  it("is not for learners whose steps depend on how many there were", async () => {
    await expect(trainByMixing(task, crf(6), { ...options, averageAfter: 1 })).rejects.toThrow(/sparse/);
  });
});

describe("mixShards", () => {
  const task = randomTask(3, 10, 3, 6);
  const options = { shards: 3, epochs: 2, seed: 1 };

  it("reports whole epochs when it mixes within them", async () => {
    const reports: MixingProgress[] = [];
    const rounds: MixingRound[] = [];
    await trainByMixing(task, mira(6), {
      ...options,
      mixes: 2,
      onProgress: (at) => reports.push(at),
      onMixed: (_state, round) => void rounds.push(round),
    });
    // 3, 3 and 4 examples in shards, of which 1, 1 and 2 are in the first part.
    const done = [1, 2, 4, 6, 8, 10];
    expect(reports.map((at) => [at.epoch, at.done, at.total])).toEqual([
      ...done.map((count) => [1, count, 10]),
      ...done.map((count) => [2, count, 10]),
    ]);
    expect(rounds.map(({ shards }) => shards.map((one) => one.done))).toEqual([
      [3, 3, 4],
      [3, 3, 4],
    ]);
    for (const { slowest, shards } of rounds) {
      const times = shards.map(({ milliseconds }) => milliseconds);
      expect(slowest).toBeGreaterThanOrEqual(Math.max(...times));
      expect(slowest).toBeLessThanOrEqual(times.reduce((a, b) => a + b));
    }
  });

  it("does not mix more often than a shard has examples", async () => {
    const steps: unknown[] = [];
    const runner = runShardsHere(task, mira(6));
    const watched: ShardRunner = {
      ...runner,
      run(of, ...more) {
        steps.push(of.length);
        return runner.run(of, ...more);
      },
    };
    await mixShards(watched, { ...options, mixes: 100, epochs: 1 });
    expect(steps).toHaveLength(4);
  });

  it("awaits the callback after a mixing", async () => {
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
    ["averageAfter", { averageAfter: -1 }, /averageAfter must be/],
    ["mixes", { mixes: 0 }, /mixes must be/],
    ["shards", { shards: 0 }, /shards must be/],
    ["shards", { shards: 11 }, /11 shards of 10 examples/],
    ["epochs", { epochs: 1.5 }, /epochs must be/],
    ["mixing", { mixing: "best" as Mixing }, /unknown mixing/],
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
    expect(() => runShardsHere(task, mira(5))).toThrow(/6 weights.*5/);
  });

  it("refuses a runner that leaves out a shard", async () => {
    const runner = runShardsHere(task, mira(6));
    const lazy: ShardRunner = { ...runner, run: (steps, ...more) => runner.run(steps.slice(1), ...more) };
    await expect(mixShards(lazy, options)).rejects.toThrow(/expected 3 results of shards, got 2/);
  });

  it("trains on no examples at all", async () => {
    const state = await mixShards(runShardsHere({ ...task, size: 0 }, mira(6)), { ...options, shards: 1 });
    expect(state).toMatchObject({ epoch: 2, steps: 0 });
  });
});
