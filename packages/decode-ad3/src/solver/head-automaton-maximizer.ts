import type { LocalMaximizer } from "./local-maximizer.ts";

/**
 * Returns the maximizer of a head automaton: the modifiers of one head on one side, scored in pairs of
 * adjacent ones. Variables are the arcs to the positions on that side, nearest first: position 0 is the head,
 * k the k-th word away from it, and positions is the number of words and the head. siblings[i] = [from, to]
 * says that additional potential i scores when `to` follows `from`: 0 <= from < to <= positions, where from =
 * 0 means that `to` is the innermost modifier, and to = positions that `from` is the outermost. Pairs that
 * are not listed score 0.
 *
 * One maximum takes O(positions²). Eisner (1996); Koo, Rush, Collins, Jaakkola and Sontag (2010).
 *
 * @throws RangeError when a pair is outside of these limits or occurs twice
 */
export function headAutomatonMaximizer(
  positions: number,
  siblings: readonly (readonly [from: number, to: number])[],
): LocalMaximizer {
  return new HeadAutomatonMaximizer(positions, siblings);
}

class HeadAutomatonMaximizer implements LocalMaximizer {
  readonly variables: number;
  readonly additional: number;
  readonly #positions: number;
  /**
   * Index of the additional potential of the pair `from`, `to`, at to positions + from; pairs that are not
   * listed refer to one that is always 0.
   */
  readonly #part: Int32Array;
  readonly #score: Float64Array;
  readonly #value: Float64Array;
  readonly #back: Int32Array;
  /** A configuration is a list of modifiers in ascending order, closed by 0; slots of positions entries. */
  #path = new Int32Array(0);

  constructor(positions: number, siblings: readonly (readonly [number, number])[]) {
    this.#positions = positions;
    this.variables = positions - 1;
    this.additional = siblings.length;
    this.#part = new Int32Array((positions + 1) * positions).fill(siblings.length);
    this.#score = new Float64Array(siblings.length + 1);
    siblings.forEach(([from, to], i) => {
      const fits =
        Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from < to && to <= positions;
      if (!fits)
        throw new RangeError(`siblings must be ascending and at most ${positions}, got ${from}, ${to}`);
      const cell = to * positions + from;
      if (this.#part[cell] !== siblings.length)
        throw new RangeError(`siblings ${from}, ${to} must occur once`);
      this.#part[cell] = i;
    });
    this.#value = new Float64Array(positions);
    this.#back = new Int32Array(positions + 1);
  }

  reserve(slots: number): void {
    if (this.#path.length >= slots * this.#positions) return;
    const grown = new Int32Array(slots * this.#positions);
    grown.set(this.#path);
    this.#path = grown;
  }

  maximize(variable: Float64Array, additional: Float64Array, slot: number): number {
    const positions = this.#positions;
    const part = this.#part;
    const score = this.#score;
    const value = this.#value;
    const back = this.#back;
    const path = this.#path;
    for (let i = 0; i < additional.length; i++) score[i] = additional[i];
    let result = 0;
    value[0] = 0;
    for (let to = 1; to <= positions; to++) {
      let best = -Infinity;
      let origin = 0;
      for (let from = 0, cell = to * positions; from < to; from++, cell++) {
        const sum = value[from] + score[part[cell]];
        if (sum <= best) continue;
        best = sum;
        origin = from;
      }
      back[to] = origin;
      if (to < positions) value[to] = best + variable[to - 1];
      else result = best;
    }
    let count = 0;
    for (let p = back[positions]; p > 0; p = back[p]) count++;
    const start = slot * positions;
    path[start + count] = 0;
    for (let p = back[positions]; p > 0; p = back[p]) path[start + --count] = p;
    return result;
  }

  evaluate(variable: Float64Array, additional: Float64Array, slot: number): number {
    const positions = this.#positions;
    const part = this.#part;
    const path = this.#path;
    const none = additional.length;
    let sum = 0;
    let from = 0;
    for (let at = slot * positions; ; at++) {
      const to = path[at];
      const which = part[(to === 0 ? positions : to) * positions + from];
      if (which < none) sum += additional[which];
      if (to === 0) return sum;
      sum += variable[to - 1];
      from = to;
    }
  }

  addPosteriors(slot: number, weight: number, variable: Float64Array, additional: Float64Array): void {
    const positions = this.#positions;
    const part = this.#part;
    const path = this.#path;
    let from = 0;
    for (let at = slot * positions; ; at++) {
      const to = path[at];
      const which = part[(to === 0 ? positions : to) * positions + from];
      if (which < this.additional) additional[which] += weight;
      if (to === 0) return;
      variable[to - 1] += weight;
      from = to;
    }
  }

  countCommon(slot: number, other: number): number {
    const positions = this.#positions;
    const path = this.#path;
    let count = 0;
    let a = slot * positions;
    let b = other * positions;
    for (; path[a] > 0 && path[b] > 0; ) {
      const difference = path[a] - path[b];
      if (difference === 0) count++;
      if (difference <= 0) a++;
      if (difference >= 0) b++;
    }
    return count;
  }

  same(slot: number, other: number): boolean {
    const positions = this.#positions;
    const path = this.#path;
    for (let a = slot * positions, b = other * positions; ; a++, b++) {
      if (path[a] !== path[b]) return false;
      if (path[a] === 0) return true;
    }
  }

  copy(from: number, to: number): void {
    const positions = this.#positions;
    const path = this.#path;
    for (let i = 0; i < positions; i++) path[to * positions + i] = path[from * positions + i];
  }
}
