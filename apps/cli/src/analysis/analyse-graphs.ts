import type { GraphParse } from "@arcwise/parser";
import type { GraphTask } from "@arcwise/pipeline";
import type { PlannedOutput } from "../files/file-plan.ts";
import { displayName, type Io } from "../files/io.ts";
import { inSource } from "../in-source.ts";
import { analyseFile, placeOf } from "./analyse-file.ts";
import { syntaxIn, syntaxOf, treeReader, withTagsOf, wordReader } from "./graph-companions.ts";
import type { GraphFormat } from "./graph-files.ts";
import { type GraphSentence, readGraphSentences } from "./graph-sentences.ts";
import type { FitSettings } from "./input-fit.ts";
import { fileInput } from "./inputs.ts";
import type { LoadedPipeline } from "./load-threads.ts";
import type { SentenceWriter } from "./sentence-writer.ts";
import { countedBytes } from "./source.ts";

/** What is done with the graphs of a file. */
export interface GraphFile {
  readonly io: Io;
  readonly input: string;
  readonly output: PlannedOutput;
  readonly format: GraphFormat;
  readonly pipeline: LoadedPipeline;
  /** Whether the model takes a basic tree. */
  readonly takesTrees: boolean;
  /** Files of the trees and the tags of the same sentences. */
  readonly trees?: string | undefined;
  readonly words?: string | undefined;
  /** Writes sentences in another format than the input has. */
  readonly writer?: SentenceWriter | undefined;
  /** Whether comments say how each graph was found. */
  readonly report: boolean;
  readonly fit: FitSettings;
}

/** A sentence, and the words and the tree that its graph is found in. */
interface SentenceGraphTask {
  readonly sentence: GraphSentence;
  readonly task: GraphTask;
}

/** Finds the graphs of a file. @returns the exit code */
export function analyseGraphs(file: GraphFile): Promise<number> {
  const { io, input, output, format, pipeline, fit, writer } = file;
  const { items, bytes } = countedBytes(fileInput(io, input));
  const name = displayName(input);
  const trees = file.trees === undefined ? undefined : treeReader(io, file.trees);
  const words = file.words === undefined ? undefined : wordReader(io, file.words);

  /** The words of a sentence with the tags and the tree of other files. */
  async function taskOf(sentence: GraphSentence): Promise<GraphTask> {
    const where = placeOf(name, sentence.line, undefined);
    const ids = [sentence.id];
    const tags = words && (await words.next(ids))[0];
    const given = words === undefined ? sentence.words : withTagsOf(tags, sentence.words, where);
    const [tree] = trees === undefined ? [] : await trees.next(ids);
    if (!file.takesTrees) return { words: given };
    const other = trees && (() => syntaxOf(tree, given, where));
    try {
      return { words: given, syntax: syntaxIn(sentence, other, where) };
    } catch (error) {
      throw inSource(error, name);
    }
  }

  const textOf = ({ conllu, write }: GraphSentence, graph: GraphParse) =>
    writer === undefined ? () => write(graph, file.report) : () => writer.sentence(conllu(graph));

  return analyseFile<GraphSentence, SentenceGraphTask>({
    io,
    name,
    inputs: [input],
    output,
    start: writer?.start,
    end: writer?.end === undefined ? undefined : () => writer.end!(),
    pipeline,
    source: { items: readGraphSentences(items, format, name), bytes },
    fit,
    words: (sentence) => sentence.words.length,
    place: ({ line, id }) => placeOf(name, line, id),
    async tasksOf(sentences) {
      const tasks: SentenceGraphTask[] = [];
      for (const sentence of sentences) tasks.push({ sentence, task: await taskOf(sentence) });
      return tasks;
    },
    async analyse(tasks) {
      const { results, counts } = await pipeline.findGraphs(tasks.map(({ task }) => task));
      const outcomes = results.map((result, k) =>
        result.graph === undefined
          ? { error: result.error }
          : { text: textOf(tasks[k]!.sentence, result.graph) },
      );
      return { outcomes, counts };
    },
  });
}
