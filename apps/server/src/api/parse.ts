import {
  type ConlluSentence,
  sentenceTree,
  sentenceWords,
  viewSentence,
  withEnhancedGraph,
  writeSentence,
} from "@arcwise/conllu";
import { inOrder } from "@arcwise/jobs";
import type { AnalysisSettings, RunOptions } from "@arcwise/pipeline";
import { type Analysed, analyse, analyseText, isFailure, isShortText } from "../analysis/analyse.ts";
import { badRequest, type Failure, failureOf } from "../requests/failures.ts";
import type { Work } from "../requests/work.ts";
import { constraintsFor } from "./constraints.ts";
import { sentencesOf } from "./read-request.ts";
import type { AnswerFormat, ParseFields } from "./request-fields.ts";

/** A sentence that could not be analysed, as JSON. */
interface FailureLine {
  /** Its index among the sentences of the input, from 0. */
  readonly index: number;
  readonly error: Pick<Failure, "code" | "message">;
}

/** Returns the settings of an analysis. */
export function settingsOf(fields: Partial<ParseFields>): AnalysisSettings & Pick<RunOptions, "constraints"> {
  const { tags, kBest, marginals, deps, report, constraints } = fields;
  return { tags, kBest, marginals, deps, report, constraints: constraintsFor(constraints) };
}

/** Yields the pieces of the answer to `/v1/parse`. @throws before the first piece, what is wrong with the request */
export function parsed(fields: ParseFields, format: AnswerFormat, work: Work): AsyncGenerator<string> {
  const sentences = sentencesOf(fields, work);
  const { text, lines, constraints } = fields;
  const settings = settingsOf(fields);
  const analysed =
    text !== undefined && lines !== true && constraints === undefined && isShortText(text)
      ? analyseText(text, work, settings)
      : analyse(sentences, work, settings);
  const results = fields.graph === true ? withGraphs(analysed, work) : analysed;
  const texts = WRITERS[format](results, work);
  return format === "ndjson" ? withErrorLine(texts, work) : texts;
}

/** Adds the graphs of the graph parser of a model to DEPS. */
async function* withGraphs(
  results: AsyncIterable<Analysed>,
  { model, signal }: Work,
): AsyncGenerator<Analysed> {
  const { graphs } = model.facts;
  if (graphs === undefined) throw badRequest(`graph: expected a model with graphs, found ${model.name}`);
  yield* inOrder(results, model.analyser.width, async (result): Promise<Analysed> => {
    if (isFailure(result)) return result;
    const syntax = graphs.takesTrees ? sentenceTree(result) : undefined;
    const task = { words: sentenceWords(result), syntax };
    const [found] = (await model.analyser.findGraphs([task], signal)).results;
    if (found?.graph !== undefined) return viewSentence(withEnhancedGraph(result, found.graph));
    return { sentence: result, index: 0, error: found?.error };
  });
}

type Writer = (results: AsyncIterable<Analysed>, work: Work) => AsyncGenerator<string>;

const WRITERS: Readonly<Record<AnswerFormat, Writer>> = {
  async *json(results, work) {
    const failures: FailureLine[] = [];
    let before = `{"model":${JSON.stringify(work.model.name)},"sentences":[`;
    for await (const result of results) {
      if (isFailure(result)) failures.push(failureLine(result.index, result.error, work));
      else {
        yield before + JSON.stringify(result);
        before = ",\n";
      }
    }
    const begin = before.startsWith("{") ? before : "";
    yield `${begin}],"failures":${JSON.stringify(failures)}}\n`;
  },
  async *ndjson(results, work) {
    for await (const result of results)
      yield `${JSON.stringify(isFailure(result) ? failureLine(result.index, result.error, work) : result)}\n`;
  },
  async *conllu(results) {
    for await (const result of results) {
      if (isFailure(result)) throw result.error;
      yield writeSentence(result as ConlluSentence);
    }
  },
};

/** Ends lines by the error that stops them, unless it is before the first one: that error is thrown. */
export async function* withErrorLine(lines: AsyncIterable<string>, { model }: Work): AsyncGenerator<string> {
  let isFirst = true;
  try {
    for await (const line of lines) {
      yield line;
      isFirst = false;
    }
  } catch (error) {
    if (isFirst) throw error;
    const { code, message } = failureOf(error, new Map([[model.path, model.name]]));
    yield `${JSON.stringify({ error: { code, message } })}\n`;
  }
}

/** Returns a failure as JSON. */
export function failureLine(index: number, error: unknown, { model }: Work): FailureLine {
  const { code, message } = failureOf(error, new Map([[model.path, model.name]]));
  return { index, error: { code, message } };
}
