import { type Labelling, type Lattice, NoLabelling } from "../inference/chain-problem.ts";
import type { LabelAutomaton, State } from "./automaton.ts";

/** Scores of the labellings of a sequence by the transitions of an automaton. */
export interface AutomatonProblem {
  readonly lattice: Lattice;
  /** One score per candidate. */
  readonly scores: ArrayLike<number>;
  readonly automaton: LabelAutomaton;
  /** Returns the score of a label after a state at a position; -Infinity forbids it. Default: 0. */
  transition?(state: State, label: number, position: number): number;
}

/** A transition between the reached states of two positions. */
interface Edge {
  /** Indices among the reached states of the position, and of the next one. */
  readonly from: number;
  readonly to: number;
  readonly candidate: number;
  readonly score: number;
}

/** The states that a sequence reaches, and the transitions between them: `edges[i]` are of position i. */
export interface StateGraph {
  readonly states: readonly (readonly State[])[];
  readonly edges: readonly (readonly Edge[])[];
}

/**
 * Returns the reached states of a sequence. O(reached transitions), at most n states C for C candidates per position.
 *
 * @throws NoLabelling when no sequence of labels is allowed
 * @throws RangeError when a score is NaN or Infinity
 */
export function stateGraph(problem: AutomatonProblem): StateGraph {
  const { lattice, scores, automaton } = problem;
  const { n, start, labels } = lattice;
  const states: State[][] = [[automaton.start]];
  const edges: Edge[][] = [];
  for (let i = 0; i < n; i++) {
    const reached: State[] = [];
    const indices = new Map<State, number>();
    const own: Edge[] = [];
    for (const [from, state] of states[i]!.entries()) {
      for (let candidate = start[i]!; candidate < start[i + 1]!; candidate++) {
        const label = labels[candidate]!;
        const next = automaton.next(state, label);
        if (next < 0) continue;
        const score = scores[candidate]! + (problem.transition?.(state, label, i) ?? 0);
        if (!(score < Infinity)) throw new RangeError(`position ${i}: expected scores, got ${score}`);
        if (score === -Infinity || (i === n - 1 && automaton.isFinal?.(next) === false)) continue;
        let to = indices.get(next);
        if (to === undefined) {
          to = reached.length;
          indices.set(next, to);
          reached.push(next);
        }
        own.push({ from, to, candidate, score });
      }
    }
    if (own.length === 0) throw new NoLabelling("the automaton allows no labelling of the sequence");
    states.push(reached);
    edges.push(own);
  }
  return { states, edges };
}

/**
 * Returns the labelling of highest score that an automaton allows, by Viterbi's algorithm over the reached states.
 * O(reached transitions).
 *
 * @throws NoLabelling when there is none
 */
export function automatonBest(problem: AutomatonProblem): Labelling {
  const { n, labels: candidates } = problem.lattice;
  const { states, edges } = stateGraph(problem);
  let best = Float64Array.of(0);
  const back: Edge[][] = [];
  for (let i = 0; i < n; i++) {
    const next = new Float64Array(states[i + 1]!.length).fill(-Infinity);
    const chosen = new Array<Edge>(next.length);
    for (const edge of edges[i]!) {
      const score = best[edge.from]! + edge.score;
      if (score <= next[edge.to]!) continue;
      next[edge.to] = score;
      chosen[edge.to] = edge;
    }
    best = next;
    back.push(chosen);
  }
  let at = 0;
  for (let s = 1; s < best.length; s++) if (best[s]! > best[at]!) at = s;
  const score = best[at]!;
  const labels = new Int32Array(n);
  for (let i = n - 1; i >= 0; i--) {
    const edge = back[i]![at]!;
    labels[i] = candidates[edge.candidate]!;
    at = edge.from;
  }
  return { labels, score };
}

/** Sums over the labellings that an automaton allows, with the weights exp(score). */
export interface AutomatonSums {
  readonly logPartition: number;
  /** Probability of each candidate. */
  readonly marginals: Float64Array;
  /** Calls `visit` with each reached transition and its probability. */
  eachTransition(visit: (position: number, state: State, label: number, probability: number) => void): void;
}

/**
 * Returns log-partition and marginals by the forward-backward algorithm over the reached states, in logarithms.
 * O(reached transitions).
 *
 * @throws NoLabelling when no labelling is allowed
 */
export function automatonSums(problem: AutomatonProblem): AutomatonSums {
  const { n, start, labels } = problem.lattice;
  const { states, edges } = stateGraph(problem);
  const forward = states.map((reached) => new Float64Array(reached.length).fill(-Infinity));
  const backward = states.map((reached) => new Float64Array(reached.length).fill(-Infinity));
  forward[0]![0] = 0;
  for (let i = 0; i < n; i++) {
    const [before, after] = [forward[i]!, forward[i + 1]!];
    for (const { from, to, score } of edges[i]!) after[to] = logSum(after[to]!, before[from]! + score);
  }
  backward[n]!.fill(0);
  for (let i = n - 1; i >= 0; i--) {
    const [before, after] = [backward[i]!, backward[i + 1]!];
    for (const { from, to, score } of edges[i]!) before[from] = logSum(before[from]!, after[to]! + score);
  }
  const logPartition = backward[0]![0]!;
  if (logPartition === -Infinity) throw new NoLabelling("the automaton allows no labelling of the sequence");
  const probability = (i: number, { from, to, score }: Edge): number =>
    Math.exp(forward[i]![from]! + score + backward[i + 1]![to]! - logPartition);
  const marginals = new Float64Array(start[n]!);
  for (let i = 0; i < n; i++) {
    for (const edge of edges[i]!) marginals[edge.candidate]! += probability(i, edge);
  }
  return {
    logPartition,
    marginals,
    eachTransition(visit) {
      for (let i = 0; i < n; i++) {
        for (const edge of edges[i]!) {
          visit(i, states[i]![edge.from]!, labels[edge.candidate]!, probability(i, edge));
        }
      }
    },
  };
}

function logSum(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}
