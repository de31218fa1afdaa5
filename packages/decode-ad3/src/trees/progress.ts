import type { StepListener } from "@arcwise/core";

/** The best tree seen so far, and the number of maxima computed for it. */
export class Progress {
  /** Heads of the best tree, and its score; -Infinity if no feasible tree was seen. */
  heads = new Int32Array(0);
  score = -Infinity;
  /** Number of maxima of the tree factor in the dual ascent. */
  iterations = 0;
  /** Receives the trees that are best so far, and bounds; scores are in units of 1 / `scale`. */
  #onStep: StepListener | undefined;
  #scale = 1;
  /** The lowest bound reported; -Infinity when bounds are not reported. */
  #bound = -Infinity;

  reset(n: number): void {
    if (this.heads.length !== n + 1) this.heads = new Int32Array(n + 1);
    this.heads[0] = -1;
    this.score = -Infinity;
    this.iterations = 0;
  }

  /** Reports what is offered from now on. */
  watch(onStep: StepListener | undefined, scale: number): void {
    this.#onStep = onStep;
    this.#scale = scale;
    this.#bound = onStep === undefined ? -Infinity : Infinity;
  }

  /** Reports trees alone from now on: bounds concern a part of the trees. */
  endBounds(): void {
    this.#bound = -Infinity;
  }

  /** Stores the tree if it is better. */
  offer(heads: Int32Array, score: number): void {
    if (score <= this.score) return;
    this.score = score;
    this.heads.set(heads);
    this.#onStep?.({ kind: "tree", heads: heads.slice(), score: score / this.#scale, isBest: true });
  }

  /** Reports the bound of all trees after a number of iterations. */
  offerBound(bound: number, iteration: number): void {
    if (this.score === -Infinity || this.#bound === -Infinity) return;
    this.#bound = Math.max(this.score, Math.min(this.#bound, bound));
    const [lowest, score] = [this.#bound / this.#scale, this.score / this.#scale];
    this.#onStep?.({ kind: "bound", iteration, bound: lowest, score });
  }
}
