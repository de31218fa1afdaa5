import { trainOnline } from "@arcwise/learn";
import { describe, expect, it, test } from "vitest";
import { elsewhere } from "../../../tools/elsewhere.ts";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import {
  createParsingWork,
  prepareTraining,
  saveParser,
  type TrainingProgress,
  type TrainOptions,
} from "../src/index.ts";
import type { ParserSettings } from "../src/training/train-options.ts";
import { trainParser } from "./fast-training.ts";
import { TREEBANK } from "./support.ts";

const train = [TREEBANK, TREEBANK, TREEBANK].flat();
const base: TrainOptions = {
  preset: "linear",
  epochs: 3,
  seed: 2,
  shards: { count: 3 },
  prune: false,
  labeller: "joint",
};
const bytes = async (options: TrainOptions) => Buffer.from(saveParser(await trainParser(train, options)));

describe("training by shards", () => {
  test.each<TrainOptions>([
    { learner: "perceptron" },
    { learner: "mira", shards: { count: 3, mixes: 1 } },
    { learner: "crf", shards: { count: 3 } },
  ])("gives the same bytes where each shard has work of its own that was sent to it: %j", async (options) => {
    const all = { ...base, ...options, epochs: 2 };
    const sent = await trainParser(train, { ...all, place: elsewhere() });
    const here = await bytes(all);
    expect(Buffer.from(saveParser(sent)).equals(here)).toBe(true);
  });

  it("that is stopped and resumed gives the same bytes; other shards give others", async () => {
    const whole = await bytes(base);
    const checkpoint = new MemoryCheckpoint();
    await trainParser(train, { ...base, epochs: 1, checkpoint });
    expect(checkpoint.moments).toHaveLength(1);
    expect((await bytes({ ...base, checkpoint })).equals(whole)).toBe(true);
    expect(
      (await bytes({ ...base, shards: { count: 4 }, epochs: 1 })).equals(await bytes({ ...base, epochs: 1 })),
    ).toBe(false);
  });

  it("refuses the checkpoint of serial training, or of other shards", async () => {
    const serial = new MemoryCheckpoint();
    await trainParser(train, { ...base, checkpoint: serial, shards: { count: 1 }, epochs: 1 });
    await expect(bytes({ ...base, checkpoint: serial })).rejects.toThrow("comes from other");
    const checkpoint = new MemoryCheckpoint();
    await trainParser(train, { ...base, checkpoint, epochs: 1 });
    const others: NonNullable<ParserSettings["shards"]>[] = [
      { count: 2 },
      { count: 1 },
      { count: 3, mixes: 2 },
    ];
    for (const shards of others) {
      await expect(bytes({ ...base, shards, checkpoint })).rejects.toThrow("comes from other");
    }
  });

  it("tells of each epoch, and measures on a development set", async () => {
    const seen: TrainingProgress[] = [];
    const dev = TREEBANK;
    const model = await trainParser(train, { ...base, dev, onProgress: (at) => void seen.push(at) });
    const done = seen.filter(({ step, epochDone }) => step === "weights" && epochDone);
    expect(done.map(({ epoch, share }) => [epoch, share])).toEqual([1, 2, 3].map((e) => [e, e / 3]));
    expect(done[0]!.error!.share).toBeGreaterThan(0);
    expect(done[2]!.error!.share).toBeLessThan(done[0]!.error!.share);
    expect(done[2]!.dev!.uas!).toBeGreaterThan(done[2]!.dev!.las! - 1e-9);
    expect(model.description).toMatchObject({ shards: { count: 3, mixes: 32 } });
  });

  it("mixes as often as the option mixes says", async () => {
    const short: TrainOptions = { ...base, epochs: 1 };
    const twice = await bytes({ ...short, shards: { count: 3, mixes: 2 } });
    expect(twice.equals(await bytes(short))).toBe(false);
  });

  it("leaves the first epochs out of the average, also when it is resumed there; not with crf", async () => {
    const kept = new MemoryCheckpoint();
    const long: TrainOptions = { ...base, epochs: 4 };
    const whole = await bytes({ ...long, checkpoint: kept });
    expect((await bytes({ ...long, checkpoint: kept.after(2) })).equals(whole)).toBe(true);
  });

  it("of one shard is serial training, and says nothing of shards", async () => {
    const { shards: _, ...serial } = { ...base, epochs: 1 };
    expect((await bytes({ ...serial, shards: { count: 1 } })).equals(await bytes(serial))).toBe(true);
  });

  it("refuses more shards than sentences", async () => {
    await expect(bytes({ ...base, shards: { count: 13 } })).rejects.toThrow("13 shards of 12");
  });

  it("is available after prepareTraining: the same scores on a development set", async () => {
    const seen: TrainingProgress[] = [];
    const options: TrainOptions = {
      preset: "linear",
      epochs: 2,
      seed: 5,
      prune: false,
      labeller: "joint",
      dev: TREEBANK,
    };
    await trainParser(train, { ...options, onProgress: (at) => void seen.push(at) });
    const { work, evaluate } = await prepareTraining(train, options);
    const { task, learner } = createParsingWork(structuredClone(work));
    await trainOnline(task, learner, { epochs: 2, seed: 5 });
    expect(evaluate(learner.result())).toEqual(seen.findLast(({ dev }) => dev)!.dev);
    // On other examples than the development set.
    expect(evaluate(learner.result(), TREEBANK)).toEqual(evaluate(learner.result()));
    const other = TREEBANK.map(({ sentence, tree: { heads, labels } }) => {
      return { sentence, tree: { heads, labels: labels.map(() => "none") } };
    });
    expect(evaluate(learner.result(), other)!.las).toBe(0);
    expect(
      (await prepareTraining(train, { preset: "linear", prune: false })).evaluate(learner.result()),
    ).toBeUndefined();
  });
});
