import {
  type Arcs,
  chainLayout,
  completeArcs,
  dependencyGraph,
  filterArcs,
  type GraphConstraints,
  type GraphPartTable,
  type GraphProblem,
  graphChains,
  requireGraphHandled,
  scoreGraph,
  UnsupportedPart,
  validateGraphProblem,
} from "@arcwise/core";
import { describe, expect, test } from "vitest";

/** A problem in which arc a scores 2^a, and each of two labels nothing. */
function problem(arcs: Arcs, more: Partial<GraphProblem> = {}): GraphProblem {
  const count = arcs.head.length;
  return {
    arcs,
    arcScores: Float64Array.from({ length: count }, (_, a) => 2 ** a),
    predicateScores: new Float64Array(arcs.n + 1),
    labels: {
      count: 2,
      start: Int32Array.from({ length: count + 1 }, (_, a) => 2 * a),
      label: Int32Array.from({ length: 2 * count }, (_, k) => k % 2),
      scores: new Float64Array(2 * count),
    },
    unique: new Uint8Array(2),
    parts: [],
    ...more,
  };
}

/** The graph with the given arcs on, each with a label (0 or 1), and all words predicates. */
function choice({ arcs, labels }: GraphProblem, on: Readonly<Record<string, 0 | 1>>) {
  const labelled = Int32Array.from(arcs.head, (h, a) => {
    const label = on[`${h}>${arcs.modifier[a]}`];
    return label === undefined ? -1 : labels.start[a] + label;
  });
  return { predicates: new Uint8Array(arcs.n + 1).fill(1), labelled };
}

describe("a dependency graph", () => {
  const edge = (head: number, modifier: number, label = "x") => ({ head, modifier, label });

  test("has its edges in order, several of one word and of one pair", () => {
    const { edges } = dependencyGraph(3, {
      edges: [edge(2, 3), edge(1, 3, "b"), edge(1, 3, "a"), edge(0, 1)],
    });
    expect(edges.map(({ head, modifier, label }) => `${head}>${modifier} ${label}`)).toEqual([
      "0>1 x",
      "1>3 a",
      "1>3 b",
      "2>3 x",
    ]);
  });
  test.each([
    ["a head beyond the last word", { edges: [edge(4, 1)] }, "expected a head from 0 to 3"],
    ["the root as a modifier", { edges: [edge(1, 0)] }, "expected a modifier from 1 to 3"],
    ["two equal edges", { edges: [edge(1, 2), edge(1, 2)] }, "comes twice"],
    ["a top that is no word", { edges: [], tops: [0] }, "top 0"],
    ["two equal tops", { edges: [], tops: [2, 2] }, "top 2"],
    [
      "a predicate twice",
      { edges: [], predicates: [1, 1].map((position) => ({ position, sense: "" })) },
      "predicate 1",
    ],
  ])("is refused with %s", (_what, contents, message) => {
    expect(() => dependencyGraph(3, contents)).toThrow(message);
  });
});

describe("chains", () => {
  test("have the arcs of a head, or of a modifier, nearest first on each side", () => {
    const arcs = completeArcs(4);
    const names = (kind: "nextSibling" | "nextCoparent", chain: number) => {
      const chains = graphChains(kind, arcs);
      return [...chains.arcs.subarray(chains.start[chain], chains.start[chain + 1])].map(
        (a) => `${arcs.head[a]}>${arcs.modifier[a]}`,
      );
    };
    expect(names("nextSibling", 2 * 3)).toEqual(["3>2", "3>1"]);
    expect(names("nextSibling", 2 * 2 + 1)).toEqual(["2>3", "2>4"]);
    expect(names("nextCoparent", 2 * 3)).toEqual(["2>3", "1>3", "0>3"]);
    expect(names("nextCoparent", 2 * 2 + 1)).toEqual(["3>2", "4>2"]);
  });

  test("score their first arc, neighbours and last arc", () => {
    const arcs = filterArcs(4, (h) => h === 1);
    const table = chainLayout("nextSibling", arcs);
    // Three arcs of ranks 0, 1, 2 own 2, 3 and 4 parts: powers of 2 tell which are on.
    const parts = [{ ...table, scores: table.scores.map((_, k) => 2 ** k) }];
    const chained = problem(arcs, { arcScores: new Float64Array(3), parts });
    validateGraphProblem(chained);
    const first = (arc: number) => 2 ** table.start[arc];
    expect(scoreGraph(chained, choice(chained, {}))).toBe(0);
    // 1 -> 3 alone is the first and, at 1 + its rank, the last.
    expect(scoreGraph(chained, choice(chained, { "1>3": 0 }))).toBe(first(1) + 2 ** (table.start[1] + 2));
    // 1 -> 2 (rank 0) first, 1 -> 4 (rank 2) its neighbour and the last.
    expect(scoreGraph(chained, choice(chained, { "1>2": 0, "1>4": 1 }))).toBe(
      first(0) + 2 ** (table.start[2] + 1) + 2 ** (table.start[2] + 3),
    );
  });
});

describe.each(["nextSibling", "nextCoparent"] as const)("empty chains, %s", (kind) => {
  test("have scores of their own", () => {
    const arcs = completeArcs(3);
    const table = chainLayout(kind, arcs);
    const count = table.scores.length;
    // Powers of 2 tell which of the eight chains are empty.
    const scores = Float64Array.from({ length: count + 8 }, (_, k) => (k < count ? 0 : 2 ** (k - count)));
    const chained = problem(arcs, {
      arcScores: new Float64Array(arcs.head.length),
      parts: [{ ...table, scores }],
    });
    validateGraphProblem(chained);
    const [word, other] = kind === "nextSibling" ? [1, 3] : [3, 1];
    const [right, left] = [2 ** (2 * 1 + 1), 2 ** (2 * 3)];
    expect(scoreGraph(chained, choice(chained, {}))).toBe(255);
    const near = kind === "nextSibling" ? { "1>2": 0, "3>2": 0 } : { "2>1": 0, "2>3": 0 };
    expect(scoreGraph(chained, choice(chained, near as Record<string, 0>))).toBe(255 - right - left);
    const far = { [`${word}>${other}`]: 0, ...near } as Record<string, 0>;
    expect(scoreGraph(chained, choice(chained, far))).toBe(255 - right - left);
  });
});

describe("the score of a graph", () => {
  const arcs = completeArcs(2); // 0>1, 2>1, 0>2, 1>2

  test("sums predicates, arcs, labels and pairs", () => {
    const pairs: GraphPartTable[] = [
      {
        kind: "grandparent",
        first: Int32Array.of(0),
        second: Int32Array.of(3),
        scores: Float64Array.of(100),
      },
      { kind: "sibling", first: Int32Array.of(0), second: Int32Array.of(2), scores: Float64Array.of(1000) },
      { kind: "coparent", first: Int32Array.of(2), second: Int32Array.of(3), scores: Float64Array.of(5000) },
    ];
    const scored = problem(arcs, { predicateScores: Float64Array.of(0, 0.5, 0.25), parts: pairs });
    validateGraphProblem(scored);
    expect(scoreGraph(scored, choice(scored, { "0>1": 0, "1>2": 1 }))).toBe(0.75 + 1 + 8 + 100);
    expect(scoreGraph(scored, choice(scored, { "0>1": 0, "0>2": 1 }))).toBe(0.75 + 1 + 4 + 1000);
    expect(scoreGraph(scored, choice(scored, { "0>2": 0, "1>2": 1 }))).toBe(0.75 + 4 + 8 + 5000);
  });

  test("is -Infinity without the predicate of an arc, or with a unique label twice", () => {
    const scored = problem(arcs, { unique: Uint8Array.of(1, 0) });
    const both = choice(scored, { "0>1": 0, "0>2": 0 });
    expect(scoreGraph(scored, both)).toBe(-Infinity);
    expect(scoreGraph(scored, choice(scored, { "0>1": 1, "0>2": 1 }))).toBe(5);
    const { predicates, labelled } = choice(scored, { "1>2": 0 });
    expect(scoreGraph(scored, { predicates, labelled })).toBe(8);
    predicates[1] = 0;
    expect(scoreGraph(scored, { predicates, labelled })).toBe(-Infinity);
  });

  test.each<[keyof GraphConstraints, Record<string, 0>, Record<string, 0>]>([
    ["headed", { "0>1": 0, "1>2": 0, "2>3": 0, "2>4": 0 }, { "0>1": 0, "1>2": 0 }],
    ["acyclic", { "1>2": 0, "2>3": 0, "1>3": 0 }, { "1>2": 0, "2>3": 0, "3>1": 0 }],
    ["connected", { "1>2": 0, "3>2": 0 }, { "1>2": 0, "3>4": 0 }],
    [
      "spanningTree",
      { "0>1": 0, "1>2": 0, "2>3": 0, "2>4": 0, "3>2": 0 },
      { "0>1": 0, "2>3": 0, "3>2": 0, "2>4": 0 },
    ],
  ])("is -Infinity where it is not %s", (name, sound, broken) => {
    const scored = problem(completeArcs(4), { constraints: { [name]: true } });
    const free = problem(completeArcs(4));
    expect(scoreGraph(scored, choice(scored, sound))).toBe(scoreGraph(free, choice(free, sound)));
    expect(scoreGraph(scored, choice(scored, broken))).toBe(-Infinity);
    expect(scoreGraph(free, choice(free, broken))).toBeGreaterThan(0);
  });
});

describe("checks refuse", () => {
  const arcs = completeArcs(2);
  const pair = { first: Int32Array.of(0), second: Int32Array.of(2), scores: Float64Array.of(1) };
  test.each<[string, Partial<GraphProblem>, string]>([
    ["NaN", { arcScores: Float64Array.of(0, Number.NaN, 0, 0) }, "arcScores[1]"],
    ["a score of the root", { predicateScores: Float64Array.of(1, 0, 0) }, "predicateScores[0]"],
    ["too few flags of labels", { unique: new Uint8Array(1) }, "unique"],
    ["a pair of another kind", { parts: [{ kind: "grandparent", ...pair }] }, "pair 0 of grandparent"],
    [
      "a pair that scores -Infinity",
      { parts: [{ kind: "sibling", ...pair, scores: Float64Array.of(-Infinity) }] },
      "finite",
    ],
    ["two tables of a kind", { parts: [0, 1].map(() => ({ kind: "sibling", ...pair })) }, "at most one"],
    [
      "chains of another size",
      { parts: [{ kind: "nextSibling", start: new Int32Array(5), scores: new Float64Array(0) }] },
      "start[1] of nextSibling",
    ],
    [
      "some scores of empty chains",
      { parts: [{ ...chainLayout("nextCoparent", arcs), scores: new Float64Array(8 + 5) }] },
      "length of scores of nextCoparent",
    ],
  ])("%s", (_what, fields, message) => {
    expect(() => validateGraphProblem(problem(arcs, fields))).toThrow(message);
  });
  test("what a decoder does not handle", () => {
    const hard = problem(arcs, { unique: Uint8Array.of(0, 1), constraints: { headed: true } });
    expect(() => requireGraphHandled(hard, "d", new Set(["unique"]))).toThrow(UnsupportedPart);
    expect(() => requireGraphHandled(hard, "d", new Set(["headed"]))).toThrow('"unique"');
    expect(() => requireGraphHandled(hard, "d", new Set(["unique", "headed"]))).not.toThrow();
  });
});
