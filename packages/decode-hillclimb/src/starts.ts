import { type Arcs, arcIndex, type Random } from "@arcwise/core";
import { createTreeSampler, type TreeSampler } from "@arcwise/decode-mst";
import { grownFloat64, grownUint8 } from "./memory.ts";

/** Steps of random walks that a tree may take, a word, before the other sampler draws it. */
const STEPS = 40;

/** The automatic temperature, in units of how far the candidates of a word lie apart. */
const AUTO = 0.5;

/**
 * Draws trees over candidate arcs with probability proportional to exp(score / temperature), exactly, as one arc a
 * word.
 *
 * Wilson's walk (1996) draws from the trees with any number of roots; those with several are thrown away where one is
 * asked for. What is left has the right distribution, since all of these trees have one arc of the root. That costs no
 * preparation but O(arcs), while to draw the root first takes O(n³); when walks get long, the sampler that does so
 * takes over, and nothing is biased, because the length of a walk is independent of the tree that it ends in (Propp and
 * Wilson 1998).
 */
export class Starts {
  readonly #singleRoot: boolean;
  readonly #temperature: number | "auto";
  #careful: TreeSampler | undefined;
  /** Whether walks were too long in this sentence. */
  #isCareful = false;
  #arcs!: Arcs;
  #arcScores!: Float64Array;
  /** For each arc, the sum of the probabilities of the heads of its modifier up to it. */
  #upTo: Float64Array = new Float64Array(0);
  #degrees = 1;
  #inTree: Uint8Array = new Uint8Array(0);
  #heads: Int32Array = new Int32Array(0);

  constructor(singleRoot: boolean, temperature: number | "auto") {
    this.#singleRoot = singleRoot;
    this.#temperature = temperature;
  }

  /** Makes ready for a sentence. O(arcs). */
  prepare(arcs: Arcs, arcScores: Float64Array): void {
    const { n, start } = arcs;
    this.#arcs = arcs;
    this.#arcScores = arcScores;
    this.#isCareful = false;
    this.#careful = undefined;
    this.#degrees = this.#temperature === "auto" ? AUTO * spreadOf(arcs, arcScores) : this.#temperature;
    this.#upTo = grownFloat64(this.#upTo, arcScores.length);
    this.#inTree = grownUint8(this.#inTree, n + 1);
    const upTo = this.#upTo;
    const degrees = this.#degrees;
    for (let m = 1; m <= n; m++) {
      const end = start[m + 1]!;
      let best = -Infinity;
      for (let a = start[m]!; a < end; a++) if (arcScores[a]! > best) best = arcScores[a]!;
      let sum = 0;
      for (let a = start[m]!; a < end; a++) {
        if (arcScores[a] !== -Infinity) sum += Math.exp((arcScores[a]! - best) / degrees);
        upTo[a] = sum;
      }
    }
  }

  /**
   * Draws a tree: its arcs, one a word. There must be one.
   *
   * Cost: the walk, often a few n steps; never more than O(n³).
   */
  draw(stream: Random, arcOf: Int32Array): void {
    const { n } = this.#arcs;
    if (n === 0) return;
    let steps = STEPS * (n + 1);
    while (!this.#isCareful) {
      steps = this.#walk(stream, arcOf, steps);
      if (steps <= 0) this.#isCareful = true;
      else if (!this.#singleRoot || this.#rootWords(arcOf) === 1) return;
    }
    if (this.#careful === undefined) {
      this.#careful = createTreeSampler({ singleRoot: this.#singleRoot, temperature: this.#degrees });
      this.#careful.prepare(this.#arcs, this.#arcScores);
    }
    if (this.#heads.length !== n + 1) this.#heads = new Int32Array(n + 1);
    this.#careful.sample(stream, this.#heads);
    for (let m = 1; m <= n; m++) arcOf[m] = arcIndex(this.#arcs, this.#heads[m]!, m);
  }

  /** Wilson's walk: the steps that are left, or 0 when they did not suffice. */
  #walk(stream: Random, arcOf: Int32Array, steps: number): number {
    const { n, start, head } = this.#arcs;
    const upTo = this.#upTo;
    const inTree = this.#inTree;
    inTree.fill(0, 0, n + 1);
    inTree[0] = 1;
    let left = steps;
    for (let m = 1; m <= n; m++) {
      for (let at = m; inTree[at] === 0; at = head[arcOf[at]!]!) {
        if (--left <= 0) return 0;
        const last = start[at + 1]! - 1;
        const draw = stream.next() * upTo[last]!;
        let a = start[at]!;
        while (a < last && upTo[a]! <= draw) a++;
        arcOf[at] = a;
      }
      for (let at = m; inTree[at] === 0; at = head[arcOf[at]!]!) inTree[at] = 1;
    }
    return left;
  }

  #rootWords(arcOf: Int32Array): number {
    const { n, head } = this.#arcs;
    let count = 0;
    for (let m = 1; m <= n; m++) if (head[arcOf[m]!] === 0) count++;
    return count;
  }
}

/**
 * How far the other candidates of a word are below its best one: their mean, and of these the mean over words. 1 when
 * all are equal. O(arcs).
 */
function spreadOf({ n, start }: Arcs, arcScores: Float64Array): number {
  let sum = 0;
  let words = 0;
  for (let m = 1; m <= n; m++) {
    let best = -Infinity;
    let total = 0;
    let count = 0;
    for (let a = start[m]!; a < start[m + 1]!; a++) {
      if (arcScores[a] === -Infinity) continue;
      if (arcScores[a]! > best) best = arcScores[a]!;
      total += arcScores[a]!;
      count++;
    }
    if (count < 2) continue;
    sum += (count * best - total) / (count - 1);
    words++;
  }
  return sum > 0 ? sum / words : 1;
}
