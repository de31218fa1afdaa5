import type { ParsingProblem, PartKind } from "@arcwise/core";
import { checkAnswer, checkByEnumeration, isComparable, referenceOf } from "./checks.ts";
import type { DecoderEntry } from "./registry.ts";
import { type ScoreSet, scoreCount } from "./score-sets.ts";
import type { TreeOperation } from "./sums.ts";
import { type CostAt, extrapolate, type Growth, growth, mean, measure, type Timing } from "./timing.ts";

/** How hard and how long is measured. */
export interface MeasureOptions {
  /** Milliseconds of measuring a cell. */
  readonly time: number;
  /** Lengths at which one call is expected to take longer, in milliseconds, are left out. */
  readonly limit: number;
  /** Lengths instead of those of each set. */
  readonly lengths?: readonly number[];
  /** Called before each cell is measured. */
  readonly onCell?: (name: string, set: string, n: number) => void;
}

/** What was measured at one length. */
export interface Cell extends Timing {
  /** Mean number of words of the problems. */
  readonly n: number;
  readonly problems: number;
  /** Mean number of scores of a problem: arcs and parts. */
  readonly scores: number;
  /** Share of the answers that are certified optimal (`bound === score`); for decoders only. */
  readonly certified?: number;
}

/** What was measured of a decoder, or of an operation over trees, on the problems of a set. */
export interface Series {
  readonly name: string;
  readonly label: string;
  readonly family: string;
  readonly set: string;
  /** Kinds of parts in the problems. */
  readonly kinds: readonly PartKind[];
  readonly cells: readonly Cell[];
  readonly growth?: Growth;
  /** What answers were compared with before they were timed. */
  readonly checkedAgainst: readonly string[];
}

/** Problems of a cell at most. */
const PROBLEMS = 8;
/** Passes of a cell at least. */
const PASSES = 5;
/**
 * The first cell of a decoder warms up for as many times the time of measuring: until its code is compiled.
 */
const FIRST_WARM_UP = 2;
/** Others for this share of it. */
const WARM_UP = 0.1;
/** More scores in a problem than these fill the memory of a machine rather than show anything. */
const MAX_SCORES = 4e6;

/**
 * Times a decoder on the problems of a set, with parts of all kinds that it handles. Every answer is checked
 * first, short ones also against the enumeration of all trees.
 *
 * @throws WrongAnswer when one is wrong
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

/** Times an operation over trees on the problems of a set, without parts. @throws WrongAnswer */
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
  return { ...about, cells, ...(fitted && { growth: fitted }) };
}

/** Checks the answers to problems and says how to compute them all once more. */
type Prepare = (problems: readonly ParsingProblem[]) => { pass: () => number; certified?: number };

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
      ...(certified !== undefined && { certified }),
    });
    // Other programs slow down some passes: the undisturbed ones predict the time of the next length.
    times.push({ n: words, cost: timing.low });
    sizes.push({ n: words, cost: scores });
  }
  return cells;
}
