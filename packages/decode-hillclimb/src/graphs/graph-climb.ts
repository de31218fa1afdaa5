import type { GraphProblem } from "@arcwise/core";
import { GraphState } from "./graph-state.ts";
import { Violations } from "./violations.ts";

/** Changes of the score below this, relative to the largest score, are rounding. */
const EPSILON = 1e-10;

/**
 * Climbs from a graph to a local optimum: arcs go on, off, or in the place of another arc of their head or
 * modifier, labels change, unique ones also hands, and predicates are switched with all their arcs. A move is
 * made when it brings the graph closer to the constraints, or no farther from them and its score up.
 *
 * A round takes O(arcs (arcs of a word) (parts of an arc)), with constraints O(n + arcs) more for each move
 * that scores more.
 */
export class GraphClimb {
  readonly state: GraphState;
  readonly violations: Violations;
  /** Arcs that may be on. */
  readonly candidates: Int32Array;
  /** Score of each arc with its best label, without parts. */
  readonly gains: Float64Array;
  rounds = 0;
  moves = 0;
  #broken = 0;
  readonly #epsilon: number;
  readonly #byHead: readonly (readonly number[])[];

  constructor(problem: GraphProblem) {
    const { arcs, arcScores, predicateScores, labels, parts } = problem;
    this.state = new GraphState(problem);
    this.violations = new Violations(problem);
    this.gains = arcScores.map((score, a) => {
      const best = labels.scores
        .subarray(labels.start[a], labels.start[a + 1])
        .reduce((x, y) => Math.max(x, y), -Infinity);
      return predicateScores[arcs.head[a]] === -Infinity ? -Infinity : score + best;
    });
    this.candidates = Int32Array.from([...this.gains.keys()].filter((a) => this.gains[a] > -Infinity));
    const byHead: number[][] = Array.from({ length: arcs.n + 1 }, () => []);
    for (const a of this.candidates) byHead[arcs.head[a]].push(a);
    this.#byHead = byHead;
    let largest = 0;
    const look = (scores: Float64Array): void => {
      for (const score of scores) if (score > -Infinity) largest = Math.max(largest, Math.abs(score));
    };
    look(this.gains);
    look(predicateScores);
    for (const table of parts) look(table.scores);
    this.#epsilon = EPSILON * largest;
  }

  /** Climbs from the graph of `state`; returns whether the local optimum meets the constraints. */
  climb(): boolean {
    this.state.commit();
    this.#broken = this.violations.count(this.state.labelled);
    for (let isMoved = true; isMoved; ) {
      isMoved = false;
      this.rounds++;
      for (const arc of this.candidates) if (this.#improveArc(arc)) isMoved = true;
      for (let w = 0; w < this.#byHead.length; w++) if (this.#switchPredicate(w)) isMoved = true;
    }
    return this.#broken === 0;
  }

  /** Makes the changes of `change` if they improve the graph; returns whether they did. */
  #attempt(change: (state: GraphState) => boolean): boolean {
    const { state } = this;
    const { mark, score } = state;
    if (change(state) && this.#isBetter(score)) {
      this.moves++;
      state.commit();
      return true;
    }
    state.undo(mark, score);
    return false;
  }

  #isBetter(before: number): boolean {
    const isHigher = this.state.score > before + this.#epsilon;
    if (this.violations.isFree) return isHigher;
    if (!isHigher && this.#broken === 0) return false;
    const broken = this.violations.count(this.state.labelled);
    if (broken > this.#broken || (broken === this.#broken && !isHigher)) return false;
    this.#broken = broken;
    return true;
  }

  #improveArc(arc: number): boolean {
    if (this.state.labelled[arc] >= 0)
      return this.#attempt((state) => this.#remove(state, arc)) || this.#relabel(arc);
    return this.#attempt((state) => this.#add(state, arc)) || this.#moveTo(arc) || this.#takeLabel(arc);
  }

  #remove(state: GraphState, arc: number): boolean {
    state.set(arc, -1);
    return true;
  }

  #add(state: GraphState, arc: number): boolean {
    const chosen = state.bestFree(arc);
    if (chosen >= 0) state.set(arc, chosen);
    return chosen >= 0;
  }

  /** Replaces another arc of the same modifier or head by this one. */
  #moveTo(arc: number): boolean {
    const { start, head } = this.state.problem.arcs;
    const m = this.state.problem.arcs.modifier[arc];
    const replace = (other: number): boolean =>
      other !== arc &&
      this.state.labelled[other] >= 0 &&
      this.#attempt((state) => this.#remove(state, other) && this.#add(state, arc));
    for (let other = start[m]; other < start[m + 1]; other++) if (replace(other)) return true;
    for (const other of this.#byHead[head[arc]]) if (replace(other)) return true;
    return false;
  }

  /** Turns an arc on with a unique label of another arc, which gets its best other label or is turned off. */
  #takeLabel(arc: number): boolean {
    const { start, scores } = this.state.problem.labels;
    for (let k = start[arc]; k < start[arc + 1]; k++) {
      if (scores[k] === -Infinity) continue;
      const holder = this.state.holderOf(arc, k);
      if (holder < 0) continue;
      if (this.#attempt((state) => this.#handOver(state, arc, k, holder))) return true;
    }
    return false;
  }

  #relabel(arc: number): boolean {
    const { start, scores } = this.state.problem.labels;
    let isMoved = false;
    for (let k = start[arc]; k < start[arc + 1]; k++) {
      if (scores[k] === -Infinity || k === this.state.labelled[arc]) continue;
      const holder = this.state.holderOf(arc, k);
      const change = (state: GraphState): boolean => {
        if (holder >= 0) return this.#handOver(state, arc, k, holder);
        state.set(arc, k);
        return true;
      };
      if (this.#attempt(change)) isMoved = true;
    }
    return isMoved;
  }

  #handOver(state: GraphState, arc: number, chosen: number, holder: number): boolean {
    const held = state.labelled[holder];
    state.set(holder, -1);
    state.set(arc, chosen);
    const other = state.bestFree(holder, held);
    if (other < 0) return true;
    const { mark, score } = state;
    state.set(holder, other);
    // Whether the loser is better off without an arc is a move of its own where it must stay for a
    // constraint.
    if (this.violations.isFree && state.score < score) state.undo(mark, score);
    return true;
  }

  /** Turns a predicate off with all its arcs, or on with those that pay. */
  #switchPredicate(word: number): boolean {
    const own = this.#byHead[word];
    if (own.length < 2) return false;
    if (this.state.degree[word] > 0) {
      return this.#attempt((state) => {
        for (const arc of own) if (state.labelled[arc] >= 0) state.set(arc, -1);
        return true;
      });
    }
    return this.#attempt((state) => {
      for (const arc of own) {
        const { mark, score } = state;
        // The first arc pays for the predicate, which the others have to bring in again.
        const toll =
          state.degree[word] === 0 && word > 0 ? Math.min(0, state.problem.predicateScores[word]) : 0;
        if (!this.#add(state, arc) || state.score - toll <= score) state.undo(mark, score);
      }
      return state.degree[word] > 0;
    });
  }
}
