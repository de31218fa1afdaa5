import { checkTree, completeArcs, isProjective, NoTree, random, scoreTree } from "@arcwise/core";
import { allTrees, bestTree, bruteForceDecoder } from "@arcwise/decoder-laws";
import { describe, expect, it, test } from "vitest";

function choose(n: number, k: number): number {
  let result = 1;
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i;
  return result;
}

describe("allTrees", () => {
  test.each([1, 2, 3, 4, 5, 6])("over %i words number as in Cayley's formula", (n) => {
    expect(allTrees(n, { singleRoot: false })).toHaveLength((n + 1) ** (n - 1));
    expect(allTrees(n)).toHaveLength(n ** (n - 1));
  });

  test.each([1, 2, 3, 4, 5, 6, 7])("over %i words include the known number of projective ones", (n) => {
    expect(allTrees(n, { projective: true, singleRoot: false })).toHaveLength(choose(3 * n, n) / (2 * n + 1));
    expect(allTrees(n, { projective: true })).toHaveLength(choose(3 * n - 2, n - 1) / n);
  });

  it("has one tree for no words", () => {
    expect(allTrees(0)).toEqual([Int32Array.of(-1)]);
  });

  it("are the head assignments that checkTree and isProjective accept", () => {
    const n = 4;
    const accepted = { any: [] as string[], single: [] as string[], projective: [] as string[] };
    for (let code = 0; code < (n + 1) ** n; code++) {
      const heads = new Int32Array(n + 1).fill(-1);
      for (let m = n, rest = code; m >= 1; m--, rest = Math.floor(rest / (n + 1))) heads[m] = rest % (n + 1);
      if (checkTree(heads, { singleRoot: false }) !== undefined) continue;
      accepted.any.push(heads.join(" "));
      if (checkTree(heads) !== undefined) continue;
      accepted.single.push(heads.join(" "));
      if (isProjective(heads)) accepted.projective.push(heads.join(" "));
    }
    const texts = (trees: Int32Array[]) => trees.map((heads) => heads.join(" "));
    expect(texts(allTrees(n, { singleRoot: false }))).toEqual(accepted.any);
    expect(texts(allTrees(n))).toEqual(accepted.single);
    expect(texts(allTrees(n, { projective: true }))).toEqual(accepted.projective);
  });
});

describe("bestTree", () => {
  it("is the maximum over allTrees", () => {
    const rng = random(4);
    for (let i = 0; i < 20; i++) {
      const arcs = completeArcs(4);
      const arcScores = Float64Array.from(arcs.head, () => (rng.int(4) === 0 ? -Infinity : rng.normal()));
      const problem = { arcs, arcScores, parts: [] };
      for (const projective of [false, true]) {
        const best = Math.max(...allTrees(4, { projective }).map((heads) => scoreTree(problem, heads)));
        expect(bestTree(problem, { projective })?.score ?? -Infinity).toBe(best);
      }
    }
  });

  it("is undefined, and the decoder throws, when there is none", () => {
    const arcs = completeArcs(2);
    const problem = { arcs, arcScores: new Float64Array(4).fill(-Infinity), parts: [] };
    expect(bestTree(problem)).toBeUndefined();
    expect(() => bruteForceDecoder().decode(problem)).toThrow(NoTree);
  });
});
