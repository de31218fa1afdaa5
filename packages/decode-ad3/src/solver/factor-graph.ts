import { denseMaximizer } from "./dense-maximizer.ts";
import {
  AT_MOST_ONE,
  GENERIC,
  type Kind,
  KNAPSACK,
  NEGATED_PAIR,
  OR,
  OR_WITH_OUTPUT,
  PAIR,
  XOR,
} from "./kinds.ts";
import type { LocalMaximizer } from "./local-maximizer.ts";
import { sequenceMaximizer } from "./sequence-maximizer.ts";

/**
 * A variable of several values: the binary variables `first` .. `first + states - 1`, of which exactly one is
 * on.
 */
export interface MultiVariable {
  readonly first: number;
  readonly states: number;
}

/** Which inputs of a factor are read as 1 - x; none by default. */
export interface FactorOptions {
  readonly negated?: readonly boolean[] | undefined;
}

/** A factor as it was added. */
export interface FactorRecord {
  readonly kind: Kind;
  readonly variables: readonly number[];
  /** 1 where an input is negated; empty when none is. */
  readonly flips: readonly number[];
  /** Costs of a knapsack; empty for every other kind. */
  readonly costs: readonly number[];
  readonly budget: number;
  /** Offset and number of its additional potentials. */
  readonly additionalStart: number;
  readonly additionalCount: number;
  readonly maximizer: LocalMaximizer | undefined;
}

/** A factor to be added; fields that its kind does not use are omitted. */
interface NewFactor
  extends Pick<FactorRecord, "kind" | "variables" | "flips">,
    Partial<Pick<FactorRecord, "costs" | "budget" | "maximizer">> {
  readonly additional?: readonly number[] | undefined;
}

const NONE: readonly number[] = [];

/**
 * A factor graph over binary variables. Solvers maximise the sum of the log-potentials of the variables that
 * are on, plus the additional potentials of factors, over all assignments that no factor forbids.
 *
 * Variables and factors are numbered in the order in which they are added. Log-potentials are finite, or
 * -Infinity for a variable that must be off. All methods that add throw RangeError for variables that do not
 * exist, for one that occurs twice in a factor, and for numbers that are NaN or +Infinity.
 */
export class FactorGraph {
  /** Log-potential of each binary variable. */
  readonly potentials: number[] = [];
  readonly factors: FactorRecord[] = [];
  /** Additional potentials of all factors. */
  readonly additional: number[] = [];
  /** The variables of several values. */
  readonly multiVariables: MultiVariable[] = [];

  /** Adds a binary variable; returns its index. */
  addVariable(potential = 0): number {
    checkPotential(potential);
    return this.potentials.push(potential) - 1;
  }

  /** Adds binary variables, one per log-potential; returns the index of the first. */
  addVariables(potentials: ArrayLike<number>): number {
    const first = this.potentials.length;
    for (let i = 0; i < potentials.length; i++) this.addVariable(potentials[i]);
    return first;
  }

  /** Adds a variable with one value per log-potential. */
  addMultiVariable(potentials: ArrayLike<number>): MultiVariable {
    if (potentials.length < 1) throw new RangeError("a variable must have at least one state, got none");
    const variable = { first: this.addVariables(potentials), states: potentials.length };
    this.multiVariables.push(variable);
    return variable;
  }

  /** Changes the log-potential of a variable. */
  setPotential(variable: number, potential: number): void {
    this.#checkVariable(variable);
    checkPotential(potential);
    this.potentials[variable] = potential;
  }

  /** Changes one additional potential of a factor. */
  setAdditional(factor: number, which: number, potential: number): void {
    const record = this.factors[factor];
    if (record === undefined) {
      throw new RangeError(`factor must be below ${this.factors.length}, got ${factor}`);
    }
    if (!(which >= 0 && which < record.additionalCount)) {
      throw new RangeError(
        `factor ${factor} has ${record.additionalCount} additional potentials, got ${which}`,
      );
    }
    this.additional[record.additionalStart + which] = finite(potential, "an additional potential");
  }

  /** Adds a factor that scores `potential` when both inputs are on. */
  addPair(a: number, b: number, potential: number, options: FactorOptions = {}): number {
    const flips = flipsOf(options, 2);
    const kind = flips.includes(1) ? NEGATED_PAIR : PAIR;
    return this.#add({
      kind,
      variables: [a, b],
      flips: kind === PAIR ? NONE : flips,
      additional: [finite(potential, "a potential")],
    });
  }

  /** Adds the constraint that exactly one input is on. */
  addXor(variables: readonly number[], options: FactorOptions = {}): number {
    return this.#add({ kind: XOR, variables, flips: flipsOf(options, variables.length) });
  }

  /**
   * Adds the constraint that at most one of the inputs but the last is on, and that the last, the output, is
   * on exactly if one of them is.
   */
  addXorWithOutput(variables: readonly number[], options: FactorOptions = {}): number {
    const flips = [...flipsOf(options, variables.length)];
    if (flips.length > 0) flips[flips.length - 1] = 1 - flips.at(-1)!;
    return this.#add({ kind: XOR, variables, flips });
  }

  /** Adds the constraint that at most one input is on. */
  addAtMostOne(variables: readonly number[], options: FactorOptions = {}): number {
    return this.#add({ kind: AT_MOST_ONE, variables, flips: flipsOf(options, variables.length) });
  }

  /** Adds the constraint that at least one input is on. */
  addOr(variables: readonly number[], options: FactorOptions = {}): number {
    return this.#add({ kind: OR, variables, flips: flipsOf(options, variables.length) });
  }

  /** Adds the constraint that the last input, the output, is on exactly if at least one of the others is. */
  addOrWithOutput(variables: readonly number[], options: FactorOptions = {}): number {
    return this.#add({ kind: OR_WITH_OUTPUT, variables, flips: flipsOf(options, variables.length) });
  }

  /** Adds the constraint that the last input is on if all the others are. */
  addImplication(variables: readonly number[], options: FactorOptions = {}): number {
    const flips = flipsOf(options, variables.length).map((flip, i) =>
      i < variables.length - 1 ? 1 - flip : flip,
    );
    return this.#add({ kind: OR, variables, flips });
  }

  /** Adds the constraint that at most `budget` inputs are on. */
  addBudget(variables: readonly number[], budget: number, options: FactorOptions = {}): number {
    return this.addKnapsack(
      variables,
      variables.map(() => 1),
      Math.floor(budget),
      options,
    );
  }

  /**
   * Adds the constraint that the costs of the inputs that are on sum to at most `budget`. The relaxation is
   * the linear constraint, not the hull of the feasible sets.
   */
  addKnapsack(
    variables: readonly number[],
    costs: readonly number[],
    budget: number,
    options: FactorOptions = {},
  ): number {
    if (costs.length !== variables.length) {
      throw new RangeError(
        `a knapsack of ${variables.length} variables must have as many costs, got ${costs.length}`,
      );
    }
    const flips = [...flipsOf(options, variables.length)];
    let left = finite(budget, "a budget");
    // c x' with c < 0 is |c| (1 - x') less |c|.
    const positive = costs.map((cost, i) => {
      if (finite(cost, "a cost") >= 0) return cost;
      flips[i] = 1 - flips[i];
      left -= cost;
      return -cost;
    });
    return this.#add({ kind: KNAPSACK, variables, flips, costs: positive, budget: left });
  }

  /** Adds a factor that scores `potentials[i * b.states + j]` when a has its i-th and b its j-th value. */
  addDense(a: MultiVariable, b: MultiVariable, potentials: ArrayLike<number>): number {
    expectCount("potentials of a dense factor", potentials.length, a.states * b.states);
    return this.addGeneric([...statesOf(a), ...statesOf(b)], denseMaximizer(a.states, b.states), potentials);
  }

  /**
   * Adds a chain of variables. `potentials` has `a.states * b.states` entries for each two consecutive
   * variables a and b, as in a dense factor.
   */
  addSequence(variables: readonly MultiVariable[], potentials: ArrayLike<number>): number {
    const maximizer = sequenceMaximizer(variables.map(({ states }) => states));
    return this.addGeneric(variables.flatMap(statesOf), maximizer, potentials);
  }

  /** Adds a factor that is defined by a local maximizer, such as a tree or an automaton. */
  addGeneric(
    variables: readonly number[],
    maximizer: LocalMaximizer,
    potentials: ArrayLike<number> = NONE,
  ): number {
    expectCount("variables of a generic factor", variables.length, maximizer.variables);
    expectCount("additional potentials of a generic factor", potentials.length, maximizer.additional);
    const additional: number[] = [];
    for (let i = 0; i < potentials.length; i++)
      additional.push(finite(potentials[i], "an additional potential"));
    return this.#add({ kind: GENERIC, variables, flips: NONE, additional, maximizer });
  }

  #add(factor: NewFactor): number {
    const { kind, variables, flips, additional = NONE, maximizer, costs = NONE, budget = 0 } = factor;
    if (variables.length === 0) throw new RangeError("a factor must have at least one variable, got none");
    for (const variable of variables) this.#checkVariable(variable);
    if (variables.length === 2 ? variables[0] === variables[1] : new Set(variables).size < variables.length) {
      throw new RangeError(`a variable must occur once in a factor, got ${variables.join(" ")}`);
    }
    const additionalStart = this.additional.length;
    for (const potential of additional) this.additional.push(potential);
    const additionalCount = additional.length;
    return (
      this.factors.push({
        kind,
        variables,
        flips,
        costs,
        budget,
        additionalStart,
        additionalCount,
        maximizer,
      }) - 1
    );
  }

  #checkVariable(variable: number): void {
    if (Number.isInteger(variable) && variable >= 0 && variable < this.potentials.length) return;
    throw new RangeError(`a variable must be an integer below ${this.potentials.length}, got ${variable}`);
  }
}

function statesOf({ first, states }: MultiVariable): number[] {
  return Array.from({ length: states }, (_, state) => first + state);
}

function flipsOf({ negated }: FactorOptions, count: number): readonly number[] {
  if (negated === undefined) return new Array<number>(count).fill(0);
  expectCount("flags of negated inputs", negated.length, count);
  return negated.map(Number);
}

function expectCount(what: string, found: number, expected: number): void {
  if (found !== expected) throw new RangeError(`expected ${expected} ${what}, got ${found}`);
}

function finite(value: number, what: string): number {
  if (Number.isFinite(value)) return value;
  throw new RangeError(`${what} must be finite, got ${value}`);
}

function checkPotential(potential: number): void {
  if (potential < Infinity) return;
  throw new RangeError(`a log-potential must be finite or -Infinity, got ${potential}`);
}
