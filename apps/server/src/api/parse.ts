import { sentenceTree, sentenceWords, viewSentence, withEnhancedGraph, writeSentence } from "@arcwise/conllu";
import { type AnalysisSettings, isMostlyUnknown } from "@arcwise/pipeline";
import { badRequest } from "../failures.ts";
import { type Analysed, analyse, countsOf, isFailure } from "../routes/analyse.ts";
import type { AnswerFormat, Frame, Plan, ReadTask, Written } from "../routes/plan.ts";
import { failureLine, type PieceContext, type Route, writtenText } from "../routes/route.ts";
import { constraintsFor } from "./constraints.ts";
import { answerFormat, fieldsOf, sourceOf } from "./read-request.ts";
import { PARSE_FORMATS, parseFields } from "./request-fields.ts";
import { ref, STRING } from "./schemas.ts";

interface ParseSettings extends AnalysisSettings {
  readonly format: AnswerFormat;
  readonly graph: boolean;
  /** Whether the heads and relations of the input are constraints. */
  readonly isGiven: boolean;
}

/** `/v1/parse` */
export const parseRoute: Route<ParseSettings> = {
  summary: "Parse text or sentences",
  answers: {
    json: ref("Parsed"),
    ndjson: { oneOf: [ref("Sentence"), ref("SentenceFailure")] },
    conllu: STRING,
  },
  fields: ({ kBest }) => parseFields(kBest),
  read(task: ReadTask): Plan<ParseSettings> {
    const { head, limits } = task;
    const fields = fieldsOf(parseFields(limits.kBest), task);
    const format = answerFormat(fields.format, head, PARSE_FORMATS);
    const { model, tags, kBest, marginals, deps, offsets, report, graph = false, constraints } = fields;
    const isGiven = constraints === "given";
    return {
      ...{ model, format },
      settings: { tags, kBest, marginals, deps, offsets, report, graph, format, isGiven },
      source: sourceOf(fields, { limits, constraints, trees: kBest }),
    };
  },
  analyses: () => true,
  write(context): Written {
    const { graph, format, isGiven, ...settings } = context.settings;
    const { constraints } = context.piece;
    const listed = constraints === undefined ? undefined : JSON.parse(constraints);
    const { found, input } = analyse(context, {
      ...settings,
      constraints: constraintsFor(isGiven ? "given" : listed, context.piece.from),
    });
    const all = graph ? withGraphs(found, context) : found.flat();
    const failures = all
      .filter(isFailure)
      .map(({ index, error }) => failureLine(index, error, context.model));
    const text = WRITERS[format](all, failures.values());
    const lists = format === "json" ? [failures.map((line) => JSON.stringify(line)).join()] : [];
    return writtenText(text, context, { lists, input, ...countsOf(found.flat()) });
  },
  frame: ({ format }, model): Frame =>
    format === "json"
      ? {
          start: `{"model":${JSON.stringify(model)},"sentences":[`,
          between: ",\n",
          end: ({ lists: [failures], input }) =>
            `],"failures":[${failures?.join() ?? ""}],"mostlyUnknown":${isMostlyUnknown(input)}}\n`,
        }
      : { start: "", between: "", end: () => "" },
};

/** Adds the graphs of the graph parser of a model to DEPS. */
function withGraphs(
  results: readonly (readonly Analysed[])[],
  { pipeline, model, vectors, from }: PieceContext<ParseSettings>,
): Analysed[] {
  const { graphs } = pipeline.facts;
  if (graphs === undefined) throw badRequest(`graph: expected a model with graphs, found ${model.name}`);
  return results.flatMap((trees, k) =>
    trees.map((result): Analysed => {
      if (isFailure(result)) return result;
      const syntax = graphs.takesTrees ? sentenceTree(result) : undefined;
      const task = { words: sentenceWords(result), syntax, vectors: vectors?.[k] };
      const [found] = pipeline.findGraphs([task]).results;
      if (found?.graph !== undefined) return viewSentence(withEnhancedGraph(result, found.graph));
      return { sentence: result, index: from + k, error: found?.error };
    }),
  );
}

type Writer = (results: readonly Analysed[], failures: Iterator<object>) => string;

const WRITERS: Readonly<Record<AnswerFormat, Writer>> = {
  json: (results) =>
    results.flatMap((result) => (isFailure(result) ? [] : [JSON.stringify(result)])).join(",\n"),
  ndjson: (results, failures) =>
    results
      .map((result) => `${JSON.stringify(isFailure(result) ? failures.next().value : result)}\n`)
      .join(""),
  conllu: (results) =>
    results
      .map((result) => {
        if (isFailure(result)) throw result.error;
        return writeSentence(result);
      })
      .join(""),
};
