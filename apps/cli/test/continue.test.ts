import { existsSync } from "node:fs";
import { loadPipeline } from "@arcwise/pipeline";
import { beforeAll, expect, test } from "vitest";
import { inFolder, settings, trainedModel, treebank } from "./support.ts";

const NETWORK = ["--threads", "1", ...settings({ parser: { network: { units: 8, epochs: 2 } } })];
let model: Uint8Array;

beforeAll(async () => {
  const flags = ["--terms", "network", "--settings", "tokenizer=false", "--settings", "tagger.epochs=1"];
  model = await trainedModel(["train", "--train", "@treebank", ...flags, ...NETWORK]);
});

const whole = treebank.split("\n\n").slice(0, 5).join("\n\n");
/** Sentences of which the second word is not annotated. */
const partial = whole.replace(/^(2(?:\t[^\t]+){5})\t[^\t]+\t[^\t]+/gm, "$1\t_\t_");

const CONTINUE = "train --continue @model --train @corrected --model @new";

/** Continues the model; returns what the command wrote. */
async function proceed(corrected: string, ...more: string[]) {
  const { run, path, bytes } = inFolder({ model, corrected, dev: treebank });
  const { code, err } = await run(CONTINUE, ...more.map((word) => (word === "dev" ? path(word) : word)));
  return { code, err, bytes: existsSync(path("new")) ? bytes("new") : undefined };
}

test("a model learns from corrected sentences, whole or in part, with its settings", async () => {
  const learned = await proceed(whole);
  expect(learned).toMatchObject({ code: 0 });
  const some = await proceed(partial, "--settings", "partial=true", "--settings", "parser.network.epochs=1");
  expect(some).toMatchObject({ code: 0 });
  expect(some.bytes).not.toEqual(learned.bytes);
  const { parser } = loadPipeline(some.bytes!);
  expect(parser!.description).toMatchObject({ network: { units: 8, epochs: 1 }, continued: { times: 1 } });
});

test("each development set is measured before and after", async () => {
  const { code, err } = await proceed(whole, "--dev", "dev", "--settings", "parser.network.rate=0.000001");
  expect(code).toBe(0);
  for (const row of [
    /dev, before and after:$/m,
    /^before +\|[\d. |]+$/m,
    /^after +\|[\d. |]+$/m,
    /^after +\| LAS +\|[-+\d. |]+$/m,
    /^nothing was gained/m,
  ])
    expect(err).toMatch(row);
});

test("the model that is continued is not replaced", async () => {
  const { run, bytes } = inFolder({ model, corrected: whole });
  const { code, err } = await run(CONTINUE.replace("@new", "@model"));
  expect([code, err]).toEqual([2, expect.stringContaining("would replace --continue")]);
  expect(bytes("model").equals(model)).toBe(true);
});

test("a parser alone is continued as well", async () => {
  const { code, bytes } = await proceed(whole, "--for", "tagged", "--settings", "parser.network.epochs=1");
  expect(code).toBe(0);
  expect(Object.keys(loadPipeline(bytes!))).toEqual(["parser"]);
});

test.each<[string, string, readonly string[], RegExp]>([
  ["words without heads", partial, [], /corrected:\d+: .*expected a head .*partial=true/],
  ["other units", whole, ["--settings", "parser.network.units=16"], /network\.units: expected 8.* got 16/],
  ["a preset", whole, ["--preset", "fast"], /preset/],
  ["settings of a tagger", whole, ["--settings", "tagger.epochs=2"], /tagger/],
])("%s are refused, and nothing is written", async (_, sentences, more, message) => {
  const { code, err, bytes } = await proceed(sentences, ...more);
  expect(err).toMatch(message);
  expect([code === 0, bytes]).toEqual([false, undefined]);
});
