import type { Arcs, PartTable } from "@arcwise/core";
import { ConfigurationLists } from "./configuration-lists.ts";

/**
 * The sequence of heads: one state a word, one of its candidate heads, scored by pairs of neighbouring words
 * (`headBigram`). Variables are all candidate arcs by their index. Viterbi's (1967) algorithm: with c candidates a word, O(n c²).
 */
export class HeadSequence extends ConfigurationLists {
  private arcs: Arcs | undefined;
  private table: PartTable | undefined;
  private best = new Float64Array(0);
  private scaled = new Float64Array(0);

  constructor() {
    super(1);
  }

  reset(arcs: Arcs, table: PartTable): void {
    this.arcs = arcs;
    this.table = table;
    this.start(arcs.head.length, arcs.n);
    if (this.best.length < this.variables) {
      this.best = new Float64Array(2 * this.variables);
      this.scaled = new Float64Array(2 * this.variables);
    }
  }

  /** Its own scores count `additional[0]` times, more than 0 times. */
  maximize(variable: Float64Array, additional: Float64Array, slot: number): number {
    const factor = additional[0]!;
    if (factor === 1) return this.bestSequence(variable, slot);
    const { scaled, variables } = this;
    for (let i = 0; i < variables; i++) scaled[i] = variable[i]! / factor;
    return factor * this.bestSequence(scaled, slot);
  }

  private bestSequence(potentials: Float64Array, slot: number): number {
    const value = this.fill(potentials);
    if (value === -Infinity) return value;
    const { best, places } = this;
    const { n, start } = this.arcs!;
    const from = slot * this.stride;
    places[from] = n;
    let own = 0;
    let arc = start[n]!;
    while (best[arc] !== value) arc++;
    for (let m = n; m > 1; m--) {
      places[from + m] = arc;
      const before = this.before(arc, m);
      own += this.scoreOf(before, arc, m);
      arc = before;
    }
    places[from + 1] = arc;
    this.own[slot] = own;
    return value;
  }

  /** Writes the sequence of the arcs with `on[arc]` to a slot, one a word. Returns its own score. */
  configure(on: Uint8Array, slot: number): number {
    const { places } = this;
    const { n, start } = this.arcs!;
    const from = slot * this.stride;
    places[from] = n;
    let own = 0;
    let last = -1;
    for (let m = 1; m <= n; m++) {
      let arc = start[m]!;
      while (on[arc] === 0) arc++;
      places[from + m] = arc;
      if (m > 1) own += this.scoreOf(last, arc, m);
      last = arc;
    }
    this.own[slot] = own;
    return own;
  }

  private fill(potentials: Float64Array): number {
    const { best } = this;
    const { n, start } = this.arcs!;
    const { start: parts, scores } = this.table!;
    for (let arc = start[1]!; arc < start[2]!; arc++) best[arc] = potentials[arc]!;
    for (let m = 2; m <= n; m++) {
      const from = start[m - 1]!;
      const to = start[m]!;
      const end = start[m + 1]!;
      for (let arc = to; arc < end; arc++) {
        const row = parts[arc]! - from;
        let value = -Infinity;
        for (let before = from; before < to; before++) {
          const sum = best[before]! + scores[row + before]!;
          if (sum > value) value = sum;
        }
        best[arc] = value + potentials[arc]!;
      }
    }
    let value = -Infinity;
    for (let arc = start[n]!; arc < start[n + 1]!; arc++) if (best[arc]! > value) value = best[arc]!;
    return value;
  }

  /** The best head of the word before, given the head of m. */
  private before(arc: number, m: number): number {
    const { best } = this;
    const { start } = this.arcs!;
    const from = start[m - 1]!;
    const to = start[m]!;
    const row = this.table!.start[arc]! - from;
    const { scores } = this.table!;
    let value = -Infinity;
    let found = from;
    for (let before = from; before < to; before++) {
      const sum = best[before]! + scores[row + before]!;
      if (sum > value) {
        value = sum;
        found = before;
      }
    }
    return found;
  }

  private scoreOf(before: number, arc: number, m: number): number {
    const { start, scores } = this.table!;
    return scores[start[arc]! + before - this.arcs!.start[m - 1]!]!;
  }
}
