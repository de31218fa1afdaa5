import { type ConlluSentence, sentenceId, sentenceWords } from "@arcwise/conllu";
import { hasCode } from "@arcwise/core/errors";
import { arcProbability } from "@arcwise/evaluate";
import type { AnalysisSettings, SentenceResult, SentenceTask } from "@arcwise/pipeline";
import { DataError } from "../command/errors.ts";
import type { PlannedOutput } from "../files/file-plan.ts";
import type { Io } from "../files/io.ts";
import { analyseFile, countWords, type Outcome, placeOf } from "./analyse-file.ts";
import { constraintReader, parserConstraints, type SentenceConstraints } from "./constraints.ts";
import type { FitSettings } from "./input-fit.ts";
import type { AnalysisInput } from "./inputs.ts";
import type { LoadedPipeline } from "./load-threads.ts";
import type { SentenceWriter } from "./sentence-writer.ts";
import type { SentenceSource } from "./source.ts";

/** What is done with the sentences of inputs. */
export interface SentenceFiles {
  readonly io: Io;
  readonly inputs: readonly AnalysisInput[];
  readonly output: PlannedOutput;
  readonly writer: SentenceWriter;
  readonly source: SentenceSource;
  readonly pipeline: LoadedPipeline;
  readonly settings: AnalysisSettings;
  readonly fit: FitSettings;
  /** Arcs with a lower probability are listed; needs `settings.marginals`. */
  readonly uncertain?: number | undefined;
  /** A file of constraints on the same sentences. */
  readonly constraints?: string | undefined;
}

/** A sentence to analyse, and what another file says of it. */
interface ConstrainedTask {
  readonly task: SentenceTask;
  readonly given: SentenceConstraints | undefined;
}

/** Analyses the sentences of inputs. @returns the exit code */
export function analyseSentences(file: SentenceFiles): Promise<number> {
  const { io, inputs, output, writer, source, pipeline, settings, fit } = file;
  const place = (sentence: ConlluSentence) =>
    placeOf(source.nameOf(sentence), sentence.line, sentenceId(sentence));
  const constraints = file.constraints === undefined ? undefined : constraintReader(io, file.constraints);
  return analyseFile<ConlluSentence, ConstrainedTask>({
    io,
    name: inputs.length === 1 ? inputs[0]!.name : `${inputs[0]!.name} and other inputs`,
    inputs: inputs.flatMap(({ path }) => path ?? []),
    output,
    start: writer.start,
    end: writer.end === undefined ? undefined : () => writer.end!(),
    pipeline,
    source,
    fit,
    words: countWords,
    place,
    async tasksOf(sentences) {
      // Constraints belong to the sentences in their order, whatever their IDs.
      const given = await constraints?.next(sentences.map(() => undefined));
      return sentences.map((sentence, k) => {
        if (given === undefined) return { task: { sentence }, given: undefined };
        const where = placeOf(source.nameOf(sentence), sentence.line, undefined);
        const constraints = parserConstraints(given[k], sentenceWords(sentence), where);
        return { task: { sentence, constraints }, given: given[k] };
      });
    },
    async analyse(tasks) {
      const { results, counts } = await pipeline.analyse(
        tasks.map(({ task }) => task),
        settings,
      );
      const outcomes = results.map((result, k) => {
        const outcome = outcomeOf(result, tasks[k]!.given, writer);
        if (file.uncertain === undefined || !("text" in outcome)) return outcome;
        const { sentence: given } = tasks[k]!.task;
        const { line, comments } = given;
        const name = source.nameOf(given);
        const first = line > 0 ? line + comments.length : undefined;
        const notes = result.sentences!.flatMap((sentence) =>
          uncertainArcs(sentence, file.uncertain!, (row) =>
            placeOf(name, first === undefined ? 0 : first + row, sentenceId(sentence)),
          ),
        );
        return { ...outcome, notes };
      });
      return { outcomes, counts };
    },
    finish: async () => constraints?.finish(),
  });
}

/** Returns a line for each arc whose probability is below a limit. */
function uncertainArcs(
  { rows }: ConlluSentence,
  limit: number,
  placeOfRow: (index: number) => string,
): string[] {
  return rows.flatMap((row, i) => {
    const probability = row.kind === "word" ? arcProbability(row) : undefined;
    if (row.kind !== "word" || probability === undefined || probability >= limit) return [];
    const arc = `word ${row.id} ${JSON.stringify(row.form)}: head ${row.head}, ${row.deprel}`;
    return `${placeOfRow(i)}: ${arc}: probability ${probability.toFixed(4)}`;
  });
}

function outcomeOf(
  result: SentenceResult,
  given: SentenceConstraints | undefined,
  writer: SentenceWriter,
): Outcome {
  const { error, sentences } = result;
  if (sentences !== undefined) {
    return { text: () => sentences.map((sentence) => writer.sentence(sentence)).join("") };
  }
  const isConstrained = given !== undefined && (hasCode(error, "no-tree") || error instanceof RangeError);
  return {
    error: isConstrained ? new DataError(`${given.place}: ${error.message}`, { cause: error }) : error,
  };
}
