import type { Arcs, ArcsByHead, PartKind, PartTable } from "@arcwise/core";
import { ArcFactor } from "./arc-factor.ts";
import { AutomatonSide, cellsOf } from "./automaton-side.ts";
import type { PartSums } from "./part-sums.ts";

/** The tables whose parts an automaton scores. */
export type AutomatonTables = Partial<
  Record<
    Extract<PartKind, "grandparent" | "nextSibling" | "lastSibling" | "grandSibling" | "triSibling">,
    PartTable
  >
>;

/** The side or sides of the head whose modifiers an automaton chooses. */
export type Sides = "left" | "right" | "both";

/**
 * Head automaton: finds the best modifiers of a head h on one side or both and, when it scores grandparents,
 * its own head g. Variables are the candidate arcs g -> h (if any), then the arcs of h to the left, nearest
 * modifier first, then those to the right. With grandparents exactly one of the arcs g -> h is on, and h -> m
 * with g = m is ruled out.
 *
 * With c candidate heads of h and k modifiers on a side, one maximum takes O(k²) for siblings, O(c k²) with
 * grandparents or grand-siblings, and k times as much with tri-siblings; where potentials have changed little
 * since the previous maximum, as in an ascent, mostly only one or two of the c candidates are recomputed. The
 * sides share only g.
 *
 * Koo, Rush, Collins, Jaakkola and Sontag (2010); Martins, Almeida and Smith (2013).
 */
export class HeadAutomaton extends ArcFactor {
  /** Candidate heads of h, or 0 when the automaton does not choose one. */
  #grandparents = 0;
  #tables: AutomatonTables = {};
  readonly #sides = [new AutomatonSide(), new AutomatonSide()] as const;

  /** Reads the scores of the tables. O(parts that it scores). Pruned arcs must have been removed. */
  reset(arcs: Arcs, byHead: ArcsByHead, head: number, sides: Sides, tables: AutomatonTables): void {
    this.#tables = tables;
    const withGrandparents =
      head > 0 && (tables.grandparent !== undefined || tables.grandSibling !== undefined);
    const from = arcs.start[head];
    this.#grandparents = withGrandparents ? arcs.start[head + 1] - from : 0;
    const left = sides === "right" ? 0 : byHead.start[2 * head + 1] - byHead.start[2 * head];
    const right = sides === "left" ? 0 : byHead.start[2 * head + 2] - byHead.start[2 * head + 1];
    const size = this.#grandparents + left + right;
    this.start(size, 1 + left + right);
    for (let g = 0; g < this.#grandparents; g++) this.arcs[g] = from + g;
    const [leftSide, rightSide] = this.#sides;
    leftSide.first = this.#grandparents;
    rightSide.first = this.#grandparents + left;
    const group = 2 * head;
    for (let i = 0; i < left; i++) this.arcs[leftSide.first + i] = byHead.arcs[byHead.start[group] + i];
    for (let i = 0; i < right; i++) this.arcs[rightSide.first + i] = byHead.arcs[byHead.start[group + 1] + i];
    this.#resetSide(leftSide, left, arcs, head);
    this.#resetSide(rightSide, right, arcs, head);
  }

  /** Number of variables that choose the head of h; they are the first ones. */
  get candidateHeads(): number {
    return this.#grandparents;
  }

  /** There is always a configuration: the one without modifiers. */
  protected best(potentials: Float64Array, slot: number): number {
    const { places } = this;
    const sides = this.#sides;
    const grandparents = this.#grandparents;
    const [left, right] = sides;
    left.update(potentials);
    right.update(potentials);
    const best = this.#bestGrandparent(potentials);
    const from = slot * this.stride + 1;
    let at = from;
    if (grandparents > 0) places[at++] = best;
    const middle = left.read(best, places, at);
    const end = right.read(best, places, middle);
    places[from - 1] = end - from;
    this.own[slot] = left.scoreOf(best, places, at, middle) + right.scoreOf(best, places, middle, end);
    const own = grandparents > 0 ? potentials[best] : 0;
    return own + left.boundOf(best) + right.boundOf(best);
  }

  /**
   * Returns the grandparent of a best configuration: of those with the highest bound, the first whose bound
   * is exact.
   */
  #bestGrandparent(potentials: Float64Array): number {
    const sides = this.#sides;
    const grandparents = this.#grandparents;
    const [left, right] = sides;
    for (;;) {
      let best = 0;
      let bound = -Infinity;
      for (let g = 0; g < grandparents; g++) {
        const own = potentials[g];
        if (own === -Infinity) continue;
        const sum = own + left.boundOf(g) + right.boundOf(g);
        if (sum <= bound) continue;
        bound = sum;
        best = g;
      }
      if (left.isExact(best) && right.isExact(best)) return best;
      left.compute(best);
      right.compute(best);
    }
  }

  configure(on: Uint8Array, slot: number): number {
    const { arcs, variables, places } = this;
    const sides = this.#sides;
    const grandparents = this.#grandparents;
    const from = slot * this.stride + 1;
    const firstRight = sides[1].first;
    let g = 0;
    let at = from;
    for (let i = 0; i < grandparents; i++) {
      if (on[arcs[i]] === 0) continue;
      places[at++] = i;
      g = i;
    }
    const start = at;
    for (let i = grandparents; i < firstRight; i++) if (on[arcs[i]] === 1) places[at++] = i;
    const middle = at;
    for (let i = firstRight; i < variables; i++) if (on[arcs[i]] === 1) places[at++] = i;
    places[from - 1] = at - from;
    const score = sides[0].scoreOf(g, places, start, middle) + sides[1].scoreOf(g, places, middle, at);
    this.own[slot] = score;
    return score;
  }

  override addParts(slot: number, weight: number, sums: PartSums): void {
    const { places } = this;
    const sides = this.#sides;
    const grandparents = this.#grandparents;
    let from = slot * this.stride + 1;
    const end = from + places[from - 1];
    const g = grandparents > 0 ? places[from++] : -1;
    let middle = from;
    while (middle < end && places[middle] < sides[1].first) middle++;
    this.#addSide(sides[0].first, g, { from, to: middle }, weight, sums);
    this.#addSide(sides[1].first, g, { from: middle, to: end }, weight, sums);
  }

  /**
   * `addParts` for the modifiers on one side, whose first variable is `first`: those listed at
   * `from .. to - 1`.
   */
  #addSide(
    first: number,
    g: number,
    { from, to }: { readonly from: number; readonly to: number },
    weight: number,
    sums: PartSums,
  ): void {
    const { grandparent, nextSibling, lastSibling, grandSibling, triSibling } = this.#tables;
    let j = -1;
    let t = -1;
    for (let at = from; at < to; at++) {
      const i = this.places[at] - first;
      const owner = this.arcs[this.places[at]];
      if (nextSibling) sums.nextSibling![nextSibling.start[owner] + 1 + j] += weight;
      if (lastSibling && at + 1 === to) sums.lastSibling![lastSibling.start[owner]] += weight;
      if (triSibling && j >= 0) sums.triSibling![triSibling.start[owner] + cellsOf(j) + 1 + t] += weight;
      if (g >= 0 && grandparent) sums.grandparent![grandparent.start[owner] + g] += weight;
      if (g >= 0 && grandSibling) {
        sums.grandSibling![grandSibling.start[owner] + g * (i + 1) + 1 + j] += weight;
      }
      t = j;
      j = i;
    }
  }

  /** Reads the scores of the `count` modifiers on one side, whose arcs are among the variables already. */
  #resetSide(side: AutomatonSide, count: number, arcs: Arcs, head: number): void {
    side.reserve(count, Math.max(1, this.#grandparents));
    const { first } = side;
    const { lastSibling, triSibling } = this.#tables;
    side.tri = triSibling?.scores;
    for (let i = 0; i < count; i++) {
      const owner = this.arcs[first + i];
      side.last[i] = lastSibling === undefined ? 0 : lastSibling.scores[lastSibling.start[owner]];
      if (triSibling !== undefined) side.triStart[i] = triSibling.start[owner];
    }
    this.#fillTransitions(side, arcs, head);
  }

  #fillTransitions(side: AutomatonSide, arcs: Arcs, head: number): void {
    const { grandparent, nextSibling, grandSibling } = this.#tables;
    const { transitions, count, first } = side;
    const from = arcs.start[head];
    const blocks = Math.max(1, this.#grandparents);
    const cells = cellsOf(count);
    for (let i = 0; i < count; i++) {
      const owner = this.arcs[first + i];
      const row = cellsOf(i);
      for (let g = 0; g < blocks; g++) {
        const cycle = this.#grandparents > 0 && arcs.head[from + g] === arcs.modifier[owner];
        const above =
          grandparent === undefined || this.#grandparents === 0
            ? 0
            : grandparent.scores[grandparent.start[owner] + g];
        const both =
          grandSibling === undefined || this.#grandparents === 0
            ? -1
            : grandSibling.start[owner] + g * (i + 1);
        const next = nextSibling === undefined ? -1 : nextSibling.start[owner];
        for (let j = 0; j <= i; j++) {
          let score = cycle ? -Infinity : above;
          if (next >= 0) score += nextSibling!.scores[next + j];
          if (both >= 0) score += grandSibling!.scores[both + j];
          transitions[g * cells + row + j] = score;
        }
      }
    }
  }
}
