import { isProjective, random } from "@arcwise/core";
import type { Checkpoint } from "@arcwise/core/training";
import { describe, expect, it, test } from "vitest";
import { elsewhere } from "../../../tools/elsewhere.ts";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import {
  createParser,
  type Parse,
  saveParser,
  type TrainingProgress,
  type TrainOptions,
} from "../src/index.ts";
import { trained } from "../src/model/model.ts";
import { parserFile, trainedParser, trainParser } from "./fast-training.ts";
import { example, readingOf, sample, TREEBANK } from "./support.ts";

const train = sample("train");

/** Share of words with the right head. */
function attachment(model: Awaited<ReturnType<typeof trainParser>>, split = sample("dev")): number {
  const parser = createParser(model);
  let [right, all] = [0, 0];
  for (const { sentence, tree } of split) {
    const { heads } = parser.parse(sentence);
    for (let m = 1; m < heads.length; m++, all++) if (heads[m] === tree.heads[m]) right++;
  }
  return right / all;
}

describe("on the sample treebank", () => {
  test.each<[TrainOptions, number]>([
    [{ order: 1 }, 0.65],
    [{ order: 2, decoder: "eisner" }, 0.65],
    [{ order: 3, decoder: "projective" }, 0.65],
  ])("a parser of %j learns something", async (options, least) => {
    const model = await trainedParser(train.slice(0, 60), { ...options, epochs: 2 });
    // A word has eleven possible heads on average; the next word is right for 30 % of them.
    expect(attachment(model)).toBeGreaterThan(least);
    const parser = createParser(model);
    for (const { sentence } of sample("test").slice(0, 10)) {
      const { heads, score, bound } = parser.parse(sentence);
      expect(score).toBe(bound);
      if (options.order !== 1) expect(isProjective(heads)).toBe(true);
    }
  });
});

describe("kinds of parts beside those of the order", () => {
  const ofOrder2 = ["grandparent", "nextSibling", "lastSibling"];
  test.each<[TrainOptions, string[]]>([
    [{ decoder: "ad3", order: 2 }, []],
    [{ decoder: "ad3", order: 2, parts: ["headBigram", "grandparent"] }, ["headBigram"]],
    [{ decoder: "ad3", order: 2, parts: "full" }, ["sibling", "grandSibling", "triSibling", "headBigram"]],
    [
      { decoder: "hillclimb", order: 2, parts: "full" },
      [
        "sibling",
        "grandSibling",
        "triSibling",
        "headBigram",
        "greatGrandparent",
        "grandparentSibling",
        "outerSiblingGrandchild",
        "innerSiblingGrandchild",
      ],
    ],
    [{ decoder: "projective", order: 2, parts: "full" }, ["grandSibling", "triSibling"]],
  ])("%j", async (options, more) => {
    const model = await trainedParser(TREEBANK, { epochs: 1, ...options });
    const parser = createParser(model);
    for (const { sentence } of TREEBANK) {
      const { parts } = readingOf(parser, sentence).problem();
      expect(parts.map(({ kind }) => kind)).toEqual([...ofOrder2, ...more]);
      expect(
        parts.some(({ kind, scores }) => more.includes(kind) && scores.some((score) => score !== 0)),
      ).toBe(more.length > 0 && sentence.length > 1);
      parser.parse(sentence);
    }
    if (more.length === 0) expect(model.description).not.toHaveProperty("parts");
    else expect(model.description).toMatchObject({ parts: more });
  });
});

describe("the same examples, options and seed", () => {
  const some = [TREEBANK, TREEBANK, TREEBANK].flat();
  const bytes = async (options: TrainOptions, examples = some) =>
    Buffer.from(saveParser(await trainParser(examples, { epochs: 2, ...options })));

  it("give the same bytes; another seed, other bytes", async () => {
    const [first, second, other] = [
      await bytes({ seed: 3 }),
      await bytes({ seed: 3 }),
      await bytes({ seed: 4 }),
    ];
    expect(first.equals(second)).toBe(true);
    expect(first.equals(other)).toBe(false);
  });

  test.each<TrainOptions>([
    { order: 1, learning: { minWeight: 3 } },
    { order: 3, decoder: "eisner" },
    { order: 1, learner: "perceptron" },
  ])("that are stopped in epoch 3 and resumed give the same bytes: %j", async (options) => {
    const whole = await parserFile(some, { ...options, epochs: 4 });
    const checkpoint = new MemoryCheckpoint();
    const controller = new AbortController();
    const stopped = await trainParser(some, {
      ...options,
      epochs: 4,
      signal: controller.signal,
      checkpoint,
      onProgress: ({ step, epoch, epochDone }) => {
        // Signals are looked at after each sentence: the first one of epoch 3 is the last.
        if (step === "weights" && epoch === 2 && epochDone) controller.abort();
      },
    }).catch((error: unknown) => error);
    expect(controller.signal.aborted).toBe(true);
    expect(stopped).toBe(controller.signal.reason);
    const resumed = await bytes({ ...options, epochs: 4, checkpoint });
    expect(resumed.equals(whole)).toBe(true);
  });

  test.each([undefined, elsewhere()])(
    "end after the state that is being written when they are stopped",
    async (place) => {
      const controller = new AbortController();
      const reason = new Error("stopped");
      let isWritten = false;
      const checkpoint: Checkpoint = {
        read: async () => undefined,
        async write() {
          controller.abort(reason);
          await new Promise((resolve) => setTimeout(resolve, 50));
          isWritten = true;
        },
      };
      const stopped = trainParser(some, { epochs: 2, checkpoint, signal: controller.signal, place });
      await expect(stopped).rejects.toBe(reason);
      expect(isWritten).toBe(true);
    },
  );

  it("differ by training: a checkpoint of another one is refused", async () => {
    const options: TrainOptions = { epochs: 1, prune: false, checkpoint: new MemoryCheckpoint() };
    await trainParser(some, options);
    for (const other of [{ seed: 9 }, { learner: "perceptron" }, { order: 2 }, { prune: true }] as const) {
      await expect(bytes({ ...options, ...other })).rejects.toThrow("comes from other");
    }
    await expect(bytes(options, some.slice(1))).rejects.toThrow("comes from other");
    expect((await bytes({ ...options, epochs: 2 })).length).toBeGreaterThan(0);
  });
});

describe("progress", () => {
  it("tells of each stage and epoch, and measures on a development set", async () => {
    const seen: TrainingProgress[] = [];
    await trainParser(TREEBANK, { epochs: 2, dev: TREEBANK, onProgress: (at) => void seen.push(at) });
    expect(new Set(seen.map(({ step }) => step))).toContain("prune");
    const done = seen.filter(({ step, epochDone }) => step === "weights" && epochDone);
    expect(done.map(({ epoch }) => epoch)).toEqual([1, 2]);
    for (const { dev, error, share, epoch } of done) {
      expect(share).toBe(epoch / 2);
      expect(error!.of).toBe("heads and labels");
      expect(dev!.uas!).toBeGreaterThanOrEqual(dev!.las!);
      expect(dev!.las!).toBeGreaterThanOrEqual(0);
      expect(error!.share).toBeGreaterThanOrEqual(0);
      expect(error!.share).toBeLessThanOrEqual(1);
    }
  });
});

describe("without a pruner", () => {
  it("all arcs are candidates, in a model that was kept too", async () => {
    const model = await trainedParser(TREEBANK, { epochs: 2, prune: false });
    expect(model.description.pruning).toBe(false);
    for (const { sentence } of TREEBANK) {
      expect(readingOf(createParser(model), sentence).problem().arcs.head.length).toBe(sentence.length ** 2);
    }
  });

  it("and with one, at most so many heads are kept (and those of a tree)", async () => {
    const model = trained(await trainedParser(train.slice(0, 12), { epochs: 1 }));
    const { configuration } = model;
    const { ratio } = configuration.pruning as { readonly ratio: number };
    const strict = { ...model, configuration: { ...configuration, pruning: { ratio, most: 2 } } };
    const parser = createParser(strict);
    for (const { sentence } of train.slice(0, 20)) {
      const { start } = readingOf(parser, sentence).problem().arcs;
      for (let m = 1; m <= sentence.length; m++) expect(start[m + 1]! - start[m]!).toBeLessThanOrEqual(3);
    }
  });
});

describe("what cannot be learned from is refused", () => {
  test.each([
    ["no examples", [], "expected sentences to learn from"],
    ["a cycle", [TREEBANK[0]!, example("a/X b/X", "2 1", "x y")], "training example 2 has no tree"],
    ["a head out of range", [example("a/X b/X", "0 7", "x y")], "training example 1"],
    ["too few labels", [example("a/X b/X", "0 1", "x")], "training example 1"],
    ["too few heads", [example("a/X b/X", "0", "x y")], "training example 1"],
  ])("%s", async (_what, examples, message) => {
    await expect(trainParser(examples, { prune: false })).rejects.toThrow(message);
  });
});

describe("unusual examples", () => {
  const parseAll = async (examples: typeof TREEBANK, options: TrainOptions = {}): Promise<Parse[]> => {
    const parser = createParser(await trainParser(examples, { epochs: 2, ...options }));
    return examples.map(({ sentence }) => parser.parse(sentence));
  };

  test("a sentence without words, one of one word, several roots, no tags", async () => {
    const empty = { sentence: [], tree: { heads: Int32Array.of(-1), labels: [""] } };
    const examples = [
      empty,
      example("Yes/INTJ", "0", "root"),
      example("a/X b/X", "0 0", "root root"),
      {
        sentence: [{ form: "bare" }, { form: "words" }],
        tree: { heads: Int32Array.of(-1, 2, 0), labels: ["", "", ""] },
      },
    ];
    for (const learner of ["mira", "crf"] as const) {
      const parses = await parseAll(examples, { learner });
      expect(parses[0]).toMatchObject({ heads: Int32Array.of(-1), labels: [""], score: 0, bound: 0 });
      expect([...parses[1]!.heads]).toEqual([-1, 0]);
    }
  });

  test("a sentence beyond 400 words with an arc over 100 of them", async () => {
    const n = 420;
    const stream = random(1);
    const words = Array.from({ length: n }, (_, i) => `w${stream.int(9)}/T${i % 3}`).join(" ");
    const tree = Array.from({ length: n }, (_, i) => (i === 0 ? 0 : i === n - 1 ? 1 : i)).join(" ");
    const long = example(words, tree, Array.from({ length: n }, () => "x").join(" "));
    for (const learner of ["mira", "crf"] as const) {
      const [parse] = await parseAll([long], { learner, epochs: 1 });
      expect(parse!.heads.length).toBe(n + 1);
      expect(Number.isFinite(parse!.score)).toBe(true);
    }
  });
});
