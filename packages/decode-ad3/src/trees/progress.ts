/** The best tree seen so far, and how much was done for it. */
export class Progress {
  /** Heads of the best tree, and its score; -Infinity: none that is allowed. */
  heads = new Int32Array(0);
  score = -Infinity;
  /** Maxima of the tree factor that the dual ascent asked for. */
  iterations = 0;

  reset(n: number): void {
    if (this.heads.length !== n + 1) this.heads = new Int32Array(n + 1);
    this.heads[0] = -1;
    this.score = -Infinity;
    this.iterations = 0;
  }

  /** Keeps the tree if it is better. */
  offer(heads: Int32Array, score: number): void {
    if (score <= this.score) return;
    this.score = score;
    this.heads.set(heads);
  }
}
