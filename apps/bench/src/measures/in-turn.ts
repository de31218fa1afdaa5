import { Bench } from "tinybench";
import { percentile, processorTime, sum } from "./timing.ts";

/** Calls that are timed together: a block of sentences of about one length. */
export interface TimedBlock {
  readonly words: number;
  /** Share of the words of the data that the block stands for; the shares of all blocks sum to 1. */
  readonly share: number;
  /** Makes all calls once; returns a number that depends on all results. */
  readonly run: () => number;
}

/** Something that is timed in turn with others. */
export interface TimedContestant {
  readonly name: string;
  readonly blocks: readonly TimedBlock[];
}

/** Speed of a contestant. */
export interface Speed {
  /**
   * Words per second of processor time, by the median over the rounds of each block's time, and by its
   * quartiles: a disturbance of a round that slows down some blocks changes the range, not the median.
   */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Number of rounds. */
  readonly samples: number;
  /** Words per second of wall-clock time, by the medians. */
  readonly wall: number;
  /**
   * Seconds of processor time that the first run of all blocks took beyond a later one: compiling, and
   * growing of memory. A contestant that shares code with those before it needs less.
   */
  readonly compiling: number;
}

/** How long contestants are timed. */
export interface TurnOptions {
  /** Number of rounds; each times every contestant once. */
  readonly rounds: number;
  /** Minimal processor time of a contestant in a round, in milliseconds. */
  readonly time: number;
  /** Minimal processor time before the first round, in milliseconds. */
  readonly warmUp: number;
  /** Called before each contestant: `step` of `steps`. */
  readonly onStep?: ((text: string, step: number, steps: number) => void) | undefined;
}

/** Number of turns that the warm-up is divided into. */
const WARM_UP_TURNS = 2;
/** A contestant is slow if its first run takes longer than this multiple of the time of a round. */
const SLOW = 10;
/** Number of rounds of slow contestants. */
const FEWEST_ROUNDS = 3;
/** Contestants with a range wider than this share of their speed get further rounds. */
const WIDE = 0.1;
/** Maximal number of further rounds, as a multiple of the rounds. */
const MORE = 2;

/** Sum of the results of timed code, so that it is not dead code. */
let sink = 0;

/**
 * Times contestants in turn: once each without warm-up, which shows the cost of compiling; then a warm-up of
 * all of them, so that shared code has met every contestant; then several rounds. Drift of the machine
 * meets all contestants alike. A block is repeated until its share of the time of a round is over, so that
 * short data and long data are timed alike.
 *
 * Times are processor time of all threads of this process, garbage collection included.
 */
export function measureInTurn(contestants: readonly TimedContestant[], options: TurnOptions): Speed[] {
  const { rounds, time, warmUp, onStep } = options;
  for (const { name, blocks } of contestants)
    if (blocks.length === 0) throw new RangeError(`${name}: expected sentences to time, got none`);
  const steps = (1 + WARM_UP_TURNS + rounds) * contestants.length;
  let step = 0;
  const inTurn = <T>(text: string, run: (contestant: TimedContestant, i: number) => T): T[] =>
    contestants.map((contestant, i) => {
      onStep?.(`${contestant.name}, ${text}`, ++step, steps);
      return run(contestant, i);
    });
  const first = inTurn("first run", firstTimes);
  for (let turn = 1; turn <= WARM_UP_TURNS; turn++)
    inTurn(`warm-up ${turn}/${WARM_UP_TURNS}`, (one) => warm(one, warmUp / WARM_UP_TURNS));
  const benches = contestants.map((contestant) => benchOf(contestant, time));
  const timed: Round[][] = contestants.map(() => []);
  // Slow contestants need fewer rounds: their rounds are long.
  const every = first.map((own) => (own > SLOW * time ? Math.max(1, Math.floor(rounds / FEWEST_ROUNDS)) : 1));
  for (let round = 0; round < rounds; round++) {
    inTurn(`round ${round + 1}/${rounds}`, (_, i) => {
      if (round % every[i]! === 0) timed[i]!.push(roundOf(benches[i]!));
    });
  }
  const speeds = () => contestants.map(({ blocks }, i) => speedOf(blocks, timed[i]!, first[i]!));
  // Other programs widen ranges: more rounds make medians steadier.
  for (let round = 0, open = speeds().map(isWide); round < MORE * rounds && open.includes(true); round++) {
    for (const [i, { name }] of contestants.entries()) {
      if (!open[i] || every[i]! > 1) continue;
      onStep?.(`${name}, further round ${round + 1}`, step, steps);
      timed[i]!.push(roundOf(benches[i]!));
    }
    open = speeds().map((speed, i) => every[i] === 1 && isWide(speed));
  }
  if (Number.isNaN(sink)) throw new Error("timed code returned NaN");
  return speeds();
}

function isWide({ value, low, high }: Speed): boolean {
  return high - low > WIDE * value;
}

/** Returns for each speed whether its range is wider than its difference to the nearest other speed. */
export function unclearOrder(speeds: readonly Pick<Speed, "value" | "low" | "high">[]): boolean[] {
  return speeds.map(({ value, low, high }, i) => {
    const others = speeds.filter((_, j) => j !== i);
    return high - low > Math.min(...others.map((other) => Math.abs(other.value - value)));
  });
}

/** Times of one run of each block in a round, in milliseconds: of the processor and by the clock. */
interface Round {
  readonly processor: readonly number[];
  readonly wall: readonly number[];
}

function firstTimes({ blocks }: TimedContestant): number {
  const from = processorTime();
  for (const { run } of blocks) sink += run();
  return processorTime() - from;
}

/** Runs blocks in sequence, repeatedly, for some processor time. */
function warm({ blocks }: TimedContestant, time: number): void {
  const end = processorTime() + time;
  for (let i = 0; i === 0 || processorTime() < end; i++) sink += blocks[i % blocks.length]!.run();
}

/** Returns a benchmark with a task for each block, which is timed by processor time. */
function benchOf({ blocks }: TimedContestant, time: number): Bench {
  const bench = new Bench({
    now: processorTime,
    time: time / blocks.length,
    iterations: 1,
    warmup: false,
    throws: true,
  });
  for (const [i, { run }] of blocks.entries()) {
    bench.add(`block ${i}`, () => {
      sink += run();
    });
  }
  return bench;
}

function roundOf(bench: Bench): Round {
  bench.reset();
  const round = { processor: [] as number[], wall: [] as number[] };
  for (const task of bench.tasks) {
    const from = performance.now();
    task.runSync();
    const wall = performance.now() - from;
    const { result } = task;
    if (!("latency" in result)) throw new Error(`timing ended in the state "${result.state}"`);
    round.processor.push(result.latency.mean);
    round.wall.push(wall / result.latency.samplesCount);
  }
  return round;
}

function speedOf(blocks: readonly TimedBlock[], rounds: readonly Round[], first: number): Speed {
  const quantile = (share: number, kind: keyof Round = "processor"): number[] =>
    blocks.map((_, b) =>
      percentile(
        rounds.map((round) => round[kind][b]!).sort((x, y) => x - y),
        share,
      ),
    );
  const speed = (times: readonly number[]): number =>
    1000 / blocks.reduce((sum, { share, words }, b) => sum + (share * times[b]!) / words, 0);
  const median = quantile(0.5);
  return {
    value: speed(median),
    low: speed(quantile(0.75)),
    high: speed(quantile(0.25)),
    samples: rounds.length,
    wall: speed(quantile(0.5, "wall")),
    compiling: Math.max(0, first - median.reduce((sum, time) => sum + time, 0)) / 1000,
  };
}

/** Number of sentences of a block. */
const BLOCK = 25;

/** Sentences of a block, by index, and the share of all words that they stand for. */
export interface SampledBlock {
  readonly indices: readonly number[];
  readonly share: number;
}

/**
 * Draws `count` sentences with probabilities in proportion to their lengths, systematically from the list
 * sorted by length, in blocks of equal share: the mean time per word over the blocks estimates the time per word
 * of all sentences, even though times grow with length. All sentences, with their exact shares, when there
 * are not more than `count`. The draw depends on lengths and order only.
 *
 * Sentences of no words are never drawn.
 */
export function sampledBlocks(lengths: readonly number[], count: number): SampledBlock[] {
  const sorted = [...lengths.keys()]
    .filter((i) => lengths[i]! > 0)
    .sort((a, b) => lengths[a]! - lengths[b]! || a - b);
  const words = sum(sorted.map((i) => lengths[i]!));
  const isAll = sorted.length <= count;
  const drawn = isAll ? sorted : systematic(sorted, lengths, words / count);
  const blocks = Math.ceil(drawn.length / BLOCK);
  return Array.from({ length: blocks }, (_, b) => {
    const at = (block: number): number => Math.round((block * drawn.length) / blocks);
    const indices = drawn.slice(at(b), at(b + 1));
    const own = sum(indices.map((i) => lengths[i]!));
    return { indices, share: isAll ? own / words : indices.length / drawn.length };
  });
}

/**
 * Returns the blocks of a sample, whose items are made before any is timed.
 *
 * @param run does the work of an item; returns a number that depends on the result
 */
export function timedBlocks<Item>(
  sample: readonly SampledBlock[],
  lengths: readonly number[],
  itemOf: (i: number) => Item,
  run: (item: Item) => number,
): TimedBlock[] {
  return sample.map(({ indices, share }) => {
    const items = indices.map(itemOf);
    const words = sum(indices.map((i) => lengths[i]!));
    return {
      share,
      words,
      run() {
        let total = 0;
        for (const item of items) total += run(item);
        return total;
      },
    };
  });
}

/** Returns the sentences at every `step`-th word of the list, from the middle of the first step. */
function systematic(list: readonly number[], lengths: readonly number[], step: number): number[] {
  const drawn: number[] = [];
  let seen = 0;
  for (const i of list) {
    seen += lengths[i]!;
    while (seen > (drawn.length + 0.5) * step) drawn.push(i);
  }
  return drawn;
}
