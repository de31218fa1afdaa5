import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SentenceView, writeConllu } from "@arcwise/conllu";
import { attachmentScores, treePairs } from "@arcwise/evaluate";
import { here } from "@arcwise/jobs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  analysisOf,
  createPipeline,
  learnCascade,
  openCascade,
  type Pipeline,
  type PipelineModel,
  type RemotePipeline,
} from "../src/index.ts";
import { openPipeline, writePipelineFile } from "../src/node/index.ts";
import type { StepReading } from "../src/steps.ts";
import { closeChannels, connected } from "./connected.ts";
import { positions } from "./positions.ts";
import { trainedPipeline } from "./trained.ts";
import { TREEBANK } from "./treebank.ts";

const train = TREEBANK.filter((_, k) => k % 3 === 0);
const dev = TREEBANK.filter((_, k) => k % 3 === 1);
const folder = mkdtempSync(join(tmpdir(), "arcwise-"));
const [quickFile, slowFile] = [join(folder, "quick.model"), join(folder, "slow.model")];
const TEXT = "Ann can't sing now. Dogs sleeps here! Bob well. Cats runs often.\n\nShe sees Mr. Bob now.";

const settingsFor = (epochs: number) => ({
  tokenizer: { epochs: 4 },
  parser: { terms: ["network" as const], network: { units: 8, epochs } },
});
let [quick, slow]: PipelineModel[] = [];
beforeAll(async () => {
  // Too little training for a network that is sure of its trees.
  quick = await trainedPipeline(train.slice(0, 20), { settings: settingsFor(2), dev: dev.slice(0, 20) });
  slow = await trainedPipeline(train, { settings: settingsFor(6), encoder: positions() });
  await writePipelineFile(quickFile, quick);
  await writePipelineFile(slowFile, slow);
}, 60_000);

const first = () => createPipeline(quick!);
const second = (encoder = positions()) => createPipeline(slow!, { encoder });

const lines = (sentences: readonly SentenceView[]) =>
  sentences.map((sentence) => [...writeConllu([sentence])].join(""));

/** Trees of both pipelines, and the confidence of the first. */
async function alone(pipeline: Pipeline, slowOne: RemotePipeline, texts = [TEXT]) {
  const sentences = texts.flatMap((text) => createPipeline(slow!, { parser: false }).tokenize(text));
  const confidences = pipeline.read(sentences).map((reading) => {
    const p = [...reading.marginals().labelledProbabilities].slice(1);
    return p.reduce((sum, one) => sum + one, 0) / p.length;
  });
  const [kept, asked] = [pipeline.annotate(sentences), await slowOne.annotate(sentences)].map(lines);
  return { sentences, confidences, kept: kept!, asked: asked! };
}

describe("a cascade", () => {
  test("keeps all trees of the first pipeline with the threshold 0, and none with 1", async () => {
    const { kept, asked, confidences } = await alone(first(), second());
    expect(Math.max(...confidences)).toBeLessThan(1);
    expect(kept).not.toEqual(asked);
    const encoder = positions();
    const never = await openCascade(first(), second(encoder), { minConfidence: 0 });
    expect(lines(await never.run(TEXT))).toEqual(kept);
    expect(encoder.calls).toEqual([]);
    const always = await openCascade(first(), second(encoder), { minConfidence: 1 });
    expect(lines(await always.run(TEXT))).toEqual(asked);
    expect(lines(await always.run(TEXT))).toEqual(lines(await second().run(TEXT)));
  });

  test("asks the second pipeline for sentences below the threshold, in any order, and for no others", async () => {
    const { sentences, confidences, kept, asked } = await alone(first(), second());
    const order = fc.shuffledSubarray([...sentences.keys()], { minLength: 1 });
    const threshold = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...confidences));
    await fc.assert(
      fc.asyncProperty(order, threshold, async (indices, minConfidence) => {
        const encoder = positions();
        const nlp = await openCascade(first(), second(encoder), { minConfidence });
        const found = lines(await nlp.annotate(indices.map((k) => sentences[k]!)));
        const isAsked = indices.map((k) => confidences[k]! < minConfidence);
        expect(found).toEqual(indices.map((k, i) => (isAsked[i] ? asked : kept)[k]));
        expect(encoder.calls.flat()).toHaveLength(isAsked.filter((one) => one).length);
      }),
      { numRuns: 12 },
    );
  });

  test("is the same in streams, at places, and at the end of channels", async () => {
    const { confidences } = await alone(first(), second());
    const minConfidence = confidences.toSorted((a, b) => a - b)[2]!;
    const nlp = await openCascade(first(), second(), { minConfidence });
    const expected = lines(await nlp.run(TEXT));
    const streamed: SentenceView[] = [];
    for await (const sentence of nlp.stream([TEXT.slice(0, 30), TEXT.slice(30)])) streamed.push(sentence);
    expect(lines(streamed)).toEqual(expected);
    const place = here();
    const placed = await openCascade(
      await openPipeline({ model: quickFile }, { place }),
      await openPipeline({ model: slowFile }, { place, encoder: positions() }),
      { minConfidence },
    );
    expect(lines(await placed.run(TEXT))).toEqual(expected);
    const remote = await openCascade(connected(first()), connected(second()), { minConfidence });
    expect(lines(await remote.run(TEXT))).toEqual(expected);
    const nested = await openCascade(first(), nlp, { minConfidence: 0 });
    expect(lines(await nested.run(TEXT))).toEqual((await alone(first(), second())).kept);
  });

  test("gives k best trees, probabilities, reports and counts of all words", async () => {
    const { sentences, confidences } = await alone(first(), second());
    const nlp = await openCascade(first(), second(), {
      minConfidence: confidences.toSorted((a, b) => a - b)[2]!,
    });
    const options = { kBest: 2, marginals: true, report: true } as const;
    const found = await nlp.annotate(sentences, options);
    expect(found).toHaveLength(2 * sentences.length);
    const [both] = [first().annotate(sentences, options), await second().annotate(sentences, options)].map(
      lines,
    );
    expect(lines(found).filter((text) => both!.includes(text)).length).toBeGreaterThan(0);
    expect(lines(found).every((text) => text.includes("ArcP="))).toBe(true);
    const { counts } = await analysisOf(nlp).analyse(sentences.map((sentence) => ({ sentence })));
    expect(counts.words).toBe(sentences.reduce((sum, { words }) => sum + words.length, 0));
    const plain = await openCascade(first(), second(), { minConfidence: 0 });
    expect(lines(await plain.annotate(sentences, { report: true }))).toEqual(
      lines(first().annotate(sentences, { report: true })),
    );
  });

  test("lets the second pipeline read what the first one cannot", async () => {
    const fail = () => {
      throw new RangeError("too long");
    };
    const reading: StepReading = { best: fail, marginals: fail, withWords: () => reading };
    const failing = createPipeline(quick!, { parser: { read: (all) => all.map(() => reading) } });
    expect(() => failing.annotate([["Dogs"]])).toThrow(RangeError);
    const nlp = await openCascade(failing, second(), { minConfidence: 0 });
    expect(lines(await nlp.run(TEXT))).toEqual(lines(await second().run(TEXT)));
  });

  test("returns sentences of a minimum of confidence", async () => {
    const { sentences, confidences, kept } = await alone(first(), second());
    const [low, high] = [Math.min(...confidences), Math.max(...confidences)];
    const sure = first().annotate(sentences, { minConfidence: high, onError: "skip" });
    expect(lines(sure)).toEqual(kept.filter((_, k) => confidences[k] === high));
    const nlp = await openCascade(first(), second(), { minConfidence: low });
    const codes: unknown[] = [];
    await nlp.annotate(sentences, {
      minConfidence: 1,
      onError: ({ error }) => codes.push((error as { code: string }).code),
    });
    expect(codes).toEqual(sentences.map(() => "low-confidence"));
  });

  const tree = () => ({ heads: Int32Array.of(-1, 0), labels: ["", "root"] });
  test.each<[string, string, () => Promise<unknown>]>([
    ["something else than a pipeline", "invalid-argument", () => openCascade({} as Pipeline, second())],
    ["a threshold above 1", "invalid-option", () => openCascade(first(), second(), { minConfidence: 1.01 })],
    ["an unknown option", "unknown-option", () => openCascade(first(), second(), { threshold: 1 } as object)],
    [
      "a first pipeline with fewer columns",
      "invalid-argument",
      () => openCascade(createPipeline(quick!, { tagger: false, parser: tree }), second()),
    ],
    ["a pipeline without its encoder", "missing-encoder", () => openCascade(first(), createPipeline(slow!))],
    [
      "a first pipeline without probabilities",
      "unsupported-capability",
      async () =>
        (
          await openCascade(
            createPipeline({ ...quick!, tagger: undefined }, { parser: tree }),
            createPipeline({ ...slow!, tagger: undefined }, { parser: tree }),
          )
        ).annotate([["Dogs"]]),
    ],
    [
      "no parser",
      "missing-step",
      async () => createPipeline(quick!, { parser: false }).annotate([["Dogs"]], { minConfidence: 0.5 }),
    ],
  ])("refuses %s", async (_, code, open) => {
    await expect(open()).rejects.toMatchObject({ code });
  });

  test("ends by the reason of a signal, before and while the second pipeline reads", async () => {
    const reason = new Error("stopped");
    const nlp = await openCascade(first(), second(), { minConfidence: 1 });
    await expect(nlp.run(TEXT, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const stop = new AbortController();
    const encoder = {
      ...positions(),
      encode: (_: unknown, { signal }: { signal?: AbortSignal } = {}) => {
        stop.abort(reason);
        signal!.throwIfAborted();
        return Promise.resolve([]);
      },
    };
    const stopped = await openCascade(first(), createPipeline(slow!, { encoder }), { minConfidence: 1 });
    await expect(stopped.run(TEXT, { signal: stop.signal })).rejects.toBe(reason);
  });
});

afterAll(closeChannels);

describe("learnCascade", () => {
  const lasOf = async (nlp: RemotePipeline) =>
    100 * attachmentScores(treePairs(dev, await nlp.annotate(dev)), { subtypes: false }).las;

  test("returns the scores of each threshold, and the lowest one that loses little", async () => {
    const learned = await learnCascade(first(), second(), dev, { maxLoss: 1 });
    const { points, minConfidence } = learned;
    expect(points.map((point) => point.minConfidence)).toEqual(
      Array.from({ length: 101 }, (_, k) => k / 100),
    );
    for (const threshold of [0, minConfidence, 0.5, 1]) {
      const nlp = await openCascade(first(), second(), { minConfidence: threshold });
      expect(points[Math.round(100 * threshold)]!.las).toBeCloseTo(await lasOf(nlp), 8);
    }
    expect(learned.second.las).toBeCloseTo(await lasOf(second()), 8);
    const asked = points.map((point) => point.asked);
    expect(asked).toEqual(asked.toSorted((a, b) => a - b));
    expect([asked[0], asked[100]]).toEqual([0, 100]);
    const within = points.filter(({ las }) => las >= learned.second.las - 1);
    expect(minConfidence).toBe(within[0]!.minConfidence);
    expect(minConfidence).toBeGreaterThan(0);
    for (const { wordsPerSecond } of [...points, learned.second]) expect(wordsPerSecond).toBeGreaterThan(0);
    expect((await learnCascade(first(), second(), dev, { maxLoss: 100 })).minConfidence).toBe(0);
  });

  const broken = dev.map((sentence) => ({
    ...sentence,
    rows: sentence.rows.map((row) => (row.kind === "word" ? { ...row, head: 99 } : row)),
  }));
  test.each<[string, string, () => Promise<unknown>]>([
    ["no sentences", "invalid-argument", () => learnCascade(first(), second(), [])],
    ["trees that are not trees", "malformed-conllu", () => learnCascade(first(), second(), broken)],
    ["a negative loss", "invalid-option", () => learnCascade(first(), second(), dev, { maxLoss: -1 })],
    [
      "a pipeline without its encoder",
      "missing-encoder",
      () => learnCascade(first(), createPipeline(slow!), dev),
    ],
  ])("refuses %s", async (_, code, learn) => {
    await expect(learn()).rejects.toMatchObject({ code });
  });
});
