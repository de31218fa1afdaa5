import type { SentenceView } from "@arcwise/conllu";
import { ArcwiseError } from "@arcwise/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  connectPipeline,
  createPipeline,
  type Pipeline,
  type PipelinePort,
  servePipeline,
} from "../src/index.ts";
import { Connection } from "../src/remote.ts";

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
      const heads = Int32Array.from({ length: words.length + 1 }, (_, m) => m - 1);
      return { heads, labels: Array.from(heads, () => "dep") };
    },
  },
);

const shown = (sentences: readonly SentenceView[]) =>
  sentences.map(({ words }) => words.map(({ form, head }) => `${head?.form ?? "ROOT"}>${form}`).join(" "));

async function collected(sentences: AsyncIterable<SentenceView>): Promise<SentenceView[]> {
  const all: SentenceView[] = [];
  for await (const sentence of sentences) all.push(sentence);
  return all;
}

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
    await remote.run("a\nbad", { onError: ({ index, error }) => failures.push([index, error]) });
    expect(failures).toEqual([[1, expect.objectContaining({ code: "no-tree" })]]);
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
  const remote = new Connection(here, undefined);
  const sessions = vi.spyOn(remote, "session");
  const input = function* () {
    yield "a b";
    throw new Error("broken");
  };
  await expect(collected(remote.stream(input()))).rejects.toThrow("broken");
  const left: ReturnType<Connection["session"]> = sessions.mock.results[0]!.value;
  expect((await left.end()).map(({ tokens }) => tokens.map(({ form }) => form))).toEqual([[""]]);
});
