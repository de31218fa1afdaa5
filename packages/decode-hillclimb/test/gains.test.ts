import { arcIndex, arcsByHead, PART_KINDS, type PartKind, random, scoreTree } from "@arcwise/core";
import { describe, expect, test } from "vitest";
import { Climb } from "../src/climb.ts";
import { searchScores } from "../src/search-scores.ts";
import { arcsAround, neighbours, randomProblem, randomTree, valencies } from "./support.ts";

const SETS: readonly (readonly PartKind[])[] = [[], ...PART_KINDS.map((kind) => [kind]), PART_KINDS];
const STEPS = 60;

describe.each(SETS.map((kinds) => ({ kinds, name: kinds.join(", ") || "arcs alone" })))(
  "$name",
  ({ kinds }) => {
    test.each([
      { n: 7, density: 1, global: undefined },
      { n: 14, density: 0.3, global: undefined },
      { n: 9, density: 0.6, global: valencies },
    ])(
      "gains are differences of scores over a random walk: $n words, density $density",
      ({ n, density, global }) => {
        const rng = random(n).fork(kinds.length);
        const tree = randomTree(rng, n, false);
        const arcs = arcsAround(rng, tree, density);
        const problem = { ...randomProblem(rng, arcs, kinds), ...(global && { global }) };
        const climb = new Climb(false);
        climb.prepare(searchScores(problem, arcsByHead(problem.arcs)));
        climb.place(Int32Array.from(tree, (h, m) => (m === 0 ? -1 : arcIndex(arcs, h, m))));
        for (let step = 0; step < STEPS; step++) {
          const heads = climb.gains.tree.heads.slice(0, n + 1);
          const score = scoreTree(problem, heads);
          expect(climb.gains.total()).toBeCloseTo(score, 8);
          const m = 1 + rng.int(n);
          climb.gains.fill(m, false);
          const gains = climb.gains.values;
          const possible = neighbours(arcs, heads, m);
          const current = gains[arcIndex(arcs, heads[m], m) - arcs.start[m]];
          for (let a = arcs.start[m]; a < arcs.start[m + 1]; a++) {
            const gain = gains[a - arcs.start[m]];
            if (!possible.includes(a)) {
              expect(gain).toBe(-Infinity);
              continue;
            }
            const changed = heads.slice();
            changed[m] = arcs.head[a];
            expect(gain - current).toBeCloseTo(scoreTree(problem, changed) - score, 8);
          }
          climb.move(m, possible[rng.int(possible.length)]);
        }
      },
    );
  },
);
