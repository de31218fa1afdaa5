import { type Arcs, arcsByHead, completeArcs, filterArcs, PartPositions, random } from "@arcwise/core";
import { allTrees } from "@arcwise/decoder-laws";
import { describe, expect, test } from "vitest";
import type { ArcFactor } from "../../src/trees/arc-factor.ts";
import { type AutomatonTables, HeadAutomaton, type Sides } from "../../src/trees/head-automaton.ts";
import { HeadSequence } from "../../src/trees/head-sequence.ts";
import { TreeFactor } from "../../src/trees/tree-factor.ts";
import { localProblem } from "./local-problem.ts";

const KINDS = ["grandparent", "nextSibling", "lastSibling", "grandSibling", "triSibling"] as const;

/** All subsets of the five kinds. */
const SUBSETS = Array.from({ length: 2 ** KINDS.length }, (_, bits) =>
  KINDS.filter((_, i) => (bits >> i) & 1),
);

/**
 * Returns the score of the automaton's configuration with these variables, by the definition of each kind.
 */
function ownScore(arcs: Arcs, tables: AutomatonTables, chosen: readonly number[], head: number): number {
  const byHead = arcsByHead(arcs);
  const positions = new PartPositions(arcs, byHead);
  const isModifier = (arc: number): boolean => arcs.head[arc] === head;
  const grand = chosen.find((arc) => !isModifier(arc)) ?? -1;
  let sum = 0;
  for (const isLeft of [true, false]) {
    const chain = chosen
      .filter((arc) => isModifier(arc) && arcs.modifier[arc] < head === isLeft)
      .sort((a, b) => byHead.rank[a] - byHead.rank[b]);
    chain.forEach((arc, i) => {
      const next = chain[i - 1] ?? -1;
      const read = (kind: keyof AutomatonTables, first = -1, second = -1): number => {
        const table = tables[kind];
        return table === undefined
          ? 0
          : table.scores[table.start[arc] + positions.position(kind, arc, first, second)];
      };
      sum += read("nextSibling", next);
      if (i === chain.length - 1) sum += read("lastSibling");
      if (next >= 0) sum += read("triSibling", next, chain[i - 2] ?? -1);
      if (grand < 0) return;
      if (arcs.head[grand] === arcs.modifier[arc]) sum = -Infinity;
      sum += read("grandparent", grand) + read("grandSibling", grand, next);
    });
  }
  return sum;
}

/**
 * Returns every choice of the automaton's variables, as indices: exactly one candidate head if it has any.
 */
function choices(automaton: HeadAutomaton): number[][] {
  const { candidateHeads, variables } = automaton;
  const modifiers = variables - candidateHeads;
  const found: number[][] = [];
  for (let g = 0; g < Math.max(1, candidateHeads); g++) {
    for (let bits = 0; bits < 2 ** modifiers; bits++) {
      const places = candidateHeads > 0 ? [g] : [];
      for (let i = 0; i < modifiers; i++) if ((bits >> i) & 1) places.push(candidateHeads + i);
      found.push(places);
    }
  }
  return found;
}

function normals(count: number, seed: number): Float64Array {
  const rng = random(seed);
  return Float64Array.from({ length: count }, () => rng.normal());
}

function variablesOn(maximizer: ArcFactor, slot: number): number[] {
  const posteriors = new Float64Array(maximizer.variables);
  maximizer.addPosteriors(slot, 1, posteriors);
  return [...posteriors.keys()].filter((variable) => posteriors[variable] === 1);
}

/** No additional potentials. */
const NONE = new Float64Array(0);

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

describe("head automata", () => {
  test.each(SUBSETS.map((kinds) => [kinds.join(", ") || "arcs alone", kinds] as const))(
    "find the best configuration: %s",
    (_, kinds) => {
      const automaton = new HeadAutomaton();
      for (let seed = 1; seed <= 6; seed++) {
        const n = 3 + (seed % 3);
        const { arcs, tables } = localProblem(n, seed, kinds);
        for (let head = 0; head <= n; head++) {
          for (const sides of ["left", "right", "both"] satisfies Sides[]) {
            automaton.reset(arcs, arcsByHead(arcs), head, sides, tables);
            if (automaton.variables === 0) continue;
            const potentials = normals(automaton.variables, 100 * seed + head);
            const scored = choices(automaton).map((places) => {
              const chosen = places.map((place) => automaton.arcs[place]);
              const own = ownScore(arcs, tables, chosen, head);
              return { places, own, value: own + sum(places.map((place) => potentials[place])) };
            });
            const best = scored.reduce((a, b) => (b.value > a.value ? b : a));
            const found = automaton.maximize(potentials, NONE, 0);
            expect(found).toBeCloseTo(best.value, 9);
            expect(variablesOn(automaton, 0)).toEqual(best.places);
            expect(automaton.ownScore(0)).toBeCloseTo(best.own, 9);
            expect(automaton.evaluate(potentials, NONE, 0)).toBeCloseTo(best.value, 9);
          }
        }
      }
    },
  );

  test.each(["right", "both"] as const)("are correct after changes of potentials, sides %s", (sides) => {
    const { arcs, tables } = localProblem(6, 7, KINDS);
    const byHead = arcsByHead(arcs);
    const [kept, fresh] = [new HeadAutomaton(), new HeadAutomaton()];
    const rng = random(5);
    for (const head of [0, 3]) {
      kept.reset(arcs, byHead, head, sides, tables);
      const potentials = new Float64Array(kept.variables);
      for (let round = 0; round < 300; round++) {
        // Small steps as in an ascent; some arcs are forbidden, allowed again, or enforced.
        const place = rng.int(potentials.length);
        if (rng.int(20) === 0) potentials[place] = [-Infinity, 0, 2 ** 16][rng.int(3)];
        else potentials[place] += 0.3 * rng.normal();
        fresh.reset(arcs, byHead, head, sides, tables);
        fresh.potentials.set(potentials);
        kept.potentials.set(potentials);
        expect(kept.solve(0), `head ${head}, round ${round}`).toBe(fresh.solve(0));
        expect(variablesOn(kept, 0)).toEqual(variablesOn(fresh, 0));
      }
    }
  });

  test("score any configuration, and forbid that a modifier is the head of its head", () => {
    const { arcs, tables } = localProblem(4, 3, KINDS, 1, 0);
    const automaton = new HeadAutomaton();
    automaton.reset(arcs, arcsByHead(arcs), 2, "both", tables);
    automaton.reserve(1);
    const on = new Uint8Array(arcs.head.length);
    const scores = choices(automaton).map((places) => {
      const chosen = places.map((place) => automaton.arcs[place]);
      on.fill(0);
      for (const arc of chosen) on[arc] = 1;
      const score = automaton.configure(on, 0);
      expect(score).toBeCloseTo(ownScore(arcs, tables, chosen, 2), 9);
      expect(variablesOn(automaton, 0)).toEqual(places);
      return score;
    });
    // Candidate heads 0, 1, 3, 4 and modifiers 1, 3, 4: half of the choices form a cycle, except for the
    // root.
    expect(scores.filter((score) => score === -Infinity)).toHaveLength(3 * 4);
  });
});

describe("the tree factor", () => {
  test.each([
    [true, false],
    [false, false],
    [true, true],
    [false, true],
  ])("finds the best tree: single root %s, projective %s", (singleRoot, projective) => {
    const factor = new TreeFactor({ singleRoot, projective });
    for (let seed = 1; seed <= 30; seed++) {
      const n = 1 + (seed % 5);
      const rng = random(seed);
      const arcs = filterArcs(n, () => rng.next() < 0.8);
      const potentials = normals(arcs.head.length, seed);
      factor.reset(arcs);
      const scores = allTrees(n, { singleRoot, projective }).map((heads) => {
        let score = 0;
        for (let m = 1; m <= n; m++) {
          const arc = arcs.head.findIndex((h, a) => h === heads[m] && arcs.modifier[a] === m);
          score += arc < 0 ? -Infinity : potentials[arc];
        }
        return score;
      });
      const value = factor.maximize(potentials, new Float64Array(0), 0);
      expect(value).toBeCloseTo(Math.max(...scores), 9);
      if (value === -Infinity) continue;
      expect(factor.evaluate(potentials, new Float64Array(0), 0)).toBeCloseTo(value, 9);
      expect(variablesOn(factor, 0).map((arc) => arcs.head[arc])).toEqual([...factor.heads.slice(1)]);
    }
  });
});

describe("the sequence of heads", () => {
  test("finds the best sequence", () => {
    const sequence = new HeadSequence();
    for (let seed = 1; seed <= 40; seed++) {
      const n = 1 + (seed % 4);
      const { arcs, tables } = localProblem(n, seed, ["headBigram"], 0.7, 0.3);
      const { start } = arcs;
      const table = tables.headBigram!;
      sequence.reset(arcs, table);
      const potentials = normals(arcs.head.length, seed);
      const search = (m: number, last: number): number => {
        if (m > n) return 0;
        let best = -Infinity;
        for (let arc = start[m]; arc < start[m + 1]; arc++) {
          const pair = m > 1 ? table.scores[table.start[arc] + last - start[m - 1]] : 0;
          best = Math.max(best, potentials[arc] + pair + search(m + 1, arc));
        }
        return best;
      };
      const value = sequence.maximize(potentials, NONE, 0);
      expect(value).toBeCloseTo(search(1, -1), 9);
      if (value === -Infinity) continue;
      expect(sequence.evaluate(potentials, NONE, 0)).toBeCloseTo(value, 9);
      expect(variablesOn(sequence, 0).map((arc) => arcs.modifier[arc])).toEqual(
        Array.from({ length: n }, (_, i) => i + 1),
      );
      const on = new Uint8Array(arcs.head.length);
      for (const arc of variablesOn(sequence, 0)) on[arc] = 1;
      const own = sequence.ownScore(0);
      expect(sequence.configure(on, 0)).toBeCloseTo(own, 12);
    }
  });

  test("has no sequence where two adjacent words exclude each other's heads", () => {
    const { arcs, tables } = localProblem(3, 1, ["headBigram"], 1, 1);
    expect(arcs).toEqual(completeArcs(3));
    const sequence = new HeadSequence();
    sequence.reset(arcs, tables.headBigram!);
    expect(sequence.maximize(new Float64Array(9), NONE, 0)).toBe(-Infinity);
  });
});
