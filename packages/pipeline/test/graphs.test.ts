import {
  enhance,
  enhancedGraph,
  parseConllu,
  sentenceTree,
  sentenceWords,
  writeConllu,
} from "@arcwise/conllu";
import { dependencyGraph } from "@arcwise/core";
import { type GraphModel, trainGraphParser } from "@arcwise/graph-parser";
import { beforeAll, expect, test } from "vitest";
import { analysisOf, createPipeline, loadPipeline, type PipelineModel, savePipeline } from "../src/index.ts";
import { TREEBANK } from "./treebank.ts";

const ENHANCED = TREEBANK.slice(0, 48).map(enhance);
const DESCRIPTION = { seed: 1, trainingSentences: 48, jackknife: 0 };

let graphs: GraphModel;
beforeAll(async () => {
  const examples = ENHANCED.map((sentence) => ({
    sentence: sentenceWords(sentence),
    graph: enhancedGraph(sentence),
    syntax: sentenceTree(sentence),
  }));
  graphs = await trainGraphParser(examples, { preset: "linear", graphs: "enhanced", epochs: 3 });
});

/** Gives the trees of the treebank back. */
const given = { tagger: false, parser: false } as const;

test("fills in the graphs that a model in the file finds", () => {
  const model: PipelineModel = { description: DESCRIPTION, graphs };
  const bytes = savePipeline(model);
  const read = loadPipeline(bytes);
  expect(savePipeline(read)).toEqual(bytes);
  const bare = ENHANCED.map((sentence) => ({
    ...sentence,
    rows: sentence.rows.map((row) => (row.kind === "word" ? { ...row, deps: "_" } : row)),
  }));
  expect(writeConllu(createPipeline(read, given).annotate(bare))).toBe(writeConllu(ENHANCED));
  const [same] = createPipeline(read, { ...given, graphs: false }).annotate([bare[0]!]);
  expect(structuredClone(same)).toEqual(bare[0]);
});

test("takes a step of one's own, which gets the tree if there is one", () => {
  const trees: boolean[] = [];
  const step = {
    parse: (words: readonly unknown[], { syntax }: { syntax?: unknown } = {}) => {
      trees.push(syntax !== undefined);
      const edges = words.map((_, m) => ({ head: 0, modifier: m + 1, label: "own" }));
      return { n: words.length, edges, tops: [], predicates: [], score: 0, bound: 0 };
    },
  };
  const pipeline = createPipeline({}, { ...given, graphs: step });
  const [bare] = parseConllu("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
  expect(pipeline.annotate([bare!])[0]!.rows).toMatchObject([{ deps: "0:own" }]);
  pipeline.annotate([TREEBANK[0]!]);
  expect(trees).toEqual([false, true]);
});

test("an error of one sentence is its result, and leaves the graphs of the others where they are", () => {
  const parse = (words: readonly unknown[]) => {
    if (words.length === 2) throw new RangeError("two words");
    return dependencyGraph(words.length, { edges: [{ head: 0, modifier: 1, label: `of ${words.length}` }] });
  };
  const step = { parse: (words: readonly unknown[]) => ({ ...parse(words), score: 0, bound: 0 }) };
  const pipeline = analysisOf(createPipeline({}, { ...given, graphs: step }));
  const tasks = [1, 2, 3].map((length) => ({ words: Array.from({ length }, () => ({ form: "a" })) }));
  const { results } = pipeline.findGraphs(tasks);
  expect(results.map(({ graph, error }) => graph?.edges[0]?.label ?? error)).toEqual([
    "of 1",
    new RangeError("two words"),
    "of 3",
  ]);
  const row = (k: number) => `${k}\ta\t_\t_\t_\t_\t_\t_\t_\t_\n`;
  const sentences = parseConllu(`${row(1)}\n${row(1)}${row(2)}\n${row(1)}${row(2)}${row(3)}\n`);
  const analysed = pipeline.analyse(sentences.map((sentence) => ({ sentence }))).results;
  expect(
    analysed.map((result) => (result.sentences?.[0]?.rows[0] as { deps: string } | undefined)?.deps),
  ).toEqual(["0:of 1", undefined, "0:of 3"]);
});

test("leaves DEPS to models of enhanced dependencies", () => {
  const pipeline = createPipeline({ graphs: { ...graphs, graphs: "semantic" as const } });
  const [sentence] = pipeline.annotate([["Ann", "sings"]]);
  expect(sentence!.words.map(({ deps }) => deps.length)).toEqual([0, 0]);
});
