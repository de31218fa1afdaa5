import { type GraphChoice, type GraphProblem, meetsConstraints } from "@arcwise/core";
import { type ArborescenceSolver, createArborescenceSolver } from "@arcwise/decode-mst";
import { componentsOfWords } from "./graph-cuts.ts";
import type { GraphVariables } from "./graph-variables.ts";

/**
 * Rounds means of variables to a graph: first a tree where constraints need one, then arcs above 1/2 in
 * descending order unless a unique label or a cycle forbids them, then heads for words that need one. O(arcs
 * (n + arcs)) with `acyclic`, O(arcs log arcs) without.
 */
export class GraphRounding {
  readonly #problem: GraphProblem;
  readonly #variables: GraphVariables;
  readonly #arborescences: ArborescenceSolver = createArborescenceSolver();
  readonly #on: Uint8Array;
  readonly #labelled: Int32Array;
  readonly #taken = new Set<number>();

  constructor(problem: GraphProblem, variables: GraphVariables) {
    this.#problem = problem;
    this.#variables = variables;
    this.#on = new Uint8Array(variables.arc.length);
    this.#labelled = new Int32Array(variables.arc.length);
  }

  /** Returns the arcs above 1/2, ignoring constraints. */
  above(mean: Float64Array): Uint8Array {
    return Uint8Array.from(this.#variables.arc, (v) => (v >= 0 && mean[v] > 0.5 ? 1 : 0));
  }

  /** Returns a graph, or `undefined` if constraints are still violated. */
  round(mean: Float64Array): GraphChoice | undefined {
    const problem = this.#problem;
    const variables = this.#variables;
    const on = this.#on;
    const labelled = this.#labelled;
    const { arcs, constraints = {}, predicateScores } = problem;
    on.fill(0);
    labelled.fill(-1);
    this.#taken.clear();
    const hasTree = constraints.spanningTree || (constraints.headed && constraints.acyclic);
    const weights = this.#weights(mean);
    if (hasTree && !this.#addTree(mean, weights)) return undefined;
    const order = [...weights.keys()].filter((a) => weights[a] > -Infinity);
    order.sort((a, b) => weights[b] - weights[a] || a - b);
    for (const a of order) if (mean[variables.arc[a]] > 0.5) this.#add(a, mean);
    if (constraints.headed) this.#addHeads(order, mean);
    if (constraints.connected && !constraints.headed && !hasTree) this.#keepOneComponent();
    if (!meetsConstraints(problem, labelled, constraints)) return undefined;
    const predicates = Uint8Array.from(predicateScores, (score, w) => (w === 0 || score > 0 ? 1 : 0));
    for (let a = 0; a < on.length; a++) if (on[a] === 1) predicates[arcs.head[a]] = 1;
    return { predicates, labelled: labelled.slice() };
  }

  /** Means of arcs; ties are broken by potentials. */
  #weights(mean: Float64Array): Float64Array {
    const { arc, potentials } = this.#variables;
    return Float64Array.from(arc, (v) => {
      if (v < 0) return -Infinity;
      const potential = potentials[v];
      return mean[v] + (1e-3 * potential) / (1 + Math.abs(potential));
    });
  }

  #addTree(mean: Float64Array, weights: Float64Array): boolean {
    const { arcs } = this.#problem;
    const heads = new Int32Array(arcs.n + 1);
    if (arcs.n > 0 && !this.#arborescences.arcs(arcs, weights, heads, false)) return false;
    for (let a = 0; a < weights.length; a++) {
      if (arcs.head[a] === heads[arcs.modifier[a]] && !this.#add(a, mean)) return false;
    }
    return true;
  }

  #addHeads(order: readonly number[], mean: Float64Array): void {
    const { arcs } = this.#problem;
    const hasHead = new Uint8Array(arcs.n + 1);
    for (const a of order) if (this.#on[a] === 1) hasHead[arcs.modifier[a]] = 1;
    for (const a of order) {
      if (hasHead[arcs.modifier[a]] === 0 && this.#add(a, mean)) hasHead[arcs.modifier[a]] = 1;
    }
  }

  /** Turns an arc on with its best label that is free; returns false if there is none. */
  #add(arc: number, mean: Float64Array): boolean {
    const problem = this.#problem;
    const variables = this.#variables;
    const on = this.#on;
    const labelled = this.#labelled;
    const taken = this.#taken;
    const { arcs, labels, unique, constraints = {} } = problem;
    if (on[arc] === 1) return true;
    if (constraints.acyclic && this.#reaches(arcs.head[arc], arcs.modifier[arc])) return false;
    const h = arcs.head[arc];
    let best = variables.base[arc];
    let rest = mean[variables.arc[arc]];
    let value = -Infinity;
    for (let k = labels.start[arc]; k < labels.start[arc + 1]; k++) {
      const v = variables.label[k];
      if (v < 0) continue;
      rest -= mean[v];
      if (unique[labels.label[k]] === 1 && taken.has(h * labels.count + labels.label[k])) continue;
      const weight = mean[v] + (1e-3 * variables.potentials[v]) / (1 + Math.abs(variables.potentials[v]));
      if (weight <= value) continue;
      value = weight;
      if (variables.base[arc] < 0 || weight > 0) best = k;
    }
    if (variables.base[arc] >= 0 && rest >= value) best = variables.base[arc];
    if (best < 0) return false;
    on[arc] = 1;
    labelled[arc] = best;
    if (unique[labels.label[best]] === 1) taken.add(h * labels.count + labels.label[best]);
    return true;
  }

  /** Returns whether a word is a head of another one, directly or through other words. */
  #reaches(from: number, word: number): boolean {
    const { start, head } = this.#problem.arcs;
    const seen = new Set([from]);
    const open = [from];
    for (let w = open.pop(); w !== undefined; w = open.pop()) {
      if (w === word) return true;
      for (let a = start[w]; a < start[w + 1]; a++) {
        if (this.#on[a] === 0 || seen.has(head[a])) continue;
        seen.add(head[a]);
        open.push(head[a]);
      }
    }
    return false;
  }

  /** Drops arcs between words except the arcs of the component with the highest score. */
  #keepOneComponent(): void {
    const on = this.#on;
    const labelled = this.#labelled;
    const problem = this.#problem;
    const variables = this.#variables;
    const { n, head, modifier } = problem.arcs;
    const component = componentsOfWords(n, head, modifier, on);
    const sums = new Float64Array(n + 1);
    const isWordArc = (a: number): boolean => on[a] === 1 && head[a] > 0;
    for (let a = 0; a < on.length; a++) {
      if (isWordArc(a)) sums[component[head[a]]] += variables.potentials[variables.arc[a]];
    }
    let best = -1;
    for (let a = 0; a < on.length; a++) {
      if (isWordArc(a) && (best < 0 || sums[component[head[a]]] > sums[best])) best = component[head[a]];
    }
    for (let a = 0; a < on.length; a++) {
      if (!isWordArc(a) || component[head[a]] === best) continue;
      on[a] = 0;
      labelled[a] = -1;
    }
  }
}
