import type { ConlluSentence, SentenceView } from "@arcwise/conllu";
import { ArcwiseError } from "@arcwise/core/errors";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { collected } from "../../../tools/test-helpers.ts";
import {
  analysisOf,
  connectPipeline,
  createPipeline,
  type Pipeline,
  type PipelinePort,
  type SentenceFailure,
  servePipeline,
} from "../src/index.ts";
import { ANSWER } from "../src/remote.ts";
import type { AnalyserSession } from "../src/runner.ts";
import { chainTree } from "./chains.ts";

const channels: MessageChannel[] = [];
let here: PipelinePort;
let there: PipelinePort;
beforeEach(() => {
  const channel = new MessageChannel();
  channels.push(channel);
  [here, there] = [channel.port1, channel.port2] as unknown as [PipelinePort, PipelinePort];
});
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

/** A sentence a line, words between spaces, each the head of the next one; "bad" has no tree. */
const chains: Pipeline = createPipeline(
  {},
  {
    tokenizer: (text) =>
      text.split("\n").map((line) => ({
        startsParagraph: false,
        tokens: line.split(" ").map((form) => ({ form, words: [], start: 0, end: 1, spaceAfter: true })),
      })),
    parser: (words) => {
      if (words[0]?.form === "bad") throw new ArcwiseError("no-tree", "no tree", { found: "bad" });
      return chainTree(words.length);
    },
  },
);

const shown = (sentences: readonly SentenceView[]) =>
  sentences.map(({ words }) => words.map(({ form, head }) => `${head?.form ?? "ROOT"}>${form}`).join(" "));

test("methods answer as the pipeline at the other end does, several at a time", async () => {
  servePipeline(chains, there);
  const remote = connectPipeline(here);
  const [run, annotated, streamed] = await Promise.all([
    remote.run("a b\nc"),
    remote.annotate([["d", "e"]]),
    collected(remote.stream(["f ", "g\nh"])),
  ]);
  expect(shown(run)).toEqual(["ROOT>a a>b", "ROOT>c"]);
  expect(shown(annotated)).toEqual(["ROOT>d d>e"]);
  expect(shown(streamed)).toEqual(["ROOT>f f>g", "ROOT>h"]);
  expect(run.map((sentence) => sentence.toConllu())).toEqual(
    chains.run("a b\nc").map((sentence) => sentence.toConllu()),
  );
  expect(await remote.ready()).toEqual({ columns: undefined, tagged: [], graphs: undefined });
});

describe("errors", () => {
  test("of a sentence reject with their code and members, or are skipped, or given to a function", async () => {
    servePipeline(chains, there);
    const remote = connectPipeline(here);
    await expect(remote.run("a\nbad\nb")).rejects.toMatchObject({ code: "no-tree", found: "bad" });
    expect(shown(await remote.run("a\nbad\nb", { onError: "skip" }))).toEqual(["ROOT>a", "ROOT>b"]);
    const failures: unknown[] = [];
    const onError = ({ sentence, index, error }: SentenceFailure) =>
      failures.push([sentence.words[0]!.form, index, error]);
    for (const text of ["a\nbad", `bad${"\na".repeat(3000)}`]) await remote.run(text, { onError });
    expect(failures).toEqual([
      ["bad", 1, expect.objectContaining({ code: "no-tree" })],
      ["bad", 0, expect.objectContaining({ code: "no-tree" })],
    ]);
  });

  test("of a pipeline that could not be loaded reject each request", async () => {
    servePipeline(Promise.reject(new ArcwiseError("invalid-model", "expected a model")), there);
    const remote = connectPipeline(here);
    await expect(remote.ready()).rejects.toMatchObject({ code: "invalid-model" });
    await expect(remote.run("a")).rejects.toMatchObject({ code: "invalid-model" });
  });

  test("are lost-connection where nobody serves, and where the channel is closed", async () => {
    const silent = connectPipeline(here, { timeout: 20 });
    await expect(silent.run("a")).rejects.toMatchObject({ code: "lost-connection" });
    const { port1, port2 } = new MessageChannel();
    const closed = connectPipeline(port1 as unknown as PipelinePort);
    const asked = closed.run("a");
    port2.close();
    await expect(asked).rejects.toMatchObject({ code: "lost-connection" });
    await expect(closed.annotate([["a"]])).rejects.toMatchObject({ code: "lost-connection" });
  });

  test("of wrong arguments and options say what was expected", async () => {
    servePipeline(chains, there);
    const remote = connectPipeline(here);
    await expect(remote.run(5 as unknown as string)).rejects.toMatchObject({ code: "invalid-argument" });
    await expect(remote.run("a", { kbest: 2 } as object)).rejects.toMatchObject({
      code: "unknown-option",
      at: "kbest",
    });
    expect(() => connectPipeline(undefined as unknown as PipelinePort)).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });
});

test("a short text takes one message", async () => {
  servePipeline(chains, there);
  const remote = connectPipeline(here);
  await remote.ready();
  const sent = vi.spyOn(here, "postMessage");
  expect(shown(await remote.run("a b\nc"))).toEqual(["ROOT>a a>b", "ROOT>c"]);
  expect(sent).toHaveBeenCalledTimes(1);
});

test("a signal ends a stream by its reason", async () => {
  servePipeline(chains, there);
  const controller = new AbortController();
  const words = function* () {
    for (let k = 0; k < 1000; k++) yield ["a"];
  };
  const stream = connectPipeline(here).stream(words(), { signal: controller.signal });
  await stream.next();
  controller.abort(new Error("enough"));
  await expect(collected(stream)).rejects.toThrow("enough");
});

test("the other end forgets a text that is not read to its end", async () => {
  servePipeline(chains, there);
  const remote = connectPipeline(here);
  const sessions = vi.spyOn(analysisOf(remote), "session");
  const input = function* () {
    yield "a b";
    throw new Error("broken");
  };
  await expect(collected(remote.stream(input()))).rejects.toThrow("broken");
  const left: AnalyserSession = sessions.mock.results[0]!.value;
  expect((await left.end()).map(({ tokens }) => tokens.map(({ form }) => form))).toEqual([[""]]);
});

/** What devtools, bundlers and other libraries post; and what is almost a message. */
const ODD: readonly unknown[] = [
  "hello from a devtool",
  undefined,
  null,
  5,
  [],
  { type: "hmr" },
  { id: 0, kind: "result", result: 5 },
  { jsonrpc: "2.0", id: 1, result: [] },
  { arcwise: "call" },
  { arcwise: "call", body: { id: 0 } },
  { arcwise: "call", body: { id: 0, kind: "call" } },
  { arcwise: "call", body: { id: "0", kind: "result", result: 5 } },
  { arcwise: "call", body: { id: 0, kind: "error", error: 5 } },
  { arcwise: "call", body: { id: -1, kind: "call", name: ANSWER, input: { kind: "facts" } } },
];

describe("messages of others", () => {
  test("are ignored at the end that serves, which serves on", async () => {
    servePipeline(chains, there);
    const remote = connectPipeline(here);
    for (const odd of ODD) here.postMessage(odd);
    expect(shown(await remote.run("a b"))).toEqual(["ROOT>a a>b"]);
  });

  test("are ignored at the end that asks, which gets its answer", async () => {
    const remote = connectPipeline(here);
    const running = remote.run("a b");
    for (const odd of ODD) there.postMessage(odd);
    servePipeline(chains, there);
    expect(shown(await running)).toEqual(["ROOT>a a>b"]);
  });

  test.each(ODD.map((odd) => [odd]))("do not count as signs of life: %j", async (odd) => {
    const remote = connectPipeline(here, { timeout: 60 });
    there.postMessage(odd);
    await expect(remote.run("a")).rejects.toMatchObject({ code: "lost-connection" });
  });

  test.each([
    [5, "invalid-data", "request"],
    [{ kind: "constructor" }, "invalid-data", "request.kind"],
    [{ kind: "analyse", tasks: 5, settings: {} }, "invalid-data", "request.tasks"],
    [
      { kind: "analyse", tasks: [{ sentence: {} }], settings: {} },
      "invalid-data",
      "request.tasks[0].sentence",
    ],
    [{ kind: "analyse", tasks: [], settings: { kBest: "5" } }, "invalid-data", "request.settings.kBest"],
    [{ kind: "graphs", tasks: [{ words: [5] }] }, "invalid-data", "request.tasks[0].words[0]"],
    [{ kind: "cut", session: "x", chunk: "a" }, "invalid-data", "request.session"],
    [{ kind: "cut", session: 1, chunk: 5 }, "invalid-data", "request.chunk"],
    [{ kind: "facts" }, "lost-connection", undefined, "pipeline 1"],
    [{ kind: "facts" }, "lost-connection", undefined, "constructor"],
  ])("that ask for something else are answered with an error: %j", async (input, code, at, name = ANSWER) => {
    servePipeline(chains, there);
    const answered = new Promise((resolve) => {
      (here as unknown as MessagePort).addEventListener("message", ({ data }) => {
        if ((data as { readonly body: { readonly kind: string } }).body.kind !== "heard") resolve(data);
      });
      here.start?.();
    });
    here.postMessage({ arcwise: "call", body: { id: 7, kind: "call", name, input } });
    expect(await answered).toMatchObject({
      body: { id: 7, error: { members: at ? { code, at } : { code } } },
    });
  });
});

describe("every wait has an end", () => {
  /** Says that it hears, and nothing more. */
  const hearOnly = () =>
    (there as unknown as MessagePort).addEventListener("message", ({ data }) => {
      const { id } = (data as { readonly body: { readonly id: number } }).body;
      there.postMessage({ arcwise: "call", body: { id, kind: "heard" } });
      there.start?.();
    });

  test("the patience, when the other end hears and does not answer", async () => {
    hearOnly();
    there.start?.();
    const remote = connectPipeline(here, { patience: 50 });
    await expect(remote.run("a")).rejects.toMatchObject({ code: "lost-connection" });
    await expect(remote.ready()).rejects.toMatchObject({ code: "lost-connection" });
  });

  test("a signal, during a batch, a text and the start", async () => {
    hearOnly();
    there.start?.();
    const remote = connectPipeline(here);
    const controller = new AbortController();
    const { signal } = controller;
    const waits = [
      remote.run("a", { signal }),
      remote.annotate([["a"]], { signal }),
      analysisOf(remote).findGraphs([], signal),
      remote.ready({ signal }),
    ];
    setTimeout(() => controller.abort(new Error("enough")), 20);
    for (const outcome of await Promise.allSettled(waits))
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: "enough" } });
  });

  test("an answer with an error, where steps return what no message can carry", async () => {
    const parser = ({ length }: readonly unknown[]) => chainTree(length);
    const finish = (sentence: ConlluSentence) => ({ ...sentence, start: (() => 1) as unknown as number });
    servePipeline(createPipeline({}, { parser, finish }), there);
    await expect(connectPipeline(here).annotate([["a"]])).rejects.toMatchObject({ code: "invalid-data" });
  });

  test("an error at once, where a request cannot be sent", async () => {
    servePipeline(chains, there);
    const tasks = [{ sentence: { comments: [], rows: [() => 1], line: 0 } }] as never;
    await expect(analysisOf(connectPipeline(here)).analyse(tasks)).rejects.toMatchObject({
      code: "invalid-argument",
    });
  });
});

test.each([[undefined], [5], [{ postMessage: () => {} }]])(
  "a port that nothing can be heard from is refused: %j",
  (port) => {
    for (const use of [
      () => servePipeline(chains, port as unknown as PipelinePort),
      () => connectPipeline(port as unknown as PipelinePort),
    ])
      expect(use).toThrow(expect.objectContaining({ code: "invalid-argument" }));
  },
);

test("what is served is a pipeline, or a promise of one", async () => {
  expect(() => servePipeline({} as Pipeline, there)).toThrow(
    expect.objectContaining({ code: "invalid-argument" }),
  );
  servePipeline(Promise.resolve(undefined as unknown as Pipeline), there);
  await expect(connectPipeline(here).run("a")).rejects.toMatchObject({ code: "invalid-argument" });
});
