import type { FactorGraph, FactorRecord } from "./factor-graph.ts";
import { GENERIC, PAIR, XOR } from "./kinds.ts";
import type { LocalMaximizer } from "./local-maximizer.ts";

/**
 * A factor graph as flat arrays. A link is a variable in a factor. Factors are renumbered: plain pairs come
 * first, so that links 2 f and 2 f + 1 belong to pair f, generic ones last. The links of a factor are
 * contiguous.
 */
export interface Layout {
  readonly variables: number;
  readonly links: number;
  /** Number of factors; may be more than in the graph, see `factor`. */
  readonly factors: number;
  /** Factors 0 .. pairs - 1 are plain pairs, those from `generic` on are generic. */
  readonly pairs: number;
  readonly generic: number;
  /** Per factor. */
  readonly kind: Uint8Array;
  /** Links of factor f: start[f] .. start[f + 1] - 1. */
  readonly start: Int32Array;
  /** The largest number of links of a factor; 2 or more. */
  readonly widest: number;
  /** Index in the graph; -1 for the XOR over a multi-valued variable that no factor takes as a whole. */
  readonly factor: Int32Array;
  /** Additional potential of each pair, plain or with negated inputs; 0 for other factors. */
  readonly pairPotential: Float64Array;
  /** Per factor: budget of a knapsack. */
  readonly budget: Float64Array;
  /** Per factor that is generic: its maximizer, and its additional potentials. */
  readonly maximizers: readonly (LocalMaximizer | undefined)[];
  readonly potentials: readonly (Float64Array | undefined)[];
  /** Per link. */
  readonly variable: Int32Array;
  readonly flip: Uint8Array;
  readonly cost: Float64Array;
  /** Per variable: log-potential (0 where it is -Infinity), and number of links. */
  readonly potential: Float64Array;
  readonly degree: Float64Array;
  /** The value that a variable must have, -1 when it is free. */
  readonly fixed: Int8Array;
  /** Multi-valued variables: the states of the i-th are groupStart[i] .. groupEnd[i] - 1. */
  readonly groupStart: Int32Array;
  readonly groupEnd: Int32Array;
  /** Per variable: 1 where it is a state of a multi-valued one. */
  readonly grouped: Uint8Array;
  /** Lower bound of the value of any assignment: an upper bound below it proves that every assignment is forbidden. */
  readonly least: number;
  /** The largest absolute potential. */
  readonly largest: number;
  /**
   * The mean absolute log-potential of variables, without those that are 0; of additional potentials if all
   * are 0.
   */
  readonly typical: number;
}

/**
 * Returns the factors in the order of the layout; -1 - i stands for an XOR over the i-th multi-valued
 * variable.
 */
function factorOrder(graph: FactorGraph): number[] {
  const { factors, multiVariables } = graph;
  const pairs: number[] = [];
  const logic: number[] = [];
  const generic: number[] = [];
  for (let f = 0; f < factors.length; f++) {
    const { kind } = factors[f];
    (kind === PAIR ? pairs : kind === GENERIC ? generic : logic).push(f);
  }
  const covered = new Set<number>();
  for (const f of generic) for (const variable of factors[f].variables) covered.add(variable);
  multiVariables.forEach(({ first }, i) => {
    if (!covered.has(first)) logic.push(-1 - i);
  });
  return pairs.concat(logic, generic);
}

/** Lays a graph out. O(variables + links + additional potentials). */
export function layOut(graph: FactorGraph): Layout {
  const order = factorOrder(graph);
  const factors = order.length;
  const kind = new Uint8Array(factors);
  const start = new Int32Array(factors + 1);
  const budget = new Float64Array(factors);
  const pairPotential = new Float64Array(factors);
  const maximizers: (LocalMaximizer | undefined)[] = [];
  const potentials: (Float64Array | undefined)[] = [];
  const variable: number[] = [];
  const flip: number[] = [];
  const cost: number[] = [];
  let pairs = 0;
  let generics = 0;
  for (let f = 0; f < factors; f++) {
    const number = order[f];
    const record = number >= 0 ? graph.factors[number] : wholeXor(graph, -1 - number);
    kind[f] = record.kind;
    budget[f] = record.budget;
    if (record.kind === PAIR) pairs++;
    if (record.kind === GENERIC) generics++;
    const own = additionalOf(graph, record);
    if (record.kind !== GENERIC && own.length === 1) pairPotential[f] = own[0];
    maximizers.push(record.maximizer);
    potentials.push(record.kind === GENERIC ? own : undefined);
    for (let i = 0; i < record.variables.length; i++) {
      variable.push(record.variables[i]);
      flip.push(record.flips[i] ?? 0);
      cost.push(record.costs[i] ?? 1);
    }
    start[f + 1] = variable.length;
  }
  return {
    links: variable.length,
    factors,
    pairs,
    generic: factors - generics,
    kind,
    start,
    widest: start.reduce((most, at, f) => Math.max(most, at - (start[f - 1] ?? 0)), 2),
    factor: Int32Array.from(order, (number) => Math.max(number, -1)),
    pairPotential,
    budget,
    maximizers,
    potentials,
    variable: Int32Array.from(variable),
    flip: Uint8Array.from(flip),
    cost: Float64Array.from(cost),
    groupStart: Int32Array.from(graph.multiVariables, ({ first }) => first),
    groupEnd: Int32Array.from(graph.multiVariables, ({ first, states }) => first + states),
    ...variableColumns(graph, variable),
  };
}

/** What rounding may take from a bound, as a share of the sum of the absolute potentials. */
const ROUNDING = 2 ** -40;

function additionalOf({ additional }: FactorGraph, record: FactorRecord): Float64Array {
  const { additionalStart, additionalCount } = record;
  const potentials = new Float64Array(additionalCount);
  for (let i = 0; i < additionalCount; i++) potentials[i] = additional[additionalStart + i];
  return potentials;
}

function wholeXor(graph: FactorGraph, which: number): FactorRecord {
  const { first, states } = graph.multiVariables[which];
  const variables = Array.from({ length: states }, (_, state) => first + state);
  return {
    kind: XOR,
    variables,
    flips: [],
    costs: [],
    budget: 0,
    additionalStart: 0,
    additionalCount: 0,
    maximizer: undefined,
  };
}

function variableColumns(graph: FactorGraph, links: readonly number[]) {
  const variables = graph.potentials.length;
  const potential = Float64Array.from(graph.potentials, (value) => (value === -Infinity ? 0 : value));
  const fixed = Int8Array.from(graph.potentials, (value) => (value === -Infinity ? 0 : -1));
  const degree = new Float64Array(variables);
  for (const variable of links) degree[variable]++;
  const grouped = new Uint8Array(variables);
  for (const { first, states } of graph.multiVariables) grouped.fill(1, first, first + states);
  const own = sizesOf(potential);
  const additional = sizesOf(graph.additional);
  // Scores that a maximizer holds itself are not seen here, and could be lower.
  const hidden = graph.factors.some(
    ({ maximizer }) => maximizer !== undefined && maximizer.ownScores === true,
  );
  return {
    variables,
    potential,
    degree,
    fixed,
    grouped,
    least: hidden ? -Infinity : own.negative + additional.negative - ROUNDING * (own.sum + additional.sum),
    largest: Math.max(own.largest, additional.largest),
    typical: own.mean > 0 ? own.mean : additional.mean,
  };
}

/**
 * Returns the largest absolute value, the mean of those that are not 0, and the sums of the negative and of all absolute
 * values.
 */
function sizesOf(values: ArrayLike<number>) {
  let [largest, sum, count, negative] = [0, 0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const size = Math.abs(value);
    if (size > 0) count++;
    if (size > largest) largest = size;
    if (value < 0) negative += value;
    sum += size;
  }
  return { largest, mean: count > 0 ? sum / count : 0, negative, sum };
}
