import { type ChainProblem, grown, grownInts, NoLabelling, Trellis } from "./chain-problem.ts";
import { traceBack } from "./viterbi.ts";

/**
 * Beam search: Viterbi's recurrence restricted to the `width` best states after each position. Exact when the
 * width is the number of states. Scratch memory grows with the largest problem.
 */
export class BeamSearch {
  /** The trellis of the last search. */
  readonly trellis = new Trellis();
  readonly #width: number;
  #best = new Float64Array(0);
  #back = new Int32Array(0);
  /** After each position, the best state. */
  #top = new Int32Array(0);
  readonly #beam: Int32Array;
  #size = 0;

  constructor(width: number) {
    if (!Number.isInteger(width) || width < 1) {
      throw new RangeError(`the width of a beam must be an integer >= 1, got ${width}`);
    }
    this.#width = width;
    this.#beam = new Int32Array(width);
  }

  /**
   * Writes the best labelling that stays in the beam to `labels`; returns its score.
   *
   * Cost: O(n width (C + states)) at most, for C candidates per position.
   */
  decodeInto(problem: ChainProblem, labels: Int32Array): number {
    this.start(problem);
    for (let i = 0; i < this.trellis.n; i++) this.step(problem, i);
    return this.prefix(problem, this.trellis.n - 1, labels);
  }

  /** Begins a search. */
  start(problem: ChainProblem): void {
    const { trellis } = this;
    trellis.reset(problem);
    this.#best = grown(this.#best, trellis.states);
    this.#back = grownInts(this.#back, trellis.states);
    this.#top = grownInts(this.#top, trellis.n);
    this.#best[0] = 0;
    this.#beam[0] = 0;
    this.#size = 1;
  }

  /** Extends the states of the beam by the candidates of position i, and keeps the best. */
  step({ lattice: { start }, scores, grams, table }: ChainProblem, i: number): void {
    const { inner, count, state } = this.trellis;
    const best = this.#best;
    const back = this.#back;
    const M = inner[i];
    const C = count[i];
    const to = state[i + 1];
    const end = state[i + 2];
    best.fill(-Infinity, to, end);
    const beam = this.#beam;
    for (let k = 0; k < this.#size; k++) {
      const local = beam[k] - state[i];
      const m = local % M;
      const p = (local - m) / M;
      const before = best[beam[k]];
      const row = to + m * C;
      const entry = table[i] < 0 ? -1 : table[i] + local * C;
      for (let c = 0; c < C; c++) {
        const score = before + scores[start[i] + c] + (entry < 0 ? 0 : grams[entry + c]);
        if (score > best[row + c]) {
          best[row + c] = score;
          back[row + c] = p;
        }
      }
    }
    this.#keep(to, end);
    if (this.#size === 0) throw new NoLabelling("no allowed labelling stays in the beam");
    this.#top[i] = beam[0];
  }

  /**
   * Writes the best prefix after position i (of the positions searched so far) to `labels`; returns its
   * score.
   */
  prefix(problem: ChainProblem, i: number, labels: Int32Array): number {
    if (i < 0) return 0;
    traceBack(problem, this.trellis, { length: i + 1, last: this.#top[i], back: this.#back }, labels);
    return this.#best[this.#top[i]];
  }

  /**
   * Returns whether a state of the last step is in the beam, and was reached from the forgotten candidate
   * `from`.
   */
  keeps(state: number, from: number): boolean {
    if (this.#back[state] !== from) return false;
    for (let k = 0; k < this.#size; k++) if (this.#beam[k] === state) return true;
    return false;
  }

  /** Returns the best states of a range, best first; the first in ties. */
  #keep(from: number, end: number): void {
    const best = this.#best;
    const beam = this.#beam;
    let size = 0;
    for (let s = from; s < end; s++) {
      const score = best[s];
      if (score === -Infinity) continue;
      if (size === this.#width && score <= best[beam[size - 1]]) continue;
      let at = size < this.#width ? size++ : size - 1;
      while (at > 0 && best[beam[at - 1]] < score) {
        beam[at] = beam[at - 1];
        at--;
      }
      beam[at] = s;
    }
    this.#size = size;
  }
}
