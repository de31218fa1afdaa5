import { type ConlluSentence, readConllu, sentenceId, sentenceWords } from "@arcwise/conllu";
import { arcProbability } from "@arcwise/evaluate";
import {
  type Analyser,
  type AnalysisSettings,
  addCounts,
  noInput,
  type SentenceTask,
} from "@arcwise/pipeline";
import { tokenizedSentence } from "@arcwise/tokenize";
import type { PlannedOutput } from "../files/file-plan.ts";
import { runningText, verticalSentences } from "../files/input.ts";
import { type Io, placeOf, printLine } from "../files/io.ts";
import { analyse, type InputSentence } from "./analyse.ts";
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

/** The trees of a sentence, each as a sentence. */
interface Trees {
  readonly sentences: readonly ConlluSentence[];
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
  const constraints = files.constraints === undefined ? undefined : constraintReader(io, files.constraints);
  const code = await analyse<ConlluSentence, SentenceTask, Trees>(io, {
    ...{ inputs: input.inputs, output, open, fit, around: writer, finish: async () => constraints?.finish() },
    source: sentenceSource(files, lines, constraints),
    async analyse(tasks) {
      const analysed = await open.pipeline.analyse(tasks, settings);
      addCounts(total, analysed.counts);
      return analysed;
    },
    text({ sentences }, from, line) {
      if (uncertain !== undefined) for (const note of uncertainArcs(sentences, from, uncertain)) line(note);
      return sentences.map((sentence) => writer.sentence(sentence)).join("");
    },
  });
  lines.print();
  const note = graphNote(total, settings.deps, open.facts.graphs);
  if (note !== undefined) printLine(io, `arcwise: ${note}`);
  return code;
}

/** Returns a line for each arc whose probability is below a limit. */
function uncertainArcs(
  sentences: readonly ConlluSentence[],
  { file, sentence: { line, comments } }: InputSentence<ConlluSentence, SentenceTask>,
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

type ConstraintReader = ReturnType<typeof constraintReader>;

/**
 * The sentences of inputs, one input after the other. Sentences of text and of lists of words are numbered. No
 * input is read before its first sentence is needed.
 */
function sentenceSource(
  { input: { inputs, format }, open, lines }: SentenceFiles,
  notes: ReturnType<typeof lineNotes>,
  constraints: ConstraintReader | undefined,
): CountedSource<InputSentence<ConlluSentence, SentenceTask>> {
  let bytes = 0;
  let count = 0;
  const nextId = () => ++count;
  async function* items() {
    for (const input of inputs) {
      const counted = countedBytes(input);
      const before = bytes;
      for await (const sentence of sentencesOf(counted.items, input.name)) {
        yield await inputSentence(sentence, input.name, constraints);
        bytes = before + counted.bytes();
      }
    }
  }
  function sentencesOf(chunks: AsyncIterable<Uint8Array>, file: string): AsyncIterable<ConlluSentence> {
    if (format === "conllu") return readConllu(chunks, { file });
    const read = { bytes: chunks, file };
    if (format !== "text") return verticalSentences(read, nextId);
    return cutText(notes.counted(runningText(read), file), open.pipeline.session({ lines }), nextId);
  }
  return { items: items(), bytes: () => bytes };
}

/** Returns a sentence of an input with its constraints. */
async function inputSentence(
  sentence: ConlluSentence,
  file: string,
  constraints: ConstraintReader | undefined,
): Promise<InputSentence<ConlluSentence, SentenceTask>> {
  // Constraints belong to the sentences in their order, whatever their IDs.
  const given = await constraints?.next(undefined);
  const where = placeOf(file, sentence.line, undefined);
  const constrained = constraints && parserConstraints(given, sentenceWords(sentence), where);
  return {
    ...{ sentence, file, task: { sentence, constraints: constrained } },
    words: countWords(sentence),
    place: placeOf(file, sentence.line, sentenceId(sentence)),
    constrainedAt: given?.place,
  };
}

function countWords({ rows }: ConlluSentence): number {
  let words = 0;
  for (const { kind } of rows) if (kind === "word") words++;
  return words;
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
