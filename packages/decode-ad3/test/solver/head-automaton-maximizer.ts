import { ListMaximizer } from "../../src/solver/list-maximizer.ts";
import type { LocalMaximizer } from "../../src/solver/local-maximizer.ts";

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

class HeadAutomatonMaximizer extends ListMaximizer {
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

  constructor(positions: number, siblings: readonly (readonly [number, number])[]) {
    super();
    this.#positions = positions;
    this.stride = positions;
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

  maximize(variable: Float64Array, additional: Float64Array, slot: number): number {
    const positions = this.#positions;
    const part = this.#part;
    const score = this.#score;
    const value = this.#value;
    const back = this.#back;
    const { places } = this;
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
    places[start] = count;
    for (let p = back[positions]; p > 0; p = back[p]) places[start + count--] = p - 1;
    return result;
  }

  /** Returns the index of the additional potential before the i-th modifier of a slot, or after the last one. */
  #partAt(slot: number, i: number): number {
    const { places } = this;
    const positions = this.#positions;
    const start = slot * positions;
    const from = i === 1 ? 0 : places[start + i - 1] + 1;
    const to = i > places[start] ? positions : places[start + i] + 1;
    return this.#part[to * positions + from];
  }

  evaluate(variable: Float64Array, additional: Float64Array, slot: number): number {
    const { places } = this;
    const start = slot * this.#positions;
    const count = places[start];
    let sum = 0;
    for (let i = 1; i <= count + 1; i++) {
      const part = this.#partAt(slot, i);
      if (part < additional.length) sum += additional[part];
      if (i <= count) sum += variable[places[start + i]];
    }
    return sum;
  }

  addPosteriors(slot: number, weight: number, variable: Float64Array, additional: Float64Array): void {
    const { places } = this;
    const start = slot * this.#positions;
    const count = places[start];
    for (let i = 1; i <= count + 1; i++) {
      const part = this.#partAt(slot, i);
      if (part < this.additional) additional[part] += weight;
      if (i <= count) variable[places[start + i]] += weight;
    }
  }
}
