import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sentence } from "@arcwise/core";
import { ArcwiseError } from "@arcwise/core/errors";
import { here, type Place } from "@arcwise/jobs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collected } from "../../../tools/test-helpers.ts";
import * as built from "../dist/node/index.js";
import * as work from "../node_modules/@arcwise/jobs/dist/node/index.js";
import {
  analysisOf,
  createPipeline,
  noInput,
  openCascade,
  type RemotePipeline,
  type RunOptions,
} from "../src/index.ts";
import { openPipeline, type PipelineFiles, readPipelineFile, writePipelineFile } from "../src/node/index.ts";
import type { StepReading } from "../src/steps.ts";
import { chainTree } from "./chains.ts";
import { trainedPipeline } from "./trained.ts";
import { TREEBANK } from "./treebank.ts";

const MEMORY = "ERR_WORKER_OUT_OF_MEMORY";

/** Threads run what is built, not the sources. */
const { onThreads } = work as unknown as typeof import("@arcwise/jobs/node");
const { openPipeline: openBuilt } = built as unknown as typeof import("../src/node/index.ts");

/** Chains of words; threads end at seven words, and run out of memory at eight. */
const FATAL = `export default () => ({
  name: "fatal", trees: "any", singleRoot: true, handles: new Set(),
  decode({ arcs: { n } }) {
    if (n === 7) process.exit(9);
    if (n === 8) for (const rows = []; ; ) rows.push(new Array(1000).fill(rows.length));
    return { heads: Int32Array.from({ length: n + 1 }, (_, m) => m - 1), score: 0, bound: Infinity };
  },
});`;

const folder = mkdtempSync(join(tmpdir(), "arcwise-"));
const [model, fatal] = ["model", "fatal.mjs"].map((name) => join(folder, name)) as [string, string];
const places: Place[] = [];
beforeAll(async () => {
  writeFileSync(fatal, FATAL);
  const settings = {
    jackknife: 0,
    ...{ tokenizer: { epochs: 4 }, tagger: { epochs: 1 } },
    parser: { order: 1, epochs: 1, prune: false },
  } as const;
  await writePipelineFile(model, await trainedPipeline(TREEBANK, { preset: "linear", settings }));
}, 60_000);
afterAll(async () => {
  for (const place of places) await place.close();
  rmSync(folder, { recursive: true });
});

/** A pipeline in threads. */
async function threaded(
  threads: number,
  files: Partial<PipelineFiles> = {},
  options: Parameters<typeof onThreads>[1] = {},
) {
  const place = onThreads(threads, { attempts: 1, ...options, execArgv: [] });
  places.push(place);
  return openBuilt({ model, ...files }, { place });
}

/** A pipeline at a place of this thread. */
const atHere = () => openPipeline({ model }, { place: here() });

const LINES = TREEBANK.filter((_, k) => k % 4 === 0).map(({ rows }) =>
  rows.map(({ form }) => form).join(" "),
);
const TEXT = LINES.map((line, k) => `${line}${k % 7 === 0 ? "\n\n" : "\n"}`).join("");
const chain = (n: number) => Array.from({ length: n }, (_, i) => `w${i}`);

describe.each([
  ["here", atHere, (files: PipelineFiles) => openPipeline(files, { place: here() })],
  ["on threads", () => threaded(2), (files: PipelineFiles) => threaded(1, files)],
])("a pipeline at a place: %s", (_, open, openFiles) => {
  let placed: RemotePipeline;
  beforeAll(async () => {
    placed = await open();
  });

  test("returns what the pipeline returns in this thread, of texts and of words", async () => {
    const pipeline = await openPipeline({ model });
    expect(await placed.ready()).toEqual(pipeline.facts);
    const words = LINES.map((line) => line.split(" "));
    const pieces = TEXT.match(/.{1,37}/gs)!;
    const short = TEXT.slice(0, 500);
    const calls: [Promise<readonly { toConllu(): string }[]>, readonly { toConllu(): string }[]][] = [
      [placed.run(TEXT.repeat(4)), pipeline.run(TEXT.repeat(4))],
      [placed.run(short, { kBest: 2 }), pipeline.run(short, { kBest: 2 })],
      [placed.annotate(words, { kBest: 2 }), pipeline.annotate(words, { kBest: 2 })],
      [collected(placed.stream(pieces)), pipeline.run(TEXT)],
      [collected(placed.stream(words, { report: true })), pipeline.annotate(words, { report: true })],
    ];
    for (const [found, expected] of calls)
      expect((await found).map((one) => one.toConllu())).toEqual(expected.map((one) => one.toConllu()));
  });

  test("reads again in a cascade what is below the minimum there", async () => {
    const pipeline = await openPipeline({ model });
    const sentences = pipeline.tokenize(TEXT);
    const asked: number[] = [];
    const parser = {
      read: (all: readonly Sentence[]) =>
        all.map((words): StepReading => {
          asked.push(words.length);
          return { best: () => chainTree(words.length), withWords: (others) => parser.read([others])[0]! };
        }),
    };
    const second = createPipeline(await readPipelineFile(model), { parser });
    const codes: unknown[] = [];
    const onError: RunOptions["onError"] = ({ error }) => codes.push((error as ArcwiseError).code);
    const minConfidence = 0.8;
    const sure = await placed.annotate(sentences, { minConfidence, onError });
    expect(new Set(codes)).toEqual(new Set(["low-confidence"]));
    const nlp = await openCascade(placed, second, { minConfidence });
    expect(await nlp.annotate(sentences)).toHaveLength(sentences.length);
    expect([sure.length, asked.length]).toEqual([sentences.length - codes.length, codes.length]);
  });

  test.each<[string, RunOptions, string]>([
    ["a signal", { signal: AbortSignal.abort(new ArcwiseError("interrupted", "stop")) }, "interrupted"],
    ["an unknown option", { unknown: 1 } as RunOptions, "unknown-option"],
  ])("rejects with the error of %s", async (_what, options, code) => {
    for (const call of [
      placed.run(TEXT, options),
      placed.annotate([["a"]], options),
      placed.stream(["a"], options).next(),
    ])
      await expect(call).rejects.toMatchObject({ code });
  });

  test.each([
    ["a file that is not there", { model: join(folder, "none") }, "ENOENT"],
    ["a file that is not a model", { model: fatal }, "invalid-model"],
    ["parts that are not there", { model, parts: ["graphs"] }, "invalid-model"],
    ["a decoder that is not there", { model, decoder: "none" }, "invalid-module"],
  ] as [string, PipelineFiles, string][])("rejects %s when it opens", async (_what, files, code) => {
    await expect(openFiles(files)).rejects.toMatchObject({ code });
  });
});

describe("threads that end", () => {
  test("cost the sentence that ends them or fills their memory, and no other one", async () => {
    const limits = { maxOldGenerationSizeMb: 40 };
    const files = { decoder: fatal, valid: false };
    const placed = analysisOf(await threaded(2, files, { limits }));
    const lengths = [3, 7, 1, 8, 2];
    const sentences = (await openPipeline({ model, parts: [] })).annotate(lengths.map(chain));
    const { results, counts } = await placed.analyse(sentences.map((sentence) => ({ sentence })));
    expect(results.map(({ sentences: found, error }) => found?.[0]?.rows.length ?? error)).toEqual([
      ...[3, expect.objectContaining({ code: "thread-lost" }), 1],
      expect.objectContaining({ code: "thread-lost", cause: expect.objectContaining({ code: MEMORY }) }),
      2,
    ]);
    expect(counts.words).toBe(3 + 1 + 2);
  });

  test("cost a sentence of a short text, and no other one", async () => {
    const placed = await threaded(1, { decoder: fatal, valid: false });
    const text = [3, 7, 1].map((n) => Array(n).fill("Ann").join(" ")).join("\n\n");
    const failures: unknown[] = [];
    const found = await placed.run(text, {
      onError: ({ index, error, sentence }) => failures.push([index, error, sentence.words.length]),
    });
    expect(found.map(({ words }) => words.length)).toEqual([3, 1]);
    expect(failures).toEqual([[1, expect.objectContaining({ code: "thread-lost" }), 7]]);
  });

  test("keep what they have loaded when a signal ends a call", async () => {
    const lost: unknown[] = [];
    const placed = await threaded(1, {}, { onLost: (one) => lost.push(one) });
    const stop = new AbortController();
    const call = placed.run(TEXT.repeat(20), { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    expect(await placed.run("Ann sings now.")).toHaveLength(1);
    expect(lost).toEqual([]);
  });
});

test("each task has its result, in order, whichever threads end", async () => {
  const deaths = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(deaths, async (given) => {
      const left = [...given];
      const place: Place = {
        ...here(),
        do: async (_job, { question }: { question: { kind: string; tasks: { index: number }[] } }) => {
          if (question.kind === "facts") return {};
          const guilty = question.tasks.find(({ index }) => left[index]! > 0);
          if (guilty === undefined)
            return {
              results: question.tasks.map(({ index }) => ({ sentences: [index] })),
              counts: noInput(),
            };
          left[guilty.index]!--;
          throw new ArcwiseError("thread-lost", "gone");
        },
      } as Place;
      const placed = analysisOf(await openPipeline({ model: "m" }, { place }));
      const { results } = await placed.analyse(given.map((_, index) => ({ index }) as never));
      const first = given.findIndex((count) => count > 0);
      // The batch ends once; then each task is tried by itself.
      expect(results.map(({ sentences, error }) => sentences?.[0] ?? (error as ArcwiseError).code)).toEqual(
        given.map((count, index) => (count > (index === first ? 1 : 0) ? "thread-lost" : index)),
      );
    }),
  );
});

describe("openPipeline refuses", () => {
  test.each([undefined, "m.model", { model: 5 }])("files %j", async (given) => {
    const files = given as unknown as PipelineFiles;
    for (const opened of [openPipeline(files), openPipeline(files, { place: here() })])
      await expect(opened).rejects.toMatchObject({ code: "invalid-argument" });
  });

  test.each([
    {},
    { place: 4 },
    { place: "here" },
    { place: here(), grace: -1 },
    { place: here(), grace: "no" },
    null,
  ])("options %j", async (options) => {
    await expect(openPipeline({ model: "m" }, options as { place: Place })).rejects.toMatchObject({
      code: "invalid-option",
    });
  });
});
