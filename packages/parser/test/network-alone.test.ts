import { createHash } from "node:crypto";
import { arcIndex, checkTree, type DependencyTree, isProjective, type ParsingProblem } from "@arcwise/core";
import { readContainer, writeContainer } from "@arcwise/core/container";
import { beforeAll, describe, expect, test } from "vitest";
import { elsewhere } from "../../../tools/elsewhere.ts";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import { decoderOf } from "../src/decoding/decoders.ts";
import { decoderNames } from "../src/decoding/index.ts";
import {
  createParser,
  loadParser,
  ModelError,
  type ParseConstraints,
  type ParserModel,
  predictedColumns,
  saveParser,
  type TrainingProgress,
  type TrainOptions,
  trainParser,
} from "../src/index.ts";
import { trainedParser } from "./fast-training.ts";
import { readingOf, sample, TREEBANK } from "./support.ts";

const OPTIONS: TrainOptions = { preset: "balanced", terms: ["network"], network: { units: 8, epochs: 3 } };
const train = sample("train").slice(0, 16);
const dev = sample("dev").slice(0, 4);
const DECODERS = decoderNames("trees", "parsing");
/** "She sees the cat now." */
const { sentence } = TREEBANK[2]!;
const n = sentence.length;

let model: ParserModel;
let file: Uint8Array;

beforeAll(async () => {
  model = await trainedParser([...TREEBANK, ...train], OPTIONS);
  file = saveParser(model);
});

/** All trees of five words with a single root. */
const TREES: readonly Int32Array[] = Array.from({ length: (n + 1) ** n }, (_, k) => {
  const heads = new Int32Array(n + 1).fill(-1);
  for (let m = 1, rest = k; m <= n; m++, rest = Math.floor(rest / (n + 1))) heads[m] = rest % (n + 1);
  return heads;
}).filter((heads) => checkTree(heads, { singleRoot: true }) === undefined);

/** The score of a tree by the scores of its arcs. */
function scoreOf({ arcs, arcScores }: ParsingProblem, heads: Int32Array): number {
  let score = 0;
  for (let m = 1; m <= n; m++) {
    const arc = arcIndex(arcs, heads[m]!, m);
    score += arc < 0 ? -Infinity : arcScores[arc]!;
  }
  return score;
}

function logSum(scores: readonly number[]): number {
  const most = Math.max(...scores);
  return most + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - most), 0));
}

const labelsOf = (k: number, label: string) =>
  Array.from({ length: n + 1 }, (_, m) => (m === k ? label : undefined));
const CONSTRAINTS: readonly ParseConstraints[] = [
  {},
  { heads: [-1, -1, 1, -1, -1, -1] },
  {
    forbiddenArcs: [
      [0, 2],
      [2, 1],
    ],
  },
  { labels: labelsOf(4, "det") },
  { labels: labelsOf(3, "unheard") },
  {
    forbiddenLabels: [
      [1, "nsubj"],
      [1, "det"],
    ],
    heads: [-1, 2, 0, -1, -1, -1],
  },
];

describe("a network alone", () => {
  test("scores arcs by log-probabilities of heads, all arcs being candidates", () => {
    const { arcs, arcScores, parts, global } = readingOf(createParser(model), sentence).problem();
    expect([arcs.head.length, parts, global]).toEqual([n * n, [], undefined]);
    for (let m = 1; m <= n; m++) {
      const own = arcScores.subarray(arcs.start[m]!, arcs.start[m + 1]!);
      expect(own.reduce((sum, score) => sum + Math.exp(score), 0)).toBeCloseTo(1, 6);
    }
  });

  test.each(DECODERS.flatMap((decoder) => CONSTRAINTS.map((constraints) => ({ decoder, constraints }))))(
    "finds what enumeration finds: $decoder, $constraints",
    ({ decoder, constraints }) => {
      const reading = readingOf(createParser(model, { decoder }), sentence);
      const problem = reading.problem({ constraints });
      const isAny = ["mst", "hillclimb", "ad3", "mbr"].includes(decoder);
      const all = TREES.filter((heads) => isAny || isProjective(heads))
        .map((heads) => ({ heads, score: scoreOf(problem, heads) }))
        .filter(({ score }) => score > -Infinity)
        .sort((a, b) => b.score - a.score);
      const { score, heads } = reading.best({ constraints });
      // Minimum risk is another aim than the highest score.
      const isBest = !decoder.startsWith("mbr");
      if (isBest) expect(score).toBeCloseTo(all[0]!.score, 6);
      expect(scoreOf(problem, heads)).toBeCloseTo(score, 6);
      const ranked = reading.kBest(6, { constraints });
      const expected = isBest ? all.slice(0, 6).map((tree) => tree.score) : [];
      for (const [k, own] of expected.entries()) expect(ranked[k]!.score).toBeCloseTo(own, 6);
      const { arcs, arcProbabilities, logPartition, method } = reading.marginals({
        constraints,
        temperature: 1,
      });
      expect(method).toBe("exact");
      const total = logSum(all.map((tree) => tree.score));
      expect(logPartition).toBeCloseTo(total, 6);
      for (const [a, probability] of arcProbabilities.entries()) {
        const having = all.filter((tree) => tree.heads[arcs.modifier[a]!] === arcs.head[a]);
        const expectedShare = having.reduce((sum, tree) => sum + Math.exp(tree.score - total), 0);
        expect(probability).toBeCloseTo(expectedShare, 6);
      }
    },
  );

  test("adds the log-probability of the labels that constraints allow, and gives the best of them", () => {
    const reading = readingOf(createParser(model), sentence);
    const free = reading.problem();
    const { labels } = model.description;
    const shares = labels.map((label) => {
      const { arcScores } = reading.problem({ constraints: { labels: labelsOf(1, label) } });
      return arcScores.map((score, a) => score - free.arcScores[a]!);
    });
    for (let a = 0; a < free.arcs.start[2]!; a++) {
      expect(logSum(shares.map((share) => share[a]!))).toBeCloseTo(0, 6);
      const forbidden = [labels[0]!, labels[2]!];
      const constraints = { forbiddenLabels: forbidden.map((label) => [1, label] as const) };
      const { arcScores } = reading.problem({ constraints });
      const left = labels.flatMap((label, l) => (forbidden.includes(label) ? [] : [shares[l]![a]!]));
      expect(arcScores[a]! - free.arcScores[a]!).toBeCloseTo(logSum(left), 6);
      const best = reading.best({
        constraints: { ...constraints, heads: [-1, free.arcs.head[a]!, -1, -1, -1, -1] },
      });
      const rest = labels.filter((label) => !forbidden.includes(label));
      const byShare = rest.toSorted(
        (x, y) => shares[labels.indexOf(y)]![a]! - shares[labels.indexOf(x)]![a]!,
      );
      expect(best.labels[1]).toBe(byShare[0]);
    }
  });

  test("gives labels their probabilities given the arcs", () => {
    const reading = readingOf(createParser(model), sentence);
    const { heads, labels, headProbabilities, labelledProbabilities } = reading.marginals({ temperature: 1 });
    const free = reading.problem();
    for (let m = 1; m <= n; m++) {
      const forced = reading.problem({ constraints: { labels: labelsOf(m, labels[m]!) } });
      const arc = arcIndex(free.arcs, heads[m]!, m);
      const share = Math.exp(forced.arcScores[arc]! - free.arcScores[arc]!);
      expect(labelledProbabilities[m]! / headProbabilities[m]!).toBeCloseTo(share, 6);
    }
  });

  test("finds valid trees, and trees of sentences that are read in blocks", () => {
    const parser = createParser(loadParser(file), { valid: true });
    const trees: DependencyTree[] = dev.map((example) => parser.parse(example.sentence));
    for (const { heads, labels } of trees) {
      for (let m = 1; m < heads.length; m++) expect(labels[m] === "root").toBe(heads[m] === 0);
    }
    const long = Array.from({ length: 1005 }, (_, k) => sentence[k % n]!);
    const { heads, labels, reduced } = parser.parse(long);
    expect([checkTree(heads, { singleRoot: true }), labels.length]).toEqual([undefined, 1006]);
    expect(reduced!.blocks).toBeGreaterThan(1);
    expect(model.description.labels).toEqual(expect.arrayContaining(labels.slice(1)));
  });

  test("lets a program score whole trees on top of it", () => {
    const problem = readingOf(createParser(model), sentence).problem();
    const decoder = decoderOf("hillclimb", { purpose: "parsing", order: 1 });
    for (const root of [1, 3, 5]) {
      const global = { name: "root", score: (heads: Int32Array) => (heads[root] === 0 ? 20 : 0) };
      expect(decoder.decode({ ...problem, global }).heads[root]).toBe(0);
    }
  });
});

describe("a file of a network alone", () => {
  test("is smaller where features are to be frequent", async () => {
    const rare = { ...OPTIONS, network: { ...OPTIONS.network, epochs: 1, minCount: 4 } };
    const small = await trainedParser([...TREEBANK, ...train], rare);
    expect(small.description.network).toMatchObject({ minCount: 4 });
    expect(saveParser(small).length).toBeLessThan(0.95 * file.length);
  });

  test("has no weights, pruner or labeller, and is read back to the same bytes", () => {
    const loaded = loadParser(file);
    expect(saveParser(loaded)).toEqual(file);
    expect(loaded.description).toEqual(model.description);
    expect(loaded.description).toMatchObject({ terms: ["network"], pruning: false, nonZeroWeights: 0 });
    expect(Object.keys(loaded.description)).not.toContain("learner");
    const { vectors } = contentOf(file);
    for (const name of ["arcs", "parts", "pruner", "global", "labeller"])
      expect(vectors[name] ?? []).toHaveLength(0);
    expect(createParser(loaded).parse(sentence)).toEqual(createParser(model).parse(sentence));
    expect(createHash("sha256").update(file).digest("hex").slice(0, 16)).toMatchInlineSnapshot(
      `"edb02fabf93153d7"`,
    );
  });

  test.each<[string, (header: Header) => object, string]>([
    [
      "templates",
      (header) => ({ configuration: { ...header.configuration, arcTemplates: ["h.word"] } }),
      "arcTemplates",
    ],
    [
      "a pruner",
      (header) => ({ configuration: { ...header.configuration, pruning: { ratio: 0.1, most: 2 } } }),
      "prun",
    ],
    [
      "a global",
      (header) => ({ configuration: { ...header.configuration, global: { templates: {}, bits: 3 } } }),
      "global",
    ],
    ["a filter", () => ({ filter: { start: new Array(1025).fill(0), list: [] } }), "filter"],
    ["lines", (header) => ({ configuration: { ...header.configuration, arcBits: 4 } }), "filter"],
    ["no network", () => ({ network: undefined }), "arcBits"],
  ])("is refused with %s", (_, change, at) => {
    const { header, vectors } = contentOf(file);
    const damaged = writeContainer({
      kind: "model",
      header: { ...(header as object), ...change(header as Header) },
      vectors,
    });
    expect(() => loadParser(damaged)).toThrow(ModelError);
    expect(() => loadParser(damaged)).toThrow(new RegExp(at));
  });
});

interface Header {
  readonly configuration: object;
}

function contentOf(bytes: Uint8Array) {
  return readContainer(bytes, "model");
}

describe("the training of a network alone", () => {
  test("is the same in parallel and after interruptions, and reports scores on the development set", async () => {
    const kept = new MemoryCheckpoint();
    const seen: TrainingProgress[] = [];
    const options = { ...OPTIONS, dev };
    const whole = saveParser(
      await trainParser(train, {
        ...options,
        checkpoint: kept,
        onProgress: (at) => void seen.push(at),
      }),
    );
    expect(kept.moments).toHaveLength(3);
    expect(new Set(seen.map(({ step }) => step))).toEqual(new Set(["network"]));
    expect(seen.filter(({ share }) => share === 1)).toHaveLength(1);
    expect(seen.at(-1)!.dev!.uas).toBeGreaterThan(0);
    for (const write of kept.moments.keys())
      expect(saveParser(await trainParser(train, { ...options, checkpoint: kept.after(write) }))).toEqual(
        whole,
      );
    expect(saveParser(await trainParser(train, { ...options, place: elsewhere() }))).toEqual(whole);
    expect(loadParser(whole).description.calibration!.temperature).toBeGreaterThan(0);
  });

  test("predicts columns from words alone, and reads tags that the training words have", async () => {
    const untagged = train.map((one) => ({ ...one, sentence: one.sentence.map(({ form }) => ({ form })) }));
    const labels = train.map((one) => one.sentence.map(({ upos }) => upos!));
    const network = { ...OPTIONS.network, characters: true, columns: [{ name: "upos", labels }] };
    const made = await trainParser(untagged, { ...OPTIONS, network });
    expect([predictedColumns(made), predictedColumns(model)]).toEqual([["upos"], []]);
    const parser = createParser(made);
    const [bare, tagged] = parser.read([untagged[0]!.sentence, train[0]!.sentence]);
    expect(tagged!.columns()).toEqual(bare!.columns());
    expect(tagged!.best()).toEqual(bare!.best());
    // A model that was trained on tags reads them.
    const [without, withTags] = createParser(model).read([untagged[0]!.sentence, train[0]!.sentence]);
    expect(withTags!.best().score).not.toBe(without!.best().score);
  });

  test.each<TrainOptions>([
    { order: 2 },
    { global: true },
    { learner: "crf" },
    { epochs: 3 },
    { shards: { count: 2 } },
    { labeller: "sequence" },
    { network: { weight: 0.5 } },
  ])("refuses settings of features: %j", async (options) => {
    const [at] = Object.keys(options);
    const error = await trainParser(train, { ...OPTIONS, ...options }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "invalid-option", at: expect.stringMatching(`^${at}`) });
  });
});
