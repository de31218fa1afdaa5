import { parseConllu, sentenceTree, sentenceWords } from "@arcwise/conllu";
import { ArcwiseError } from "@arcwise/core/errors";
import * as graphParser from "@arcwise/graph-parser";
import * as maxent from "@arcwise/learn/maxent";
import * as parser from "@arcwise/parser";
import * as pipeline from "@arcwise/pipeline";
import * as sequence from "@arcwise/sequence";
import * as hmm from "@arcwise/sequence/hmm";
import * as networks from "@arcwise/sequence/neural";
import * as tokenize from "@arcwise/tokenize";
import { describe, expect, test } from "vitest";

const ROWS = ["1\ta\ta\tDET\tD\t_\t2\tdet\t_\t_", "2\tb\tb\tNOUN\tN\t_\t0\troot\t_\t_"];
const [annotated] = parseConllu(`${ROWS.join("\n")}\n\n`);
const words = sentenceWords(annotated!);
const tree = sentenceTree(annotated!);
const edge = { head: 2, modifier: 1, label: "x" };
const graph = { n: 2, edges: [edge], tops: [2], predicates: [{ position: 2, sense: "" }] };
const tagged = { sentence: words, graph, syntax: tree };
const labelled = { sentence: words, labels: ["X", "Y"] };
const counted = { symbols: Int32Array.of(0, 1), labels: Int32Array.of(0, 1) };

/** What is wrong in any list of examples. */
const NO_OBJECTS = [undefined, null, 5, "text", {}];
const WORDS = [...NO_OBJECTS, [null], [{}], [{ form: 5 }], [{ form: "a", lemma: 5 }, words[1]]];
const SENTENCES = WORDS.map((wrong) => ({ sentence: wrong }));
const ROWS_OF = [{ rows: [] }, { comments: [5], rows: [] }, { ...annotated, rows: [{ form: "a" }] }];
const HEADS = [undefined, 5, [], Int32Array.of(-1), [-1, 2, null], [-1, 2, 0.5], Int32Array.of(-1, 2, 3)];
const LABELS = [undefined, 5, [], ["", 1, 2], ["", "x"]];
const TREES = [
  ...NO_OBJECTS,
  ...HEADS.map((heads) => ({ ...tree, heads })),
  ...LABELS.map((labels) => ({ ...tree, labels })),
];
const EDGES = [
  undefined,
  5,
  {},
  [null],
  [{ ...edge, label: 5 }],
  [{ ...edge, head: 0.5 }],
  [{ ...edge, head: 3 }],
  [{ ...edge, modifier: 0 }],
];
const GRAPHS = [
  ...NO_OBJECTS,
  ...[undefined, 3, -1, 0.5, "2"].map((n) => ({ ...graph, n })),
  ...EDGES.map((edges) => ({ ...graph, edges })),
  ...[undefined, [null], [3], [2, 1]].map((tops) => ({ ...graph, tops })),
  ...[undefined, [null], [2], [{ position: 2 }], [{ position: 3, sense: "" }]].map((predicates) => ({
    ...graph,
    predicates,
  })),
];

/** A function that learns from examples: an example that it accepts, and examples that it must refuse. */
interface Entry {
  readonly good: unknown;
  readonly wrong: readonly unknown[];
  readonly learn: (examples: never) => unknown;
}

const LINEAR = { preset: "linear", epochs: 1 } as const;
const TREE: Omit<Entry, "learn"> = {
  good: { sentence: words, tree },
  wrong: [
    ...NO_OBJECTS,
    ...SENTENCES.map((wrong) => ({ tree, ...wrong })),
    ...TREES.map((wrong) => ({ sentence: words, tree: wrong })),
  ],
};
const GRAPH: Omit<Entry, "learn"> = {
  good: tagged,
  wrong: [
    ...NO_OBJECTS,
    ...SENTENCES.map((wrong) => ({ ...tagged, ...wrong })),
    ...GRAPHS.map((wrong) => ({ ...tagged, graph: wrong })),
    ...TREES.map((wrong) => ({ ...tagged, syntax: wrong })),
    ...EDGES.slice(1).map((suggested) => ({ ...tagged, syntax: { ...tree, suggested } })),
  ],
};
const ANNOTATED: Omit<Entry, "learn"> = { good: annotated, wrong: [...NO_OBJECTS, ...ROWS_OF] };
const LABELLED: Omit<Entry, "learn"> = {
  good: labelled,
  wrong: [
    ...NO_OBJECTS,
    ...SENTENCES.map((wrong) => ({ ...labelled, ...wrong })),
    ...[undefined, 5, "XY", [], ["X"], ["X", 5]].map((labels) => ({ ...labelled, labels })),
  ],
};

const ENTRIES: Readonly<Record<string, Entry>> = {
  trainParser: { ...TREE, learn: (examples) => parser.trainParser(examples, LINEAR) },
  prepareTraining: { ...TREE, learn: (examples) => parser.prepareTraining(examples, LINEAR) },
  "dev of trainParser": {
    ...TREE,
    learn: (dev) => parser.trainParser([{ sentence: words, tree }], { ...LINEAR, dev }),
  },
  trainGraphParser: { ...GRAPH, learn: (examples) => graphParser.trainGraphParser(examples, LINEAR) },
  "dev of trainGraphParser": {
    ...GRAPH,
    learn: (dev) => graphParser.trainGraphParser([tagged], { ...LINEAR, dev }),
  },
  trainPipeline: { ...ANNOTATED, learn: (sentences) => pipeline.trainPipeline(sentences) },
  "dev of trainPipeline": {
    ...ANNOTATED,
    learn: (dev) => pipeline.trainPipeline([annotated!], { dev }),
  },
  learnCascade: {
    ...ANNOTATED,
    learn: (sentences) => pipeline.learnCascade(undefined as never, undefined as never, sentences),
  },
  trainTokenizer: { ...ANNOTATED, learn: (sentences) => tokenize.trainTokenizer(sentences) },
  "dev of trainTokenizer": {
    ...ANNOTATED,
    learn: (dev) => tokenize.trainTokenizer([annotated!], { dev }),
  },
  trainTagger: { good: words, wrong: WORDS, learn: (sentences) => sequence.trainTagger(sentences) },
  "dev of trainTagger": {
    good: words,
    wrong: WORDS,
    learn: (dev) => sequence.trainTagger([words], { dev }),
  },
  jackknifeTags: {
    good: words,
    wrong: WORDS,
    learn: (sentences) => sequence.jackknifeTags(sentences, { parts: 2 }),
  },
  prepareChain: {
    ...LABELLED,
    learn: (examples) => sequence.prepareChain(examples, { templates: ["word"] }),
  },
  trainChain: { ...LABELLED, learn: (examples) => sequence.trainChain(examples, { templates: ["word"] }) },
  trainAutomaton: {
    ...LABELLED,
    learn: (examples) =>
      sequence.trainAutomaton(examples, { templates: ["word"], automaton: undefined as never }),
  },
  trainNeural: {
    ...LABELLED,
    learn: (examples) => networks.trainNeural(examples, { kind: "feed-forward", templates: ["word"] }),
  },
  trainHmm: {
    good: counted,
    wrong: [
      ...NO_OBJECTS,
      ...[undefined, 5, [], [0, 2], [0, 0.5], [0, "1"]].flatMap((wrong) => [
        { ...counted, symbols: wrong },
        { ...counted, labels: wrong },
      ]),
    ],
    learn: (sequences) => hmm.trainHmm(sequences, { labels: 2, symbols: 2 }),
  },
  baumWelch: {
    good: counted.symbols,
    wrong: [...NO_OBJECTS, [0, 2], [0, 0.5], [0, "1"]],
    learn: (sequences) => hmm.baumWelch(hmm.randomHmm({ labels: 2, symbols: 2, seed: 1 }), sequences),
  },
  trainMaxent: {
    good: [["f", ["g", 2]], "y"],
    wrong: [
      ...[...NO_OBJECTS.filter((value) => value !== "text"), "f", [5], [["f"]], [["f", 0]], [["f", "1"]]].map(
        (features) => [features, "y"],
      ),
      [["f"], 5],
      [["f"], undefined],
    ],
    learn(events: readonly (readonly [string[], string])[]) {
      const builder = new maxent.DesignBuilder();
      for (const event of events) builder.add(...event);
      return maxent.trainMaxent(builder.build());
    },
  },
};

test("all functions that learn from examples are in the table", () => {
  const modules = [graphParser, maxent, parser, pipeline, sequence, hmm, networks, tokenize];
  const names = modules.flatMap((module) => Object.keys(module));
  expect(names.filter((name) => /^(train|prepare|jackknife|learn|baum)[A-Z]/.test(name)).sort()).toEqual(
    Object.keys(ENTRIES)
      .filter((name) => !name.startsWith("dev "))
      .sort(),
  );
});

describe.each(Object.entries(ENTRIES))("%s", (name, { good, wrong, learn }) => {
  const refused = async (examples: unknown): Promise<unknown> => {
    try {
      await learn(examples as never);
    } catch (error) {
      return error;
    }
    return "accepted";
  };

  test.each(NO_OBJECTS.map((value) => [value]))("refuses %j in place of examples", async (value) => {
    // A development set may be missing, and events are added one by one.
    if ((value === undefined && name.startsWith("dev ")) || name === "trainMaxent") return;
    expect(await refused(value)).toMatchObject({
      name: "ArcwiseError",
      code: expect.stringMatching(/^invalid-(argument|option)$/),
    });
  });

  test.each(wrong.map((example) => [example]))("refuses the example %j by its number", async (example) => {
    const error = await refused([good, example]);
    expect(error).toBeInstanceOf(ArcwiseError);
    expect(error).toMatchObject({
      code: expect.stringMatching(/^invalid-(data|argument|option)$/),
      message: expect.stringMatching(/(\[1\]|\b(example|sentence|sequence|event) 2\b).*expected /),
    });
  });
});
