/** A rise of potentials by more than this at once makes all bounds infinite. */
const LARGE = 1024;
/** Allowance for rounding errors in a bound. */
const ROUNDING = 1e-9;

/**
 * Viterbi search over the modifiers of one head on one side, nearest first, scored by adjacent modifiers. The
 * state after modifier i is i with the previous modifier j (-1: none), or i alone if no score depends on j.
 * There may be several sets of scores, one per grandparent of the modifiers.
 *
 * The maximum is computed for one grandparent at a time, and only if its bound says that it may matter: a
 * maximum rises by no more than the potentials do.
 *
 * Cells are in the order of `PartTable`: the cells of modifier i begin at i (i + 1) / 2, first j = none, then
 * j = 0, 1, ....
 */
export class AutomatonSide {
  /** Number of modifiers. */
  count = 0;
  /** Variable index of the nearest modifier; the others follow. */
  first = 0;
  /** Score of i next to j: one block of cells per grandparent. */
  transitions = new Float64Array(16);
  /** Score of i as the outermost modifier. */
  last = new Float64Array(4);
  /**
   * Scores of three consecutive modifiers i, j, t: the scores of i begin at `triStart[i]`, in the order of
   * the cells of modifiers up to i - 1.
   */
  tri: Float64Array | undefined;
  triStart = new Int32Array(4);
  /**
   * For each grandparent, an upper bound of the score of any choice of modifiers: the maximum when it was
   * last computed, plus the rises of potentials since then.
   */
  #most = new Float64Array(4);
  #risenBefore = new Float64Array(4);
  /** For each grandparent, the version of the potentials for which `most` was computed. */
  #computed = new Int32Array(4);
  #version = 0;
  /** The sum of all rises of potentials. */
  #risen = 0;
  /** The version and the grandparent for which `best` was computed. */
  #filledVersion = -1;
  #filled = -1;
  /** Best chain up to a state, with the variables' potentials. */
  #best = new Float64Array(16);
  /** The potentials of the current version. */
  #known = new Float64Array(4);

  /**
   * Allocates memory for `count` modifiers and the scores of `grandparents` blocks; all potentials must be 0.
   */
  reserve(count: number, grandparents: number): void {
    this.count = count;
    const cells = cellsOf(count);
    if (this.#most.length < grandparents) {
      this.#most = new Float64Array(2 * grandparents);
      this.#risenBefore = new Float64Array(2 * grandparents);
      this.#computed = new Int32Array(2 * grandparents);
    }
    if (this.last.length < count) {
      this.last = new Float64Array(2 * count);
      this.#known = new Float64Array(2 * count);
      this.triStart = new Int32Array(2 * count);
      this.#best = new Float64Array(cellsOf(2 * count));
    }
    if (this.transitions.length < cells * grandparents) {
      this.transitions = new Float64Array(2 * cells * grandparents);
    }
    this.#known.fill(0, 0, count);
    this.#forget();
  }

  /** Reads the potentials of the modifiers and raises the bounds accordingly. */
  update(potentials: Float64Array): void {
    const { count, first } = this;
    const known = this.#known;
    let rise = 0;
    let isChanged = false;
    for (let i = 0; i < count; i++) {
      const potential = potentials[first + i];
      const before = known[i];
      if (potential === before) continue;
      isChanged = true;
      known[i] = potential;
      if (potential > before) rise += potential - before;
    }
    if (!isChanged) return;
    this.#version++;
    // Sums of large numbers are too inexact to show small differences.
    if (rise < LARGE) this.#risen += rise;
    else this.#forget();
  }

  /**
   * Returns an upper bound of the score of any choice of modifiers for grandparent g, as of the last
   * `update`.
   */
  boundOf(g: number): number {
    if (this.#computed[g] === this.#version) return this.#most[g];
    return this.#most[g] + (this.#risen - this.#risenBefore[g]) + ROUNDING;
  }

  /** Returns whether `boundOf` is the exact maximum. */
  isExact(g: number): boolean {
    return this.#computed[g] === this.#version;
  }

  /** Makes `boundOf` exact for grandparent g. O(k²), with triples O(k³). */
  compute(g: number): void {
    if (this.isExact(g)) return;
    this.#most[g] = this.#fill(g);
    this.#risenBefore[g] = this.#risen;
    this.#computed[g] = this.#version;
  }

  /** Writes the variables of a best choice of modifiers in ascending order; returns the index after them. */
  read(g: number, out: Int32Array, at: number): number {
    if (this.count === 0) return at;
    const most = this.#filled === g && this.#filledVersion === this.#version ? this.#most[g] : this.#fill(g);
    const cell = this.#lastCell(most);
    if (cell < 0) return at;
    const next =
      this.tri === undefined ? this.#readChain(g, cell, out, at) : this.#readTriples(cell, out, at);
    reverse(out, at, next);
    return next;
  }

  #forget(): void {
    this.#version = 0;
    this.#risen = 0;
    this.#filledVersion = -1;
    this.#most.fill(Infinity);
    this.#risenBefore.fill(0);
    this.#computed.fill(-1);
  }

  /** Returns the highest score of any choice of modifiers, including the empty one, for grandparent g. */
  #fill(g: number): number {
    this.#filled = g;
    this.#filledVersion = this.#version;
    if (this.count === 0) return 0;
    return this.tri === undefined ? this.#fillChain(g) : this.#fillTriples(g, this.tri);
  }

  /**
   * Returns the score of a choice of modifiers, given by their variables in ascending order, without the
   * variables' potentials.
   */
  scoreOf(g: number, places: Int32Array, from: number, to: number): number {
    if (from === to) return 0;
    const { transitions, last, tri, triStart, first, count } = this;
    const base = g * cellsOf(count);
    let sum = 0;
    let j = -1;
    let t = -1;
    for (let at = from; at < to; at++) {
      const i = places[at] - first;
      sum += transitions[base + cellsOf(i) + 1 + j];
      if (tri !== undefined && j >= 0) sum += tri[triStart[i] + cellsOf(j) + 1 + t];
      t = j;
      j = i;
    }
    return sum + last[j];
  }

  #fillChain(g: number): number {
    const { transitions, last, count } = this;
    const best = this.#best;
    const known = this.#known;
    let at = g * cellsOf(count);
    let most = 0;
    for (let i = 0; i < count; i++) {
      let value = transitions[at++];
      for (let j = 0; j < i; j++) {
        const sum = best[j] + transitions[at++];
        if (sum > value) value = sum;
      }
      value += known[i];
      best[i] = value;
      const closed = value + last[i];
      if (closed > most) most = closed;
    }
    return most;
  }

  #fillTriples(g: number, tri: Float64Array): number {
    const { transitions, last, triStart, count } = this;
    const best = this.#best;
    const known = this.#known;
    const base = g * cellsOf(count);
    let cell = 0;
    let most = 0;
    for (let i = 0; i < count; i++) {
      const potential = known[i];
      const end = last[i];
      best[cell] = potential + transitions[base + cell];
      if (best[cell] + end > most) most = best[cell] + end;
      cell++;
      let inner = 0;
      let at = triStart[i];
      for (let j = 0; j < i; j++) {
        let value = -Infinity;
        for (let t = 0; t <= j; t++) {
          const sum = best[inner++] + tri[at++];
          if (sum > value) value = sum;
        }
        value += potential + transitions[base + cell];
        best[cell++] = value;
        if (value + end > most) most = value + end;
      }
    }
    return most;
  }

  /**
   * Returns the cell in which a best choice ends, or -1 when it is empty. In a chain without triples, the
   * modifier.
   */
  #lastCell(most: number): number {
    if (most <= 0) return -1;
    const { last, count, tri } = this;
    const best = this.#best;
    let cell = 0;
    for (let i = 0; i < count; i++) {
      const end = tri === undefined ? i + 1 : cellsOf(i + 1);
      for (; cell < end; cell++) if (best[cell] + last[i] === most) return cell;
    }
    return -1;
  }

  #readChain(g: number, lastModifier: number, out: Int32Array, at: number): number {
    const { transitions, count, first } = this;
    const best = this.#best;
    const base = g * cellsOf(count);
    let place = at;
    for (let i = lastModifier; ; ) {
      out[place++] = first + i;
      const row = base + cellsOf(i);
      let value = transitions[row];
      let next = -1;
      for (let j = 0; j < i; j++) {
        const sum = best[j] + transitions[row + 1 + j];
        if (sum > value) {
          value = sum;
          next = j;
        }
      }
      if (next < 0) return place;
      i = next;
    }
  }

  #readTriples(lastCell: number, out: Int32Array, at: number): number {
    const { triStart, first } = this;
    const best = this.#best;
    const tri = this.tri!;
    let place = at;
    let i = rowOf(lastCell);
    let j = lastCell - cellsOf(i) - 1;
    for (;;) {
      out[place++] = first + i;
      if (j < 0) return place;
      const row = cellsOf(j);
      let value = -Infinity;
      let next = -1;
      for (let t = 0; t <= j; t++) {
        const sum = best[row + t] + tri[triStart[i] + row + t];
        if (sum > value) {
          value = sum;
          next = t - 1;
        }
      }
      i = j;
      j = next;
    }
  }
}

/** Returns the number of cells of `count` modifiers, and the first cell of modifier `count`. */
export function cellsOf(count: number): number {
  return (count * (count + 1)) / 2;
}

/** Returns the modifier that a cell belongs to. */
function rowOf(cell: number): number {
  let row = 0;
  while (cellsOf(row + 1) <= cell) row++;
  return row;
}

function reverse(values: Int32Array, from: number, to: number): void {
  for (let a = from, b = to - 1; a < b; a++, b--) {
    const swapped = values[a];
    values[a] = values[b];
    values[b] = swapped;
  }
}
