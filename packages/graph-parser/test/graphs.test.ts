import { enhanceTree } from "@arcwise/conllu";
import {
  dependencyGraph,
  type GraphProblem,
  isPairTable,
  scoreGraph,
  UnsupportedCapability,
  validateGraphProblem,
} from "@arcwise/core";
import { basicGraphDecoder } from "@arcwise/decode-ad3";
import {
  createGraphParser,
  type GraphExample,
  type GraphModel,
  type GraphParser,
  type GraphParserInput,
  type GraphTrainOptions,
  loadGraphParser,
  saveGraphParser,
} from "@arcwise/graph-parser";
import { networkEpochs } from "@arcwise/parser/shared";
import { beforeAll, describe, expect, test } from "vitest";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import { GraphLabels } from "../src/encoded-graph.ts";
import { uniqueLabels } from "../src/graph-labels.ts";
import { checkGraphTrainOptions } from "../src/graph-settings.ts";
import { graphParserFile, trainedGraphParser, trainGraphParser } from "./fast-training.ts";
import { GRAPHS, PLAIN } from "./graph-support.ts";

const QUICK: GraphTrainOptions = { epochs: 8 };

function problemOf(parser: GraphParser, input: GraphParserInput): GraphProblem {
  return parser.read([input])[0]!.problem();
}

describe("a parser of graphs", () => {
  let model: GraphModel;
  beforeAll(async () => {
    model = await trainGraphParser(PLAIN, QUICK);
  });

  test("comes to know its training graphs: edges, predicates and senses", () => {
    const parser = createGraphParser(model);
    for (const { sentence, graph } of GRAPHS) {
      const { edges, predicates, tops, n, score, bound } = parser.parse(sentence);
      expect({ edges, predicates, tops, n }).toEqual(graph);
      expect(bound).toBe(score);
    }
  });

  test("gives problems that keep the contract, and marginals of them", () => {
    const parser = createGraphParser(model);
    for (const { sentence } of GRAPHS) {
      const reading = parser.read([{ sentence }])[0]!;
      const problem = reading.problem();
      validateGraphProblem(problem);
      const choice = basicGraphDecoder().decode(problem);
      expect(choice.score).toBe(scoreGraph(problem, choice));
      const { arcs, predicates } = reading.marginals();
      for (const probability of [...arcs, ...predicates]) {
        expect(probability).toBeGreaterThanOrEqual(0);
        expect(probability).toBeLessThanOrEqual(1);
      }
    }
  });

  test("parses the same when it was saved and loaded", () => {
    const bytes = saveGraphParser(model);
    const loaded = createGraphParser(loadGraphParser(bytes));
    const parser = createGraphParser(model);
    for (const { sentence } of GRAPHS) expect(loaded.parse(sentence)).toEqual(parser.parse(sentence));
  });

  test("is the same for the same seed", async () => {
    expect(saveGraphParser(await trainGraphParser(PLAIN, QUICK))).toEqual(saveGraphParser(model));
  });
});

describe("models of graphs with more", () => {
  test("a network scores beside the sparse features", async () => {
    const model = await trainGraphParser(PLAIN, { ...QUICK, network: { units: 8, epochs: 60 } });
    const loaded = createGraphParser(loadGraphParser(saveGraphParser(model)));
    const { network, ...plain } = model;
    expect(network).toBeDefined();
    let changed = 0;
    for (const { sentence, graph } of GRAPHS) {
      expect(loaded.parse(sentence).edges).toEqual(graph.edges);
      const [own, other] = [loaded, createGraphParser(plain)].map((parser) =>
        problemOf(parser, { sentence }),
      );
      changed += own!.arcScores.filter((score, a) => score !== other!.arcScores[a]).length;
    }
    expect(changed).toBeGreaterThan(0);
  });

  test("the first of several networks is the network of a model with one", async () => {
    const [one, two] = await Promise.all(
      [1, 2].map((members) =>
        trainGraphParser(PLAIN, { ...QUICK, network: { units: 8, epochs: 4, members } }),
      ),
    );
    const [single, double] = [one!.network!.values, two!.network!.values];
    expect(double.length).toBe(2 * single.length);
    expect(double.subarray(0, single.length)).toEqual(single);
    const loaded = createGraphParser(loadGraphParser(saveGraphParser(two!)));
    const [scores, first, found] = [createGraphParser(two!), createGraphParser(one!), loaded].map(
      (parser) => problemOf(parser, GRAPHS[0]!)!.arcScores,
    );
    expect(found).toEqual(scores);
    expect(scores).not.toEqual(first);
  });

  test("readings do not depend on other sentences, their order, or later changes of the input", async () => {
    const model = await trainedGraphParser(GRAPHS, { ...QUICK, network: { units: 8, epochs: 20 } });
    const parser = createGraphParser(model);
    const expected = GRAPHS.map(({ sentence, syntax }) => parser.parse(sentence, { syntax }));
    const inputs = GRAPHS.map(({ sentence, syntax }) => ({
      sentence: sentence.map((word) => ({ ...word })),
      syntax: { ...syntax!, heads: syntax!.heads.slice() },
    }));
    const readings = parser.read(inputs);
    for (const { sentence, syntax } of inputs) {
      for (const word of sentence) word.form = "other";
      syntax.heads.fill(0);
    }
    for (const k of [3, 0, 5, 1, 2, 4, 3, 0]) expect(readings[k]!.best()).toEqual(expected[k]);
    expect(parser.read([])).toEqual([]);
  });

  test("a tree says more: the model asks for one", async () => {
    const parser = createGraphParser(await trainedGraphParser(GRAPHS, QUICK));
    for (const { sentence, syntax, graph } of GRAPHS) {
      expect(parser.parse(sentence, { syntax }).edges).toEqual(graph.edges);
    }
    expect(() => parser.parse(GRAPHS[0]!.sentence)).toThrow("expected a basic tree");
  });

  test("parts of two arcs are scored, and a decoder that cannot is refused", async () => {
    const parts = ["grandparent", "sibling", "coparent", "nextSibling", "nextCoparent"] as const;
    const any = { ...basicGraphDecoder(), handles: new Set<never>(parts as never) };
    // A decoder that leaves parts out of account finds worse graphs, which is enough to learn weights of
    // parts.
    const decode = (problem: Parameters<typeof any.decode>[0]) =>
      basicGraphDecoder().decode({ ...problem, parts: [] });
    const model = await trainGraphParser(PLAIN, {
      ...QUICK,
      basicEpochs: 0,
      parts,
      decoder: { ...any, decode },
    });
    const parser = createGraphParser(model, { decoder: { ...any, decode } });
    const problem = problemOf(parser, GRAPHS[0]!);
    validateGraphProblem(problem);
    expect(problem.parts.map(({ kind }) => kind).sort()).toEqual([...parts].sort());
    for (const table of problem.parts) {
      if (isPairTable(table)) expect(table.first.length).toBe(table.scores.length);
    }
    expect(problem.parts.some(({ scores }) => scores.some((score) => score !== 0))).toBe(true);
    expect(() => createGraphParser(model, { decoder: "basic" })).toThrow(/cannot score parts/);
    expect(() => createGraphParser(model)).toThrow(/trained with the decoder "basic-graph"/);
  });

  test.each([
    ["ad3", { unique: true, parts: ["sibling"] }],
    ["basic", {}],
  ] as const)("keep their decoder and say how graphs were found: %s", async (name, options) => {
    const model = await trainedGraphParser(PLAIN, { ...QUICK, ...options });
    expect(model.decoder).toEqual({ name });
    const { report } = createGraphParser(model).parse(GRAPHS[0]!.sentence);
    const counts = { ad3: ["iterations", "nodes", "cuts"], basic: [] };
    expect(Object.keys(report?.counts ?? {})).toEqual(counts[name]);
  });

  test("have marginals or posteriors where their decoder has", async () => {
    const model = await trainedGraphParser(PLAIN, QUICK);
    const { sentence } = GRAPHS[0]!;
    const [basic, ad3] = ["basic", "ad3"].map(
      (decoder) => createGraphParser(model, { decoder }).read([{ sentence }])[0]!,
    );
    expect(basic!.marginals().predicates[0]).toBe(1);
    expect(() => basic!.posteriors()).toThrow(UnsupportedCapability);
    expect([...ad3!.posteriors().predicates]).toEqual([1, 0, 1, 0, 1]);
    expect(() => ad3!.marginals()).toThrow(UnsupportedCapability);
  });
});

/** Enhanced dependencies: "They want to sleep in beds and sing", by rules of the tree. */
const ENHANCED: GraphExample[] = ["beds", "tents", "holes"].map((noun, i) => {
  const forms = `They want to sleep in ${noun} and sing`.split(" ");
  const tags = "PRON VERB PART VERB ADP NOUN CCONJ VERB".split(" ");
  const sentence = forms.map((form, k) => ({
    form,
    lemma: i === 1 && form === "in" ? "inside" : form,
    upos: tags[k]!,
  }));
  const heads = [-1, 2, 0, 4, 2, 6, 4, 8, 4];
  const labels = ["", "nsubj", "root", "mark", "xcomp", "case", "obl", "cc", "conj"];
  const syntax = { heads: Int32Array.from(heads), labels };
  return { sentence, syntax, graph: enhanceTree(sentence, syntax) };
});

test("lemmas in labels are learned as those of other words, with rules as candidates", async () => {
  const options = { ...QUICK, graphs: "enhanced", rules: true } as const;
  const model = await trainedGraphParser(ENHANCED, options);
  expect(model.labels).toContain("obl:*");
  expect(model.labels.filter((label) => /in|and/.test(label))).toEqual([]);
  const parser = createGraphParser(model);
  for (const { sentence, syntax, graph } of ENHANCED) {
    const { edges } = parser.parse(sentence, { syntax });
    expect(edges).toEqual(graph.edges);
  }
  const { sentence, syntax } = ENHANCED[1]!;
  expect(parser.parse(sentence, { syntax }).edges).toContainEqual({
    head: 4,
    modifier: 6,
    label: "obl:inside",
  });
  // A pruner that keeps nothing: what rules suggest are candidates all the same.
  const pruned = { ...model, pruner: { ...model.pruner, threshold: 1000 } };
  expect(problemOf(createGraphParser(pruned), { sentence, syntax }).arcs.head.length).toBeGreaterThanOrEqual(
    ENHANCED[1]!.graph.edges.length,
  );
  const plain = problemOf(createGraphParser({ ...pruned, rules: false }), { sentence, syntax });
  expect(plain.arcs.head.length).toBeLessThan(ENHANCED[1]!.graph.edges.length);
});

describe("a training that is interrupted", () => {
  const options: GraphTrainOptions = { ...QUICK, epochs: 4, network: { units: 8, epochs: 4, members: 2 } };

  test.each(["network", "weights"] as const)("goes on to the same bytes: in %s", async (stage) => {
    const whole = await graphParserFile(PLAIN, options);
    const checkpoint = new MemoryCheckpoint();
    const controller = new AbortController();
    const stopped = await trainGraphParser(PLAIN, {
      ...options,
      signal: controller.signal,
      checkpoint,
      onProgress: ({ step: at, epoch, epochDone }) => {
        if (at === stage && epoch === 3 && epochDone) controller.abort();
      },
    }).catch((error: unknown) => error);
    expect(stopped).toBe(controller.signal.reason);
    const seen = new Set<string>();
    const resumed = await trainGraphParser(PLAIN, {
      ...options,
      checkpoint,
      onProgress: ({ step: at, epoch }) => seen.add(`${at} ${epoch}`),
    });
    expect(saveGraphParser(resumed)).toEqual(whole);
    expect(seen).not.toContain(`${stage} 2`);
    expect(seen).toContain(`${stage} 4`);
  });

  test("is refused as the beginning of another one, and can be prolonged", async () => {
    const checkpoint = new MemoryCheckpoint();
    const plain = { ...QUICK, epochs: 2, checkpoint };
    await trainGraphParser(PLAIN, plain);
    const others: GraphTrainOptions[] = [{ seed: 2 }, { unique: true }, { costs: { falsePositive: 1 } }];
    for (const other of others) {
      await expect(trainGraphParser(PLAIN, { ...plain, ...other })).rejects.toThrow("comes from other");
    }
    for (const examples of [PLAIN.slice(1), GRAPHS]) {
      await expect(trainGraphParser(examples, plain)).rejects.toThrow("comes from other");
    }
    const longer = await trainGraphParser(PLAIN, { ...plain, epochs: 3 });
    expect(saveGraphParser(longer)).toEqual(await graphParserFile(PLAIN, { ...QUICK, epochs: 3 }));
  });
});

describe("settings that trees have as well", () => {
  const NETWORK = { units: 8, epochs: 2 };
  const VECTORS = {
    words: ["dogs", "cats", "she"],
    dimension: 2,
    values: Float32Array.of(1, 0, 0, 1, 1, 1),
  };
  const bytesOf = async (options: GraphTrainOptions) =>
    graphParserFile(PLAIN, { ...QUICK, epochs: 2, ...options });

  test.each<[GraphTrainOptions, GraphTrainOptions, object]>([
    [
      { network: NETWORK },
      { network: { ...NETWORK, embeddingUnits: 4 } },
      { network: { embeddingUnits: 4 } },
    ],
    [{ network: NETWORK }, { network: { ...NETWORK, dropout: 0.3 } }, { network: { dropout: 0.3 } }],
    [{ network: NETWORK }, { network: { ...NETWORK, characters: true } }, { network: { characters: true } }],
    [
      { network: NETWORK },
      { network: { ...NETWORK, vectors: VECTORS } },
      { network: { vectors: { words: 3, dimension: 2 } } },
    ],
  ])("give another model, which is described and can be kept: %j, %j", async (before, options, described) => {
    const bytes = await bytesOf(options);
    const model = loadGraphParser(bytes);
    expect(model.description).toMatchObject(described);
    const plain = loadGraphParser(await bytesOf(before));
    expect(model).not.toEqual({ ...plain, description: model.description });
    const [parser, again] = [
      createGraphParser(model),
      createGraphParser(loadGraphParser(saveGraphParser(model))),
    ];
    for (const { sentence } of PLAIN) expect(again.parse(sentence)).toEqual(parser.parse(sentence));
  });

  test("of epochs: the number of words determines the epochs of a network", () => {
    const epochs = (network: GraphTrainOptions["network"]) => {
      const settings = checkGraphTrainOptions({ preset: "accurate", network });
      return settings.network && networkEpochs(settings.network, 1e5);
    };
    expect([epochs({}), epochs({ minEpochs: 3 }), epochs({ minEpochs: 20 }), epochs({ epochs: 5 })]).toEqual([
      14, 14, 20, 5,
    ]);
  });
});

describe("epochs without parts", () => {
  const parts = { parts: ["sibling", "grandparent"], unique: true } as const;
  const weightsOf = async (options: GraphTrainOptions) =>
    (await trainedGraphParser(PLAIN, { ...QUICK, ...options })).weights;

  test("are learned as a model without parts, whose weights come first; later ones learn parts", async () => {
    const basic = await weightsOf({ epochs: 2 });
    const left = await weightsOf({ ...parts, epochs: 2, basicEpochs: 2 });
    expect(basic.values.every((weight, i) => left.values[i] === weight)).toBe(true);
    expect(left.values.subarray(basic.values.length).every((weight) => weight === 0)).toBe(true);
    const learned = await weightsOf({ ...parts, epochs: 3, basicEpochs: 1 });
    expect(learned.values.subarray(basic.values.length).some((weight) => weight !== 0)).toBe(true);
  });

  test("go on from a checkpoint to the same bytes", async () => {
    const kept = new MemoryCheckpoint();
    const options = { ...QUICK, ...parts, epochs: 3, basicEpochs: 1 };
    const whole = saveGraphParser(await trainGraphParser(PLAIN, { ...options, checkpoint: kept }));
    for (const write of [0, 1]) {
      const checkpoint = kept.after(write);
      const resumed = saveGraphParser(await trainGraphParser(PLAIN, { ...options, checkpoint }));
      expect(Buffer.compare(resumed, whole)).toBe(0);
    }
  });
});

test("labels are unique that are frequent and that no word has twice", () => {
  const labels = new GraphLabels(["agent", "part", "rare"]);
  const edges = [
    { head: 1, modifier: 2, label: "agent" },
    { head: 2, modifier: 1, label: "agent" },
    { head: 1, modifier: 3, label: "part" },
    { head: 1, modifier: 4, label: "part" },
  ];
  const frequent = labels.encode(dependencyGraph(4, { edges }));
  const rare = labels.encode(dependencyGraph(4, { edges: [{ head: 1, modifier: 2, label: "rare" }] }));
  const golds = [...Array.from({ length: 10 }, () => frequent), rare];
  expect([...uniqueLabels({ labels, sentences: [], golds })]).toEqual([1, 0, 0]);
});

test.each<[string, readonly GraphExample[], GraphTrainOptions, string]>([
  ["no examples", [], {}, "expected sentences to learn from"],
  [
    "trees for some",
    [GRAPHS[0]!, { ...GRAPHS[1]!, syntax: undefined }],
    {},
    "training example 2 has no tree: expected trees for all examples or for none",
  ],
  [
    "no edges",
    [{ sentence: [{ form: "a" }], graph: dependencyGraph(1, { edges: [] }) }],
    {},
    "graphs with edges",
  ],
  [
    "a graph of other words",
    [{ ...GRAPHS[0]!, graph: GRAPHS[2]!.graph }],
    {},
    "training example 1 has no graph: expected 4 words as in its sentence, found 2",
  ],
  ["a learner that is none", GRAPHS, { learner: "no such" }, 'named "no such"'],
])("what cannot be learned from is refused: %s", async (_what, examples, options, message) => {
  await expect(trainGraphParser(examples, options)).rejects.toThrow(message);
});
