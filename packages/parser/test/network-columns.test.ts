import { random } from "@arcwise/core";
import { beforeAll, describe, expect, test } from "vitest";
import { kept } from "../../../tools/kept-models.ts";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import type { NetworkColumn, TrainOptions } from "../src/index.ts";
import { createParser, loadParser, type ParserModel, saveParser } from "../src/index.ts";
import { type TrainedModel, trained } from "../src/model/model.ts";
import { encodeColumn } from "../src/training/network-columns.ts";
import { trainedParser, trainParser } from "./fast-training.ts";
import { readingOf, sample } from "./support.ts";

const examples = sample("train").slice(0, 24);
const untagged = examples.map(({ sentence, tree }) => ({
  sentence: sentence.map(({ form }) => ({ form })),
  tree,
}));
const tags = examples.map(({ sentence }) => sentence.map(({ upos }) => upos ?? ""));
const feats = examples.map(({ sentence }) => sentence.map((word) => word.feats ?? ""));
const columns: NetworkColumn[] = [
  { name: "upos", labels: tags },
  { name: "feats", labels: feats, parts: (label) => label.split("|") },
];
const options: TrainOptions = {
  preset: "linear",
  epochs: 1,
  network: { units: 32, epochs: 250, characters: true, columns },
};

let model: ParserModel;
beforeAll(async () => {
  const key = ["columns", untagged, tags, feats, options.epochs];
  model = loadParser(await kept(key, async () => saveParser(await trainParser(untagged, options))));
});

type Configuration = NonNullable<TrainedModel["network"]>["configuration"];

function configurationOf(one: ParserModel): Configuration {
  return trained(one).network!.configuration;
}

/** Returns the model with another configuration of its network. */
function withConfiguration(configuration: Configuration): TrainedModel {
  const of = trained(model);
  return { ...of, network: { ...of.network!, configuration } };
}

/** Share of words whose label is right. */
function accuracy(found: readonly (readonly string[])[], right: readonly (readonly string[])[]): number {
  const all = right.flat();
  return found.flat().filter((label, i) => label === all[i]).length / all.length;
}

describe("a network that predicts columns", () => {
  test("comes to know those of its sentences, from forms alone", () => {
    const parser = createParser(model);
    const found = untagged.map(({ sentence }) => readingOf(parser, sentence).columns());
    expect(Object.keys(found[0]!)).toEqual(["upos", "feats"]);
    const [upos, features] = (["upos", "feats"] as const).map((name) => found.map((own) => own[name]!));
    expect(accuracy(upos!, tags)).toBeGreaterThan(0.95);
    expect(accuracy(features!, feats)).toBeGreaterThan(0.85);
  });

  test("is the same from its file", () => {
    const [one, other] = [createParser(model), createParser(loadParser(saveParser(model)))];
    for (const { sentence } of untagged) {
      expect(readingOf(other, sentence).columns()).toEqual(readingOf(one, sentence).columns());
      expect(other.parse(sentence)).toEqual(one.parse(sentence));
    }
  });

  test("finds the same for sentences that are read together, in any order and twice, as for each alone", () => {
    const [one, other] = [createParser(model), createParser(model)];
    const sentences = [...untagged.map(({ sentence }) => sentence), [], untagged[0]!.sentence];
    const alone = sentences.map((sentence) => {
      const [reading] = other.read([sentence]);
      return { columns: reading!.columns(), parse: reading!.best() };
    });
    const words = sentences.map((sentence) => sentence.map((word) => ({ ...word })));
    const readings = one.read(words);
    for (const sentence of words) for (const word of sentence) word.form = "changed";
    for (const k of random(7).shuffle([...Array(2 * sentences.length).keys()])) {
      const reading = readings[k % sentences.length]!;
      const { columns, parse } = alone[k % sentences.length]!;
      if (k % 3 === 0) expect(reading.columns()).toEqual(columns);
      expect(reading.best()).toEqual(parse);
      expect(reading.withWords(sentences[k % sentences.length]!).best()).toEqual(parse);
    }
    expect(one.read([])).toEqual([]);
  });

  test("believes in given labels as far as they are trusted", () => {
    const parser = createParser(model);
    const { sentence } = untagged[0]!;
    const labels = sentence.map(() => "NUM");
    const own = readingOf(parser, sentence).columns();
    expect(readingOf(parser, sentence).columns({ upos: { labels, trust: 0 } })).toEqual(own);
    expect(readingOf(parser, sentence).columns({ upos: { labels, trust: 1000 } }).upos).toEqual(labels);
    const unknown = { upos: { labels: sentence.map(() => "nothing"), trust: 1000 } };
    expect(readingOf(parser, sentence).columns(unknown)).toEqual(own);
    expect(() => readingOf(parser, sentence).columns({ upos: { labels: ["X"], trust: 1 } })).toThrow(
      expect.objectContaining({ code: "invalid-argument", found: "1" }),
    );
  });

  test("chooses labels that go together", () => {
    const { combinations, columns: names, ...apart } = configurationOf(model);
    const together = (upos: string, features: string) => `${upos} ${features}`;
    const known = new Set(tags.flatMap((own, s) => own.map((tag, i) => together(tag, feats[s]![i]!))));
    const listed = combinations!.map(([tag, own]) =>
      together(names![0]!.labels[tag!]!, names![1]!.labels[own!]!),
    );
    expect(new Set(listed)).toEqual(known);
    const alone = createParser(withConfiguration({ ...apart, columns: names }));
    const unknown = [createParser(model), alone].map((parser) =>
      sample("dev").flatMap(({ sentence }) => {
        const { upos, feats: own } = readingOf(
          parser,
          sentence.map(({ form }) => ({ form })),
        ).columns();
        return upos!.filter((tag, i) => !known.has(together(tag, own![i]!)));
      }),
    );
    expect(unknown[1]!.length).toBeGreaterThan(20);
    expect(unknown[0]!.length).toBeLessThan(unknown[1]!.length / 4);
  });

  test.each([
    ["a number of another label", (found: number[][]) => (found[0]![1] = 10_000)],
    ["a label too few", (found: number[][]) => found[1]!.shift()],
    ["no words", (found: number[][]) => (found[1]![2] = 0)],
    ["no entries", (found: number[][]) => found.splice(0)],
    ["no list", (found: number[][]) => ((found as unknown[])[1] = 7)],
  ])("refuses a file whose labels that go together have %s", (_, change) => {
    const configuration = configurationOf(model);
    const combinations = configuration.combinations!.map((own) => [...own]);
    change(combinations);
    const damaged = saveParser(withConfiguration({ ...configuration, combinations }));
    expect(() => loadParser(damaged)).toThrow(
      /damaged model file: header\.network\.combinations(?:\[[01]\]|:)/,
    );
  });

  test("finds those of each word of a sentence that is cut into blocks", () => {
    const parser = createParser(model);
    const long = Array.from({ length: 130 }, () => untagged.slice(0, 3).flatMap(({ sentence }) => sentence));
    const sentence = long.flat();
    expect(sentence.length).toBeGreaterThan(1000);
    expect(readingOf(parser, sentence).columns().upos).toHaveLength(sentence.length);
  });

  test("is another one with other columns, and refuses their checkpoints", async () => {
    const kept = new MemoryCheckpoint();
    const some = untagged.slice(0, 8);
    const own = columns.map((column) => ({ ...column, labels: column.labels.slice(0, 8) }));
    const short = { ...options, network: { ...options.network!, units: 8, epochs: 2, columns: own } };
    const whole = await trainParser(some, { ...short, checkpoint: kept });
    const other = { ...short.network, columns: [own[0]!, { ...own[1]!, labels: own[0]!.labels }] };
    await expect(trainParser(some, { ...short, network: other, checkpoint: kept.after(0) })).rejects.toThrow(
      /other training data/,
    );
    const resumed = await trainParser(some, { ...short, checkpoint: kept.after(0) });
    expect(saveParser(resumed)).toEqual(saveParser(whole));
  });

  test("is asked for nothing where there is none", async () => {
    const plain = await trainedParser(untagged, { epochs: 1 });
    expect(readingOf(createParser(plain), untagged[0]!.sentence).columns()).toEqual({});
    expect(readingOf(createParser(model), []).columns()).toEqual({ upos: [], feats: [] });
  });
});

describe("given labels", () => {
  /** Those of a tagger that takes nouns for interjections. */
  const given = tags.map((own) => own.map((tag) => (tag === "NOUN" ? "INTJ" : tag)));
  const learn = (trust: number) =>
    trainedParser(untagged, {
      epochs: 1,
      network: {
        ...{ units: 32, epochs: 40, characters: true },
        columns: [{ name: "upos", labels: [...tags], given: { labels: given, trust } }],
      },
    });

  test("count in training: the network learns to correct them", async () => {
    const [corrected, unaware] = (await Promise.all([learn(4), learn(0)])).map((trained) => {
      const parser = createParser(trained);
      return untagged.map(
        ({ sentence }, s) =>
          readingOf(parser, sentence).columns({ upos: { labels: given[s]!, trust: 4 } }).upos!,
      );
    });
    expect(accuracy(given, tags)).toBeLessThan(0.9);
    expect(accuracy(corrected!, tags)).toBeGreaterThan(accuracy(given, tags) + 0.05);
    expect(accuracy(unaware!, tags)).toBeLessThan(accuracy(corrected!, tags) - 0.05);
  });

  test("are one for each word", () => {
    const column = (labels: string[][], trust = 1): NetworkColumn => ({
      ...{ name: "c", labels: [["A"]] },
      given: { labels, trust },
    });
    expect(() => encodeColumn(column([["A", "B"]]), [1])).toThrow(
      "given labels of column c: expected 1 labels of sentence 1, got 2",
    );
    expect(() => encodeColumn(column([["A"]], Number.NaN), [1])).toThrow("expected a finite trust, got NaN");
    const { targets } = encodeColumn(column([["B"]]), [1]);
    expect([...targets[0]!.given!]).toEqual([-1]);
  });
});

describe("a column to learn", () => {
  test("numbers labels, and the parts that several of them share", () => {
    const labels = [
      ["A=1|B=1", "A=1"],
      ["", "B=1|C=2", "A=1"],
    ];
    const { data, targets } = encodeColumn(
      { name: "feats", labels, parts: (text) => text.split("|") },
      [2, 3],
    );
    const partsOf = (label: string) => data.parts[data.labels.indexOf(label)]!;
    expect([...data.labels].sort()).toEqual(["", "A=1", "A=1|B=1", "B=1|C=2"]);
    expect(partsOf("A=1|B=1")).toHaveLength(2);
    expect(partsOf("A=1")).toHaveLength(1);
    expect(partsOf("")).toEqual([]);
    expect(partsOf("A=1|B=1")).toContain(partsOf("B=1|C=2")[0]);
    expect(targets.map((own) => Array.from(own.labels, (l) => data.labels[l]!))).toEqual(labels);
  });

  test.each([
    [[["A"]], "column c: expected 2 sentences, got 1"],
    [[["A"], ["B", "C"]], "column c: expected 1 labels of sentence 2, got 2"],
  ])("has a label for each word: %j", (labels, message) => {
    expect(() => encodeColumn({ name: "c", labels }, [1, 1])).toThrow(message);
  });

  test("has a name of its own", async () => {
    const network = { ...options.network!, columns: [columns[0]!, columns[0]!] };
    await expect(trainParser(untagged, { network })).rejects.toThrow("columns of different names");
  });
});
