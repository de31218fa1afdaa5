import { type ChainTable, type GraphProblem, isPairTable } from "@arcwise/core";
import { ChainScores } from "./chain-scores.ts";
import { type PairNeighbours, pairNeighbours } from "./pair-neighbours.ts";

/**
 * A graph that a search changes, with its score: labelled arcs are turned on and off, predicates follow. A
 * journal of the changes allows undoing them. A change takes O(pairs and chains of the arc).
 */
export class GraphState {
  readonly problem: GraphProblem;
  /** One entry an arc: its labelled arc, or -1. */
  readonly labelled: Int32Array;
  /** Number of arcs of each predicate. */
  readonly degree: Int32Array;
  score = 0;
  /** For each predicate and label: the arc that has the label, where it is unique; else -1. */
  readonly #holder: Int32Array;
  readonly #pairs: PairNeighbours;
  readonly #chains: readonly ChainScores[];
  readonly #changed: number[] = [];
  readonly #before: number[] = [];

  constructor(problem: GraphProblem) {
    const { arcs, labels, parts } = problem;
    this.problem = problem;
    this.labelled = new Int32Array(arcs.head.length).fill(-1);
    this.degree = new Int32Array(arcs.n + 1);
    this.#holder = new Int32Array((arcs.n + 1) * labels.count).fill(-1);
    this.#pairs = pairNeighbours(problem);
    this.#chains = parts
      .filter((table): table is ChainTable => !isPairTable(table))
      .map((table) => new ChainScores(problem, table));
    this.clear();
  }

  /** Turns all arcs off. */
  clear(): void {
    this.labelled.fill(-1);
    this.degree.fill(0);
    this.#holder.fill(-1);
    this.commit();
    this.score = this.problem.predicateScores.reduce((sum, score) => sum + Math.max(0, score), 0);
    for (const chains of this.#chains) this.score += chains.empty;
  }

  /** The number of changes that can be undone. */
  get mark(): number {
    return this.#changed.length;
  }

  /** Makes all changes final. */
  commit(): void {
    this.#changed.length = 0;
    this.#before.length = 0;
  }

  /** Undoes all changes since a mark; `score` is the score at the mark. */
  undo(mark: number, score: number): void {
    while (this.#changed.length > mark) this.#put(this.#changed.pop()!, this.#before.pop()!);
    this.score = score;
  }

  /** Gives an arc a labelled arc, or turns it off with -1. A unique label must be free. */
  set(arc: number, chosen: number): void {
    this.#changed.push(arc);
    this.#before.push(this.labelled[arc]);
    this.#put(arc, chosen);
  }

  /** Returns the arc of the same predicate that has the unique label of a labelled arc; -1: none. */
  holderOf(arc: number, chosen: number): number {
    const { arcs, labels, unique } = this.problem;
    const label = labels.label[chosen];
    if (unique[label] === 0) return -1;
    const other = this.#holder[arcs.head[arc] * labels.count + label];
    return other === arc ? -1 : other;
  }

  /** Returns the best labelled arc of an arc whose label is free, except `but`; -1: none. */
  bestFree(arc: number, but = -1): number {
    const { start, scores } = this.problem.labels;
    let best = -1;
    for (let k = start[arc]; k < start[arc + 1]; k++) {
      if (scores[k] === -Infinity || k === but || (best >= 0 && scores[k] <= scores[best])) continue;
      if (this.holderOf(arc, k) < 0) best = k;
    }
    return best;
  }

  #put(arc: number, chosen: number): void {
    const { labelled, degree, problem } = this;
    const holder = this.#holder;
    const { arcs, arcScores, predicateScores, labels, unique } = problem;
    const old = labelled[arc];
    const h = arcs.head[arc];
    if (old >= 0) {
      this.score -= labels.scores[old];
      if (unique[labels.label[old]] === 1) holder[h * labels.count + labels.label[old]] = -1;
    }
    if (chosen >= 0) {
      this.score += labels.scores[chosen];
      if (unique[labels.label[chosen]] === 1) holder[h * labels.count + labels.label[chosen]] = arc;
    }
    labelled[arc] = chosen;
    if (old >= 0 === chosen >= 0) return;
    const sign = chosen >= 0 ? 1 : -1;
    this.score += sign * (arcScores[arc] + this.#partsOf(arc));
    const isEdge = sign > 0 ? degree[h] === 0 : degree[h] === 1;
    if (isEdge && h > 0) this.score += sign * Math.min(0, predicateScores[h]);
    degree[h] += sign;
  }

  /** Returns the scores of the parts of an arc with the arcs that are on. */
  #partsOf(arc: number): number {
    const { labelled } = this;
    const pairs = this.#pairs;
    const chains = this.#chains;
    let sum = 0;
    for (let k = pairs.start[arc]; k < pairs.start[arc + 1]; k++) {
      if (labelled[pairs.other[k]] >= 0) sum += pairs.score[k];
    }
    for (let i = 0; i < chains.length; i++) sum += chains[i].gain(arc, labelled);
    return sum;
  }
}
