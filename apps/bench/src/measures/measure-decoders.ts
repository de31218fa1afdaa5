import type { ParsingProblem, PartKind } from "@arcwise/core";
import type { DecoderEntry } from "../registry/decoders.ts";
import { checkAnswer, checkByEnumeration, isComparable, referenceOf } from "./checks.ts";
import { type ScoreSet, scoreCount } from "./score-sets.ts";
import type { TreeOperation } from "./sums.ts";
import { type CostAt, extrapolate, type Growth, growth, mean, measure, type Timing } from "./timing.ts";

/** Options of the measurements. */
export interface MeasureOptions {
  /** Measuring time per cell in milliseconds. */
  readonly time: number;
  /** Time limit per call in milliseconds: lengths with longer expected times are left out. */
  readonly limit: number;
  /** Lengths instead of the lengths of each set. */
  readonly lengths?: readonly number[] | undefined;
  /** Called before each cell is measured. */
  readonly onCell?: ((name: string, set: string, n: number) => void) | undefined;
}

/** Results at one length. */
export interface Cell extends Timing {
  /** Mean number of words of the problems. */
  readonly n: number;
  readonly problems: number;
  /** Mean number of scores of a problem: arcs and parts. */
  readonly scores: number;
  /** Share of the answers that are certified optimal (`bound === score`); for decoders only. */
  readonly certified?: number | undefined;
}

/** Results of a decoder, or of an operation over trees, on the problems of a set. */
export interface Series {
  readonly name: string;
  readonly label: string;
  readonly family: string;
  readonly set: string;
  /** Kinds of parts in the problems. */
  readonly kinds: readonly PartKind[];
  readonly cells: readonly Cell[];
  readonly growth?: Growth | undefined;
  /** References that results were compared with before timing. */
  readonly checkedAgainst: readonly string[];
}

/** Maximal number of problems per cell. */
const PROBLEMS = 8;
/** Minimal number of passes per cell. */
const PASSES = 5;
/**
 * Warm-up time of the first cell of a decoder as a multiple of the measuring time, until its code is
 * compiled.
 */
const FIRST_WARM_UP = 2;
/** Warm-up time of the other cells. */
const WARM_UP = 0.1;
/** Maximal number of scores of a problem, to limit memory. */
const MAX_SCORES = 4e6;

/**
 * Times a decoder on the problems of a set, with parts of all kinds that it handles. Every result is checked
 * first, for short problems also against an enumeration of all trees.
 */
export function measureDecoder(entry: DecoderEntry, set: ScoreSet, options: MeasureOptions): Series {
  const decoder = entry.make();
  checkByEnumeration(entry, decoder, set);
  const reference = referenceOf(entry, entry.kinds);
  const compared = new Set(["enumeration"]);
  const cells = measureCells(entry.name, set, entry.kinds, options, (problems) => {
    let certified = 0;
    for (const problem of problems) {
      const answer = decoder.decode(problem);
      const asked = isComparable(problem) ? reference : undefined;
      checkAnswer(entry, problem, answer, asked);
      if (asked !== undefined) compared.add(asked.name);
      if (answer.bound === answer.score) certified++;
    }
    const pass = (): number => {
      let sum = 0;
      for (let i = 0; i < problems.length; i++) sum += decoder.decode(problems[i]!).score;
      return sum;
    };
    return { pass, certified: certified / problems.length };
  });
  const { name, label, family, kinds } = entry;
  return series({ name, label, family, set: set.name, kinds, checkedAgainst: [...compared] }, cells);
}

/** Times an operation over trees on the problems of a set, without parts. */
export function measureOperation(operation: TreeOperation, set: ScoreSet, options: MeasureOptions): Series {
  const { run, check } = operation.make();
  const cells = measureCells(operation.name, set, [], options, (problems) => {
    for (const problem of problems) check(problem);
    const pass = (): number => {
      let sum = 0;
      for (let i = 0; i < problems.length; i++) sum += run(problems[i]!);
      return sum;
    };
    return { pass };
  });
  const { name, label } = operation;
  const about = { name, label, family: "sums, rankings and samples", set: set.name, kinds: [] };
  return series({ ...about, checkedAgainst: ["properties"] }, cells);
}

function series(about: Omit<Series, "cells" | "growth">, cells: readonly Cell[]): Series {
  const fitted = growth(cells.map(({ n, median }) => ({ n, cost: median })));
  return { ...about, cells, growth: fitted };
}

/** Checks the results of problems and returns a function that computes them again. */
type Prepare = (problems: readonly ParsingProblem[]) => {
  pass: () => number;
  certified?: number | undefined;
};

function measureCells(
  name: string,
  set: ScoreSet,
  kinds: readonly PartKind[],
  options: MeasureOptions,
  prepare: Prepare,
): Cell[] {
  const cells: Cell[] = [];
  const times: CostAt[] = [];
  const sizes: CostAt[] = [];
  for (const n of options.lengths ?? set.lengths) {
    if (extrapolate(sizes, n) > MAX_SCORES || extrapolate(times, n) > options.limit) break;
    options.onCell?.(name, set.name, n);
    const problems = set.problems(n, kinds, PROBLEMS);
    if (problems.length === 0) continue;
    const { pass, certified } = prepare(problems);
    const warmUp = options.time * (cells.length === 0 ? FIRST_WARM_UP : WARM_UP);
    const timing = measure(pass, problems.length, { time: options.time, warmUp, passes: PASSES });
    const words = mean(problems.map(({ arcs }) => arcs.n));
    const scores = mean(problems.map(scoreCount));
    cells.push({
      n: words,
      problems: problems.length,
      scores,
      ...timing,
      certified,
    });
    // Other programs slow down some passes: the fast ones predict the time of the next length.
    times.push({ n: words, cost: timing.low });
    sizes.push({ n: words, cost: scores });
  }
  return cells;
}
