import { graphLaws } from "@arcwise/decoder-laws";
import { describe, expect, it, test } from "vitest";
import { GRAPH_LAW_NAMES } from "../src/graphs/graph-laws.ts";
import { bruteForceGraphDecoder } from "../src/graphs/graph-oracle.ts";
import { BROKEN_GRAPHS, type BrokenGraph, HANDLES } from "./broken-graphs.ts";

/** Problems per law: more in continuous integration. */
const RUNS = process.env.CI === undefined ? 15 : 40;

describe("brute force", () => {
  for (const { name, check } of graphLaws(() => bruteForceGraphDecoder(), { exact: true })) test(name, check);
});

function failing(laws: ReturnType<typeof graphLaws>): string[] {
  return laws.flatMap(({ name, check }) => {
    try {
      check();
      return [];
    } catch {
      return [name];
    }
  });
}

describe("every broken decoder of graphs fails the law of its fault, and no other", { tags: "slow" }, () => {
  test.each(BROKEN_GRAPHS.map((decoder) => [decoder.law, decoder.fault, decoder] as const))(
    "%s: %s",
    (law, _, { make, exact = true }: BrokenGraph) => {
      const sizes = { handles: HANDLES, words: 3, arcs: 5, runs: RUNS };
      expect(failing(graphLaws(make, { exact, ...sizes }))).toEqual([law]);
    },
  );

  it("has a broken decoder for every law", () => {
    // `optimal` fails first for decoders that miss the optimum.
    const shown = new Set([...BROKEN_GRAPHS.map(({ law }) => law), "optimal", "raise"]);
    expect(shown).toEqual(new Set(GRAPH_LAW_NAMES));
  });
});

describe("a decoder that misses the best graph", { tags: "slow" }, () => {
  it("fails `optimal`", () => {
    const sound = bruteForceGraphDecoder();
    const timid = {
      ...sound,
      decode: (problem: Parameters<typeof sound.decode>[0]) => {
        const low = { ...problem, arcScores: problem.arcScores.map((score) => score - 1) };
        const { predicates, labelled } = sound.decode(low);
        const { score } = sound.decode({ ...problem, arcScores: problem.arcScores });
        return { predicates, labelled, score, bound: score };
      },
    };
    const names = failing(graphLaws(() => timid, { exact: true }));
    expect(names).toContain("optimal");
    expect(names).not.toContain("graph");
  });

  it("is decoded once when it excepts the law that fails: no counterexample is made smaller", () => {
    const sound = bruteForceGraphDecoder();
    let decoded = 0;
    const decode = (problem: Parameters<typeof sound.decode>[0]) => {
      decoded++;
      const found = sound.decode(problem);
      return { ...found, score: found.score + 1, bound: found.bound + 1 };
    };
    const failed = (except: Record<string, string>) => {
      decoded = 0;
      const all = graphLaws(() => ({ ...sound, decode }), { exact: true, except });
      return all.find(({ name }) => name.startsWith("score"))!;
    };
    failed({ score: "one too many" }).check();
    expect(decoded).toBe(1);
    expect(failed({}).check).toThrow();
    expect(decoded).toBeGreaterThan(1);
  });
});
