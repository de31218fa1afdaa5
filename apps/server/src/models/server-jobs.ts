import { type ConlluSentence, readConllu, sentenceWords } from "@arcwise/conllu";
import type { Job, Shared } from "@arcwise/jobs";
import { type AnalysisPipeline, analysisOf, type PipelineFacts } from "@arcwise/pipeline";
import { openPipeline, type PipelineFiles } from "@arcwise/pipeline/node";
import { parseRoute } from "../api/parse.ts";
import { searchRoute } from "../api/search.ts";
import { type Failure, RequestFailure } from "../failures.ts";
import { type CutTask, type CutText, cutChunk, cutShort } from "../routes/cut.ts";
import { cutSentences, wordSentences } from "../routes/pieces.ts";
import type { Piece, Plan, ReadTask, Written } from "../routes/plan.ts";
import type { PieceTask, Route } from "../routes/route.ts";
import { processRoute } from "../udpipe/process.ts";

/** The name of a kind of request. */
export type RouteName = "parse" | "search" | "process";
/** The kinds of requests. */
export const ROUTES: Readonly<Record<RouteName, Route>> = {
  parse: parseRoute,
  search: searchRoute,
  process: processRoute,
};

/** Requests to a thread. */
export type ServerTask =
  | ({ readonly kind: "read"; readonly route: RouteName } & ReadTask)
  | { readonly kind: "facts" }
  | ({ readonly kind: "cut" } & CutTask)
  | ({ readonly kind: "write"; readonly route: RouteName; readonly limits: ReadTask["limits"] } & PieceTask);

/** The words of the sentences of a piece, whose vectors are needed. */
export interface NeededVectors {
  readonly forms: readonly (readonly string[])[];
}

/** The result of each kind of task. */
export interface ServerResults {
  readonly read: Plan;
  readonly facts: PipelineFacts;
  readonly cut: CutText;
  readonly write: Written | NeededVectors;
}

/** The result of a job, or what is wrong with the request. */
export type ServerReply = { readonly result: unknown } | { readonly failure: Failure };

/** The files of a model, unless a request is read, which needs none. */
export interface ServerInput {
  readonly files?: Shared<PipelineFiles> | undefined;
  readonly task: ServerTask;
}

/**
 * Does the work of requests, which the main thread has as bytes and text alone: one job for all kinds, since a place keeps
 * models by the name of the job.
 */
export const serverJob: Job<ServerInput, ServerReply> = {
  name: "server",
  module: import.meta.url,
  async run({ files, task }, { keep }) {
    const open = async () => analysisOf(await keep(files!, () => openPipeline(files!)));
    try {
      return { result: await resultOf(task, open) };
    } catch (error) {
      if (error instanceof RequestFailure) return { failure: error.failure };
      throw error;
    }
  },
};

async function resultOf(
  task: ServerTask,
  open: () => Promise<AnalysisPipeline>,
): Promise<ServerResults[ServerTask["kind"]]> {
  switch (task.kind) {
    case "read":
      return ROUTES[task.route].read(task);
    case "facts":
      return (await open()).facts;
    case "cut": {
      const pipeline = await open();
      const { lines } = task.options;
      return cutChunk((rest) => pipeline.session({ lines, rest }), task);
    }
    case "write":
      return writtenBy(ROUTES[task.route], task, await open());
  }
}

function writtenBy(
  route: Route,
  task: Extract<ServerTask, { kind: "write" }>,
  pipeline: AnalysisPipeline,
): Written | NeededVectors {
  const { piece, only, settings } = task;
  const all = route.sentences?.(piece, settings) ?? sentencesOf(task, pipeline);
  const sentences = only === undefined ? all : all.slice(only, only + 1);
  if (pipeline.facts.encoder !== undefined && task.vectors === undefined && route.analyses(settings))
    return { forms: sentences.map((sentence) => sentenceWords(sentence).map(({ form }) => form)) };
  return route.write({ ...task, pipeline, sentences, from: piece.from + (only ?? 0) });
}

function sentencesOf(
  { piece, limits }: { readonly piece: Piece; readonly limits: ReadTask["limits"] },
  pipeline: AnalysisPipeline,
): ConlluSentence[] {
  const { kind, data, from } = piece;
  if (kind === "conllu") return [...readConllu(data)];
  if (kind === "words") return wordSentences(data, from);
  const json = kind === "text" ? JSON.stringify(cutShort(pipeline.session(), data, limits)) : data;
  return cutSentences(json, from);
}
