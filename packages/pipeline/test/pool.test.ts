import { MessageChannel, type ResourceLimits, Worker } from "node:worker_threads";
import { ArcwiseError } from "@arcwise/core";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { AnalysisResults } from "../src/analysis.ts";
import {
  createPipeline,
  noInput,
  type PipelinePort,
  type RunOptions,
  type SentenceTask,
  servePipeline,
} from "../src/index.ts";
import type { PipelineFiles } from "../src/node/pipeline-files.ts";
import { despiteEnds, pipelineOnThreads, ThreadEnded, ThreadPool } from "../src/node/threads.ts";

const pools: ThreadPool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

function poolOf(threads: number, resourceLimits: ResourceLimits = {}, workerData = "load"): ThreadPool {
  const code = new URL("./pool-thread.mjs", import.meta.url);
  const pool = new ThreadPool(() => new Worker(code, { workerData, resourceLimits }), threads);
  pools.push(pool);
  return pool;
}

const task = (comment: string): SentenceTask => ({ sentence: { comments: [comment], rows: [], line: 0 } });
const tasks = (...comments: string[]) => comments.map(task);
const shown = ({ results }: AnalysisResults) =>
  results.map((result) => result.sentences?.[0]?.comments[0] ?? (result.error as Error).name);

describe("threads", () => {
  test("are one for one batch, however many there may be", async () => {
    const pool = poolOf(16);
    await pool.ready();
    expect(shown(await pool.analyse(tasks("few")))).toEqual(["few"]);
    expect(pool.size).toBe(1);
  });

  test("start as batches wait, and each batch gets its own result", async () => {
    const pool = poolOf(3);
    await pool.ready();
    const names = Array.from({ length: 12 }, (_, i) => (i < 6 ? "slow" : `batch ${i}`));
    const batches = names.map((name) => pool.analyse(tasks(name)));
    expect(pool.size).toBe(3);
    expect((await Promise.all(batches)).flatMap(shown)).toEqual(names);
  });

  test("that end cost the sentence that was under way, and no other one", async () => {
    const pool = poolOf(2);
    const batches = ["a", "b", "c"].map((name) => pool.analyse(tasks(name)));
    const found = await pool.analyse(tasks("d", "die here", "e"));
    expect(shown(found)).toEqual(["d", "ThreadEnded", "e"]);
    expect(found.counts.words).toBe(2);
    expect((await Promise.all(batches)).flatMap(shown)).toEqual(["a", "b", "c"]);
  });

  test("that end before a sentence cost their batch, after a second attempt", async () => {
    expect(shown(await poolOf(1).analyse(tasks("a", "die")))).toEqual(["ThreadEnded", "ThreadEnded"]);
  });

  test("say that memory ran out, and others go on", async () => {
    const pool = poolOf(1, { maxOldGenerationSizeMb: 16 });
    const { results } = await pool.analyse(tasks("fill memory"));
    expect(results[0]!.error).toMatchObject({
      code: "thread-lost",
      cause: { code: "ERR_WORKER_OUT_OF_MEMORY" },
    });
    expect(shown(await pool.analyse(tasks("few")))).toEqual(["few"]);
  });

  test("that cannot load a model reject with the reason", async () => {
    const pool = poolOf(1, { maxOldGenerationSizeMb: 16 }, "fill memory");
    await expect(pool.ready()).rejects.toMatchObject({ code: "ERR_WORKER_OUT_OF_MEMORY" });
  });

  test("that end in a text end its stream, and others go on", async () => {
    const pool = poolOf(1);
    await expect(pool.stream(["die"]).next()).rejects.toMatchObject({ code: "thread-lost" });
    expect(shown(await pool.analyse(tasks("few")))).toEqual(["few"]);
  });

  test("end with what is under way when they are closed, by the reason", async () => {
    const pool = poolOf(1);
    const settled = Promise.allSettled(["stay", "a"].map((name) => pool.analyse(tasks(name))));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await pool.close(new Error("enough"));
    for (const one of await settled) expect(one).toMatchObject({ reason: { message: "enough" } });
    await expect(pool.analyse(tasks("b"))).rejects.toThrow("enough");
  });
});

describe("pipelineOnThreads refuses", () => {
  test.each([0, -1, 1.5, Number.NaN, Infinity, "2", undefined, null, 5000])("%s threads", (threads) => {
    expect(() => pipelineOnThreads({ model: "m" }, threads as number)).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });

  test.each([
    [undefined, {}],
    ["m.model", {}],
    [{ model: 5 }, {}],
    [{ model: "m" }, { maxOldGenerationSizeMb: "16" }],
    [{ model: "m" }, 5],
    [{ model: "m" }, { memory: 16 }],
  ])("files %j with the limits %j", (files, limits) => {
    expect(() => pipelineOnThreads(files as PipelineFiles, 1, limits as ResourceLimits)).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });
});

test("a signal ends the wait for a thread at once, and the thread works on", async () => {
  const pool = poolOf(1);
  await pool.ready();
  const slow = pool.analyse(tasks("slow"));
  const controller = new AbortController();
  const { signal } = controller;
  const waits = [pool.analyse(tasks("a"), {}, { signal }), pool.findGraphs([], { signal })];
  controller.abort(new Error("enough"));
  for (const outcome of await Promise.allSettled(waits))
    expect(outcome).toMatchObject({ status: "rejected", reason: { message: "enough" } });
  expect(shown(await slow)).toEqual(["slow"]);
  expect(shown(await pool.analyse(tasks("b")))).toEqual(["b"]);
});

describe("texts and words of a program", () => {
  /** A sentence per line, words between spaces, each the head of the next one; "bad" has no tree. */
  const chains = createPipeline(
    {},
    {
      tokenizer: (text) =>
        text.split("\n").map((line) => ({
          startsParagraph: false,
          tokens: line.split(" ").map((form) => ({ form, words: [], start: 0, end: 1, spaceAfter: true })),
        })),
      parser: (words) => {
        if (words[0]?.form === "bad") throw new ArcwiseError("no-tree", "no tree", { found: "bad" });
        const heads = Int32Array.from({ length: words.length + 1 }, (_, m) => m - 1);
        return { heads, labels: Array.from(heads, () => "dep") };
      },
    },
  );
  /** A pool whose threads are pipelines at the other end of a channel. */
  const poolOfChains = () => {
    const pool = new ThreadPool(() => {
      const { port1, port2 } = new MessageChannel();
      servePipeline(chains, port2 as unknown as PipelinePort);
      return Object.assign(port1, { terminate: async () => port1.close() }) as unknown as Worker;
    }, 3);
    pools.push(pool);
    return pool;
  };
  const lines = Array.from({ length: 200 }, (_, i) => `a${i} b`);

  test("come back as sentences, in order, from all threads", async () => {
    const pool = poolOfChains();
    const [cut, given] = await Promise.all([
      pool.run(lines.join("\n")),
      pool.annotate(lines.map((line) => line.split(" "))),
    ]);
    expect(pool.size).toBe(3);
    for (const sentences of [cut, given]) {
      expect(sentences.map(({ words }) => words.map(({ form }) => form).join(" "))).toEqual(lines);
      expect(sentences.every(({ words }) => words[1]!.head === words[0])).toBe(true);
    }
  });

  test.each<[string, RunOptions, string]>([
    ["the error of a sentence", {}, "no-tree"],
    [
      "the reason of a signal",
      { signal: AbortSignal.abort(new ArcwiseError("interrupted", "stop")) },
      "interrupted",
    ],
    ["an option that there is not", { unknown: 1 } as RunOptions, "unknown-option"],
  ])("reject with %s", async (_, options, code) => {
    const pool = poolOfChains();
    await expect(pool.run("a b\nbad\nc", options)).rejects.toMatchObject({ code });
    await expect(pool.annotate([["bad"]], options)).rejects.toMatchObject({ code });
    await expect(pool.stream(["a b\nba", "d\nc"], options).next()).rejects.toMatchObject({ code });
  });

  test("come back from streams of text in pieces and of words, side by side", async () => {
    const pool = poolOfChains();
    const text = lines.join("\n");
    const streams = [text.match(/.{1,7}/gs)!, ["c d\n", "e"], lines.map((line) => line.split(" "))];
    const found = await Promise.all(
      streams.map(async (input) => {
        const forms: string[] = [];
        for await (const { words } of pool.stream(input)) forms.push(words.map(({ form }) => form).join(" "));
        return forms;
      }),
    );
    expect(found).toEqual([lines, ["c d", "e"], lines]);
  });

  test("leave out sentences that fail, with onError skip", async () => {
    expect(await poolOfChains().run("a b\nbad\nc", { onError: "skip" })).toHaveLength(2);
  });
});

test("every task has its result, in order, whichever threads end", async () => {
  const attempts = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(attempts, async (deaths) => {
      const left = [...deaths];
      const run = async (indices: readonly number[]) => {
        const guilty = indices.findIndex((index) => left[index]! > 0);
        if (guilty >= 0) {
          left[indices[guilty]!]!--;
          throw new ThreadEnded(new Error("gone"), guilty);
        }
        return { results: indices.map((index) => ({ index, error: undefined })), counts: noInput() };
      };
      const { results } = await despiteEnds([...deaths.keys()], run);
      expect(results.map(({ index, error }) => (error === undefined ? index : "lost"))).toEqual(
        deaths.map((count, index) => (count < 2 ? index : "lost")),
      );
    }),
  );
});
