import {
  type Arcs,
  arcIndex,
  arcsByHead,
  completeArcs,
  filterArcs,
  MEMBERS,
  PART_KINDS,
  type PartKind,
  PartPositions,
  partLayout,
  random,
} from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { randomArcs } from "./support.ts";

describe("candidate arcs", () => {
  it("are grouped by modifier, heads ascending", () => {
    const arcs = completeArcs(3);
    expect([...arcs.start]).toEqual([0, 0, 3, 6, 9]);
    expect([...arcs.head]).toEqual([0, 2, 3, 0, 1, 3, 0, 1, 2]);
    expect([...arcs.modifier]).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
    expect(completeArcs(4)).toEqual(filterArcs(4, () => true));
    expect(completeArcs(0)).toEqual(filterArcs(0, () => true));
  });

  it("are found by head and modifier", () => {
    const arcs = filterArcs(9, (h, m) => (3 * h + m) % 4 > 0);
    for (let m = -1; m <= 10; m++) {
      for (let h = -1; h <= 10; h++) {
        const arc = arcIndex(arcs, h, m);
        const listed = [...arcs.head.keys()].find((a) => arcs.head[a] === h && arcs.modifier[a] === m);
        expect(arc).toBe(listed ?? -1);
      }
    }
  });

  test.each([-1, 1.5, Number.NaN])("are refused for %d words", (n) => {
    expect(() => completeArcs(n)).toThrow(RangeError);
    expect(() => filterArcs(n, () => true)).toThrow(RangeError);
  });
});

describe("arcsByHead", () => {
  it("lists the modifiers of each head and side, nearest first", () => {
    const arcs = completeArcs(4);
    const { start, arcs: grouped, rank } = arcsByHead(arcs);
    const modifiers = (h: number, side: number) =>
      [...grouped.slice(start[2 * h + side], start[2 * h + side + 1])].map((a) => arcs.modifier[a]);
    expect(modifiers(0, 0)).toEqual([]);
    expect(modifiers(0, 1)).toEqual([1, 2, 3, 4]);
    expect(modifiers(3, 0)).toEqual([2, 1]);
    expect(modifiers(3, 1)).toEqual([4]);
    expect(rank[arcIndex(arcs, 3, 1)]).toBe(1);
    expect(rank[arcIndex(arcs, 0, 4)]).toBe(3);
  });

  it("ranks by the candidates that are nearer", () => {
    fc.assert(
      fc.property(fc.nat(8), fc.nat(), (n, seed) => {
        const arcs = randomArcs(random(seed), n, 0.6);
        const byHead = arcsByHead(arcs);
        expect([...byHead.arcs].sort((a, b) => a - b)).toEqual([...arcs.head.keys()]);
        for (let a = 0; a < arcs.head.length; a++) {
          expect(byHead.rank[a]).toBe(nearer(arcs, arcs.head[a], arcs.modifier[a]).length);
          const group = 2 * arcs.head[a] + (arcs.modifier[a] > arcs.head[a] ? 1 : 0);
          expect(byHead.arcs[byHead.start[group] + byHead.rank[a]]).toBe(a);
        }
      }),
    );
  });
});

/** Candidate modifiers of h on the side of m and nearer than m, nearest first. */
function nearer(arcs: Arcs, h: number, m: number): number[] {
  const words: number[] = [];
  const step = m > h ? 1 : -1;
  for (let s = h + step; s !== m; s += step) if (arcIndex(arcs, h, s) >= 0) words.push(s);
  return words;
}

/** Candidate modifiers of h on the side of m and farther than m, nearest first. */
function farther(arcs: Arcs, h: number, m: number): number[] {
  const words: number[] = [];
  const step = m > h ? 1 : -1;
  for (let s = m + step; s >= 1 && s <= arcs.n; s += step) if (arcIndex(arcs, h, s) >= 0) words.push(s);
  return words;
}

function candidates(arcs: Arcs, m: number): number[] {
  return Array.from({ length: arcs.n + 1 }, (_, h) => h).filter((h) => arcIndex(arcs, h, m) >= 0);
}

/** The member arcs of every part of h -> m as pairs of head and modifier, in the documented order. */
const LISTS: Record<PartKind, (arcs: Arcs, h: number, m: number) => ([number, number] | undefined)[][]> = {
  grandparent: (arcs, h) => candidates(arcs, h).map((g) => [[g, h]]),
  nextSibling: (arcs, h, m) => [[undefined], ...nearer(arcs, h, m).map((s): [number, number][] => [[h, s]])],
  lastSibling: () => [[]],
  sibling: (arcs, h, m) => nearer(arcs, h, m).map((s) => [[h, s]]),
  grandSibling: (arcs, h, m) =>
    candidates(arcs, h).flatMap((g): ([number, number] | undefined)[][] => [
      [[g, h], undefined],
      ...nearer(arcs, h, m).map((s): [number, number][] => [
        [g, h],
        [h, s],
      ]),
    ]),
  triSibling: (arcs, h, m) =>
    nearer(arcs, h, m).flatMap((s): ([number, number] | undefined)[][] => [
      [[h, s], undefined],
      ...nearer(arcs, h, s).map((t): [number, number][] => [
        [h, s],
        [h, t],
      ]),
    ]),
  headBigram: (arcs, _, m) => candidates(arcs, m - 1).map((g) => [[g, m - 1]]),
  greatGrandparent: (arcs, h) =>
    candidates(arcs, h).flatMap((g) =>
      candidates(arcs, g).map((f): [number, number][] => [
        [g, h],
        [f, g],
      ]),
    ),
  grandparentSibling: (arcs, h) =>
    candidates(arcs, h).flatMap((g) =>
      candidates(arcs, g).flatMap((f) =>
        [undefined, ...nearer(arcs, f, g)].map((u): ([number, number] | undefined)[] => [
          [g, h],
          [f, g],
          u === undefined ? undefined : [f, u],
        ]),
      ),
    ),
  outerSiblingGrandchild: (arcs, h) =>
    candidates(arcs, h).flatMap((g) =>
      [undefined, ...nearer(arcs, g, h)].map((s): ([number, number] | undefined)[] => [
        [g, h],
        s === undefined ? undefined : [g, s],
      ]),
    ),
  innerSiblingGrandchild: (arcs, h) =>
    candidates(arcs, h).flatMap((g) =>
      [undefined, ...farther(arcs, g, h)].map((s): ([number, number] | undefined)[] => [
        [g, h],
        s === undefined ? undefined : [g, s],
      ]),
    ),
};

describe("partLayout", () => {
  test.each(PART_KINDS)("%s: every part in its documented place, none missing", (kind) => {
    fc.assert(
      fc.property(fc.nat(6), fc.nat(), fc.constantFrom(0.4, 0.7, 1), (n, seed, density) => {
        const arcs = randomArcs(random(seed), n, density);
        const { start, members, scores } = partLayout(kind, arcs);
        const positions = new PartPositions(arcs, arcsByHead(arcs));
        const width = MEMBERS[kind];
        expect(start[0]).toBe(0);
        for (let a = 0; a < arcs.head.length; a++) {
          const expected = LISTS[kind](arcs, arcs.head[a], arcs.modifier[a]).map((part) =>
            part.map((arc) => (arc === undefined ? -1 : arcIndex(arcs, ...arc))),
          );
          const found = expected.map((_, i) => {
            const part = start[a] + i;
            const found = [...members.slice(part * width, (part + 1) * width)];
            expect(start[a] + positions.position(kind, a, ...found)).toBe(part);
            return found;
          });
          expect(found).toEqual(expected);
          expect(start[a + 1] - start[a]).toBe(expected.length);
        }
        expect(scores.length).toBe(start[arcs.head.length]);
        expect(members.length).toBe(scores.length * width);
        expect(scores.every((score) => score === 0)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("knows where a member begins of which the next one depends, and refuses the others", () => {
    const arcs = completeArcs(3);
    const positions = new PartPositions(arcs, arcsByHead(arcs));
    // The block of g -> h has a part for each candidate head of g: none for the root, three for a word.
    expect([...positions.offsets("greatGrandparent", 0)]).toEqual([0, 0, 3, 0, 0, 3, 0, 0, 3]);
    for (const [kind, k] of [
      ["greatGrandparent", 1],
      ["grandSibling", 0],
      ["lastSibling", 0],
    ] as const) {
      expect(() => positions.offsets(kind, k)).toThrow(`expected a member of "${kind}" that the next one`);
    }
  });

  it("refuses more parts than 32-bit indices can name", () => {
    // Every word may hang off the root only: 30,000 arcs, but 4.5 * 10^12 triples of siblings.
    const arcs = starArcs(30_000);
    expect(() => partLayout("triSibling", arcs)).toThrow(
      /at most 2147483647 parts of kind "triSibling", got \d+/,
    );
    expect(() => partLayout("grandparentSibling", completeArcs(95))).toThrow(
      /at most 2147483647 parts of kind "grandparentSibling", got \d+/,
    );
  });
});

function starArcs(n: number): Arcs {
  const start = new Int32Array(n + 2);
  for (let m = 1; m <= n; m++) start[m + 1] = m;
  return { n, start, head: new Int32Array(n), modifier: Int32Array.from({ length: n }, (_, i) => i + 1) };
}
