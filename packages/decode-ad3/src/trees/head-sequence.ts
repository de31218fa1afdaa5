import type { Arcs, PartTable } from "@arcwise/core";
import { ArcFactor } from "./arc-factor.ts";
import type { PartSums } from "./part-sums.ts";

/**
 * Chain factor over the heads of consecutive words: a state is a candidate head of a word, and pairs of
 * adjacent words are scored (`headBigram`). Variables are all candidate arcs by index. Viterbi's (1967)
 * algorithm: O(n c²) for c candidates per word.
 */
export class HeadSequence extends ArcFactor {
  #candidates: Arcs | undefined;
  #table: PartTable | undefined;
  #values = new Float64Array(0);
  reset(arcs: Arcs, table: PartTable): void {
    this.#candidates = arcs;
    this.#table = table;
    this.start(arcs.head.length, arcs.n);
    for (let arc = 0; arc < this.variables; arc++) this.arcs[arc] = arc;
    if (this.#values.length < this.variables) {
      this.#values = new Float64Array(2 * this.variables);
    }
  }

  protected best(potentials: Float64Array, slot: number): number {
    const value = this.#fill(potentials);
    if (value === -Infinity) return value;
    const { places } = this;
    const values = this.#values;
    const { n, start } = this.#candidates!;
    const from = slot * this.stride;
    places[from] = n;
    let own = 0;
    let arc = start[n];
    while (values[arc] !== value) arc++;
    for (let m = n; m > 1; m--) {
      places[from + m] = arc;
      const before = this.#before(arc, m);
      own += this.#pairScore(before, arc, m);
      arc = before;
    }
    places[from + 1] = arc;
    this.own[slot] = own;
    return value;
  }

  configure(on: Uint8Array, slot: number): number {
    const { places } = this;
    const { n, start } = this.#candidates!;
    const from = slot * this.stride;
    places[from] = n;
    let own = 0;
    let last = -1;
    for (let m = 1; m <= n; m++) {
      let arc = start[m];
      while (on[arc] === 0) arc++;
      places[from + m] = arc;
      if (m > 1) own += this.#pairScore(last, arc, m);
      last = arc;
    }
    this.own[slot] = own;
    return own;
  }

  override addParts(slot: number, weight: number, sums: PartSums): void {
    const { places } = this;
    const { n, start } = this.#candidates!;
    const from = slot * this.stride;
    for (let m = 2; m <= n; m++) {
      const row = this.#table!.start[places[from + m]] - start[m - 1];
      sums.headBigram![row + places[from + m - 1]] += weight;
    }
  }

  #fill(potentials: Float64Array): number {
    const values = this.#values;
    const { n, start } = this.#candidates!;
    for (let m = 1; m <= n; m++) this.#fillWord(m, potentials);
    let value = -Infinity;
    for (let arc = start[n]; arc < start[n + 1]; arc++) if (values[arc] > value) value = values[arc];
    return value;
  }

  /** For each candidate of m, the best score of it and the preceding words. */
  #fillWord(m: number, potentials: Float64Array): void {
    const values = this.#values;
    const { start } = this.#candidates!;
    const { start: parts, scores } = this.#table!;
    const from = start[m - 1];
    const to = start[m];
    for (let arc = to; arc < start[m + 1]; arc++) {
      const row = parts[arc] - from;
      let value = m > 1 ? -Infinity : 0;
      for (let before = from; before < to; before++) {
        const sum = values[before] + scores[row + before];
        if (sum > value) value = sum;
      }
      values[arc] = value + potentials[arc];
    }
  }

  /** Returns the best head of the preceding word, given the head of m. */
  #before(arc: number, m: number): number {
    const values = this.#values;
    const { start } = this.#candidates!;
    const from = start[m - 1];
    const to = start[m];
    const row = this.#table!.start[arc] - from;
    const { scores } = this.#table!;
    let value = -Infinity;
    let found = from;
    for (let before = from; before < to; before++) {
      const sum = values[before] + scores[row + before];
      if (sum > value) {
        value = sum;
        found = before;
      }
    }
    return found;
  }

  #pairScore(before: number, arc: number, m: number): number {
    const { start, scores } = this.#table!;
    return scores[start[arc] + before - this.#candidates!.start[m - 1]];
  }
}
