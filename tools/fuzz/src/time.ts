import { fittedExponent } from "@arcwise/bench/measures";
import { parseConllu } from "@arcwise/conllu";
import { ArcwiseError } from "@arcwise/core/errors";
import { createTokenizer, trainTokenizer } from "@arcwise/tokenize";
import fc from "fast-check";
import { type Area, Fault, type Outcome } from "./area.ts";
import { encode } from "./edits.ts";
import { sampleText } from "./samples.ts";
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
interface TimeCase {
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

/** Returns all formats. */
export async function allTimeFormats(): Promise<readonly TimeFormat[]> {
  const tokenizer = createTokenizer(await trainTokenizer(parseConllu(sampleText(30)), { epochs: 1 }));
  return timeFormats((text) => tokenizer.tokenize(text));
}

/** Returns every case of formats. */
export function timeCases(formats: readonly TimeFormat[]): TimeCase[] {
  return formats.flatMap((format) =>
    Object.keys(format.shapes).flatMap((shape) =>
      format.fills.flatMap((fill) => Object.keys(format.uses).map((use) => ({ format, shape, fill, use }))),
    ),
  );
}

/** Doubles inputs until they take a second, and measures how the time grows. */
export const time: Area<number> = {
  name: "time",
  description:
    "inputs of each kind, doubled until a second: the time grows at most as their length to the 1.2",
  share: 2,
  prepare: async () => {
    const cases = timeCases(await allTimeFormats());
    let steepest = { exponent: 0, name: "none" };
    return {
      inputs: fc.noShrink(fc.nat(cases.length - 1)),
      async try(which) {
        const one = cases[which]!;
        const name = `${one.format.name}, ${one.use}: ${one.shape} of ${JSON.stringify(one.fill)}`;
        let { points, outcome } = await measure(one, 1);
        if (exponentOf(points) > MAX_EXPONENT) ({ points, outcome } = await measure(one, REPEATS));
        const exponent = exponentOf(points);
        if (exponent > steepest.exponent) steepest = { exponent, name };
        if (exponent <= MAX_EXPONENT) return outcome;
        const { length, milliseconds } = points.at(-1)!;
        const took = `${milliseconds.toFixed(0)} ms for ${length} characters`;
        const input = encode(textOf(one, Math.min(length, 2 ** 14)));
        throw new Fault(`${name}: time grows with the power ${exponent.toFixed(2)}: ${took}`, input);
      },
      notes: () => `largest exponent ${steepest.exponent.toFixed(2)} (${steepest.name})`,
    };
  },
};

function textOf({ format, shape, fill }: TimeCase, length: number): string {
  return format.shapes[shape]!(fill.repeat(Math.ceil(length / fill.length)));
}

async function measure(one: TimeCase, repeats: number) {
  const points: Point[] = [];
  let outcome: Outcome = "survived";
  for (let length = SHORTEST; length <= LONGEST; length *= 2) {
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < repeats; run++) {
      const start = process.cpuUsage();
      outcome = await readAt(one, length);
      const { user, system } = process.cpuUsage(start);
      least = Math.min(least, (user + system) / 1000);
    }
    points.push({ length, milliseconds: least });
    if (least > ENOUGH) break;
  }
  return { points, outcome };
}

/** Reads a text of `length` characters. @throws Fault for errors that do not refuse it */
export async function readAt(one: TimeCase, length: number): Promise<Outcome> {
  const text = textOf(one, length);
  try {
    await one.format.uses[one.use]!(text);
    return "survived";
  } catch (error) {
    if (error instanceof ArcwiseError) return "refused";
    throw new Fault(String(error), encode(text.slice(0, 2 ** 14)), error);
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
