import {
  type ArcPair,
  completeArcs,
  type ParsingProblem,
  partLayout,
  random,
  scoreTree,
  type TreeConstraint,
} from "@arcwise/core";
import { projectiveDecoder } from "@arcwise/decode-mst";
import { allTrees, keepsConstraint } from "@arcwise/decoder-laws";
import { describe, expect, test } from "vitest";
import { branchAndBound } from "../../src/solver/branch-and-bound.ts";
import { type Ad3DecoderOptions, ad3Decoder } from "../../src/trees/ad3-decoder.ts";
import { parsingGraph } from "../../src/trees/parsing-graph.ts";
import { AD3_KINDS } from "../../src/trees/relaxation.ts";
import { sparseArcs } from "./local-problem.ts";

function drawn(n: number, seed: number, kinds = AD3_KINDS, scale = 1, forbidden = 0): ParsingProblem {
  const rng = random(seed);
  const arcs = n <= 5 ? completeArcs(n) : sparseArcs(n, 3, rng);
  return {
    arcs,
    arcScores: Float64Array.from(arcs.head, () => rng.normal()),
    parts: kinds.map((kind) => {
      const table = partLayout(kind, arcs);
      for (let part = 0; part < table.scores.length; part++) {
        table.scores[part] = rng.next() < forbidden ? -Infinity : scale * rng.normal();
      }
      return table;
    }),
  };
}

/** Returns the highest score of the allowed trees. */
function best(problem: ParsingProblem, isAllowed: (heads: Int32Array) => boolean = () => true): number {
  return Math.max(
    ...allTrees(problem.arcs.n)
      .filter(isAllowed)
      .map((heads) => scoreTree(problem, heads)),
  );
}

const DECOMPOSITIONS = (["automata", "pairwise"] as const).flatMap((grandparent) =>
  (["together", "apart"] as const).flatMap((sides) =>
    (["together", "apart"] as const).map((triSibling) => ({ grandparent, sides, triSibling })),
  ),
);

describe.each(DECOMPOSITIONS)("decomposed, %o", (decomposition) => {
  const exact = ad3Decoder({ decomposition, exact: true });
  const both = ad3Decoder({ decomposition, maxIterations: 20, exact: true });
  const ad3 = ad3Decoder({ decomposition, ascent: 0, maxIterations: 300, residualThreshold: 1e-6 });
  const ascent = ad3Decoder({ decomposition, maxIterations: 0 });

  test("finds the best tree, with valid bounds and certificates", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const problem = drawn(2 + (seed % 4), seed, AD3_KINDS, [1, 0.2, 3][seed % 3]);
      const optimum = best(problem);
      expect(exact.decode(problem).score).toBeCloseTo(optimum, 9);
      expect(both.decode(problem).score).toBeCloseTo(optimum, 9);
      for (const decoder of [ad3, ascent]) {
        const { score, bound, status } = decoder.decodeWithReport(problem);
        expect(score).toBeLessThanOrEqual(optimum + 1e-9);
        expect(bound).toBeGreaterThanOrEqual(optimum - 1e-9);
        expect(bound === score).toBe(status === "optimal");
      }
    }
  });
});

test("as a factor graph, a problem has the same optimum", () => {
  for (let seed = 1; seed <= 8; seed++) {
    const problem = drawn(2 + (seed % 4), seed, AD3_KINDS, 0.5);
    const pruned = {
      ...problem,
      arcScores: problem.arcScores.map((score, a) => (a === seed ? -Infinity : score)),
    };
    const decomposition = DECOMPOSITIONS[seed % DECOMPOSITIONS.length];
    const { value } = branchAndBound(parsingGraph(pruned, { decomposition }));
    expect(value).toBeCloseTo(ad3Decoder({ exact: true }).decode(pruned).score, 6);
  }
});

test("no tree has a part of score -Infinity, and where all have one there is NoTree", () => {
  const decoder = ad3Decoder({ exact: true });
  let none = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const problem = drawn(2 + (seed % 3), seed, AD3_KINDS, 1, 0.3);
    const optimum = best(problem);
    if (optimum > -Infinity) expect(decoder.decode(problem).score).toBeCloseTo(optimum, 9);
    else {
      none++;
      expect(() => decoder.decode(problem)).toThrow(expect.objectContaining({ name: "NoTree" }));
    }
  }
  expect(none).toBeGreaterThan(0);
  expect(none).toBeLessThan(40);
});

test("projective, it agrees with the dynamic programme at 15 words", () => {
  const kinds = ["grandparent", "nextSibling", "lastSibling", "grandSibling", "triSibling"] as const;
  const programme = projectiveDecoder();
  const decoder = ad3Decoder({ projective: true, exact: true });
  let compared = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const problem = drawn(15, seed, kinds, 0.3);
    const optimum = ((): number | undefined => {
      try {
        return programme.decode(problem).score;
      } catch {
        return undefined;
      }
    })();
    if (optimum === undefined) {
      expect(() => decoder.decode(problem)).toThrow("no tree exists");
      continue;
    }
    compared++;
    expect(decoder.decode(problem).score).toBeCloseTo(optimum, 8);
  }
  expect(compared).toBeGreaterThan(0);
});

describe("constraints", () => {
  const pairs = (seed: number, count: number): ArcPair[] => {
    const rng = random(seed);
    const all = allPairs(4);
    return rng.shuffle(all).slice(0, count);
  };
  const rules = (seed: number): TreeConstraint[] => [
    { rule: "atMostOne", arcs: pairs(seed, 6) },
    { rule: "atLeastOne", arcs: pairs(seed + 100, 3) },
    { rule: "exactlyOne", arcs: pairs(seed + 200, 5) },
    { rule: "implies", premises: pairs(seed + 300, 1 + (seed % 2)), conclusion: pairs(seed + 400, 1)[0] },
    { rule: "uncrossed", arc: pairs(seed + 500, 1)[0] },
  ];

  test.each([0, 1, 2, 3, 4, -1])("are met by the best tree that meets them: rule %i", (which) => {
    let none = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const problem = drawn(4, seed, ["grandparent", "nextSibling"], 0.5);
      const chosen = which < 0 ? rules(seed) : [rules(seed)[which]];
      const optimum = best(problem, (heads) => chosen.every((rule) => keepsConstraint(heads, rule)));
      for (const options of [{ exact: true }, {}] satisfies Ad3DecoderOptions[]) {
        const decoder = ad3Decoder({ ...options, constraints: () => chosen });
        if (optimum === -Infinity) {
          none++;
          expect(() => decoder.decode(problem)).toThrow("no tree exists");
          continue;
        }
        const { heads, score, bound } = decoder.decode(problem);
        for (const rule of chosen) expect(keepsConstraint(heads, rule)).toBe(true);
        expect(bound).toBeGreaterThanOrEqual(optimum - 1e-9);
        if (options.exact) expect(score).toBeCloseTo(optimum, 9);
      }
    }
    expect(none).toBeLessThan(10);
  });

  test("may name arcs that are not candidates, which are off", () => {
    const problem = drawn(8, 1);
    const missing = allPairs(8).find(
      ([h, m]) => !problem.arcs.head.some((head, arc) => head === h && problem.arcs.modifier[arc] === m),
    )!;
    const used = ad3Decoder({ exact: true }).decode(problem).heads;
    const arc: ArcPair = [used[3], 3];
    const implies = (premise: ArcPair, conclusion: ArcPair) =>
      ad3Decoder({ exact: true, constraints: () => [{ rule: "implies", premises: [premise], conclusion }] });
    expect(implies(missing, arc).decode(problem).heads).toEqual(used);
    expect(implies(arc, missing).decode(problem).heads[3]).not.toBe(used[3]);
    const needed = ad3Decoder({ constraints: () => [{ rule: "atLeastOne", arcs: [missing] }] });
    expect(() => needed.decode(problem)).toThrow("no tree exists");
  });
});

function allPairs(n: number): ArcPair[] {
  const pairs: ArcPair[] = [];
  for (let m = 1; m <= n; m++) for (let h = 0; h <= n; h++) if (h !== m) pairs.push([h, m]);
  return pairs;
}

describe("reports", () => {
  test("have the status and statistics of the search", () => {
    const problem = drawn(20, 3, AD3_KINDS, 2);
    const short = ad3Decoder({ ascent: 1, maxIterations: 0 }).decodeWithReport(problem);
    expect(short).toMatchObject({ status: "unsolved", stage: "ascent", iterations: 0, nodes: 0 });
    const longer = ad3Decoder({ ascent: 50, maxIterations: 30 }).decodeWithReport(problem);
    expect(longer).toMatchObject({ stage: "ad3", ascentIterations: 50, iterations: 30 });
    expect(longer.bound).toBeLessThan(short.bound);
    const full = ad3Decoder({ exact: true }).decodeWithReport(problem);
    expect(full).toMatchObject({ status: "optimal", stage: "search" });
    expect(full.nodes).toBeGreaterThan(1);
    expect(full.bound).toBe(full.score);
    const limited = ad3Decoder({ exact: { nodes: 1 } }).decodeWithReport(problem);
    expect(limited).toMatchObject({ status: "unsolved", nodes: 1 });
    expect(limited.bound).toBeGreaterThanOrEqual(full.score);
  });

  test("have posteriors for all candidates, pruned ones among them, one in all for each word", () => {
    const problem = drawn(9, 4);
    const pruned = {
      ...problem,
      arcScores: problem.arcScores.map((score, a) => (a % 7 ? score : -Infinity)),
    };
    for (const options of [{ exact: true }, { ascent: 2, maxIterations: 2000, residualThreshold: 1e-6 }]) {
      const { posteriors } = ad3Decoder(options).decodeWithReport(pruned);
      const { start } = problem.arcs;
      for (let m = 1; m <= 9; m++) {
        const own = posteriors.slice(start[m], start[m + 1]);
        expect(own.reduce((a, b) => a + b)).toBeCloseTo(1, 1);
      }
      posteriors.forEach((p, a) => {
        if (a % 7 === 0) expect(p).toBe(0);
      });
    }
  });

  test("huge and tiny scores are decoded like others", () => {
    const problem = drawn(6, 2);
    const expected = ad3Decoder().decode(problem);
    for (const factor of [2 ** -1030, 2 ** -300, 2 ** 300, 2 ** 1015]) {
      const scaled: ParsingProblem = {
        ...problem,
        arcScores: problem.arcScores.map((score) => score * factor),
        parts: problem.parts.map((table) => ({
          ...table,
          scores: table.scores.map((score) => score * factor),
        })),
      };
      const { heads, score, bound } = ad3Decoder().decode(scaled);
      expect([...heads]).toEqual([...expected.heads]);
      expect(bound).toBeGreaterThanOrEqual(score);
    }
  });
});

test.each([
  [{ ascent: -1 }, "ascent must be an integer >= 0, got -1"],
  [{ maxIterations: 1.5 }, "maxIterations must be an integer >= 0, got 1.5"],
  [{ residualThreshold: Number.NaN }, "residualThreshold must be >= 0, got NaN"],
  [{ ascent: 0, maxIterations: 0 }, "one of ascent, maxIterations and exact must be on"],
] satisfies [Ad3DecoderOptions, string][])("refuses the options %o", (options, message) => {
  expect(() => ad3Decoder(options)).toThrow(message);
});
