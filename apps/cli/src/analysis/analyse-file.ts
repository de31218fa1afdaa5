import type { ConlluSentence } from "@arcwise/conllu";
import { hasCode } from "@arcwise/core/errors";
import type { InputCounts } from "@arcwise/pipeline";
import { DataError, EXIT, explain } from "../command/errors.ts";
import { isSameFile, type PlannedOutput } from "../files/file-plan.ts";
import type { Io } from "../files/io.ts";
import { openOutput } from "../files/output.ts";
import { printLine } from "../files/printable.ts";
import { checkInterrupt } from "../threads/interruption.ts";
import { type FitSettings, type FitWatch, fitWatch } from "./input-fit.ts";
import type { LoadedPipeline } from "./load-threads.ts";
import { type ParseProgress, parseProgress } from "./parse-progress.ts";
import type { CountedSource } from "./source.ts";

/** Words of sentences that are analysed together by one thread. */
const BATCH_WORDS = 2000;

/**
 * What became of one sentence: its text, or the reason why there is none. Texts are made in the order of the
 * sentences, each once.
 */
export type Outcome =
  | {
      text(): string;
      /** Lines for the user. */
      readonly notes?: readonly string[] | undefined;
    }
  | { readonly error: unknown };

/** The outcomes of tasks, in their order. */
export interface Analysed {
  readonly outcomes: readonly Outcome[];
  readonly counts: InputCounts;
}

/** What a command does with the sentences of a file. */
export interface FileAnalysis<Item, Task> {
  readonly io: Io;
  /** The name of the input in messages. */
  readonly name: string;
  /** The files that are read; `-` is the standard input. */
  readonly inputs: readonly string[];
  readonly output: PlannedOutput;
  readonly pipeline: LoadedPipeline;
  /** The text before the sentences, and a function that returns the text after them. */
  readonly start?: string | undefined;
  readonly end?: (() => string) | undefined;
  readonly source: CountedSource<Item>;
  /** Number of words of an item. */
  words(item: Item): number;
  /** Where an item is, as messages have it: `input.conllu:12: sentence s3`. */
  place(item: Item): string;
  /** Returns the tasks of items, with what other files have for them: for one batch after the other. */
  tasksOf(items: readonly Item[]): Promise<Task[]>;
  /** Analyses tasks, in other threads if there are some: one outcome for each. */
  analyse(tasks: readonly Task[]): Promise<Analysed>;
  /** What the input is held against. */
  readonly fit: FitSettings;
  /** Called at the end of the input. @throws DataError when another file has more sentences than the input */
  finish?(): Promise<void>;
}

/** Returns the place of a sentence of an input with this name in messages. */
export function placeOf(name: string, line: number, id: string | undefined): string {
  const where = line > 0 ? `${name}:${line}` : name;
  return id === undefined ? where : `${where}: sentence ${id}`;
}

/** Number of words of a sentence. */
export function countWords({ rows }: ConlluSentence): number {
  let words = 0;
  for (const { kind } of rows) if (kind === "word") words++;
  return words;
}

/**
 * Analyses a file in batches, shows progress, warns of input that does not fit the model, and writes a
 * summary. Memory: the batches that the pipeline has room for.
 *
 * @returns the exit code
 * @throws DataError when an input that would be replaced has sentences that could not be analysed; then, and
 *   on any other error, nothing is left of the output
 */
export async function analyseFile<Item, Task>(file: FileAnalysis<Item, Task>): Promise<number> {
  const { io, inputs, pipeline, fit } = file;
  const { path } = file.output;
  const shown = await parseProgress(io, inputs, path);
  try {
    const output = await openOutput(io, file.output);
    try {
      const start = performance.now();
      const warn = (text: string) => shown.line(`arcwise: ${text}`);
      const { columns, tagged } = pipeline.facts;
      const watch = columns && fitWatch(file.name, columns, { ...fit, tagged, warn });
      const total = await analyseAll(file, (text) => output.write(text), shown, watch);
      if (total.lost > 0 && (await isAnyOf(inputs, path))) {
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
      throw error;
    }
  } finally {
    await pipeline.close();
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

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Analyses a file batch by batch; they are written in the order of the input, whichever is done first. */
async function analyseAll<Item, Task>(
  file: FileAnalysis<Item, Task>,
  write: (text: string) => Promise<void>,
  shown: ParseProgress,
  fit: FitWatch | undefined,
): Promise<Total> {
  const { io, source, pipeline } = file;
  const total: Total = { sentences: 0, words: 0, lost: 0 };
  const underWay: { readonly items: readonly Item[]; readonly done: Promise<Analysed> }[] = [];
  const writeFirst = async () => {
    const { items, done } = underWay.shift()!;
    const { outcomes, counts } = await done;
    fit?.add(counts);
    total.sentences += items.length;
    total.words += counts.words;
    // All batches but the last one are long enough to stand for the whole input.
    fit?.check();
    await write(textOf(file, items, outcomes, total, shown));
    shown.update(source.bytes(), total);
  };
  if (file.start !== undefined) await write(file.start);
  for await (const items of batches(file)) {
    checkInterrupt(io);
    const done = file.analyse(await file.tasksOf(items));
    // A failure is met when its turn comes, or not at all after an earlier one.
    done.catch(() => {});
    underWay.push({ items, done });
    if (underWay.length >= pipeline.capacity) await writeFirst();
  }
  while (underWay.length > 0) {
    checkInterrupt(io);
    await writeFirst();
  }
  await file.finish?.();
  if (file.end !== undefined) await write(file.end());
  shown.stop();
  return total;
}

/** Joins the texts of a batch; reports the sentences that have none. @throws errors of the user's data */
function textOf<Item>(
  { place }: Pick<FileAnalysis<Item, unknown>, "place">,
  items: readonly Item[],
  outcomes: readonly Outcome[],
  total: Total,
  shown: ParseProgress,
): string {
  let text = "";
  for (const [k, outcome] of outcomes.entries()) {
    if ("text" in outcome) {
      text += outcome.text();
      for (const note of outcome.notes ?? []) shown.line(note);
      continue;
    }
    if (!isOfSentence(outcome.error)) throw outcome.error;
    total.lost++;
    const { message } = explain(outcome.error);
    shown.line(`arcwise: ${place(items[k]!)}: not parsed: ${message}`);
  }
  return text;
}

/** Whether an error depends on the length of a sentence or on its candidate arcs, or is a fault. */
function isOfSentence(error: unknown): boolean {
  if (hasCode(error, "no-tree", "no-graph", "invalid-argument", "thread-lost")) return true;
  return error instanceof RangeError || explain(error).code === EXIT.internal;
}

/** Groups the items of a source by their words. */
async function* batches<Item>({
  source,
  words,
}: Pick<FileAnalysis<Item, unknown>, "source" | "words">): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let size = 0;
  for await (const item of source.items) {
    batch.push(item);
    size += words(item);
    if (size < BATCH_WORDS) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}
