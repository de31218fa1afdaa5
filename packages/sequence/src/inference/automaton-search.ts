import { exp, log1p } from "@arcwise/core/arithmetic";
import type { LabelAutomaton, State } from "./automaton.ts";
import { type Labelling, type Lattice, NoLabelling } from "./chain-problem.ts";
import { type Step, stateSpace } from "./state-space.ts";

/** Scores of the labellings of a sequence by the transitions of an automaton. */
export interface AutomatonProblem {
  readonly lattice: Lattice;
  /** One score per candidate. */
  readonly scores: ArrayLike<number>;
  /** Its states and transitions must stay the same: searches with the same automaton share them. */
  readonly automaton: LabelAutomaton;
}

/** Returns the scores of the transitions of a step, without the scores of candidates; -Infinity forbids one. */
export type StepScores = (step: Step, position: number) => ArrayLike<number>;

/** A step of a sequence, with the scores of its transitions. */
interface ScoredStep extends Step {
  readonly scores: Float64Array;
}

/** Returns the steps of a sequence. O(reached transitions). Throws as `bestLabelling`. */
function scoredSteps({ lattice, scores, automaton }: AutomatonProblem, stepScores: StepScores): ScoredStep[] {
  const { n, start, labels } = lattice;
  const space = stateSpace(automaton);
  let set = space.start;
  const steps: ScoredStep[] = [];
  for (let i = 0; i < n; i++) {
    const first = start[i];
    const step = space.step(set, labels.subarray(first, start[i + 1]));
    if (step.before.length === 0) throw noLabelling();
    const own = stepScores(step, i);
    const sums = new Float64Array(step.before.length);
    const { candidate } = step;
    for (let t = 0; t < sums.length; t++) {
      const score = scores[first + candidate[t]] + own[t];
      if (!(score < Infinity)) throw new RangeError(`position ${i}: expected scores, got ${score}`);
      sums[t] = score;
    }
    steps.push({ ...step, scores: sums });
    set = step.to;
  }
  return steps;
}

const noLabelling = (): NoLabelling => new NoLabelling("the automaton allows no labelling of the sequence");

/** Writes -Infinity to the entries of states in which no sequence may end. */
function forbidOthers({ isFinal }: LabelAutomaton, step: Step | undefined, values: Float64Array): void {
  if (isFinal === undefined || step === undefined) return;
  for (const [s, state] of step.to.states.entries()) if (!isFinal(state)) values[s] = -Infinity;
}

/**
 * Returns the labelling of highest score that an automaton allows, by Viterbi's algorithm over the reached states.
 * O(reached transitions), at most n states C for C candidates per position.
 *
 * @throws ArcwiseError `no-labelling` when no sequence of labels is allowed
 * @throws RangeError when a score is NaN or Infinity
 */
export function bestLabelling(problem: AutomatonProblem, stepScores: StepScores): Labelling {
  const { n, start, labels: candidates } = problem.lattice;
  const steps = scoredSteps(problem, stepScores);
  let best = Float64Array.of(0);
  const back: Int32Array[] = [];
  for (const { to, before, after, scores } of steps) {
    const next = new Float64Array(to.states.length).fill(-Infinity);
    const chosen = new Int32Array(next.length);
    for (let t = 0; t < scores.length; t++) {
      const score = best[before[t]] + scores[t];
      if (score <= next[after[t]]) continue;
      next[after[t]] = score;
      chosen[after[t]] = t;
    }
    best = next;
    back.push(chosen);
  }
  forbidOthers(problem.automaton, steps.at(-1), best);
  let at = 0;
  for (let s = 1; s < best.length; s++) if (best[s] > best[at]) at = s;
  const score = best[at];
  if (score === -Infinity) throw noLabelling();
  const labels = new Int32Array(n);
  for (let i = n - 1; i >= 0; i--) {
    const { before, candidate } = steps[i];
    const t = back[i][at];
    labels[i] = candidates[start[i] + candidate[t]];
    at = before[t];
  }
  return { labels, score };
}

/** Sums over the labellings that an automaton allows, with the weights exp(score). */
export interface AutomatonSums {
  readonly logPartition: number;
  /** Probability of each candidate. */
  readonly marginals: Float64Array;
  /** Calls `visit` with each transition that some allowed labelling has, and its probability. */
  eachTransition(visit: (position: number, state: State, label: number, probability: number) => void): void;
}

/**
 * Returns log-partition and marginals by the forward-backward algorithm over the reached states, in logarithms.
 * O(reached transitions). Throws as `bestLabelling`.
 */
export function labellingSums(problem: AutomatonProblem, stepScores: StepScores): AutomatonSums {
  const { n, start } = problem.lattice;
  const steps = scoredSteps(problem, stepScores);
  const logs = (step: Step) => new Float64Array(step.to.states.length).fill(-Infinity);
  const forward = [Float64Array.of(0), ...steps.map(logs)];
  const backward = [Float64Array.of(n === 0 ? 0 : -Infinity), ...steps.map(logs)];
  for (const [i, { before, after, scores }] of steps.entries()) {
    const [from, to] = [forward[i], forward[i + 1]];
    for (let t = 0; t < scores.length; t++) to[after[t]] = logSum(to[after[t]], from[before[t]] + scores[t]);
  }
  backward[n].fill(0);
  forbidOthers(problem.automaton, steps.at(-1), backward[n]);
  for (let i = n - 1; i >= 0; i--) {
    const { before, after, scores } = steps[i];
    const [from, to] = [backward[i], backward[i + 1]];
    for (let t = 0; t < scores.length; t++)
      from[before[t]] = logSum(from[before[t]], to[after[t]] + scores[t]);
  }
  const logPartition = backward[0][0];
  if (logPartition === -Infinity) throw noLabelling();
  const marginals = new Float64Array(start[n]);
  const probabilities = steps.map(({ before, after, candidate, scores }, i) => {
    const [from, to] = [forward[i], backward[i + 1]];
    return scores.map((score, t) => {
      const probability = exp(from[before[t]] + score + to[after[t]] - logPartition);
      marginals[start[i] + candidate[t]] += probability;
      return probability;
    });
  });
  return {
    logPartition,
    marginals,
    eachTransition(visit) {
      for (const [i, { from, before, label }] of steps.entries()) {
        for (const [t, probability] of probabilities[i].entries()) {
          if (probability > 0) visit(i, from.states[before[t]], label[t], probability);
        }
      }
    },
  };
}

function logSum(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return a > b ? a + log1p(exp(b - a)) : b + log1p(exp(a - b));
}
