import { ModelError } from "@arcwise/core/container";
import { beforeAll, describe, expect, test } from "vitest";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import {
  createParser,
  loadParser,
  type ParserModel,
  saveParser,
  type TrainOptions,
  type WordVectors,
} from "../src/index.ts";
import { trained } from "../src/model/model.ts";
import { trainedParser, trainParser } from "./fast-training.ts";
import { TREEBANK as ALL } from "./support.ts";

const TREEBANK = ALL.slice(0, 12);
const forms = [...new Set(TREEBANK.flatMap(({ sentence }) => sentence.map(({ form }) => form)))];
/** A vector for each known word, and for one that no sentence has. */
const vectors: WordVectors = {
  dimension: 5,
  words: [...forms, "unseen"],
  values: Float32Array.from({ length: 5 * (forms.length + 1) }, (_, k) => Math.fround(((k * 37) % 11) - 5)),
};
const options: TrainOptions = { epochs: 1, network: { units: 8, epochs: 2, vectors }, prune: false };

let model: ParserModel;
beforeAll(async () => {
  model = await trainedParser(TREEBANK, options);
});

describe("a network with given vectors", () => {
  test("is described, and read from its file", () => {
    expect(model.description.network).toMatchObject({ vectors: { words: forms.length + 1, dimension: 5 } });
    const bytes = saveParser(model);
    const read = loadParser(bytes);
    expect(saveParser(read)).toEqual(bytes);
    const [before, after] = [createParser(model), createParser(read)];
    for (const { sentence } of TREEBANK) expect(after.parse(sentence)).toEqual(before.parse(sentence));
  });

  test("is learned again to the same bytes, and from a checkpoint", async () => {
    expect(saveParser(await trainParser(TREEBANK, options))).toEqual(saveParser(model));
    const kept = new MemoryCheckpoint();
    await trainParser(TREEBANK, { ...options, checkpoint: kept });
    const resumed = await trainParser(TREEBANK, { ...options, checkpoint: kept.after(0) });
    expect(saveParser(resumed)).toEqual(saveParser(model));
    const other = { ...vectors, values: vectors.values.map((value) => -value) };
    await expect(
      trainParser(TREEBANK, {
        ...options,
        network: { ...options.network!, vectors: other },
        checkpoint: kept.after(0),
      }),
    ).rejects.toThrow(ModelError);
  });

  test("has embeddings of 5 bits, vectors of 4, and all else of 8", () => {
    const { codes, values, configuration, vectors: stored } = trained(model).network!;
    const largest = (bytes: Int8Array) => bytes.reduce((most, byte) => Math.max(most, Math.abs(byte)), 0);
    const embeddingLength = codes.length * configuration.units;
    expect(largest(values.subarray(0, embeddingLength))).toBe(15);
    expect(largest(values.subarray(embeddingLength))).toBe(127);
    expect(largest(stored!.values)).toBe(7);
  });

  test("tells unseen words apart by their vectors", () => {
    const parser = createParser(model);
    const [first, ...rest] = TREEBANK[0]!.sentence;
    const scoreOf = (form: string) => parser.parse([{ ...first!, form, lemma: "" }, ...rest]).score;
    expect(scoreOf("unseen")).not.toBe(scoreOf("Unknown"));
    expect(scoreOf("Unseen")).not.toBe(scoreOf("Unknown"));
    const { network } = trained(model);
    expect(network!.vectors!.scales).toHaveLength(forms.length + 1);
  });

  test("keeps in its file that beginnings of words stand for them", async () => {
    const ofBeginnings = { ...vectors, beginnings: 4 };
    const network = { ...options.network!, vectors: ofBeginnings };
    const checkpoint = new MemoryCheckpoint();
    const other = await trainParser(TREEBANK, { ...options, network, checkpoint });
    expect(other.description.network).toMatchObject({ vectors: { dimension: 5, beginnings: 4 } });
    const bytes = saveParser(other);
    const read = loadParser(bytes);
    expect(saveParser(read)).toEqual(bytes);
    const parser = createParser(read);
    const [first, ...rest] = TREEBANK[0]!.sentence;
    const scoreOf = (form: string) => parser.parse([{ ...first!, form, lemma: "" }, ...rest]).score;
    expect(scoreOf("Unseens")).not.toBe(scoreOf("Unknown"));
    // A checkpoint goes on with the same vectors alone.
    await expect(trainParser(TREEBANK, { ...options, checkpoint })).rejects.toThrow(ModelError);
  });
});
