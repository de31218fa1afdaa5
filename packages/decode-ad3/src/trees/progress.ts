import type { StepListener } from "@arcwise/core";
import { Scale } from "../solver/scale.ts";

/** The best tree seen so far, and the number of maxima computed for it. */
export class Progress {
  /** Heads of the best tree, and its score; -Infinity if no feasible tree was seen. */
  heads = new Int32Array(0);
  score = -Infinity;
  /** Number of maxima of the tree factor in the dual ascent. */
  iterations = 0;
  /** Receives the trees that are best so far, and bounds; scores are in the units of the problem. */
  #onStep: StepListener | undefined;
  #scale = new Scale(0);
  /** The lowest bound reported; -Infinity when bounds are not reported. */
  #bound = -Infinity;

  reset(n: number): void {
    if (this.heads.length !== n + 1) this.heads = new Int32Array(n + 1);
    this.heads[0] = -1;
    this.score = -Infinity;
    this.iterations = 0;
  }

  /** Reports what is offered from now on. */
  watch(onStep: StepListener | undefined, scale: Scale): void {
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
    this.#onStep?.({ kind: "tree", heads: heads.slice(), score: this.#scale.original(score), isBest: true });
  }

  /** Reports the bound of all trees after a number of iterations. */
  offerBound(bound: number, iteration: number): void {
    if (this.score === -Infinity || this.#bound === -Infinity) return;
    this.#bound = Math.max(this.score, Math.min(this.#bound, bound));
    const [lowest, score] = [this.#bound, this.score].map((each) => this.#scale.original(each));
    this.#onStep?.({ kind: "bound", iteration, bound: lowest, score });
  }
}
