import { type ConlluSentence, readConllu, sentenceId, sentenceWords } from "@arcwise/conllu";
import { hasCode } from "@arcwise/core/errors";
import { arcProbability } from "@arcwise/evaluate";
import {
  type Analyser,
  type AnalysisSettings,
  addCounts,
  noInput,
  type SentenceTask,
} from "@arcwise/pipeline";
import { tokenizedSentence } from "@arcwise/tokenize";
import { DataError } from "../errors.ts";
import type { PlannedOutput } from "../files/file-plan.ts";
import { runningText, verticalSentences } from "../files/input.ts";
import { type Io, placeOf, printLine } from "../files/io.ts";
import type { ReadSentence } from "../files/sentences.ts";
import { analyse, countWords, type Task } from "./analyse.ts";
import { constraintReader, parserConstraints } from "./constraints.ts";
import { type FitSettings, graphNote, lineNotes } from "./input-fit.ts";
import { type CountedSource, countedBytes, type FormattedInputs } from "./inputs.ts";
import type { OpenFiles } from "./open-files.ts";
import type { SentenceWriter } from "./sentence-writer.ts";

/** Inputs of sentences, the output, and the settings of their analysis. */
export interface SentenceFiles {
  readonly input: FormattedInputs;
  /** Whether each line of a text ends a sentence; by default as the text shows. */
  readonly lines?: boolean | undefined;
  readonly output: PlannedOutput;
  readonly writer: SentenceWriter;
  readonly open: OpenFiles;
  readonly settings: AnalysisSettings;
  readonly fit: FitSettings;
  /** Arcs with a lower probability are listed; needs `settings.marginals`. */
  readonly uncertain?: number | undefined;
  /** A file of constraints on the same sentences. */
  readonly constraints?: string | undefined;
}

/** A sentence of an input, with its constraints. */
interface ReadTask extends ReadSentence, SentenceTask, Task {
  /** The place of its constraints, if another file has them. */
  readonly constrainedAt: string | undefined;
}

/**
 * Analyses the sentences of inputs, closes the pipeline, and notes how many graphs of other trees were left out.
 *
 * @returns the exit code
 */
export async function analyseSentences(io: Io, files: SentenceFiles): Promise<number> {
  const { input, output, writer, open, settings, fit, uncertain } = files;
  const total = noInput();
  const lines = lineNotes(io, files.lines);
  const source = sentenceSource(input, (text, file, nextId) =>
    cutText(lines.counted(text, file), open.pipeline.session({ lines: files.lines }), nextId),
  );
  const constraints = files.constraints === undefined ? undefined : constraintReader(io, files.constraints);
  async function* tasks(): AsyncGenerator<ReadTask> {
    for await (const { sentence, file } of source.items) {
      // Constraints belong to the sentences in their order, whatever their IDs.
      const given = await constraints?.next(undefined);
      const where = placeOf(file, sentence.line, undefined);
      yield {
        sentence,
        file,
        words: countWords(sentence),
        place: placeOf(file, sentence.line, sentenceId(sentence)),
        constraints: constraints && parserConstraints(given, sentenceWords(sentence), where),
        constrainedAt: given?.place,
      };
    }
  }
  const code = await analyse<ReadTask, { readonly sentences: readonly ConlluSentence[] }>(io, {
    ...{ inputs: input.inputs, output, open, fit, around: writer, finish: async () => constraints?.finish() },
    source: { ...source, items: tasks() },
    async analyse(batch) {
      const plain = batch.map(({ sentence, constraints }) => ({ sentence, constraints }));
      const { results, counts } = await open.pipeline.analyse(plain, settings);
      addCounts(total, counts);
      return {
        counts,
        results: results.map((result, k) =>
          result.error === undefined ? result : { error: errorAt(batch[k]!.constrainedAt, result.error) },
        ),
      };
    },
    text({ sentences }, task, line) {
      if (uncertain !== undefined) for (const note of uncertainArcs(sentences, task, uncertain)) line(note);
      return sentences.map((sentence) => writer.sentence(sentence)).join("");
    },
  });
  lines.print();
  const note = graphNote(total, settings.deps, open.facts.graphs);
  if (note !== undefined) printLine(io, `arcwise: ${note}`);
  return code;
}

/** Names the constraints that leave no tree. */
function errorAt(constrainedAt: string | undefined, error: unknown): unknown {
  if (constrainedAt === undefined || !(hasCode(error, "no-tree") || error instanceof RangeError))
    return error;
  return new DataError(`${constrainedAt}: ${error.message}`, { cause: error });
}

/** Returns a line for each arc whose probability is below a limit. */
function uncertainArcs(
  sentences: readonly ConlluSentence[],
  { file, sentence: { line, comments } }: ReadSentence,
  limit: number,
): string[] {
  return sentences.flatMap((sentence) =>
    sentence.rows.flatMap((row, i) => {
      const probability = row.kind === "word" ? arcProbability(row) : undefined;
      if (row.kind !== "word" || probability === undefined || probability >= limit) return [];
      const place = placeOf(file, line > 0 ? line + comments.length + i : 0, sentenceId(sentence));
      const arc = `word ${row.id} ${JSON.stringify(row.form)}: head ${row.head}, ${row.deprel}`;
      return `${place}: ${arc}: probability ${probability.toFixed(4)}`;
    }),
  );
}

/**
 * The sentences of inputs, one input after the other. Sentences of text and of lists of words are numbered. No
 * input is read before its first sentence is needed.
 *
 * @param cut cuts a text
 */
function sentenceSource(
  { inputs, format }: FormattedInputs,
  cut: (text: AsyncIterable<string>, file: string, nextId: () => number) => AsyncIterable<ConlluSentence>,
): CountedSource<ReadSentence> {
  let bytes = 0;
  let count = 0;
  const nextId = () => ++count;
  async function* items() {
    for (const input of inputs) {
      const counted = countedBytes(input);
      const before = bytes;
      for await (const sentence of sentencesOf(counted.items, input.name)) {
        yield { sentence, file: input.name };
        bytes = before + counted.bytes();
      }
    }
  }
  function sentencesOf(chunks: AsyncIterable<Uint8Array>, file: string): AsyncIterable<ConlluSentence> {
    if (format === "conllu") return readConllu(chunks, { file });
    const read = { bytes: chunks, file };
    return format === "text" ? cut(runningText(read), file, nextId) : verticalSentences(read, nextId);
  }
  return { items: items(), bytes: () => bytes };
}

/** UTF-16 code units of a text that are cut into words at a time: a thread is free for other batches after them. */
const PIECE = 4096;

/** Cuts a text that arrives in pieces into sentences, and numbers them. */
async function* cutText(
  text: AsyncIterable<string>,
  session: ReturnType<Analyser["session"]>,
  nextId: () => number,
): AsyncGenerator<ConlluSentence> {
  for await (const chunk of text)
    for (let at = 0; at < chunk.length; at += PIECE)
      for (const sentence of await session.push(chunk.slice(at, at + PIECE)))
        yield tokenizedSentence(sentence, nextId());
  for (const sentence of await session.end()) yield tokenizedSentence(sentence, nextId());
}
