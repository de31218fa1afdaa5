import { random } from "@arcwise/core";
import { ArcwiseError } from "@arcwise/core/errors";
import {
  DesignBuilder,
  MaxentClassifier,
  type MaxentDesign,
  type MaxentMethod,
  type MaxentModel,
  maxentModel,
  maxentObjective,
  trainMaxent,
} from "@arcwise/learn/maxent";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ClassColumn } from "../src/maxent/column.ts";
import type { MaxentOptions } from "../src/maxent/course.ts";
import type { MaxentFeature } from "../src/maxent/design.ts";
import { Rows } from "../src/maxent/rows.ts";

type Event = readonly [features: readonly MaxentFeature[], label: string];

const METHODS: readonly MaxentMethod[] = ["cd", "exact-cd", "scgis", "gis", "iis", "lbfgs"];

function designOf(events: readonly Event[], cutoff = 1): MaxentDesign {
  const builder = new DesignBuilder();
  for (const [features, label] of events) builder.add(features, label);
  return builder.build({ cutoff });
}

/** Events whose class depends on their features, and on chance. */
function randomEvents(seed: number, size: number, features: number, classes: number): Event[] {
  const rng = random(seed);
  return Array.from({ length: size }, () => {
    const chosen = Array.from({ length: features }, (_, i) => i).filter(() => rng.next() < 0.4);
    const label = rng.next() < 0.7 ? chosen.reduce((sum, i) => sum + i, 0) % classes : rng.int(classes);
    return [chosen.map((i) => `f${i}`), `c${label}`];
  });
}

/** The same events with values from 0.5 to 2.5 of the features. */
function valuedEvents(seed: number, size: number, features: number, classes: number): Event[] {
  const rng = random(seed).fork(1);
  return randomEvents(seed, size, features, classes).map(([names, label]) => [
    names.map((name) => [name as string, 0.5 + 2 * rng.next()] as const),
    label,
  ]);
}

/** The objective, straight from its definition. */
function value(design: MaxentDesign, events: readonly Event[], weights: Float64Array, variance: number) {
  const weightOf = (name: string, label: string): number => {
    const feature = design.features.indexOf(name);
    for (let t = design.weightStart[feature]; t < design.weightStart[feature + 1]; t++) {
      if (design.classes[design.weightClass[t]] === label) return weights[t];
    }
    return 0;
  };
  let sum = weights.reduce((total, weight) => total + weight ** 2 / (2 * variance), 0);
  for (const [features, label] of events) {
    const scores = design.classes.map((y) =>
      features.reduce((total, feature) => {
        const [name, amount] = typeof feature === "string" ? [feature, 1] : feature;
        return total + amount * weightOf(name, y);
      }, 0),
    );
    const total = scores.reduce((all, score) => all + Math.exp(score), 0);
    sum += Math.log(total) - scores[design.classes.indexOf(label)];
  }
  return sum;
}

describe("the design matrix", () => {
  const events: Event[] = [
    [["a", "b"], "X"],
    [["b", "c", "b"], "Y"],
    [["a", "d"], "X"],
    [["b"], "X"],
    [[], "Z"],
  ];

  it("has a weight for each pair of a feature and a class that occurs", () => {
    const design = designOf(events);
    expect(design.classes).toEqual(["X", "Y", "Z"]);
    expect(design.features).toEqual(["a", "b", "c", "d"]);
    const pairs = Array.from(
      design.weightClass,
      (label, t) =>
        `${design.features[design.weightFeature[t]]} ${design.classes[label]} ${design.counts[t]}`,
    );
    expect(pairs).toEqual(["a X 2", "b X 2", "b Y 1", "c Y 1", "d X 1"]);
    expect([...design.weightStart]).toEqual([0, 1, 3, 4, 5]);
    // a 2 events × 1 class, b 3 × 2, c 1 × 1, d 1 × 1
    expect(design.nonZeros).toBe(10);
    expect(design.dimension).toBe(5);
  });

  it("is the same by rows, by columns and by classes", () => {
    fc.assert(
      fc.property(fc.nat(1000), (seed) => {
        const random = randomEvents(seed, 12, 6, 3);
        const { eventStart, eventFeatures, featureStart, featureEvents, ...design } = designOf(random);
        const pairs = (start: Int32Array, items: Int32Array, flip: boolean) =>
          [...items].map((item, k) => {
            const list = start.findLastIndex((from) => from <= k);
            return flip ? `${item} ${list}` : `${list} ${item}`;
          });
        expect(pairs(eventStart, eventFeatures, false).sort()).toEqual(
          pairs(featureStart, featureEvents, true).sort(),
        );
        for (const label of design.classes.keys()) {
          const own = design.classWeights.slice(design.classStart[label], design.classStart[label + 1]);
          expect([...own]).toEqual(
            [...design.weightClass.keys()].filter((t) => design.weightClass[t] === label),
          );
        }
      }),
    );
  });

  it("leaves out features below the cut-off", () => {
    const design = designOf(events, 2);
    expect(design.features).toEqual(["a", "b"]);
    expect([...design.eventStart]).toEqual([0, 2, 3, 4, 5, 5]);
    expect([...design.eventFeatures]).toEqual([0, 1, 1, 0, 1]);
  });

  it("of values that are 1 is that of indicators, and refuses values that are not above 0", () => {
    const ones = events.map(
      ([names, label]) => [names.map((name) => [name as string, 1] as const), label] as const,
    );
    expect(designOf(ones)).toEqual(designOf(events));
    const builder = new DesignBuilder();
    for (const amount of [0, -1, Number.NaN, Infinity]) {
      expect(() => builder.add([["f", amount]], "y")).toThrow(/feature "f": expected a value above 0/);
    }
  });

  it("keeps the values of features, and adds them up by class", () => {
    const design = designOf(
      [["a", ["b", 2]] as const, [["b", 0.5], "c"] as const, [["b", 4]] as const].map(
        (features, k) => [features, k < 2 ? "X" : "Y"] as const,
      ),
    );
    expect(design.features).toEqual(["a", "b", "c"]);
    expect([...design.eventValues!]).toEqual([1, 2, 0.5, 1, 4]);
    expect([...design.featureValues!]).toEqual([1, 2, 0.5, 4, 1]);
    expect([...design.counts]).toEqual([1, 2.5, 4, 1]);
  });

  it("leaves nothing behind of an event that it refuses", () => {
    const add = (refused: boolean) => {
      const builder = new DesignBuilder();
      builder.add(["a", ["b", 2]], "x");
      if (refused) expect(() => builder.add(["a", "c", ["d", 0]], "y")).toThrow(ArcwiseError);
      builder.add(["c", "a"], "z");
      return builder.build();
    };
    expect(add(true)).toEqual(add(false));
  });

  it("grows, and refuses to be built of nothing", () => {
    const builder = new DesignBuilder();
    expect(() => builder.build()).toThrow(RangeError);
    for (let x = 0; x < 100; x++)
      builder.add(
        Array.from({ length: 50 }, (_, i) => `${x} ${i}`),
        "y",
      );
    expect(builder.build().features).toHaveLength(5000);
    expect(() => builder.build({ cutoff: 0 })).toThrow(RangeError);
  });
});

describe.each([
  { name: "of indicators", eventsOf: randomEvents },
  { name: "of features with values", eventsOf: valuedEvents },
])("the objective $name", ({ eventsOf }) => {
  it("and its gradient are those of the definition and of finite differences", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const events = eventsOf(seed, 15, 5, 3);
      const design = designOf(events);
      const objective = maxentObjective(design, 2);
      const weights = Float64Array.from({ length: design.dimension }, (_, t) => Math.sin(t + seed));
      const gradient = new Float64Array(design.dimension);
      expect(objective.evaluate(weights, gradient)).toBeCloseTo(value(design, events, weights, 2), 9);
      for (let t = 0; t < design.dimension; t++) {
        const moved = (by: number) => weights.map((weight, u) => weight + (t === u ? by : 0));
        const derivative =
          (value(design, events, moved(1e-5), 2) - value(design, events, moved(-1e-5), 2)) / 2e-5;
        expect(gradient[t]).toBeCloseTo(derivative, 6);
      }
    }
  });
});

describe("a column of probabilities", () => {
  it("adds up ratios whose product is out of the range of numbers", () => {
    const builder = new DesignBuilder();
    for (let x = 0; x < 400; x++) builder.add(["f"], x === 0 ? "y" : "z");
    const design = builder.build();
    const column = new ClassColumn(design, new Float64Array(400).fill(2));
    column.enter(0, new Float64Array(2));
    expect(column.moveWithGrowth(0, 20)).toBeCloseTo(400 * Math.log((1 + Math.exp(20)) / 2), 6);
    expect(column.moveWithGrowth(0, -40)).toBeCloseTo(
      400 * Math.log((1 + Math.exp(-20)) / (1 + Math.exp(20))),
      4,
    );
  });
});

describe.each(METHODS)("training with %s", (method) => {
  it("lowers the value at every iteration, on random designs", () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.constantFrom(0.1, 1, 10, 1000), (seed, variance) => {
        const design = designOf(randomEvents(seed, 25, 7, 4));
        const values = [design.events * Math.log(design.classes.length)];
        trainMaxent(design, {
          method,
          variance,
          iterations: 12,
          tolerance: 0,
          onIteration: ({ value, weights }) => {
            values.push(value);
            const objective = maxentObjective(design, variance);
            expect(value).toBeCloseTo(objective.evaluate(weights, new Float64Array(weights.length)), 8);
            return true;
          },
        });
        for (let k = 1; k < values.length; k++) {
          expect(values[k] - values[k - 1]).toBeLessThan(1e-12 * values[k]);
        }
        expect(values[1]).toBeLessThan(values[0]);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    { events: "indicators", eventsOf: randomEvents, variance: 0.5 },
    { events: "indicators", eventsOf: randomEvents, variance: 10 },
    { events: "values", eventsOf: valuedEvents, variance: 0.5 },
  ])("ends at the minimum that all methods share: $events, variance $variance", ({ eventsOf, variance }) => {
    const design = designOf(eventsOf(3, 60, 6, 3));
    const values: number[] = [];
    const onIteration = ({ value }: { value: number }) => values.push(value) > 0;
    const options: MaxentOptions = { method, variance, iterations: 5000, tolerance: 1e-15, onIteration };
    const { value: found, weights, converged } = trainMaxent(design, options);
    const gradient = new Float64Array(design.dimension);
    const exact = maxentObjective(design, variance).evaluate(weights, gradient);
    expect(found).toBeCloseTo(exact, 8);
    for (let k = 1; k < values.length; k++) expect(values[k] - values[k - 1]).toBeLessThan(1e-11 * values[k]);
    // A strongly convex function is no further above its minimum than this.
    const most = (variance / 2) * gradient.reduce((sum, derivative) => sum + derivative ** 2, 0);
    expect(most).toBeLessThan(1e-6);
    expect(converged).toBe(true);
  });

  it("starts from given weights, and stops when a callback returns false", () => {
    const design = designOf(randomEvents(8, 40, 6, 3));
    const whole = trainMaxent(design, { method, iterations: 6, tolerance: 0 });
    let calls = 0;
    const half = trainMaxent(design, { method, tolerance: 0, onIteration: () => ++calls < 3 });
    expect(half.iteration).toBe(3);
    const rest = trainMaxent(design, { method, iterations: 3, tolerance: 0, initial: half.weights });
    expect(rest.value).toBeLessThan(half.value);
    // L-BFGS has to learn the curvature anew; the others go on as if they had not stopped.
    if (method !== "lbfgs") expect(rest.value).toBeCloseTo(whole.value, 8);
    expect(rest.seconds).toBeGreaterThan(0);
  });

  it("separates without a prior", () => {
    const design = designOf([
      [["sun", "warm"], "out"],
      [["rain", "warm"], "in"],
      [["rain", "cold"], "in"],
    ]);
    const { value: found } = trainMaxent(design, {
      method,
      variance: Infinity,
      iterations: 200,
      tolerance: 0,
    });
    expect(found).toBeLessThan(0.1);
  });
});

describe("the methods", () => {
  // What follows for a step on one weight from the same point; it says nothing of whole sweeps. With values,
  // the largest one of a feature can exceed the sum of an event where it is small: SCGIS and IIS have no
  // order.
  it.each([
    { name: "of indicators: exact change <= SCGIS <= IIS <= GIS", eventsOf: randomEvents, hasOrder: true },
    { name: "of features with values: SCGIS and IIS in any order", eventsOf: valuedEvents, hasOrder: false },
  ])("have bounds $name", ({ eventsOf, hasOrder }) => {
    fc.assert(
      fc.property(fc.nat(1000), fc.double({ min: -2, max: 2, noNaN: true }), (seed, z) => {
        const events = eventsOf(seed, 20, 5, 3);
        const design = designOf(events);
        const rng = random(seed).fork(3);
        const weights = Float64Array.from({ length: design.dimension }, () => rng.normal());
        for (const t of weights.keys()) {
          const { exact, scgis, iis, gis } = changes(design, weights, t, z);
          const moved = weights.slice();
          moved[t] += z;
          const direct = value(design, events, moved, Infinity) - value(design, events, weights, Infinity);
          expect(exact).toBeCloseTo(direct, 8);
          expect(exact).toBeLessThanOrEqual(scgis + 1e-9);
          if (hasOrder) expect(scgis).toBeLessThanOrEqual(iis + 1e-9);
          expect(exact).toBeLessThanOrEqual(iis + 1e-9);
          expect(Math.max(scgis, iis)).toBeLessThanOrEqual(gis + 1e-9);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("reach the minimum of one weight in one exact step, and need several steps of Newton", () => {
    const design = designOf([
      [["f"], "y"],
      [["f"], "z"],
      [["f"], "z"],
      [["f"], "z"],
    ]);
    const only = { ...design, classStart: Int32Array.of(0, 1, 1) };
    const gapOf = (method: MaxentMethod): number => {
      const { weights } = trainMaxent(only, { method, variance: 0.1, iterations: 1, tolerance: 0 });
      const gradient = new Float64Array(2);
      maxentObjective(design, 0.1).evaluate(weights, gradient);
      return Math.abs(gradient[0]);
    };
    expect(gapOf("exact-cd")).toBeLessThan(1e-9);
    expect(gapOf("cd")).toBeGreaterThan(1e-6);
  });
});

/**
 * The change of the log-losses when weight t changes by z, and its bounds: of SCGIS by the largest value of
 * the feature, of IIS by the sum of the features of each event and class, of GIS by the largest sum.
 */
function changes(design: MaxentDesign, weights: Float64Array, t: number, z: number) {
  const label = design.weightClass[t];
  const feature = design.weightFeature[t];
  const totals = new Float64Array(design.events);
  new Rows(design).totals(weights, totals);
  const column = new ClassColumn(design, totals);
  column.enter(label, weights);
  const sums = new Float64Array(design.events);
  const mine = new Float64Array(design.events);
  for (let x = 0; x < design.events; x++) {
    for (let k = design.eventStart[x]; k < design.eventStart[x + 1]; k++) {
      const f = design.eventFeatures[k];
      const has = [...design.weightClass.slice(design.weightStart[f], design.weightStart[f + 1])].includes(
        label,
      );
      const amount = design.eventValues?.[k] ?? 1;
      if (has) sums[x] += amount;
      if (f === feature) mine[x] = amount;
    }
  }
  // GIS takes the sum over all features, whatever their classes.
  const most = Math.max(
    ...Array.from({ length: design.events }, (_, x) => {
      let sum = 0;
      for (let k = design.eventStart[x]; k < design.eventStart[x + 1]; k++)
        sum += design.eventValues?.[k] ?? 1;
      return sum;
    }),
  );
  const largest = Math.max(...mine);
  const found = { exact: 0, scgis: 0, iis: 0, gis: 0 };
  for (let x = 0; x < design.events; x++) {
    if (mine[x] === 0) continue;
    const p = column.probabilities[x];
    const bound = (active: number): number => (p * mine[x] * Math.expm1(active * z)) / active;
    found.exact += Math.log1p(p * Math.expm1(mine[x] * z));
    found.scgis += bound(largest);
    found.iis += bound(sums[x]);
    found.gis += bound(most);
  }
  const count = design.counts[t] * z;
  return {
    exact: found.exact - count,
    scgis: found.scgis - count,
    iis: found.iis - count,
    gis: found.gis - count,
  };
}

describe("training", () => {
  const design = designOf(randomEvents(1, 10, 4, 2));
  it.each<MaxentOptions>([
    { method: "newton" as MaxentMethod },
    { variance: 0 },
    { variance: Number.NaN },
    { iterations: 0 },
    { tolerance: -1 },
    { initial: [1, 2] },
    { initial: new Float64Array(design.dimension).fill(1000) },
  ])("refuses %j", (options) => {
    expect(() => trainMaxent(design, options)).toThrow(RangeError);
  });
});

describe("a classifier", () => {
  const events: Event[] = [
    [["sun", "warm"], "out"],
    [["sun", "cold"], "out"],
    [["rain", "warm"], "in"],
    [["rain", "cold"], "in"],
    [["sun", "storm"], "in"],
  ];
  const design = designOf(events);
  const { weights } = trainMaxent(design);
  const model = maxentModel(design, weights);

  it("gives the probabilities of the model", () => {
    const classifier = new MaxentClassifier(model);
    let loss = 0;
    for (const [features, label] of events) {
      const probabilities = classifier.probabilities(features);
      expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
      loss -= Math.log(probabilities[classifier.classes.indexOf(label)]);
      expect(classifier.classify(features)).toBe(label);
    }
    const norm = weights.reduce((sum, weight) => sum + weight ** 2, 0);
    expect(loss + norm / 20).toBeCloseTo(value(design, events, weights, 10), 9);
    expect([...classifier.probabilities(["snow"])]).toEqual([0.5, 0.5]);
    expect(classifier.probabilities(["sun", "sun"])).toEqual(classifier.probabilities(["sun"]));
    expect(classifier.featureNumber("snow")).toBe(-1);
  });

  it("multiplies weights by the values of features", () => {
    const classifier = new MaxentClassifier(model);
    const [half, one] = [0.5, 1].map((amount) => classifier.probabilities([["sun", amount]]));
    const odds = (p: Float64Array): number => Math.log(p[0] / p[1]);
    expect(odds(half!)).toBeCloseTo(odds(one!) / 2, 12);
    expect(one).toEqual(classifier.probabilities(["sun"]));
  });

  it("survives JSON, without weights of 0", () => {
    const thin = weights.slice();
    thin[design.weightStart[1]] = 0;
    const small = maxentModel(design, thin);
    expect(small.weights).toHaveLength(design.dimension - 1);
    const copy = JSON.parse(JSON.stringify(small)) as MaxentModel;
    for (const [features] of events) {
      expect(new MaxentClassifier(copy).probabilities(features)).toEqual(
        new MaxentClassifier(small).probabilities(features),
      );
    }
    expect(maxentModel(design, new Float64Array(design.dimension)).features).toEqual([]);
  });

  it.each<[string, Partial<Record<keyof MaxentModel, unknown>>]>([
    ["another format", { format: "arcwise-maxent-2" }],
    ["no classes", { classes: [] }],
    ["a feature too many", { features: [...model.features, "x"] }],
    ["falling starts", { start: [0, 3, 1, ...model.start.slice(3)] }],
    ["a class that there is not", { weightClass: model.weights.map(() => 2) }],
    ["a weight too few", { weights: model.weights.slice(1) }],
    ["a weight that is not a number", { weights: model.weights.map(() => Number.NaN) }],
  ])("refuses a model with %s", (_what, fields) => {
    expect(() => new MaxentClassifier({ ...model, ...fields } as MaxentModel)).toThrow(RangeError);
  });

  it("is not made of weights that do not fit", () => {
    expect(() => maxentModel(design, [1])).toThrow(RangeError);
    expect(() =>
      maxentModel(
        design,
        weights.map(() => Number.NaN),
      ),
    ).toThrow(RangeError);
  });
});

it("coordinate descent survives the long first steps of frequent features with many classes", () => {
  const builder = new DesignBuilder();
  const rng = random(1);
  for (let x = 0; x < 1500; x++) {
    const label = rng.next() < 0.9 ? 0 : rng.int(300);
    const name = (i: number): string => (rng.next() < 0.9 ? `f${i}` : `g${i} ${label}`);
    builder.add(
      Array.from({ length: 12 }, (_, i) => name(i)),
      `c${label}`,
    );
  }
  const values: number[] = [];
  trainMaxent(builder.build(), { iterations: 4, onIteration: ({ value }) => values.push(value) > 0 });
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  expect(values.at(-1)).toBeLessThan(1500);
});

describe("steps of coordinate descent", () => {
  /** Numbers of passes over columns in each sweep. */
  function passesBySweep(method: MaxentMethod, iterations: number) {
    const names = ["expectation", "variance", "move", "moveWithGrowth"] as const;
    const spies = names.map((name) => vi.spyOn(ClassColumn.prototype, name));
    const sweeps: Record<(typeof names)[number], number>[] = [];
    const design = designOf(randomEvents(3, 80, 8, 4));
    trainMaxent(design, {
      method,
      iterations,
      tolerance: 0,
      onIteration: () => {
        sweeps.push(
          Object.fromEntries(
            names.map((name, i) => [name, spies[i].mock.calls.length]),
          ) as (typeof sweeps)[0],
        );
        for (const spy of spies) spy.mockClear();
        return true;
      },
    });
    vi.restoreAllMocks();
    return { sweeps, dimension: design.dimension };
  }

  it("have the full length near the minimum: one trial each", () => {
    const { sweeps } = passesBySweep("cd", 12);
    for (const { variance, move, moveWithGrowth } of sweeps.slice(1)) {
      expect(moveWithGrowth).toBe(variance);
      expect(move).toBe(0);
    }
  });

  it("take three passes over a column for the first trial, SCGIS takes two", () => {
    const cd = passesBySweep("cd", 12);
    expect(cd.sweeps.at(-1)).toEqual({
      ...{ expectation: cd.dimension, variance: cd.dimension },
      ...{ move: 0, moveWithGrowth: cd.dimension },
    });
    const scgis = passesBySweep("scgis", 3);
    const { dimension } = scgis;
    for (const sweep of scgis.sweeps)
      expect(sweep).toEqual({ expectation: dimension, variance: 0, move: dimension, moveWithGrowth: 0 });
  });

  it("of exact coordinate descent are repeated, less often near the minimum", () => {
    const { sweeps, dimension } = passesBySweep("exact-cd", 12);
    const directions = sweeps.map(({ variance }) => variance / dimension);
    expect(directions[0]).toBeGreaterThan(2);
    expect(directions.at(-1)).toBeLessThan(directions[0]);
  });
});
