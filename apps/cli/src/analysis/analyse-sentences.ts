import { type ConlluSentence, sentenceId, sentenceWords } from "@arcwise/conllu";
import { hasCode } from "@arcwise/core/errors";
import type { ParseConstraints } from "@arcwise/parser";
import type { AnalysisSettings, SentenceResult, SentenceTask } from "@arcwise/pipeline";
import { DataError } from "../errors.ts";
import type { Io } from "../io.ts";
import { analyseFile, countWords, type Outcome, placeOf } from "./analyse-file.ts";
import { constraintReader, parserConstraints, type SentenceConstraints } from "./constraints.ts";
import type { FitOptions } from "./input-fit.ts";
import type { LoadedPipeline } from "./load-threads.ts";
import { formatter, type OutputFormat } from "./output-format.ts";
import type { CountedSource } from "./source.ts";

/** What is done with the sentences of a file. */
export interface SentenceFile {
  readonly io: Io;
  readonly input: string;
  readonly output: string;
  readonly format: OutputFormat;
  readonly source: CountedSource<ConlluSentence>;
  readonly pipeline: LoadedPipeline;
  readonly settings: AnalysisSettings;
  readonly fit: Omit<FitOptions, "warn">;
  /** A file of constraints on the same sentences. */
  readonly constraints?: string | undefined;
}

/** A sentence to analyse, and what another file says of it. */
interface ConstrainedTask {
  readonly task: SentenceTask;
  readonly given: SentenceConstraints | undefined;
}

/** Analyses the sentences of a file. @returns the exit code */
export function analyseSentences(file: SentenceFile): Promise<number> {
  const { io, input, output, source, pipeline, settings, fit } = file;
  const write = formatter(file.format);
  const place = (sentence: ConlluSentence) => placeOf(input, sentence.line, sentenceId(sentence));
  const constraints = file.constraints === undefined ? undefined : constraintReader(io, file.constraints);
  return analyseFile<ConlluSentence, ConstrainedTask>({
    io,
    input,
    output,
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
        const own = constraintsOf(given[k], sentence, placeOf(input, sentence.line, undefined));
        return { task: { sentence, constraints: own }, given: given[k] };
      });
    },
    async analyse(tasks) {
      const { results, counts } = await pipeline.analyse(
        tasks.map(({ task }) => task),
        settings,
      );
      return { outcomes: results.map((result, k) => outcomeOf(result, tasks[k]!.given, write)), counts };
    },
    finish: async () => constraints?.finish(),
  });
}

function constraintsOf(
  given: SentenceConstraints | undefined,
  sentence: ConlluSentence,
  where: string,
): ParseConstraints {
  if (given === undefined)
    throw new DataError(`${where}: expected constraints for this sentence, found none`);
  return parserConstraints(given, sentenceWords(sentence), where);
}

function outcomeOf(
  result: SentenceResult,
  given: SentenceConstraints | undefined,
  write: (sentence: ConlluSentence) => string,
): Outcome {
  if (result.sentences !== undefined) return { text: result.sentences.map(write).join("") };
  const { error } = result;
  const isConstrained = given !== undefined && (hasCode(error, "no-tree") || error instanceof RangeError);
  return {
    error: isConstrained ? new DataError(`${given.place}: ${error.message}`, { cause: error }) : error,
  };
}
