import type { GraphConstraints, GraphProblem } from "@arcwise/core";

/**
 * Counts how far a graph is from meeting constraints: words without a head, words that the root does not
 * reach, words in cycles or below them, and arcs outside of the largest component. 0 exactly if all are met.
 */
export class Violations {
  readonly #problem: GraphProblem;
  readonly #constraints: GraphConstraints;
  readonly #counts: Int32Array;
  readonly #open: Int32Array;
  /** Arcs by head: the arcs of word w are `arcs[start[w]] .. arcs[start[w + 1] - 1]`. */
  readonly #start: Int32Array;
  readonly #arcs: Int32Array;

  constructor(problem: GraphProblem) {
    const { n, head } = problem.arcs;
    this.#problem = problem;
    this.#constraints = problem.constraints ?? {};
    this.#counts = new Int32Array(n + 1);
    this.#open = new Int32Array(n + 1);
    this.#start = new Int32Array(n + 2);
    this.#arcs = new Int32Array(head.length);
    for (const h of head) this.#start[h + 1]++;
    for (let w = 0; w <= n; w++) this.#start[w + 1] += this.#start[w];
    const next = this.#start.slice();
    for (let a = 0; a < head.length; a++) this.#arcs[next[head[a]]++] = a;
  }

  /** Whether there are no constraints. */
  get isFree(): boolean {
    const { headed, acyclic, connected, spanningTree } = this.#constraints;
    return !(headed || acyclic || connected || spanningTree);
  }

  /** O(n + arcs). */
  count(labelled: Int32Array): number {
    const { headed, acyclic, connected, spanningTree } = this.#constraints;
    let count = 0;
    if (headed) count += this.#headless(labelled);
    if (spanningTree) count += this.#unreached(labelled);
    if (acyclic) count += this.#cyclic(labelled);
    if (connected) count += this.#unconnected(labelled);
    return count;
  }

  #headless(labelled: Int32Array): number {
    const { n, start } = this.#problem.arcs;
    let count = 0;
    for (let m = 1; m <= n; m++) {
      let a = start[m];
      while (a < start[m + 1] && labelled[a] < 0) a++;
      if (a === start[m + 1]) count++;
    }
    return count;
  }

  #unreached(labelled: Int32Array): number {
    const counts = this.#counts;
    const open = this.#open;
    const problem = this.#problem;
    const { n, modifier } = problem.arcs;
    counts.fill(0);
    counts[0] = 1;
    open[0] = 0;
    let reached = 1;
    for (let i = 0; i < reached; i++) {
      for (let k = this.#start[open[i]]; k < this.#start[open[i] + 1]; k++) {
        const a = this.#arcs[k];
        if (labelled[a] < 0 || counts[modifier[a]] === 1) continue;
        counts[modifier[a]] = 1;
        open[reached++] = modifier[a];
      }
    }
    return n + 1 - reached;
  }

  /** Counts the words that remain when words without heads are removed repeatedly (Kahn 1962). */
  #cyclic(labelled: Int32Array): number {
    const counts = this.#counts;
    const open = this.#open;
    const problem = this.#problem;
    const { n, modifier } = problem.arcs;
    counts.fill(0);
    for (let a = 0; a < labelled.length; a++) if (labelled[a] >= 0) counts[modifier[a]]++;
    let removed = 0;
    for (let w = 0; w <= n; w++) if (counts[w] === 0) open[removed++] = w;
    for (let i = 0; i < removed; i++) {
      for (let k = this.#start[open[i]]; k < this.#start[open[i] + 1]; k++) {
        const a = this.#arcs[k];
        if (labelled[a] >= 0 && --counts[modifier[a]] === 0) open[removed++] = modifier[a];
      }
    }
    return n + 1 - removed;
  }

  /** Counts the arcs outside the component with the most arcs. */
  #unconnected(labelled: Int32Array): number {
    const counts = this.#counts;
    const component = this.#open;
    const problem = this.#problem;
    const { n, head, modifier } = problem.arcs;
    for (let w = 0; w <= n; w++) component[w] = w;
    const top = (word: number): number => {
      let w = word;
      while (component[w] !== w) w = component[w];
      return w;
    };
    let all = 0;
    for (let a = 0; a < labelled.length; a++) {
      if (labelled[a] < 0 || head[a] === 0) continue;
      all++;
      component[top(head[a])] = top(modifier[a]);
    }
    counts.fill(0);
    let largest = 0;
    for (let a = 0; a < labelled.length; a++) {
      if (labelled[a] < 0 || head[a] === 0) continue;
      largest = Math.max(largest, ++counts[top(head[a])]);
    }
    return all - largest;
  }
}
