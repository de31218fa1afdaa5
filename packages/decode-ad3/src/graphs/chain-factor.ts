import { ArcFactor } from "../trees/arc-factor.ts";

/**
 * Automaton over a chain of arcs, nearest first, that scores the first arc that is on, each two adjacent ones
 * and the last one (`ChainTable` of core). A maximum takes O(k²) for k arcs.
 */
export class ChainFactor extends ArcFactor {
  /**
   * Score of arc `to` after arc `from` at to * (k + 1) + from; both count from 1. `from` 0: the arc is the
   * first; `to` k + 1: the last.
   */
  readonly #scores: Float64Array;
  readonly #value: Float64Array;
  readonly #back: Int32Array;

  /** `scores`: (k + 2) (k + 1) entries for k arcs, kept. */
  constructor(arcs: readonly number[], scores: Float64Array) {
    super();
    this.#scores = scores;
    this.#value = new Float64Array(arcs.length + 1);
    this.#back = new Int32Array(arcs.length + 2);
    this.start(arcs.length, arcs.length);
    this.arcs.set(arcs);
  }

  protected best(potentials: Float64Array, slot: number): number {
    const { variables, places } = this;
    const scores = this.#scores;
    const value = this.#value;
    const back = this.#back;
    const width = variables + 1;
    let result = 0;
    for (let to = 1; to <= width; to++) {
      // The empty chain scores 0; any other begins with an arc.
      let best = to === width ? 0 : scores[to * width];
      let origin = 0;
      for (let from = 1, cell = to * width + 1; from < to; from++, cell++) {
        const sum = value[from] + scores[cell];
        if (sum <= best) continue;
        best = sum;
        origin = from;
      }
      back[to] = origin;
      if (to < width) value[to] = best + potentials[to - 1];
      else result = best;
    }
    let count = 0;
    for (let at = back[width]; at > 0; at = back[at]) count++;
    const first = slot * this.stride;
    places[first] = count;
    let own = 0;
    for (let next = width, at = back[width]; next > 0; next = at, at = back[at]) {
      if (next < width || at > 0) own += scores[next * width + at];
      if (at > 0) places[first + count--] = at - 1;
    }
    this.own[slot] = own;
    return result;
  }

  configure(on: Uint8Array, slot: number): number {
    const { arcs, variables, places } = this;
    const scores = this.#scores;
    const width = variables + 1;
    const first = slot * this.stride;
    let at = first;
    let own = 0;
    let last = 0;
    for (let i = 0; i < variables; i++) {
      if (on[arcs[i]] !== 1) continue;
      own += scores[(i + 1) * width + last];
      last = i + 1;
      places[++at] = i;
    }
    if (last > 0) own += scores[width * width + last];
    places[first] = at - first;
    this.own[slot] = own;
    return own;
  }
}
