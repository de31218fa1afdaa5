import { CHAIN_KINDS, chainLayout, completeArcs, partLayout, random, scoreTree } from "@arcwise/core";
import { ad3Decoder, ad3GraphDecoder } from "@arcwise/decode-ad3";
import { allTrees, bestGraph } from "@arcwise/decoder-laws";
import fc from "fast-check";
import { expect, it } from "vitest";
import { randomGraphProblem } from "./graphs/random-graph.ts";

// A side without modifiers has no part. Its score is subtracted from the parts of the innermost modifier.
it("scores of empty sides are scores of innermost modifiers, up to a constant", () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 4 }), (seed, n) => {
      const rng = random(seed);
      const arcs = completeArcs(n);
      const empty = Float64Array.from({ length: 2 * (n + 1) }, () => 3 * rng.normal());
      const table = partLayout("nextSibling", arcs);
      const side = (h: number, m: number) => 2 * h + (m > h ? 1 : 0);
      const own = table.scores.map(() => rng.normal());
      const shifted = own.slice();
      for (const [a, h] of arcs.head.entries()) {
        for (let p = table.start[a]; p < table.start[a + 1]; p++) {
          if (table.members[p] === -1) shifted[p] -= empty[side(h, arcs.modifier[a])];
        }
      }
      const arcScores = Float64Array.from(arcs.head, () => rng.normal());
      const plain = { arcs, arcScores, parts: [{ ...table, scores: own }] };
      const problem = { arcs, arcScores, parts: [{ ...table, scores: shifted }] };
      const constant = empty.reduce((sum, score) => sum + score, 0);
      let best = -Infinity;
      for (const heads of allTrees(n)) {
        const taken = new Set(Array.from({ length: n }, (_, i) => side(heads[i + 1], i + 1)));
        const extra = empty.reduce((sum, score, s) => sum + (taken.has(s) ? 0 : score), 0);
        const expected = scoreTree(plain, heads) + extra;
        expect(scoreTree(problem, heads) + constant).toBeCloseTo(expected, 9);
        best = Math.max(best, expected);
      }
      expect(ad3Decoder({ exact: true }).decode(problem).score + constant).toBeCloseTo(best, 6);
    }),
    { numRuns: 40 },
  );
});

// The oracle enumerates graphs without parts of empty chains: their scores are subtracted from the first arcs.
it.each(CHAIN_KINDS)("graphs score empty chains: %s", (kind) => {
  for (let seed = 1; seed <= 20; seed++) {
    const { constraints: _, ...problem } = randomGraphProblem(1 + (seed % 3), seed);
    const { n, head, modifier } = problem.arcs;
    const rng = random(seed);
    const table = chainLayout(kind, problem.arcs);
    const own = table.scores.map(() => rng.normal());
    const empty = Float64Array.from({ length: 2 * (n + 1) }, () => 3 * rng.normal());
    const shifted = own.slice();
    for (const [a, h] of head.entries()) {
      const [word, other] = kind === "nextSibling" ? [h, modifier[a]] : [modifier[a], h];
      shifted[table.start[a]] -= empty[2 * word + (other > word ? 1 : 0)];
    }
    const constant = empty.reduce((sum, score) => sum + score, 0);
    const best = bestGraph({ ...problem, parts: [{ ...table, scores: shifted }] })!.score + constant;
    const chained = { ...problem, parts: [{ ...table, scores: Float64Array.of(...own, ...empty) }] };
    expect(bestGraph(chained)!.score, `seed ${seed}`).toBeCloseTo(best, 9);
    const found = ad3GraphDecoder({ exact: true }).decodeWithReport(chained);
    expect(found.status, `seed ${seed}`).toBe("optimal");
    expect(found.score, `seed ${seed}`).toBeCloseTo(best, 6);
    expect(found.bound, `seed ${seed}`).toBeCloseTo(best, 6);
  }
});
