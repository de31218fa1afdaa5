import { denseLayer, MatrixMemory } from "@arcwise/neural";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { elsewhere } from "../../../tools/elsewhere.ts";
import { kept } from "../../../tools/kept-models.ts";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import {
  createParser,
  loadParser,
  type ParserModel,
  saveParser,
  type TrainingExample,
  type TrainingProgress,
  type TrainOptions,
  trainParser,
} from "../src/index.ts";
import { trained } from "../src/model/model.ts";
import { extendScores } from "../src/training/continued/extended-scores.ts";
import { rehearsedSentences } from "../src/training/continued/rehearsal.ts";
import { headLoss } from "../src/training/tree-network-jobs.ts";
import { example, sample } from "./support.ts";

const train = sample("train").slice(0, 24);
const dev = sample("dev").slice(0, 6);
/** Sentences with words, a tag and a label that the model does not know. */
const corrected = [
  example("Zorgs/NOUN bark/VERB quux/ZZ", "2 0 2", "nsubj root quuxmod"),
  example("The/DET zorgs/NOUN see/VERB quux/ZZ", "2 3 0 3", "det nsubj root quuxmod"),
  ...sample("train").slice(40, 44),
];
const tags = (examples: readonly TrainingExample[], name: "upos" | "feats") =>
  examples.map(({ sentence }) => sentence.map((word) => word[name] ?? ""));
const columnsOf = (examples: readonly TrainingExample[]) => [
  { name: "upos", labels: tags(examples, "upos") },
  { name: "feats", labels: tags(examples, "feats"), parts: (label: string) => label.split("|") },
];
/** What a model learns: words alone. */
const plain = (examples: readonly TrainingExample[]): TrainingExample[] =>
  examples.map(({ sentence, tree }) => ({ sentence: sentence.map(({ form }) => ({ form })), tree }));

const NETWORK = { units: 8, epochs: 4, characters: true };
const learn = (examples: readonly TrainingExample[], options: TrainOptions) =>
  trainParser(plain(examples), {
    ...options,
    network: { ...options.network, columns: columnsOf(examples) },
  });

/** The model of a training that the key and this file determine, which is done once for all tests. */
const once = async (key: readonly unknown[], make: () => Promise<ParserModel>): Promise<ParserModel> =>
  loadParser(await kept(["continued network", NETWORK, train, ...key], async () => saveParser(await make())));
/** `learn`, once for all tests. */
const learned = (examples: readonly TrainingExample[], network: TrainOptions["network"]) =>
  once([examples, network], () => learn(examples, { continue: model, network }));

/** Bytes of a model, compared as one text. */
const fileOf = (parser: ParserModel) => Buffer.from(saveParser(parser)).toString("base64");

let model: ParserModel;

beforeAll(async () => {
  model = await once([], () => learn(train, { terms: ["network"], network: NETWORK }));
});

/** Heads, labels and predicted columns of sentences. */
function analyses(parser: ParserModel, examples: readonly TrainingExample[]) {
  return createParser(parser)
    .read(plain(examples).map(({ sentence }) => sentence))
    .map((reading) => {
      const { heads, labels } = reading.best();
      return { heads: [...heads], labels, columns: reading.columns() };
    });
}

function las(parser: ParserModel, examples: readonly TrainingExample[]): number {
  const right = analyses(parser, examples).map(({ heads, labels }, s) => {
    const { tree } = examples[s]!;
    return heads.filter((head, m) => m > 0 && head === tree.heads[m] && labels[m] === tree.labels[m]).length;
  });
  const words = examples.reduce((sum, { sentence }) => sum + sentence.length, 0);
  return right.reduce((a, b) => a + b) / words;
}

describe("training that continues a network", () => {
  test("finds the same trees and tags after steps of no length, with new words", async () => {
    const known = train.slice(0, 6).map(({ sentence, tree }) => ({
      sentence: sentence.map((word) => ({ ...word, form: `zorg${word.form}` })),
      tree,
    }));
    const same = await learned([...known, ...known], { epochs: 1, rate: 1e-30 });
    const trees = (parser: ParserModel) =>
      analyses(parser, [...train, ...dev, ...known]).map(({ heads, labels }) => ({ heads, labels }));
    expect(trees(same)).toEqual(trees(model));
  });

  test("learns the sentences, with their new words, labels and tags", async () => {
    const often = [...corrected, ...corrected.slice(0, 2), ...corrected.slice(0, 2)];
    const better = await learned(often, { epochs: 60, rate: 0.02 });
    expect(las(better, corrected)).toBeGreaterThan(las(model, corrected) + 0.2);
    expect(better.description.labels).toEqual([...model.description.labels, "quuxmod"]);
    const [first] = analyses(better, corrected);
    expect(first!.labels[3]).toBe("quuxmod");
    expect(first!.columns.upos![2]).toBe("ZZ");
  });

  test("rehearses known and unknown words, some of them with a capital", () => {
    const known = new Set(trained(model).encoder.words);
    const forms = rehearsedSentences(trained(model)).flatMap((words) => words.map(({ form }) => form));
    const share = (isCounted: (form: string) => boolean) => forms.filter(isCounted).length / forms.length;
    expect(share((form) => /^\p{Lu}/u.test(form))).toBeCloseTo(0.2, 1);
    expect(share((form) => !known.has(form.toLowerCase()))).toBeCloseTo(0.2, 1);
  });

  test("keeps the settings of the model and describes what it learned from", async () => {
    const better = await learn(corrected, { continue: model, seed: 7, network: { epochs: 1 } });
    const { network, seed, trainingSentences, continued } = better.description;
    expect(network).toMatchObject({ units: 8, characters: true, columns: ["upos", "feats"] });
    expect({ seed, trainingSentences }).toEqual({ seed: 7, trainingSentences: train.length });
    const words = corrected.reduce((sum, { sentence }) => sum + sentence.length, 0);
    expect(continued).toEqual({ times: 1, sentences: corrected.length, words });
    const twice = await learn(corrected, {
      continue: loadParser(saveParser(better)),
      network: { epochs: 1 },
    });
    expect(twice.description.continued).toMatchObject({ times: 2, words: 2 * words });
  });

  test("gives the same bytes in another place, and resumed before and after its best epoch", async () => {
    const few = corrected.slice(0, 3);
    const network = { epochs: 4, rate: 0.03 };
    const options: TrainOptions = { continue: model, dev: plain(dev), network };
    const kept = new MemoryCheckpoint();
    const scores: number[] = [];
    const whole = await learn(few, {
      ...options,
      checkpoint: kept,
      onProgress: ({ epochDone, dev }) => void (epochDone && scores.push(dev!.las!)),
    });
    const bytes = fileOf(whole);
    expect(fileOf(await learn(few, { ...options, place: elsewhere() }))).toBe(bytes);
    expect(kept.moments).toHaveLength(4);
    const best = scores.indexOf(Math.max(...scores));
    expect([1, 2]).toContain(best);
    for (const write of [best - 1, 3])
      expect(fileOf(await learn(few, { ...options, checkpoint: kept.after(write) }))).toBe(bytes);
    expect(fileOf(await learn(few, { ...options, seed: 2 }))).not.toBe(bytes);
    const resumed = learn(few, {
      ...options,
      continue: await learned(few, network),
      checkpoint: kept.after(0),
    });
    await expect(resumed).rejects.toThrow(/other training data/);
  });

  test("takes the epoch that is best on the development set, and ends when none is better", async () => {
    const seen: TrainingProgress[] = [];
    const better = await learn(corrected, {
      continue: model,
      dev: plain(dev),
      network: { epochs: 40, rate: 0.03 },
      onProgress: (at) => void seen.push(at),
    });
    const scores = seen.filter(({ epochDone }) => epochDone).map((at) => at.dev!.las!);
    const best = Math.max(100 * las(model, dev), ...scores);
    expect(100 * las(better, dev)).toBeCloseTo(best, 6);
    expect(scores.length).toBeLessThan(40);
    expect(seen.at(-1)!.trainingShare).toBe(1);
  });

  test.each<[string, TrainOptions, string]>([
    ["a preset", { preset: "fast" }, "preset"],
    ["other terms", { terms: ["network", "features"] }, "terms"],
    ["another decoder", { decoder: "eisner" }, "decoder"],
    ["another order", { order: 2 }, "order"],
    ["other units", { network: { units: 16 } }, "network.units"],
    ["another number of networks", { network: { members: 2 } }, "network.members"],
    [
      "columns that the model lacks",
      { network: { columns: [{ name: "mood", labels: [] }] } },
      "network.columns",
    ],
    ["something else than a model", { continue: {} as ParserModel }, "continue"],
  ])("refuses %s", async (_, options, at) => {
    const trained = trainParser(plain(corrected), { continue: model, ...options });
    await expect(trained).rejects.toMatchObject({ code: "invalid-option", at: expect.stringContaining(at) });
  });

  test("refuses features that learn from partly annotated trees, of new and of other models", async () => {
    const features = await trainParser(train, { preset: "linear", epochs: 1 });
    for (const options of [{ continue: features }, { preset: "linear" }] as const) {
      const trained = trainParser(train, { ...options, partial: true });
      await expect(trained).rejects.toMatchObject({ code: "invalid-option", at: "partial" });
    }
  });

  test("accepts settings that the model has", async () => {
    const same = {
      terms: ["network"],
      decoder: "mst",
      network: { units: 8, members: 1, epochs: 1 },
    } as const;
    await expect(trainParser(plain(corrected), { continue: model, ...same })).resolves.toBeDefined();
  });
});

describe("training that continues features", () => {
  /** A tenth label begins another group of eight weights, so that lines of weights are longer. */
  const more = (examples: readonly TrainingExample[]) =>
    examples.map(({ sentence, tree }, s) => ({
      sentence,
      tree: { ...tree, labels: tree.labels.map((label, m) => (m === 2 ? `new${s}` : label)) },
    }));
  const treesOf = (parser: ParserModel, examples: readonly TrainingExample[]) =>
    examples.map(({ sentence }) => {
      const { heads, labels } = createParser(parser).parse(sentence);
      return { heads: [...heads], labels };
    });
  const right = (parser: ParserModel, examples: readonly TrainingExample[]) =>
    treesOf(parser, examples).flatMap(({ heads, labels }, s) =>
      heads.filter((head, m) => {
        const { tree } = examples[s]!;
        return m > 0 && head === tree.heads[m] && labels[m] === tree.labels[m];
      }),
    ).length;

  test.each<[string, TrainOptions]>([
    ["arcs", { preset: "linear" }],
    [
      "parts, whole trees and labels in sequence",
      { preset: "linear", order: 2, decoder: "hillclimb", global: true },
    ],
    ["arcs and a network", { terms: ["network", "features"], network: { units: 8, epochs: 2 } }],
    ["log-probabilities", { preset: "linear", learner: "crf" }],
  ])(
    "begins with their weights, and learns sentences and labels: %s",
    { tags: "slow" },
    async (_, options) => {
      const first = loadParser(saveParser(await trainParser(train, { ...options, epochs: 3 })));
      const learned = more(corrected);
      const network = first.description.network ? { network: { epochs: 1, rate: 1e-30 } } : {};
      const again = { continue: first, ...network };
      // Of what it knows already, it forgets little in an epoch.
      const same = await trainParser(train, { ...again, epochs: 1 });
      expect(right(same, train)).toBeGreaterThan(right(first, train) - 6);
      const kept = new MemoryCheckpoint();
      const better = await trainParser([...learned, ...learned], {
        ...again,
        epochs: 8,
        checkpoint: kept,
      });
      expect(right(better, learned)).toBeGreaterThan(right(first, learned) + 8);
      expect(right(better, train)).toBeGreaterThan(right(first, train) / 2);
      const resumed = trainParser([...learned, ...learned], {
        ...again,
        epochs: 8,
        checkpoint: kept.after(2),
      });
      expect(fileOf(await resumed)).toBe(fileOf(better));
    },
  );

  test("refuses learners that do not begin with given weights", async () => {
    const first = await trainParser(train, { preset: "linear", epochs: 1 });
    const trained = trainParser(train, { continue: first, learner: "lbfgs" });
    await expect(trained).rejects.toMatchObject({ code: "invalid-option", at: "learner" });
  });
});

describe("a layer that scores more labels", () => {
  const parts = [[0], [0, 1], [], [1]];
  const known = { labels: 4, parts };
  const more = { labels: 6, parts: [...parts, [1], []] };
  const numbers = (length: number) =>
    fc.array(fc.float({ min: -4, max: 4, noNaN: true }), { minLength: length, maxLength: length });

  test("gives known labels their scores, and new ones less than the best of them", () => {
    fc.assert(
      fc.property(numbers(5 * 8), numbers(4), (weights, units) => {
        const before = {
          values: Float32Array.from(weights),
          layer: denseLayer.at(0, 4, 8, "none"),
          widths: known,
        };
        const after = {
          values: new Float32Array(5 * 8),
          layer: denseLayer.at(0, 4, 8, "none"),
          widths: more,
        };
        extendScores(before, after);
        const scores = [before, after].map(({ values, widths: { labels, parts: own } }) => {
          const outputs = Array.from({ length: 8 }, (_, k) =>
            units.reduce((sum, unit, r) => sum + unit * values[8 * r + k]!, values[4 * 8 + k]!),
          );
          return own.map((of, k) => of.reduce((sum, part) => sum + outputs[labels + part]!, outputs[k]!));
        });
        expect(scores[1]!.slice(0, 4)).toEqual(scores[0]);
        expect(Math.max(...scores[1]!.slice(4))).toBeLessThan(Math.max(...scores[0]!));
      }),
    );
  });
});

/** Hides heads and labels of some words. */
function hidden(examples: readonly TrainingExample[], isHidden: (m: number) => boolean): TrainingExample[] {
  return examples.map(({ sentence, tree }) => ({
    sentence,
    tree: {
      heads: tree.heads.map((head, m) => (m > 0 && isHidden(m) ? -1 : head)),
      labels: tree.labels.map((label, m) => (isHidden(m) ? "" : label)),
    },
  }));
}

describe("partly annotated trees", () => {
  test("words without a head have neither loss nor gradients", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.nat(100)), { minLength: 1, maxLength: 6 }),
        fc.array(fc.float({ min: -5, max: 5, noNaN: true }), { minLength: 64, maxLength: 64 }),
        (words, numbers) => {
          const n = words.length;
          const choices = n + 1;
          const memory = new MatrixMemory();
          const [scores, gradients] = [memory.matrix(choices, choices), memory.matrix(choices, choices)];
          memory.values.set(numbers.slice(0, choices * choices), scores.at);
          const headOf = (m: number, draw: number) => ((draw % n) + m + 1) % (n + 1);
          const all = Int32Array.from([-1, ...words.map(([, draw], k) => headOf(k + 1, draw))]);
          const some = all.map((head, m) => (m > 0 && words[m - 1]![0] ? -1 : head));
          headLoss(memory.values, some, scores, gradients);
          for (let m = 1; m <= n; m++) {
            const own = memory.values.slice(
              gradients.at + m * gradients.row,
              gradients.at + (m + 1) * gradients.row,
            );
            // A word with a single candidate has no other choice.
            expect(own.some((gradient) => gradient !== 0)).toBe(some[m]! >= 0 && n > 1);
          }
        },
      ),
    );
  });

  test("nothing is learned from the labels and tags of words that are not annotated", async () => {
    const options: TrainOptions = { continue: model, partial: true, network: { epochs: 1 } };
    const some = hidden(corrected, (m) => m % 2 === 0);
    const labelled = some.map(({ sentence, tree }, s) => ({
      sentence,
      tree: {
        ...tree,
        labels: tree.labels.map((label, m) => (tree.heads[m]! < 0 && m > 0 ? `x${s}` : label)),
      },
    }));
    const bytes = fileOf(await trainParser(plain(some), options));
    expect(fileOf(await trainParser(plain(labelled), options))).toBe(bytes);
    const upos = { name: "upos", labels: corrected.map(({ sentence }) => sentence.map(() => undefined)) };
    const given = { ...options, network: { ...options.network, columns: [upos] } };
    expect(fileOf(await trainParser(plain(some), given))).toBe(bytes);
  });

  test("annotated words are learned", async () => {
    const some = hidden(corrected, (m) => m % 2 === 0);
    const network = { epochs: 60, rate: 0.01 };
    const better = await once([some, "partial", network], () =>
      trainParser(plain(some), { continue: model, partial: true, network }),
    );
    const right = (parser: ParserModel) =>
      analyses(parser, some).flatMap(({ heads, labels }, s) =>
        heads.filter(
          (head, m) =>
            m % 2 === 1 && head === some[s]!.tree.heads[m] && labels[m] === some[s]!.tree.labels[m],
        ),
      ).length;
    expect(right(better)).toBeGreaterThan(right(model) + 3);
  });

  test("a new model is trained on them, from labels and heads of the annotated words", async () => {
    const some = hidden(train, (m) => m % 2 === 0);
    const parser = await trainParser(plain(some), {
      partial: true,
      terms: ["network"],
      network: { units: 8, epochs: 2 },
    });
    expect(parser.description.labels).not.toContain("");
    expect(analyses(parser, dev).every(({ labels }) => labels.slice(1).every((label) => label !== ""))).toBe(
      true,
    );
  });

  test("heads that are missing, and circles of annotated words, are refused", async () => {
    const some = hidden(corrected, (m) => m === 1);
    await expect(trainParser(plain(some), { continue: model })).rejects.toThrow(/has no tree/);
    const [first] = corrected;
    const tree = { ...first!.tree, heads: Int32Array.of(-1, 2, 1, -1) };
    const circle = trainParser([{ ...first!, tree }], { continue: model, partial: true });
    await expect(circle).rejects.toThrow(/training example 1 has no tree/);
  });
});
