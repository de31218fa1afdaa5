import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseConllu } from "@arcwise/conllu";
import { ArcwiseError, type Random } from "@arcwise/core";
import { createTokenizer, trainTokenizer } from "@arcwise/tokenize";
import { SAMPLE } from "../data/treebanks.ts";
import { fittedExponent } from "../measures/timing.ts";
import { type Area, Fault, type Fuzzer, type Outcome, pick } from "./area.ts";
import { encode } from "./mutations.ts";
import { type TimeFormat, timeFormats } from "./time-cases.ts";

/** The first and the largest length of a run of characters; a line has at most 2^20. */
const SHORTEST = 2 ** 9;
const LONGEST = 2 ** 19;
/** Milliseconds after which an input is not doubled any more, and below which a time is not used. */
const ENOUGH = 1000;
const NOISE = 16;
/** The time of the longest input from which on a steep growth is a fault; shorter times vary too much. */
const LONG = 200;
/** The largest exponent of the time as a power of the length. */
const MAX_EXPONENT = 1.2;
/** Number of measurements of one input in a second look at a case. */
const REPEATS = 3;

/** One kind of input for one reader. */
interface Trial {
  readonly format: TimeFormat;
  readonly shape: string;
  readonly fill: string;
  readonly use: string;
}

/** The time that an input took. */
interface Point {
  readonly length: number;
  readonly milliseconds: number;
}

/** Doubles inputs until they take a second, and measures how the time grows. */
export const time: Area = {
  name: "time",
  description:
    "inputs of each kind, doubled until a second: the time grows at most as their length to the 1.2",
  share: 2,
  prepare: async () => {
    const sentences = parseConllu(readFileSync(join(SAMPLE, "dev.conllu"), "utf8")).slice(0, 30);
    const tokenizer = createTokenizer(await trainTokenizer(sentences, { epochs: 1 }));
    return new TimeFuzzer(timeFormats((text) => tokenizer.tokenize(text)));
  },
};

/** Measures cases of formats. */
export class TimeFuzzer implements Fuzzer {
  readonly formats: readonly TimeFormat[];
  #steepest = { exponent: 0, name: "none" };

  constructor(formats: readonly TimeFormat[]) {
    this.formats = formats;
  }

  async try(stream: Random): Promise<Outcome> {
    const format = pick(stream, this.formats);
    const [shape, fill, use] = [Object.keys(format.shapes), format.fills, Object.keys(format.uses)].map(
      (all) => pick(stream, all),
    ) as [string, string, string];
    return this.measure({ format, shape, fill, use });
  }

  /** Measures a case, a second time where its exponent is too large. @throws Fault */
  async measure(trial: Trial): Promise<Outcome> {
    const { format, shape, fill, use } = trial;
    const name = `${format.name}, ${use}: ${shape} of ${JSON.stringify(fill)}`;
    let { points, refused } = await measureTrial(trial, 1);
    if (exponentOf(points) > MAX_EXPONENT) ({ points, refused } = await measureTrial(trial, REPEATS));
    const exponent = exponentOf(points);
    if (exponent > this.#steepest.exponent) this.#steepest = { exponent, name };
    if (exponent > MAX_EXPONENT) {
      const last = points.at(-1)!;
      const input = encode(textOf(trial, Math.min(last.length, 2 ** 14)));
      const took = `${last.milliseconds.toFixed(0)} ms for ${last.length} characters`;
      throw new Fault(`${name}: time grows with the power ${exponent.toFixed(2)}: ${took}`, input);
    }
    return refused ? "refused" : "survived";
  }

  notes(): string {
    return `largest exponent ${this.#steepest.exponent.toFixed(2)} (${this.#steepest.name})`;
  }
}

function textOf({ format, shape, fill }: Trial, length: number): string {
  return format.shapes[shape]!(fill.repeat(Math.ceil(length / fill.length)));
}

async function measureTrial(
  trial: Trial,
  repeats: number,
): Promise<{ readonly points: Point[]; readonly refused: boolean }> {
  const use = trial.format.uses[trial.use]!;
  const points: Point[] = [];
  let refused = false;
  for (let length = SHORTEST; length <= LONGEST; length *= 2) {
    const text = textOf(trial, length);
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < repeats; run++) {
      const start = process.cpuUsage();
      refused = await isRefused(() => use(text), encode(text.slice(0, 2 ** 14)));
      const { user, system } = process.cpuUsage(start);
      least = Math.min(least, (user + system) / 1000);
    }
    points.push({ length, milliseconds: least });
    if (least > ENOUGH) break;
  }
  return { points, refused };
}

/** Returns whether a text of `length` characters is refused. @throws Fault for other errors */
export function isRefusedAt(trial: Trial, length: number): Promise<boolean> {
  const text = textOf(trial, length);
  return isRefused(() => trial.format.uses[trial.use]!(text), encode(text));
}

async function isRefused(read: () => unknown, input: Uint8Array): Promise<boolean> {
  try {
    await read();
    return false;
  } catch (error) {
    if (error instanceof ArcwiseError) return true;
    throw new Fault(error instanceof Error ? `${error.name}: ${error.message}` : String(error), input, error);
  }
}

/**
 * Returns the exponent of the time as a power of the length: the slope of a regression of the logarithms of
 * the last four times that are above the noise; 0 if there are fewer than three, or all are short.
 */
export function exponentOf(points: readonly Point[]): number {
  const used = points.filter(({ milliseconds }) => milliseconds >= NOISE).slice(-4);
  if (used.length < 3 || used.at(-1)!.milliseconds < LONG) return 0;
  return fittedExponent(used.map(({ length, milliseconds }) => ({ n: length, cost: milliseconds })));
}

/** Returns every case of the area, in a fixed order. */
export function timeTrials(formats: readonly TimeFormat[]): Trial[] {
  return formats.flatMap((format) =>
    Object.keys(format.shapes).flatMap((shape) =>
      format.fills.flatMap((fill) => Object.keys(format.uses).map((use) => ({ format, shape, fill, use }))),
    ),
  );
}
