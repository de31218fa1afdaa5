import { type ConlluSentence, parseConllu } from "@arcwise/conllu";
import { afterEach, expect, test } from "vitest";
import { type PipelinePort, remotePipeline, servePipeline } from "../src/index.ts";

const [sentence] = parseConllu("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
const named = (text: string): ConlluSentence => ({ ...sentence!, comments: [`# text = ${text}`] });

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

/** Both ends of a channel. */
function ports(): [PipelinePort, PipelinePort] {
  const channel = new MessageChannel();
  channels.push(channel);
  for (const port of [channel.port1, channel.port2]) port.start();
  return [channel.port1, channel.port2] as unknown as [PipelinePort, PipelinePort];
}

test("answers come from the pipeline at the other end, whatever their order", async () => {
  const [here, there] = ports();
  servePipeline({ run: (text) => text.split(" ").map(named), annotate: (given) => given }, there);
  const { run, annotate } = remotePipeline(here);
  const answers = await Promise.all([run("a b"), annotate(named("c")), run("")]);
  expect(answers).toEqual([[named("a"), named("b")], named("c"), [named("")]]);
});

test("errors are those of the pipeline, and later requests are answered", async () => {
  const [here, there] = ports();
  const run = (text: string) => {
    if (text === "bad") throw new RangeError("expected a model with a tokeniser");
    return [named(text)];
  };
  servePipeline({ run, annotate: (given) => given }, there);
  const remote = remotePipeline(here);
  await expect(remote.run("bad")).rejects.toThrow("expected a model with a tokeniser");
  expect(await remote.run("good")).toEqual([named("good")]);
});
