import type { LabelAutomaton, State } from "./automaton.ts";

/** The states that all labellings of a number of positions reach, in the order in which they are first reached. */
export interface StateSet {
  readonly states: readonly State[];
  /** Steps from these states, by the labels of the candidates. */
  readonly steps: Map<string, Step>;
}

/** The transitions from the states before a position to the states after it, with a number of candidates. */
export interface Step {
  readonly from: StateSet;
  readonly to: StateSet;
  /** Of each transition: the index of the state before, of the state after, and of the candidate. */
  readonly before: Int32Array;
  readonly after: Int32Array;
  readonly candidate: Int32Array;
  /** The label of each transition. */
  readonly label: Int32Array;
}

/** Default of the number of transitions that are kept. */
const MAX_KEPT = 2 ** 22;

/**
 * The states of an automaton that sequences reach, and the steps between them. They do not depend on scores, so that
 * sequences share them: with the same candidates at all positions, k-grams reach all their states after k - 1 steps.
 */
export class StateSpace {
  readonly start: StateSet;
  readonly #automaton: LabelAutomaton;
  readonly #sets = new Map<string, StateSet>();
  readonly #most: number;
  #kept = 0;

  /** @param most number of transitions that are kept; further ones are computed anew for each sequence */
  constructor(automaton: LabelAutomaton, most = MAX_KEPT) {
    this.#automaton = automaton;
    this.#most = most;
    this.start = this.#setOf([automaton.start]);
  }

  /** Returns the step from states with the labels of some candidates. O(transitions), O(candidates) when it is kept. */
  step(from: StateSet, labels: Int32Array): Step {
    const key = labels.join();
    const known = from.steps.get(key);
    if (known !== undefined) return known;
    const reached: State[] = [];
    const indices = new Map<State, number>();
    const edges: { before: number; after: number; candidate: number }[] = [];
    for (const [before, state] of from.states.entries()) {
      for (const [candidate, label] of labels.entries()) {
        const next = this.#automaton.next(state, label);
        if (next < 0) continue;
        let after = indices.get(next);
        if (after === undefined) {
          after = reached.length;
          indices.set(next, after);
          reached.push(next);
        }
        edges.push({ before, after, candidate });
      }
    }
    this.#kept += edges.length;
    const isKept = this.#kept <= this.#most;
    const step: Step = {
      from,
      to: isKept ? this.#setOf(reached) : { states: reached, steps: new Map() },
      before: Int32Array.from(edges, (edge) => edge.before),
      after: Int32Array.from(edges, (edge) => edge.after),
      candidate: Int32Array.from(edges, (edge) => edge.candidate),
      label: Int32Array.from(edges, (edge) => labels[edge.candidate]),
    };
    if (isKept) from.steps.set(key, step);
    return step;
  }

  #setOf(states: readonly State[]): StateSet {
    const key = states.join();
    const known = this.#sets.get(key) ?? { states, steps: new Map() };
    this.#sets.set(key, known);
    return known;
  }
}

const spaces = new WeakMap<LabelAutomaton, StateSpace>();

/** Returns the states and steps of an automaton, which all searches with it share. */
export function stateSpace(automaton: LabelAutomaton): StateSpace {
  const known = spaces.get(automaton) ?? new StateSpace(automaton);
  spaces.set(automaton, known);
  return known;
}
