import type { GraphParse } from "@arcwise/parser";
import type { GraphTask } from "@arcwise/pipeline";
import type { PlannedOutput } from "../files/file-plan.ts";
import type { Io } from "../files/io.ts";
import { placeOf } from "../files/sentences.ts";
import { analyse, type Task } from "./analyse.ts";
import { type GraphCompanions, graphInputs } from "./graph-companions.ts";
import type { GraphFormat } from "./graph-files.ts";
import {
  conlluWithGraph,
  type GraphSentence,
  graphId,
  graphText,
  readGraphSentences,
} from "./graph-sentences.ts";
import type { FitSettings } from "./input-fit.ts";
import type { AnalysisInput } from "./inputs.ts";
import { countedBytes } from "./inputs.ts";
import type { OpenFiles } from "./open-files.ts";
import type { SentenceWriter } from "./sentence-writer.ts";

/** A file of graphs, and the output. */
export interface GraphFile {
  readonly input: AnalysisInput;
  readonly output: PlannedOutput;
  readonly format: GraphFormat;
  readonly open: OpenFiles;
  readonly companions: GraphCompanions;
  /** Writes sentences in another format than the input has. */
  readonly writer: SentenceWriter | undefined;
  /** Whether comments say how each graph was found. */
  readonly report: boolean;
  readonly fit: FitSettings;
}

interface SentenceGraphTask extends Task {
  readonly sentence: GraphSentence;
  readonly task: GraphTask;
}

/** Finds the graphs of a file, and closes the pipeline. @returns the exit code */
export function analyseGraphs(io: Io, file: GraphFile): Promise<number> {
  const { input, output, format, open, companions, fit, report, writer } = file;
  const { items, bytes } = countedBytes(input);
  const inputOf = graphInputs(io, input.name, companions);
  async function* tasks(): AsyncGenerator<SentenceGraphTask> {
    for await (const sentence of readGraphSentences(items, format, input.name)) {
      const task = await inputOf(sentence);
      const place = placeOf(input.name, sentence.line, graphId(sentence));
      yield { sentence, task, words: task.words.length, place };
    }
  }
  return analyse<SentenceGraphTask, { readonly graph: GraphParse }>(io, {
    ...{ inputs: [input], output, open, fit, around: writer ?? {} },
    source: { items: tasks(), bytes },
    analyse: (batch) => open.pipeline.findGraphs(batch.map(({ task }) => task)),
    text: ({ graph }, { sentence }) =>
      writer === undefined
        ? graphText(sentence, graph, report)
        : writer.sentence(conlluWithGraph(sentence, graph)),
  });
}
