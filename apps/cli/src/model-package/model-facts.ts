import { loadAs } from "@arcwise/core/node";
import { predictedColumns } from "@arcwise/parser";
import { loadPipeline, modelParts, type PipelinePart, type PipelineScores } from "@arcwise/pipeline";
import { DataError } from "../errors.ts";

/** The facts of a pipeline file. */
export interface ModelFacts {
  readonly bytes: number;
  readonly parts: readonly PipelinePart[];
  readonly seed?: number | undefined;
  readonly trainingSentences?: number | undefined;
  readonly dev?: PipelineScores | undefined;
}

/** Returns the facts of a pipeline file, after loading all of it. */
export function modelFacts(bytes: Uint8Array, file: string): ModelFacts {
  const { parser } = loadAs(file, bytes, loadPipeline);
  const { description, parts } = modelParts(bytes);
  const names = Object.keys(parts) as PipelinePart[];
  // A network alone tags by itself.
  const tagsItself = parser !== undefined && predictedColumns(parser).length > 0;
  for (const part of ["tokenizer", "tagger", "parser"] as const) {
    if (!names.includes(part) && !(part === "tagger" && tagsItself)) {
      throw new DataError(
        `${file}: expected a model of train --for text, found one with ${names.join(", ")} and no ${part}`,
      );
    }
  }
  const { seed, trainingSentences, dev } = description ?? {};
  return { bytes: bytes.length, parts: names, seed, trainingSentences, dev };
}
