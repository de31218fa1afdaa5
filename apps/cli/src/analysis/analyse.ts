import { stat } from "node:fs/promises";
import type { ConlluSentence } from "@arcwise/conllu";
import { counted, hasCode } from "@arcwise/core/errors";
import { inOrder } from "@arcwise/jobs";
import type { InputCounts } from "@arcwise/pipeline";
import { checkInterrupt, DataError, EXIT, explain, Interrupted } from "../errors.ts";
import { isSameFile, type PlannedOutput } from "../files/file-plan.ts";
import { type Io, printLine } from "../files/io.ts";
import { openOutput } from "../files/output.ts";
import { type FitSettings, type FitWatch, fitWatch } from "./input-fit.ts";
import type { AnalysisInput, CountedSource } from "./inputs.ts";
import type { OpenFiles } from "./open-files.ts";
import type { SentenceWriter } from "./sentence-writer.ts";

/** Words of sentences that are analysed together by one thread. */
const BATCH_WORDS = 2000;

/** A sentence to analyse. */
export interface Task {
  /** Number of words. */
  readonly words: number;
  /** Where the sentence is, as messages have it: `input.conllu:12: sentence s3`. */
  readonly place: string;
}

/** Tasks that were analysed together. */
interface Analysed<Result> {
  readonly results: readonly (Result | { readonly error: unknown })[];
  readonly counts: InputCounts;
}

/** The analysis of the sentences of some inputs by a command. */
export interface Analysis<Item extends Task, Result extends object> {
  readonly inputs: readonly AnalysisInput[];
  readonly output: PlannedOutput;
  readonly open: OpenFiles;
  readonly source: CountedSource<Item>;
  /** Analyses tasks, in other threads if there are some: one result for each. */
  analyse(tasks: readonly Item[]): Promise<Analysed<Result>> | Analysed<Result>;
  /** Returns the text of a result: in the order of the sentences, each once. @param line prints a line for the user */
  text(result: Result, task: Item, line: (text: string) => void): string;
  /** The text before and after the sentences. */
  readonly around: Pick<SentenceWriter, "start" | "end">;
  /** How input that does not fit the model is reported. */
  readonly fit: FitSettings;
  /** Called when all sentences are written. */
  finish?(): Promise<void>;
}

/** Number of words of a sentence. */
export function countWords({ rows }: ConlluSentence): number {
  let words = 0;
  for (const { kind } of rows) if (kind === "word") words++;
  return words;
}

/**
 * Analyses sentences in batches, shows progress, warns of input that does not fit the model, and writes a summary.
 * Memory: the batches under way. Closes the pipeline.
 *
 * @returns the exit code
 */
export async function analyse<Item extends Task, Result extends object>(
  io: Io,
  analysis: Analysis<Item, Result>,
): Promise<number> {
  const { path } = analysis.output;
  const files = analysis.inputs.flatMap((input) => input.path ?? []);
  const shown = await parseProgress(io, files, path);
  try {
    const output = await openOutput(io, analysis.output);
    try {
      const start = performance.now();
      const total = await analyseAll(io, analysis, (text) => output.write(text), shown);
      if (total.lost > 0 && (await isAnyOf(files, path))) {
        throw new DataError(
          `${path}: not replaced, since ${total.lost} of its sentences could not be parsed`,
        );
      }
      await output.close();
      const seconds = (performance.now() - start) / 1000;
      printLine(io, summary(total, seconds));
      return total.lost > 0 ? EXIT.incomplete : EXIT.ok;
    } catch (error) {
      shown.stop();
      await output.abandon();
      throw io.signal.aborted ? new Interrupted("stopped") : error;
    }
  } finally {
    await analysis.open.close();
  }
}

/** Whether a file is one of others. */
async function isAnyOf(files: readonly string[], path: string): Promise<boolean> {
  for (const file of files) if (await isSameFile(file, path)) return true;
  return false;
}

interface Total {
  sentences: number;
  words: number;
  /** Sentences that could not be analysed. */
  lost: number;
}

/** Number of words below which a speed mostly measures loading and compiling. */
const TIMED_WORDS = 1000;

function summary({ sentences, words, lost }: Total, seconds: number): string {
  const speed = words < TIMED_WORDS ? "" : `: ${Math.round(words / seconds)} words per second`;
  const read = `${counted(sentences, "sentence")}, ${counted(words, "word")}`;
  const all = `${read} in ${seconds.toFixed(2)} s${speed}`;
  return lost === 0 ? all : `${all}; ${counted(lost, "sentence")} could not be parsed and left out`;
}

/** Analyses batches; they are written in the order of the input, whichever is done first. */
async function analyseAll<Item extends Task, Result extends object>(
  io: Io,
  analysis: Analysis<Item, Result>,
  write: (text: string) => Promise<void>,
  shown: ParseProgress,
): Promise<Total> {
  const { source, around, open } = analysis;
  const total: Total = { sentences: 0, words: 0, lost: 0 };
  const fit = fitOf(analysis, shown);
  if (around.start !== undefined) await write(around.start);
  const analysed = inOrder(batches(io, source.items), open.pipeline.width, async (tasks) => ({
    tasks,
    ...(await analysis.analyse(tasks)),
  }));
  for await (const { tasks, results, counts } of analysed) {
    checkInterrupt(io);
    fit?.add(counts);
    total.sentences += tasks.length;
    total.words += counts.words;
    // All batches but the last one are long enough to stand for the whole input.
    fit?.check();
    let text = "";
    for (const [k, result] of results.entries()) {
      const task = tasks[k]!;
      if (!isError(result)) {
        text += analysis.text(result, task, shown.line);
        continue;
      }
      if (!isOfSentence(result.error)) throw result.error;
      total.lost++;
      shown.line(`arcwise: ${task.place}: not parsed: ${explain(result.error).message}`);
    }
    await write(text);
    shown.update(source.bytes(), total);
  }
  await analysis.finish?.();
  if (around.end !== undefined) await write(around.end());
  shown.stop();
  return total;
}

function fitOf(
  { inputs, open, fit }: Pick<Analysis<Task, object>, "inputs" | "open" | "fit">,
  shown: ParseProgress,
): FitWatch | undefined {
  const { columns, tagged } = open.facts;
  const [first, ...others] = inputs;
  const name = others.length === 0 ? first!.name : `${first!.name} and other inputs`;
  const warn = (text: string) => shown.line(`arcwise: ${text}`);
  return columns && fitWatch(name, columns, { ...fit, tagged, warn });
}

function isError(result: object): result is { readonly error: unknown } {
  return "error" in result && result.error !== undefined;
}

/** Whether an error depends on the length of a sentence or on its candidate arcs, or is a fault. */
function isOfSentence(error: unknown): boolean {
  if (hasCode(error, "no-tree", "no-graph", "invalid-argument", "thread-lost")) return true;
  return error instanceof RangeError || explain(error).code === EXIT.internal;
}

/** Groups tasks by their words. */
async function* batches<Item extends Task>(io: Io, tasks: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let size = 0;
  for await (const task of tasks) {
    batch.push(task);
    size += task.words;
    if (size < BATCH_WORDS) continue;
    checkInterrupt(io);
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Shows how far parsing is, in one line of a terminal. */
export interface ParseProgress {
  /** Shows how many bytes of the input were read; `total` counts what was parsed so far. */
  update(bytes: number, total: { readonly sentences: number; readonly words: number }): void;
  /** A line that stays. */
  line(text: string): void;
  /** Removes the line. */
  stop(): void;
}

/** Milliseconds between two updates of the line. */
const UPDATE = 100;

/**
 * Progress of parsing on the standard error, with the share of the input where its size is known. Nothing is
 * shown without a terminal, or when the sentences themselves are written to it.
 */
export async function parseProgress(
  io: Io,
  inputs: readonly string[],
  output: string,
): Promise<ParseProgress> {
  const { stderr } = io;
  const line = (text: string) => printLine(io, text);
  if (stderr.isTTY !== true || (output === "-" && io.stdout.isTTY === true)) {
    return { update: () => {}, line, stop: () => {} };
  }
  const sizes = await Promise.all(inputs.map(sizeOf));
  const size = sizes.includes(0) ? 0 : sizes.reduce((sum, one) => sum + one, 0);
  let last = Number.NEGATIVE_INFINITY;
  const clear = () => void stderr.write("\r\u001b[K");
  return {
    update: (bytes, { sentences, words }) => {
      const now = performance.now();
      if (now < last + UPDATE) return;
      last = now;
      const share = size > 0 && bytes <= size ? `${Math.floor((100 * bytes) / size)} %, ` : "";
      clear();
      stderr.write(`parsing: ${share}${counted(sentences, "sentence")}, ${counted(words, "word")}`);
    },
    line: (text) => {
      clear();
      line(text);
    },
    stop: clear,
  };
}

/** Returns the size of a file in bytes; 0 where it does not say how many bytes will be read. */
async function sizeOf(path: string): Promise<number> {
  if (path.endsWith(".gz")) return 0;
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
