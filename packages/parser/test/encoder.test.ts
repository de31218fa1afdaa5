import type { Sentence } from "@arcwise/core";
import { type Encoder, encodeWords, toHalves } from "@arcwise/core/encoders";
import { beforeAll, describe, expect, test } from "vitest";
import { elsewhere } from "../../../tools/elsewhere.ts";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import {
  createParser,
  encoderOfParser,
  loadParser,
  type ParserModel,
  saveParser,
  type TrainingExample,
  type TrainOptions,
  trainParser,
} from "../src/index.ts";
import { sample, TREEBANK } from "./support.ts";

const train = [...TREEBANK, ...sample("train").slice(0, 24)];
const dev = sample("dev").slice(0, 30);
const OPTIONS: TrainOptions = { terms: ["network"], network: { units: 8, epochs: 3 } };

/** Gives the gold heads of known sentences: the distance of the head, as one-hot and as a number; noise in addition. */
function oracle(examples: readonly TrainingExample[], name = "oracle"): Encoder & { readonly words: number } {
  const width = 12;
  const trees = new Map(
    examples.map(({ sentence, tree }) => [JSON.stringify(sentence.map(({ form }) => form)), tree]),
  );
  const own = {
    ...{ name, width, fingerprint: `${name} 1`, words: 0 },
    async encode(sentences: readonly (readonly string[])[], { signal }: { signal?: AbortSignal } = {}) {
      signal?.throwIfAborted();
      return sentences.map((words) => {
        own.words += words.length;
        const heads = trees.get(JSON.stringify(words))?.heads;
        return Float32Array.from({ length: words.length * width }, (_, i) => {
          const [m, d] = [Math.floor(i / width) + 1, i % width];
          const distance = heads === undefined ? 0 : heads[m] === 0 ? 9 : heads[m]! - m;
          if (d === 0) return 3000 + distance / 10;
          if (d === 11) return ((m * 37) % 11) / 100;
          return Math.max(-5, Math.min(4, distance)) === d - 6 ? 2 : 0;
        });
      });
    },
  };
  return own;
}

const all = oracle([...train, ...dev]);

function accuracy(model: ParserModel, sentences: readonly Sentence[]): number {
  const parses = createParser(model)
    .read(sentences)
    .map((reading) => reading.best());
  const right = parses.map(({ heads }, s) =>
    heads.subarray(1).reduce((sum, head, k) => sum + (head === dev[s]!.tree.heads[k + 1] ? 1 : 0), 0),
  );
  const words = sentences.reduce((sum, { length }) => sum + length, 0);
  return right.reduce((sum, own) => sum + own, 0) / words;
}

describe("a network with an encoder", () => {
  let model: ParserModel;
  let encoded: readonly Sentence[];
  beforeAll(async () => {
    model = await trainParser(train, { ...OPTIONS, encoder: all });
    encoded = await encodeWords(
      all,
      dev.map(({ sentence }) => sentence),
    );
  });

  test("uses its vectors", { tags: "slow" }, async () => {
    const longer: TrainOptions = { terms: ["network"], network: { units: 16, epochs: 40, rate: 0.005 } };
    const forms = (words: Sentence): Sentence => words.map(({ form, vector }) => ({ form, vector }));
    const examples = train.map(({ sentence, tree }) => ({ sentence: forms(sentence), tree }));
    const without = accuracy(
      await trainParser(examples, longer),
      dev.map(({ sentence }) => forms(sentence)),
    );
    const model = await trainParser(examples, { ...longer, encoder: all });
    expect(accuracy(model, encoded.map(forms))).toBeGreaterThan(without + 0.2);
  });

  test("stores the encoder, and is read from its file", () => {
    const identity = { name: "oracle", width: 12, fingerprint: "oracle 1" };
    expect(encoderOfParser(model)).toEqual(identity);
    expect(model.description.encoder).toEqual(identity);
    const file = saveParser(model);
    const read = loadParser(file);
    expect(saveParser(read)).toEqual(file);
    expect(encoderOfParser(read)).toEqual(identity);
    const [before, after] = [createParser(model), createParser(read)];
    expect(after.read(encoded).map((reading) => reading.best())).toEqual(
      before.read(encoded).map((reading) => reading.best()),
    );
  });

  test("has the same bytes from the same seed, in each place, and from checkpoints", async () => {
    const options = { ...OPTIONS, encoder: all };
    const bytes = saveParser(model);
    expect(saveParser(await trainParser(train, { ...options, place: elsewhere() }))).toEqual(bytes);
    const kept = new MemoryCheckpoint();
    await trainParser(train, { ...options, checkpoint: kept });
    expect(saveParser(await trainParser(train, { ...options, checkpoint: kept.after(0) }))).toEqual(bytes);
    const other = oracle(train, "other");
    await expect(
      trainParser(train, { ...options, encoder: other, checkpoint: kept.after(0) }),
    ).rejects.toMatchObject({ code: "invalid-model" });
  });

  test("reports the encoding, of each sentence once, and evaluates on encoded sentences", async () => {
    const encoder = oracle([...train, ...dev]);
    const steps: string[] = [];
    const shares: number[] = [];
    let uas: number | undefined;
    await trainParser([...train, ...train], {
      ...OPTIONS,
      ...{ encoder, dev },
      onProgress: ({ step, trainingShare, dev: scores }) => {
        if (steps.at(-1) !== step) steps.push(step);
        shares.push(trainingShare);
        uas = scores?.uas ?? uas;
      },
    });
    const distinct = new Set([...train, ...dev].map(({ sentence }) => JSON.stringify(sentence)));
    const words = [...distinct].reduce((sum, text) => sum + (JSON.parse(text) as unknown[]).length, 0);
    expect(encoder.words).toBe(words);
    expect(steps).toEqual(["encode", "network"]);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(uas).toBeGreaterThan(0);
  });

  test("is continued with the same encoder alone, from the scores that it had", async () => {
    const options = { continue: model, encoder: all };
    await expect(trainParser(train, { continue: model })).rejects.toMatchObject({ code: "missing-encoder" });
    const other = oracle(train, "other");
    await expect(trainParser(train, { ...options, encoder: other })).rejects.toMatchObject({
      code: "missing-encoder",
    });
    const slow = { ...options, network: { epochs: 1, rate: 1e-12 } };
    const continued = await trainParser(train, slow);
    expect(encoderOfParser(continued)).toEqual(encoderOfParser(model));
    const [before, after] = [model, continued].map((own) =>
      createParser(own)
        .read(encoded)
        .map((reading) => [...reading.best().heads]),
    );
    expect(after).toEqual(before);
  });

  test("parses long sentences in blocks, and reads other tags of its words", () => {
    const words = Array.from({ length: 60 }, () => encoded.flat())
      .flat()
      .slice(0, 1200);
    const [reading] = createParser(model).read([words]);
    expect(reading!.best()).toMatchObject({ reduced: { blocks: 4 } });
    const [short] = createParser(model).read(encoded);
    const others = encoded[0]!.map(({ form }) => ({ form, upos: "NOUN" }));
    expect(short!.withWords(others).best().heads).toEqual(short!.best().heads);
  });

  test.each<[string, (words: Sentence) => Sentence, RegExp]>([
    ["without vectors", (words) => words.map(({ form }) => ({ form })), /oracle \(12.*oracle 1.*found none/],
    [
      "with vectors of another encoder",
      (words) => withEncoder(words, { name: "other", width: 12, fingerprint: "other 1" }),
      /oracle \(12.*oracle 1.*other \(12.*other 1/,
    ],
  ])("refuses words %s by an error that names both", (_, change, message) => {
    expect(() => createParser(model).parse(change(encoded[0]!))).toThrow(
      expect.objectContaining({ code: "missing-encoder", message: expect.stringMatching(message) }),
    );
  });

  test("takes an encoder of another name that gives the same vectors", () => {
    const renamed = withEncoder(encoded[0]!, { name: "renamed", width: 12, fingerprint: "oracle 1" });
    const parser = createParser(model);
    expect(parser.parse(renamed)).toEqual(parser.parse(encoded[0]!));
  });

  test("adds to features as well", async () => {
    const options: TrainOptions = { order: 1, epochs: 1, prune: false, network: { units: 8, epochs: 2 } };
    const mixed = await trainParser(train, { ...options, encoder: all, dev });
    expect(encoderOfParser(loadParser(saveParser(mixed)))?.name).toBe("oracle");
    expect(() => createParser(mixed).parse(dev[0]!.sentence)).toThrow(/oracle/);
    expect(createParser(mixed).parse(encoded[0]!).heads).toHaveLength(encoded[0]!.length + 1);
  });
});

function withEncoder(words: Sentence, encoder: NonNullable<Sentence[number]["vector"]>["encoder"]): Sentence {
  return words.map((word) => ({ ...word, vector: { encoder, values: word.vector!.values } }));
}

test("a training refuses an encoder without a network, and one that breaks its contract", async () => {
  await expect(trainParser(train, { terms: ["features"], encoder: all })).rejects.toMatchObject({
    code: "invalid-option",
    at: "encoder",
  });
  const broken = { ...all, encode: async () => [new Float32Array(1)] };
  await expect(trainParser(train, { ...OPTIONS, encoder: broken })).rejects.toMatchObject({
    code: "invalid-encoder",
  });
  const unnamed = { ...all, name: "" };
  await expect(trainParser(train, { ...OPTIONS, encoder: unnamed })).rejects.toMatchObject({
    code: "invalid-encoder",
  });
});

test("a training stops while it encodes, by the reason of its signal", async () => {
  const reason = new Error("stopped");
  const encoder = { ...all, encode: () => new Promise<Float32Array[]>((_, reject) => reject(reason)) };
  await expect(trainParser(train, { ...OPTIONS, encoder })).rejects.toBe(reason);
  await expect(
    trainParser(train, { ...OPTIONS, encoder: all, signal: AbortSignal.abort(reason) }),
  ).rejects.toBe(reason);
});

test("words are refused whose vector has another length than its encoder", () => {
  expect(toHalves(Float32Array.of(1, -2, 0.5, 1e6, 1e-9))).toEqual(
    Uint16Array.of(0x3c00, 0xc000, 0x3800, 0x7bff, 0),
  );
});
