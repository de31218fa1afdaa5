/** The best tree seen so far, and the number of maxima computed for it. */
export class Progress {
  /** Heads of the best tree, and its score; -Infinity if no feasible tree was seen. */
  heads = new Int32Array(0);
  score = -Infinity;
  /** Number of maxima of the tree factor in the dual ascent. */
  iterations = 0;

  reset(n: number): void {
    if (this.heads.length !== n + 1) this.heads = new Int32Array(n + 1);
    this.heads[0] = -1;
    this.score = -Infinity;
    this.iterations = 0;
  }

  /** Stores the tree if it is better. */
  offer(heads: Int32Array, score: number): void {
    if (score <= this.score) return;
    this.score = score;
    this.heads.set(heads);
  }
}
