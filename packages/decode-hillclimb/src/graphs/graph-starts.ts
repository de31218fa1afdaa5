import type { Random } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import { createArborescenceSolver } from "@arcwise/decode-mst";
import type { GraphClimb } from "./graph-climb.ts";

/** Draws the graphs at which climbs begin. */
export class GraphStarts {
  readonly #climb: GraphClimb;
  readonly #arborescences = createArborescenceSolver();
  readonly #needsTree: boolean;
  readonly #temperature: number;
  readonly #weights: Float64Array;

  constructor(climb: GraphClimb) {
    const { headed, acyclic, spanningTree } = climb.state.problem.constraints ?? {};
    this.#climb = climb;
    // Without cycles, heads of all words lead to the root.
    this.#needsTree = spanningTree === true || (headed === true && acyclic === true);
    const { candidates, gains } = climb;
    const sum = candidates.reduce((total, arc) => total + Math.abs(gains[arc]), 0);
    this.#temperature = sum / Math.max(1, candidates.length);
    this.#weights = new Float64Array(gains.length);
  }

  /** Sets the best graph of the basic parts, as far as unique labels and cycles allow. */
  basic(): void {
    const { gains, state } = this.#climb;
    const { arcs, predicateScores } = state.problem;
    const sums = predicateScores.slice();
    for (const arc of this.#climb.candidates) if (gains[arc] > 0) sums[arcs.head[arc]] += gains[arc];
    const isOn = (arc: number): boolean => {
      const h = arcs.head[arc];
      return gains[arc] > 0 && (h === 0 || sums[h] > 0);
    };
    this.#weights.set(gains);
    this.#begin(isOn, [...this.#climb.candidates]);
  }

  /** Draws the arcs of a graph by their own scores, in random order. */
  draw(rng: Random): void {
    const { gains, candidates } = this.#climb;
    const temperature = this.#temperature;
    const weights = this.#weights;
    weights.fill(-Infinity);
    for (const arc of candidates) weights[arc] = temperature === 0 ? 0 : gains[arc] / temperature;
    const chances = weights.map((weight) => 1 / (1 + exp(-weight)));
    for (const arc of candidates) weights[arc] += 2 * rng.next();
    this.#begin((arc) => rng.next() < chances[arc], rng.shuffle([...candidates]));
  }

  /** Adds a tree first, where constraints need one, then the selected arcs. */
  #begin(isOn: (arc: number) => boolean, order: readonly number[]): void {
    const { state } = this.#climb;
    const { arcs, constraints = {} } = state.problem;
    state.clear();
    const heads = new Int32Array(arcs.n + 1);
    if (this.#needsTree && arcs.n > 0 && this.#arborescences.arcs(arcs, this.#weights, heads, false)) {
      for (const arc of order) if (heads[arcs.modifier[arc]] === arcs.head[arc]) this.#add(arc);
    }
    for (const arc of order) {
      if (state.labelled[arc] >= 0 || !isOn(arc)) continue;
      if (constraints.acyclic && this.#reaches(arcs.head[arc], arcs.modifier[arc])) continue;
      this.#add(arc);
    }
  }

  #add(arc: number): void {
    const chosen = this.#climb.state.bestFree(arc);
    if (chosen >= 0) this.#climb.state.set(arc, chosen);
  }

  /** Whether a word is an ancestor of another one. */
  #reaches(from: number, word: number): boolean {
    const { labelled, problem } = this.#climb.state;
    const { start, head } = problem.arcs;
    const seen = new Set([from]);
    const open = [from];
    for (let w = open.pop(); w !== undefined; w = open.pop()) {
      if (w === word) return true;
      for (let a = start[w]; a < start[w + 1]; a++) {
        if (labelled[a] < 0 || seen.has(head[a])) continue;
        seen.add(head[a]);
        open.push(head[a]);
      }
    }
    return false;
  }
}
