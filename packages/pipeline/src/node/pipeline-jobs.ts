import type { Job, Shared } from "@arcwise/jobs";
import type { TextRest, TextSessionOptions, TokenizedSentence } from "@arcwise/tokenize";
import type { AnalysisQuestion, PipelineFacts } from "../analysis.ts";
import type { AnalysisPipeline } from "../assemble.ts";
import { answerTo } from "../elsewhere.ts";
import type { PipelineFiles } from "./load.ts";

/** A question for a pipeline of files. Without a chunk, a text ends. */
export type FilesQuestion =
  | AnalysisQuestion
  | { readonly kind: "facts" }
  | ({ readonly kind: "cut"; readonly chunk: string | undefined } & TextSessionOptions);

/** The sentences that are certain after a chunk, and what the next job resumes from. */
export interface CutText {
  readonly sentences: TokenizedSentence[];
  readonly rest: TextRest;
}

/**
 * Answers a question about a pipeline, which a thread loads for its first question: one job for all questions, since a
 * place keeps data by the name of the job.
 */
export const askPipeline: Job<{ files: Shared<PipelineFiles>; question: FilesQuestion }, unknown> = {
  name: "pipeline",
  module: import.meta.url,
  async run({ files, question }, { keep }) {
    const pipeline = await keep(files, async () => (await import("./load.ts")).loadFiles(files));
    if (question.kind === "facts") return pipeline.facts satisfies PipelineFacts;
    return question.kind === "cut" ? cutText(pipeline, question) : answerTo(pipeline, question);
  },
};

function cutText(
  pipeline: AnalysisPipeline,
  { lines, rest, chunk }: TextSessionOptions & { readonly chunk: string | undefined },
): CutText {
  const session = pipeline.session({ lines, rest });
  const sentences = chunk === undefined ? session.end() : session.push(chunk);
  return { sentences, rest: session.rest!() };
}
