import type { GraphExample } from "@arcwise/graph-parser";
import { graphInputs } from "../analysis/graph-companions.ts";
import { type GraphFormat, graphOf, inSentence, openGraphs } from "../analysis/graph-sentences.ts";
import { checkInterrupt, UsageError } from "../errors.ts";
import { readBytes } from "../files/input.ts";
import { displayName, type Io } from "../files/io.ts";
import { requireSome } from "../files/sentences.ts";
import { type GraphDocument, OWN_TREES } from "../settings/tables.ts";
import type { CommandArguments } from "./training-run.ts";

interface GraphData {
  readonly examples: readonly GraphExample[];
  readonly dev: readonly GraphExample[] | undefined;
  readonly graphs: "semantic" | "enhanced";
}

/** Reads the examples of a training of graphs: SDP files, or DEPS of CoNLL-U files. */
export async function readGraphData(
  io: Io,
  { train, dev = [] }: Pick<CommandArguments, "train" | "dev">,
  { trees, words, rules }: GraphDocument,
): Promise<GraphData> {
  const files = [...train, ...dev];
  let format: GraphFormat | undefined;
  const read: (readonly GraphExample[])[] = [];
  for (const [f, path] of files.entries()) {
    const file = displayName(path);
    const opened = await openGraphs(readBytes(io, path), file);
    if (format !== undefined && opened.format !== format)
      throw new UsageError(`expected files of one format, got ${files.map(displayName).join(", ")}`);
    format = opened.format;
    if (format === "sdp" && (rules || trees === OWN_TREES)) {
      const name = trees === OWN_TREES ? `trees=${OWN_TREES}` : "rules";
      throw new UsageError(`the setting ${name} requires CoNLL-U files, got SDP: ${file}`);
    }
    const inputOf = graphInputs(io, file, {
      trees: trees === OWN_TREES ? OWN_TREES : trees?.[f],
      words: words?.[f],
    });
    const examples: GraphExample[] = [];
    for await (const sentence of opened.sentences) {
      checkInterrupt(io);
      const { words: given, syntax } = await inputOf(sentence);
      examples.push({ sentence: given, graph: inSentence(sentence, file, () => graphOf(sentence)), syntax });
    }
    requireSome(examples, path, "to learn from");
    read.push(examples);
  }
  return {
    examples: read.slice(0, train.length).flat(),
    dev: dev.length > 0 ? read.slice(train.length).flat() : undefined,
    graphs: format === "sdp" ? "semantic" : "enhanced",
  };
}
