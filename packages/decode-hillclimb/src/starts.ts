import { type Arcs, arcIndex, type Random } from "@arcwise/core";
import { exp, log } from "@arcwise/core/arithmetic";
import { createArborescenceSolver, createTreeSampler, type TreeSampler } from "@arcwise/decode-mst";
import { grownFloat64, grownUint8 } from "./memory.ts";

/** Maximum number of steps a word of a random walk, after which another sampler replaces it. */
const MAX_STEPS = 40;

/**
 * Maximum number of words for the exact sampler. It takes O(n³) a tree, which is a second or two for 400
 * words that all prefer their neighbours.
 */
const MAX_EXACT = 100;

/** Smallest non-zero draw, which replaces a draw of 0, since 0 has no logarithm. */
const SMALLEST_DRAW = 2 ** -53;

/** The automatic temperature, in units of `spreadOf`. */
const AUTO_TEMPERATURE = 0.5;

/**
 * Draws trees over candidate arcs with probability proportional to exp(score / temperature).
 *
 * Wilson's walk (1996) draws from the trees with any number of roots. With a single root, trees with several
 * are rejected, which leaves the exact distribution of the others. The walk needs O(arcs) of preparation, a
 * sampler that draws the root word first O(n³). That sampler takes over when walks get long. This causes no
 * bias, because the length of a walk is independent of the tree that it ends in (Propp and Wilson 1998).
 *
 * In sentences of more than 100 words it takes too long. There the best tree of perturbed scores takes over,
 * score / temperature plus Gumbel noise, whose distribution is near the other (perturb-and-MAP; Papandreou
 * and Yuille 2011): O(n²) a tree.
 */
export class Starts {
  readonly #singleRoot: boolean;
  readonly #temperature: number | "auto";
  readonly #solver = createArborescenceSolver();
  #exact: TreeSampler | undefined;
  /** Whether walks were too long in this sentence. */
  #isSlow = false;
  #arcs!: Arcs;
  #arcScores!: Float64Array;
  /** For each arc, the cumulative weight of the candidate heads of its modifier. */
  #cumulative: Float64Array = new Float64Array(0);
  #scale = 1;
  #perturbed: Float64Array = new Float64Array(0);
  #inTree: Uint8Array = new Uint8Array(0);
  #heads: Int32Array = new Int32Array(0);

  constructor(singleRoot: boolean, temperature: number | "auto") {
    this.#singleRoot = singleRoot;
    this.#temperature = temperature;
  }

  /** Prepares for a sentence. O(arcs). */
  prepare(arcs: Arcs, arcScores: Float64Array): void {
    const { n, start } = arcs;
    this.#arcs = arcs;
    this.#arcScores = arcScores;
    this.#isSlow = false;
    this.#exact = undefined;
    this.#scale =
      this.#temperature === "auto"
        ? // Half of the smallest numbers is 0, which is not a temperature.
          Math.max(Number.MIN_VALUE, AUTO_TEMPERATURE * spreadOf(arcs, arcScores))
        : this.#temperature;
    this.#cumulative = grownFloat64(this.#cumulative, arcScores.length);
    this.#inTree = grownUint8(this.#inTree, n + 1);
    const cumulative = this.#cumulative;
    const scale = this.#scale;
    for (let m = 1; m <= n; m++) {
      const end = start[m + 1];
      let best = -Infinity;
      for (let a = start[m]; a < end; a++) if (arcScores[a] > best) best = arcScores[a];
      let sum = 0;
      for (let a = start[m]; a < end; a++) {
        if (arcScores[a] !== -Infinity) sum += exp((arcScores[a] - best) / scale);
        cumulative[a] = sum;
      }
    }
  }

  /**
   * Draws a tree and writes its arcs, one a word. The arcs must contain a tree.
   *
   * Costs the steps of the walk, a small multiple of n as a rule; at most O(n³) up to 100 words and O(n²)
   * above.
   */
  draw(stream: Random, arcOf: Int32Array): void {
    const { n } = this.#arcs;
    if (n === 0) return;
    let steps = MAX_STEPS * (n + 1);
    while (!this.#isSlow) {
      steps = this.#walk(stream, arcOf, steps);
      if (steps <= 0) this.#isSlow = true;
      else if (!this.#singleRoot || this.#rootWords(arcOf) === 1) return;
    }
    if (this.#heads.length !== n + 1) this.#heads = new Int32Array(n + 1);
    if (n > MAX_EXACT) this.#perturbAndSolve(stream);
    else this.#exactSampler().sample(stream, this.#heads);
    for (let m = 1; m <= n; m++) arcOf[m] = arcIndex(this.#arcs, this.#heads[m], m);
  }

  #exactSampler(): TreeSampler {
    if (this.#exact === undefined) {
      this.#exact = createTreeSampler({ singleRoot: this.#singleRoot, temperature: this.#scale });
      this.#exact.prepare(this.#arcs, this.#arcScores);
    }
    return this.#exact;
  }

  /** Writes the heads of the best tree of scores with noise. */
  #perturbAndSolve(stream: Random): void {
    const scores = this.#arcScores;
    if (this.#perturbed.length !== scores.length) this.#perturbed = new Float64Array(scores.length);
    const perturbed = this.#perturbed;
    for (let a = 0; a < scores.length; a++) {
      const noise = -log(-log(Math.max(SMALLEST_DRAW, stream.next())));
      perturbed[a] = scores[a] === -Infinity ? -Infinity : scores[a] / this.#scale + noise;
    }
    this.#solver.arcs(this.#arcs, perturbed, this.#heads, this.#singleRoot);
  }

  /** Draws by Wilson's walk. Returns the number of steps left, 0 if there were too few. */
  #walk(stream: Random, arcOf: Int32Array, steps: number): number {
    const { n, start, head } = this.#arcs;
    const cumulative = this.#cumulative;
    const inTree = this.#inTree;
    inTree.fill(0, 0, n + 1);
    inTree[0] = 1;
    let left = steps;
    for (let m = 1; m <= n; m++) {
      for (let at = m; inTree[at] === 0; at = head[arcOf[at]]) {
        if (--left <= 0) return 0;
        const last = start[at + 1] - 1;
        const draw = stream.next() * cumulative[last];
        let a = start[at];
        while (a < last && cumulative[a] <= draw) a++;
        arcOf[at] = a;
      }
      for (let at = m; inTree[at] === 0; at = head[arcOf[at]]) inTree[at] = 1;
    }
    return left;
  }

  #rootWords(arcOf: Int32Array): number {
    const { n, head } = this.#arcs;
    let count = 0;
    for (let m = 1; m <= n; m++) if (head[arcOf[m]] === 0) count++;
    return count;
  }
}

/**
 * Returns by how much the other candidates of a word score less than its best one, averaged over candidates
 * and words; 1 if all are equal. O(arcs).
 */
function spreadOf({ n, start }: Arcs, arcScores: Float64Array): number {
  let sum = 0;
  let words = 0;
  for (let m = 1; m <= n; m++) {
    let best = -Infinity;
    let total = 0;
    let count = 0;
    for (let a = start[m]; a < start[m + 1]; a++) {
      if (arcScores[a] === -Infinity) continue;
      if (arcScores[a] > best) best = arcScores[a];
      total += arcScores[a];
      count++;
    }
    if (count < 2) continue;
    sum += (count * best - total) / (count - 1);
    words++;
  }
  return sum > 0 ? sum / words : 1;
}
