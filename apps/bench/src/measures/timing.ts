import { Bench } from "tinybench";

/** Times of one call in milliseconds, over repeated passes. */
export interface Timing {
  readonly median: number;
  /** The 5th percentile. */
  readonly low: number;
  /** The 95th percentile. */
  readonly high: number;
  /** Number of timed passes. */
  readonly passes: number;
}

export interface TimeBudget {
  /** Measuring time in milliseconds, without warm-up. */
  readonly time: number;
  /** Warm-up time in milliseconds. */
  readonly warmUp: number;
  /** Minimal number of passes, regardless of their time. */
  readonly passes: number;
}

/** Sum of the results of timed code, so that it is not dead code. */
let sink = 0;

/**
 * Times `pass`, which makes `calls` calls and returns a number that depends on all of them. Runs at least one
 * warm-up pass first. Returns times per call.
 */
export function measure(pass: () => number, calls: number, budget: TimeBudget): Timing {
  const bench = new Bench({
    time: budget.time,
    iterations: budget.passes,
    warmupTime: budget.warmUp,
    warmupIterations: 1,
    retainSamples: true,
    throws: true,
  });
  bench.add("pass", () => {
    sink += pass();
  });
  bench.runSync();
  const result = bench.tasks[0]!.result;
  if (!("latency" in result)) throw new Error(`timing ended in the state "${result.state}"`);
  const samples = Float64Array.from(result.latency.samples ?? [], (time) => time / calls).sort();
  if (Number.isNaN(sink)) throw new Error("timed code returned NaN");
  return {
    median: percentile(samples, 0.5),
    low: percentile(samples, 0.05),
    high: percentile(samples, 0.95),
    passes: samples.length,
  };
}

/**
 * Returns a quantile of ascending values, interpolated linearly.
 *
 * @throws RangeError without values, or if the share is not from 0 to 1
 */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) throw new RangeError("expected at least one value, got none");
  if (!(share >= 0 && share <= 1)) throw new RangeError(`expected a share from 0 to 1, got ${share}`);
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (at - low) * (sorted[high]! - sorted[low]!);
}

/** A cost (time, memory) at a length. */
export interface CostAt {
  readonly n: number;
  readonly cost: number;
}

/** A fitted power law, cost = c · n^exponent. */
export interface Growth {
  readonly exponent: number;
  /** The lengths that it was fitted to: shortest, longest, number. */
  readonly from: number;
  readonly to: number;
  readonly points: number;
}

/** Minimal number of words for fits: below it, fixed costs of a call dominate. */
const ASYMPTOTIC = 50;
/** Minimal number of points for fits: any two points lie on a line. */
const FEWEST_POINTS = 3;

/**
 * Estimates the exponent of n in a cost, by least squares on log cost over log n. Lengths under 50 are left
 * out when there are three longer ones. `undefined` for fewer than three lengths.
 */
export function growth(costs: readonly CostAt[]): Growth | undefined {
  const long = costs.filter(({ n }) => n >= ASYMPTOTIC);
  const fitted = long.length >= FEWEST_POINTS ? long : costs;
  if (fitted.length < FEWEST_POINTS) return undefined;
  const lengths = fitted.map(({ n }) => n);
  return {
    exponent: fittedExponent(fitted),
    from: Math.min(...lengths),
    to: Math.max(...lengths),
    points: fitted.length,
  };
}

/** Returns the exponent of n that fits costs best, by least squares on logarithms. */
export function fittedExponent(costs: readonly CostAt[]): number {
  const xs = costs.map(({ n }) => Math.log(n));
  const ys = costs.map(({ cost }) => Math.log(cost));
  const meanX = mean(xs);
  const meanY = mean(ys);
  let covariance = 0;
  let variance = 0;
  for (let i = 0; i < xs.length; i++) {
    covariance += (xs[i]! - meanX) * (ys[i]! - meanY);
    variance += (xs[i]! - meanX) ** 2;
  }
  return covariance / variance;
}

/**
 * Extrapolates a cost to n words by the growth between the last two lengths; 0 for fewer than two lengths.
 */
export function extrapolate(costs: readonly CostAt[], n: number): number {
  const last = costs.at(-1);
  const before = costs.at(-2);
  if (last === undefined || before === undefined) return 0;
  const exponent = Math.log(last.cost / before.cost) / Math.log(last.n / before.n);
  return last.cost * (n / last.n) ** Math.max(1, exponent);
}

export function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** Returns the arithmetic mean; NaN for no values. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/**
 * Returns the processor time of this process in milliseconds, which other programs affect less than
 * wall-clock time.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the standard deviation of a sample. */
export function deviation(values: readonly number[]): number {
  const centre = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, values.length - 1));
}
