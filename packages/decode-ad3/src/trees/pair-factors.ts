/**
 * Factors of two arcs that score when both are on; -Infinity forbids that. They are stored in columns, since
 * there are as many as parts.
 */
export class PairFactors {
  count = 0;
  /** Two arcs per factor. */
  arcs = new Int32Array(64);
  scores = new Float64Array(32);
  /** Two entries per factor: its shares of the scores of its arcs. */
  potentials = new Float64Array(64);

  reset(): void {
    this.count = 0;
  }

  add(a: number, b: number, score: number): void {
    const at = this.count++;
    if (at === this.scores.length) this.#grow();
    this.arcs[2 * at] = a;
    this.arcs[2 * at + 1] = b;
    this.scores[at] = score;
    this.potentials[2 * at] = 0;
    this.potentials[2 * at + 1] = 0;
  }

  /** Returns the score of the factors when these arcs are on. */
  scoreOf(on: Uint8Array): number {
    const { arcs, scores, count } = this;
    let sum = 0;
    for (let i = 0; i < count; i++) if (on[arcs[2 * i]] === 1 && on[arcs[2 * i + 1]] === 1) sum += scores[i];
    return sum;
  }

  /** Returns the sum of the factors' maxima. */
  maximum(): number {
    const { potentials, scores, count } = this;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const a = potentials[2 * i];
      const b = potentials[2 * i + 1];
      sum += Math.max(0, a, b, a + b + scores[i]);
    }
    return sum;
  }

  /** Returns the number of arcs on which best configurations and tree differ. */
  difference(on: Uint8Array): number {
    const { arcs, count } = this;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const best = this.#bestOf(i);
      if ((best & 1) !== on[arcs[2 * i]]) sum++;
      if (best >> 1 !== on[arcs[2 * i + 1]]) sum++;
    }
    return sum;
  }

  /** Marks the arcs that `difference` counts. */
  markDifference(on: Uint8Array, marks: Uint8Array): void {
    const { arcs, count } = this;
    for (let i = 0; i < count; i++) {
      const best = this.#bestOf(i);
      if ((best & 1) !== on[arcs[2 * i]]) marks[arcs[2 * i]] = 1;
      if (best >> 1 !== on[arcs[2 * i + 1]]) marks[arcs[2 * i + 1]] = 1;
    }
  }

  /** See `ArcFactor`: a subgradient step towards the tree. */
  move(on: Uint8Array, amount: number, arcScores: Float64Array): void {
    const { arcs, potentials, count } = this;
    for (let i = 0; i < count; i++) {
      const best = this.#bestOf(i);
      for (let side = 0; side < 2; side++) {
        const place = 2 * i + side;
        const change = amount * (((best >> side) & 1) - on[arcs[place]]);
        potentials[place] -= change;
        arcScores[arcs[place]] += change;
      }
    }
  }

  /** Returns the arcs that a best configuration has on, as bits: 1 the first, 2 the second. */
  #bestOf(i: number): number {
    const a = this.potentials[2 * i];
    const b = this.potentials[2 * i + 1];
    const both = a + b + this.scores[i];
    if (both > 0 && both >= a && both >= b) return 3;
    if (a > 0 && a >= b) return 1;
    return b > 0 ? 2 : 0;
  }

  #grow(): void {
    const arcs = new Int32Array(2 * this.arcs.length);
    const scores = new Float64Array(2 * this.scores.length);
    const potentials = new Float64Array(2 * this.potentials.length);
    arcs.set(this.arcs);
    scores.set(this.scores);
    potentials.set(this.potentials);
    this.arcs = arcs;
    this.scores = scores;
    this.potentials = potentials;
  }
}
