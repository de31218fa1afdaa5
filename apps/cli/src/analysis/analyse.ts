import { stat } from "node:fs/promises";
import { counted, hasCode } from "@arcwise/core/errors";
import { inOrder } from "@arcwise/jobs";
import type { InputCounts } from "@arcwise/pipeline";
import { checkInterrupt, DataError, EXIT, explain, Interrupted } from "../errors.ts";
import { isSameFile, type PlannedOutput } from "../files/file-plan.ts";
import { type Io, printLine } from "../files/io.ts";
import { openOutput } from "../files/output.ts";
import { type FitSettings, fitWatch } from "./input-fit.ts";
import type { AnalysisInput, CountedSource } from "./inputs.ts";
import type { OpenFiles } from "./open-files.ts";
import type { SentenceWriter } from "./sentence-writer.ts";

/** Words of sentences that are analysed together by one thread. */
const BATCH_WORDS = 2000;

/** A sentence of an input, and its task for the pipeline. */
export interface InputSentence<Sentence, Task> {
  readonly sentence: Sentence;
  readonly task: Task;
  /** Name of the input in messages. */
  readonly file: string;
  /** Number of words. */
  readonly words: number;
  /** Where the sentence is, as messages have it: `input.conllu:12: sentence s3`. */
  readonly place: string;
  /** The place of its constraints, if another file has them. */
  readonly constrainedAt?: string | undefined;
}

/** The results of tasks that were analysed together. */
interface Analysed<Result> {
  readonly results: readonly (Result | { readonly error: unknown })[];
  readonly counts: InputCounts;
}

/** The analysis of the sentences of some inputs by a command. */
export interface Analysis<Sentence, Task, Result extends object> {
  readonly inputs: readonly AnalysisInput[];
  readonly output: PlannedOutput;
  readonly open: OpenFiles;
  readonly source: CountedSource<InputSentence<Sentence, Task>>;
  /** Analyses tasks, in other threads if there are some: one result for each. */
  analyse(tasks: readonly Task[]): Promise<Analysed<Result>> | Analysed<Result>;
  /** Returns the text of a result: in the order of the sentences, each once. @param line prints a line for the user */
  text(result: Result, from: InputSentence<Sentence, Task>, line: (text: string) => void): string;
  /** The text before and after the sentences. */
  readonly around: Pick<SentenceWriter, "start" | "end">;
  /** How input that does not fit the model is reported. */
  readonly fit: FitSettings;
  /** Called when all sentences are written. */
  finish?(): Promise<void>;
}

/**
 * Analyses sentences in batches, shows progress, warns of input that does not fit the model, and writes a summary.
 * Memory: the batches under way. Closes the pipeline.
 *
 * @returns the exit code
 */
export async function analyse<Sentence, Task, Result extends object>(
  io: Io,
  analysis: Analysis<Sentence, Task, Result>,
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
async function analyseAll<Sentence, Task, Result extends object>(
  io: Io,
  analysis: Analysis<Sentence, Task, Result>,
  write: (text: string) => Promise<void>,
  shown: ParseProgress,
): Promise<Total> {
  const { source, around, open } = analysis;
  const total: Total = { sentences: 0, words: 0, lost: 0 };
  const fit = fitOf(analysis, shown);
  if (around.start !== undefined) await write(around.start);
  const analysed = inOrder(batches(io, source.items), open.pipeline.width, async (batch) => ({
    batch,
    ...(await analysis.analyse(batch.map(({ task }) => task))),
  }));
  for await (const { batch, results, counts } of analysed) {
    checkInterrupt(io);
    fit?.add(counts);
    total.sentences += batch.length;
    total.words += counts.words;
    // All batches but the last one are long enough to stand for the whole input.
    fit?.check();
    let text = "";
    for (const [k, result] of results.entries()) {
      const from = batch[k]!;
      if (!isError(result)) {
        text += analysis.text(result, from, shown.line);
        continue;
      }
      const { error } = result;
      if (from.constrainedAt !== undefined && (hasCode(error, "no-tree") || error instanceof RangeError))
        throw new DataError(`${from.constrainedAt}: ${error.message}`, { cause: error });
      if (!isOfSentence(error)) throw error;
      total.lost++;
      shown.line(`arcwise: ${from.place}: not parsed: ${explain(error).message}`);
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
  { inputs, open, fit }: Pick<Analysis<unknown, unknown, object>, "inputs" | "open" | "fit">,
  shown: ParseProgress,
) {
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

/** Groups sentences by their words. */
async function* batches<Item extends { readonly words: number }>(
  io: Io,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let size = 0;
  for await (const item of items) {
    batch.push(item);
    size += item.words;
    if (size < BATCH_WORDS) continue;
    checkInterrupt(io);
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Shows how far parsing is, in one line of a terminal. */
interface ParseProgress {
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
async function parseProgress(io: Io, inputs: readonly string[], output: string): Promise<ParseProgress> {
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
