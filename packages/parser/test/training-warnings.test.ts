import type { TrainingWarning } from "@arcwise/core/training";
import { describe, expect, test } from "vitest";
import {
  createParser,
  loadParser,
  saveParser,
  type TrainingExample,
  type TrainOptions,
  trainingWarnings,
  trainParser,
} from "../src/index.ts";
import { example } from "./support.ts";

const TWO_ROOTS = ["now", "well", "here", "then"].map((adverb) =>
  example(`Ann/NOUN sings/VERB ${adverb}/ADV ./PUNCT`, "2 0 0 3", "nsubj root root punct"),
);
const CROSSING = example("I/A know/B whose/C foot/D you/E stood/F on/G", "2 0 4 7 6 2 6", "a root b c d e f");
const PLAIN = example("Bo/NOUN sings/VERB ./PUNCT", "2 0 2", "nsubj root punct");
const MANY_LABELS = Array.from({ length: 60 }, (_, k) => example(`w/X v/Y`, "2 0", `l${k} r${k}`));

describe("the warnings of a training", () => {
  test.each<[string, TrainingExample[], TrainOptions, Pick<TrainingWarning, "code" | "count" | "total">[]]>([
    ["one root, projective", [PLAIN], {}, []],
    [
      "several roots",
      [...TWO_ROOTS, PLAIN],
      { decoder: "mst" },
      [{ code: "several-roots", count: 4, total: 5 }],
    ],
    ["several roots that may be", [...TWO_ROOTS, PLAIN], { multipleRoots: true }, []],
    [
      "crossing arcs with a projective decoder",
      [CROSSING, PLAIN],
      { decoder: "eisner", order: 2 },
      [{ code: "non-projective", count: 1, total: 2 }],
    ],
    ["crossing arcs with another one", [CROSSING, PLAIN], { decoder: "hillclimb", order: 2 }, []],
    [
      "both",
      [CROSSING, ...TWO_ROOTS],
      { decoder: "eisner" },
      [
        { code: "several-roots", count: 4, total: 5 },
        { code: "non-projective", count: 1, total: 5 },
      ],
    ],
    ["a label for each word", MANY_LABELS, {}, [{ code: "distinct-values", count: 120, total: 120 }]],
  ])("count %s", async (_, examples, options, expected) => {
    const found = trainingWarnings(examples, options);
    expect(found).toMatchObject(expected);
    expect(found).toHaveLength(expected.length);
    const heard: TrainingWarning[] = [];
    const short = { ...options, preset: "linear", epochs: 1 } as const;
    await trainParser(examples, { ...short, onWarning: (warning) => void heard.push(warning) });
    expect(heard).toEqual(found);
  });
});

describe("with multipleRoots", () => {
  const train = (options: TrainOptions) =>
    trainParser(TWO_ROOTS, { preset: "linear", epochs: 8, multipleRoots: true, ...options });
  const rootsOf = (parsed: Int32Array) => parsed.filter((head) => head === 0).length;

  test.each<TrainOptions>([
    { decoder: "mst" },
    { decoder: "eisner" },
    { decoder: "eisner", order: 2 },
    { decoder: "hillclimb", order: 2 },
    { decoder: "ad3", order: 3 },
    { decoder: "mst", network: { units: 8, epochs: 30 } },
    { decoder: "mst", learner: "crf" },
    { decoder: "mst", shards: { count: 2 } },
  ])("trees of several roots are learned, saved and found: %j", async (options) => {
    const model = loadParser(saveParser(await train(options)));
    expect(model.description).toMatchObject({ multipleRoots: true });
    for (const { sentence: words, tree } of TWO_ROOTS)
      expect([...createParser(model).parse(words).heads]).toEqual([...tree.heads]);
  });

  test("other decoders of the parser find them as well", async () => {
    const model = await train({ decoder: "mst" });
    for (const decoder of ["eisner", "projective", "hillclimb", "ad3", "mbr", "mbr-projective"]) {
      const reading = createParser(model, { decoder }).read([TWO_ROOTS[0]!.sentence])[0]!;
      expect(rootsOf(reading.best().heads), decoder).toBe(2);
      expect(rootsOf(reading.kBest(1)[0]!.heads), decoder).toBe(2);
      expect(reading.marginals().headProbabilities[3]!, decoder).toBeGreaterThan(0.3);
    }
  });

  test("a model without it finds one root, and does not mention it", async () => {
    const model = await train({ multipleRoots: false });
    expect(model.description).not.toHaveProperty("multipleRoots");
    expect(rootsOf(createParser(model).parse(TWO_ROOTS[0]!.sentence).heads)).toBe(1);
  });

  test("a decoder of trees with one root is refused", async () => {
    const { mstDecoder } = await import("@arcwise/decode-mst");
    await expect(train({ decoder: mstDecoder() })).rejects.toMatchObject({
      code: "invalid-option",
      at: "multipleRoots",
    });
    expect((await train({ decoder: mstDecoder({ singleRoot: false }) })).description).toBeDefined();
  });
});
