import type { GraphParse } from "@arcwise/graph-parser";
import type { GraphTask } from "@arcwise/pipeline";
import type { EncoderArguments } from "../command/options.ts";
import { DataError, UsageError } from "../errors.ts";
import type { PlannedOutput } from "../files/file-plan.ts";
import { hasColour, type Io, placeOf } from "../files/io.ts";
import { OWN_TREES } from "../settings/tables.ts";
import { analyse, type InputSentence } from "./analyse.ts";
import { graphInputs } from "./graph-companions.ts";
import {
  conlluWithGraph,
  type GraphFormat,
  type GraphSentence,
  graphId,
  graphText,
  openGraphs,
} from "./graph-sentences.ts";
import { type AnalysisInput, countedBytes } from "./inputs.ts";
import { type ModelFile, openFiles } from "./open-files.ts";
import { type OutputFormat, sentenceWriter, type WrittenFormat } from "./output-format.ts";
import type { DrawingOptions } from "./sentence-writer.ts";

/** The options of parsing that models of graphs have, as models of trees do. */
export interface GraphArguments extends EncoderArguments {
  readonly output: string;
  readonly decoder?: string;
  readonly restarts?: number;
  readonly exact?: boolean;
  readonly seconds?: number;
  /** The trees and the tags of other files, for a model of graphs. */
  readonly trees?: string;
  readonly words?: string;
  readonly strict?: boolean;
  readonly report?: boolean;
  readonly outputFormat?: WrittenFormat | undefined;
  readonly layout?: DrawingOptions["layout"];
}

/** A file to find graphs in, and the output. */
interface GraphFile {
  readonly input: AnalysisInput;
  /** Plans the output. @param format the format of the input */
  output(format: GraphFormat): Promise<PlannedOutput>;
  readonly model: ModelFile;
  /** The file of the model. */
  readonly path: string;
  readonly threads: number;
  readonly options: GraphArguments;
}

const NAMES = { conllu: "CoNLL-U", sdp: "SDP" };

/**
 * Finds the graphs of a file. The output has the format of the input, unless an option says otherwise.
 *
 * @returns the exit code
 */
export async function parseGraphs(io: Io, file: GraphFile): Promise<number> {
  const { input, path, threads, options } = file;
  const { decoder, restarts, exact, seconds, encoder, layout, trees, words, strict = false } = options;
  const files = { model: path, bytes: file.model.bytes, parts: ["graphs"] as const };
  const search = { decoder, restarts, exact, seconds };
  const open = await openFiles(io, { ...files, ...search }, threads, { encoder });
  const { kind, takesTrees } = open.facts.graphs!;
  const own: GraphFormat = kind === "enhanced" ? "conllu" : "sdp";
  const { items, bytes } = countedBytes(input);
  const found = await openGraphs(items, input.name, own).catch(async (error: unknown) => {
    await open.close();
    throw error;
  });
  const isOther = options.outputFormat === "sdp" && own !== "sdp";
  if (found.format !== own || isOther) {
    await open.close();
    const learned = `${path} learned ${own === "sdp" ? "semantic graphs" : "enhanced dependencies"}`;
    if (isOther) throw new UsageError(`--output-format sdp: ${learned}`);
    throw new DataError(`${input.name}: expected ${NAMES[own]}, found ${NAMES[found.format]}: ${learned}`);
  }
  const format =
    options.outputFormat === own ? undefined : (options.outputFormat as OutputFormat | undefined);
  const drawing = { graph: "enhanced", layout, hasColour: hasColour(io, options.output) } as const;
  const writer = format && (await sentenceWriter(format, drawing));
  const companions = { trees: takesTrees ? (trees ?? OWN_TREES) : undefined, words };
  const inputOf = graphInputs(io, input.name, companions);
  async function* sentences(): AsyncGenerator<InputSentence<GraphSentence, GraphTask>> {
    for await (const sentence of found.sentences) {
      const task = await inputOf(sentence);
      const place = placeOf(input.name, sentence.line, graphId(sentence));
      yield { sentence, task, file: input.name, words: task.words.length, place };
    }
  }
  return analyse<GraphSentence, GraphTask, { readonly graph: GraphParse }>(io, {
    ...{ inputs: [input], output: await file.output(own), open, around: writer ?? {} },
    fit: { option: "--words FILE", strict },
    source: { items: sentences(), bytes },
    analyse: (tasks) => open.pipeline.findGraphs(tasks),
    text: ({ graph }, { sentence }) =>
      writer === undefined
        ? graphText(sentence, graph, options.report === true)
        : writer.sentence(conlluWithGraph(sentence, graph)),
  });
}
