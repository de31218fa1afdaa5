import { power } from "@arcwise/core/arithmetic";

/** A state of an automaton: an integer of at least 0. */
export type State = number;

/**
 * A deterministic automaton over labels: what the labels before a position leave behind. It may have any number of
 * states; only those that a sequence reaches are visited.
 */
export interface LabelAutomaton {
  /** The state before the first label. */
  readonly start: State;
  /** Returns the state after a label, or -1 where the label is forbidden. */
  next(state: State, label: number): State;
  /** Whether a sequence may end in a state. Default: in any. */
  readonly isFinal?: ((state: State) => boolean) | undefined;
  /**
   * Returns the codes of the features of a transition: integers of at least 0. Default: one feature for each pair of
   * a state and a label.
   */
  features?(state: State, label: number): readonly number[];
}

/** An automaton whose states a function of any kind of values describes. */
export interface StateDescription<S> {
  readonly start: S;
  /** Returns the state after a label, or undefined where the label is forbidden. */
  next(state: S, label: string): S | undefined;
  /** Whether a sequence may end in a state. Default: in any. */
  readonly isFinal?: ((state: S) => boolean) | undefined;
}

/**
 * Returns the automaton of states that values describe. Values with the same JSON text are the same state. States
 * get numbers when they are first reached; features have codes of the values, so that they do not depend on the order.
 */
export function automatonOf<S>(
  { start, next, isFinal }: StateDescription<S>,
  labels: readonly string[],
): LabelAutomaton {
  const states: S[] = [start];
  const numbers = new Map([[JSON.stringify(start), 0]]);
  const known = new Map<number, number>();
  const L = labels.length;
  return {
    start: 0,
    next(state, label) {
      const transition = state * L + label;
      const found = known.get(transition);
      if (found !== undefined) return found;
      const value = next(states[state], labels[label]);
      const name = value === undefined ? undefined : JSON.stringify(value);
      let number = name === undefined ? -1 : numbers.get(name);
      if (number === undefined) {
        number = states.length;
        states.push(value!);
        numbers.set(name!, number);
      }
      known.set(transition, number);
      return number;
    },
    isFinal: isFinal && ((state) => isFinal(states[state])),
    features: (state, label) => [nameCode(`${JSON.stringify(states[state])} ${labels[label]}`)],
  };
}

/** Returns a code of 52 bits of a text. */
function nameCode(text: string): number {
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (let i = 0; i < text.length; i++) {
    low = Math.imul(low ^ text.charCodeAt(i), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(i), 0x85ebca6b);
    high ^= high >>> 13;
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}

/**
 * Returns the automaton of k-grams of labels: a state is the last `order - 1` labels. Features of a transition are
 * its k-grams of 2 to `order` labels.
 *
 * @param count number of labels
 * @param order number of labels of a k-gram, 1 or more
 * @param forbidden pairs of labels that may not be adjacent: 1 at `before * count + label`, with before = count at
 *   the beginning
 * @throws RangeError when the states do not fit 52 bits
 */
export function gramAutomaton(count: number, order: number, forbidden?: Uint8Array): LabelAutomaton {
  if (!Number.isInteger(order) || order < 1)
    throw new RangeError(`order must be an integer >= 1, got ${order}`);
  // Label 0 is the beginning: a state is a number of `order - 1` digits.
  const base = count + 1;
  const size = power(base, order - 1);
  if (!(power(base, order) * (order + 1) < 2 ** 52)) {
    throw new RangeError(`${order}-grams of ${count} labels do not fit 52 bits`);
  }
  if (forbidden !== undefined && order === 1)
    throw new RangeError("forbidden pairs require an order of 2 or more");
  return {
    start: 0,
    next(state, label) {
      const before = (state % base) - 1;
      if (forbidden?.[(before < 0 ? count : before) * count + label] === 1) return -1;
      return (state * base + label + 1) % size;
    },
    features(state, label) {
      const codes: number[] = [];
      for (let k = 2, history = base; k <= order; k++, history *= base) {
        codes.push(((state % history) * base + label + 1) * (order + 1) + k);
      }
      return codes;
    },
  };
}

/** Returns the codes of the features of a transition. */
export function transitionFeatures(
  automaton: LabelAutomaton,
  state: State,
  label: number,
  count: number,
): readonly number[] {
  return automaton.features?.(state, label) ?? [state * count + label];
}

/** Returns the states before each label of a sequence, and the last one; undefined where a label is forbidden. */
export function statesOf(automaton: LabelAutomaton, labels: ArrayLike<number>): readonly State[] | undefined {
  const states = [automaton.start];
  for (let i = 0; i < labels.length; i++) {
    const state = automaton.next(states[i], labels[i]);
    if (state < 0) return undefined;
    states.push(state);
  }
  return automaton.isFinal === undefined || automaton.isFinal(states.at(-1)!) ? states : undefined;
}
