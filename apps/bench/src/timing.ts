import { Bench } from "tinybench";

/** Times of one call in milliseconds, over repeated passes. */
export interface Timing {
  readonly median: number;
  /** The 5th percentile. */
  readonly low: number;
  /** The 95th percentile. */
  readonly high: number;
  /** How many passes were timed. */
  readonly passes: number;
}

export interface TimeBudget {
  /** Milliseconds of measuring, the warm-up before it not counted. */
  readonly time: number;
  /** Milliseconds of warming up before. */
  readonly warmUp: number;
  /** Passes at least, however long they take. */
  readonly passes: number;
}

/** Where results of timed code go, so that it is not dead code. */
let sink = 0;

/**
 * Times `pass`, which makes `calls` calls and returns a number that depends on all of them. At least one
 * pass warms up first. Times are those of one call.
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
 * The value below which a share of the ascending values lies, linearly between its neighbours.
 *
 * @throws RangeError when there are no values, or the share is not from 0 to 1
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

/** Under this many words fixed costs of a call hide how it grows. */
const ASYMPTOTIC = 50;
/** Two points lie on a line in any case. */
const FEWEST_POINTS = 3;

/**
 * Estimates the exponent of n in a cost, by least squares on log cost over log n. Lengths
 * under 50 are left out when three longer ones there are. `undefined` for fewer than three lengths.
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
function fittedExponent(costs: readonly CostAt[]): number {
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
 * What a cost will be at n words if it goes on growing as between the last two lengths; 0 when fewer than two
 * are known.
 */
export function extrapolate(costs: readonly CostAt[], n: number): number {
  const last = costs.at(-1);
  const before = costs.at(-2);
  if (last === undefined || before === undefined) return 0;
  const exponent = Math.log(last.cost / before.cost) / Math.log(last.n / before.n);
  return last.cost * (n / last.n) ** Math.max(1, exponent);
}

/** The arithmetic mean; NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Milliseconds that the processor has spent on this process: others on the machine matter less than by the
 * clock.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
