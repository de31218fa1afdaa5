import { fileURLToPath } from "node:url";
import { parseConllu } from "@arcwise/conllu";
import type { InputColumn } from "@arcwise/parser";
import { createPipeline, noInput, trainPipeline } from "@arcwise/pipeline";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { misfit } from "../src/analysis/input-fit.ts";
import { arcwise, conllu, inFolder, settings, TRAIN_PARSER, trainedModel, treebank } from "./support.ts";

/** The files of each test. */
const contents: Record<string, string | Uint8Array> = {};
let { run, path } = inFolder({});

beforeAll(async () => {
  const model = await trainedModel([...TRAIN_PARSER, "--train", "@treebank", "--epochs", "1"]);
  const untagged = treebank.replaceAll(/^(\d+\t\S+)\t\S+\t\S+/gm, "$1\t_\t_");
  Object.assign(contents, { model, tagged: treebank, untagged });
});

beforeEach(() => {
  ({ run, path } = inFolder(contents));
});

describe("words that lack what the model was trained with were parsed badly and in silence", () => {
  const missing =
    "of the words, 100 % lack a UPOS tag and 100 % lack a lemma, and the model was trained with them";

  test("a warning says what is missing and what to do", async () => {
    const { code, err } = await run("parse --model @model @untagged");
    expect(code).toBe(0);
    const warnings = err.split("\n").filter((line) => line.includes("warning"));
    const advice = "tag them first, or give --tagger FILE";
    expect(warnings).toEqual([`arcwise: warning: ${path("untagged")}: ${missing}; ${advice}`]);
  });

  test("--strict refuses them and writes nothing", async () => {
    const { code, out, err } = await run("parse --strict --model @model @untagged");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`arcwise: ${path("untagged")}: ${missing}`);
  });

  test("what fits is parsed without a word, with --strict too", async () => {
    const { code, err } = await run("parse --strict --model @model @tagged");
    expect([code, err]).toEqual([0, expect.stringMatching(/^30 sentences, [^\n]*\n$/)]);
  });

  test("a tagger gives the tags", async () => {
    await run("tag train --train @tagged --model @tagger");
    expect((await run("parse --strict --tagger @tagger --model @model @untagged")).code).toBe(0);
  });

  test("the model remembers its training data", async () => {
    const { out } = await run("info --json @model");
    expect(JSON.parse(out)).toMatchObject({
      kind: "model",
      columns: { upos: 1, xpos: 0, feats: 0, lemma: 1 },
    });
  });
});

const english = fileURLToPath(new URL("../../../packages/english/english.model", import.meta.url));

test.each([
  ["Ich habe heute keine Zeit für dich.", true],
  ["Nous voulons savoir pourquoi les enfants ne veulent jamais manger leurs légumes.", true],
  ["I have no time today.", false],
])("a sentence of another language than the model gets a warning: %s", async (text, isForeign) => {
  const { code, err } = await arcwise(["parse", english, text]);
  expect([code, err.includes("is it a model of the language")]).toEqual([0, isForeign]);
});

describe("misfit", () => {
  const columns = { upos: 1, xpos: 0, feats: 0.6, lemma: 1 };
  const of = (count: number, word: object, tagged: readonly InputColumn[] = [], trained = columns) => {
    const full = { form: "known", upos: "X", xpos: "", feats: "A=B", lemma: "l", ...word };
    const having = (column: InputColumn) => (full[column] === "" ? 0 : count);
    const counts = {
      ...noInput(),
      words: count,
      having: {
        upos: having("upos"),
        xpos: having("xpos"),
        feats: having("feats"),
        lemma: having("lemma"),
      },
      letterWords: count,
      unknownForms: full.form === "known" ? 0 : count,
      otherScript: 0,
      knownForms: 20_000,
      unknownTags: full.upos === "" || full.upos === "X" ? 0 : count,
    };
    return misfit(counts, trained, { tagged, option: "--tagger FILE" });
  };

  test.each([
    ["a full match", 100, {}, undefined],
    ["no features", 100, { feats: "" }, "100 % lack features (FEATS)"],
    ["no features in three words, which may have none", 3, { feats: "" }, undefined],
    ["no tags in six words", 6, { upos: "" }, "100 % lack a UPOS tag"],
    [
      "other tags",
      100,
      { upos: "NN" },
      "100 % of the words have a UPOS tag that the model was not trained with",
    ],
    ["another language", 100, { form: "foreign" }, "the model does not know 100 % of the words"],
    ["a few unknown words", 4, { form: "foreign" }, undefined],
  ])("%s", (_what, count, word, expected) => {
    if (expected === undefined) expect(of(count, word)).toBeUndefined();
    else expect(of(count, word)).toContain(expected);
  });

  test.each([
    [["upos", "feats", "lemma"], true],
    [["upos", "lemma"], false],
  ] as const)("words without features, of which a tagger predicted %j", (tagged, isFit) => {
    expect(of(100, { feats: "" }, tagged) === undefined).toBe(isFit);
  });

  test("tags that a model without tags does not read", () => {
    const untagged = { upos: 0, xpos: 0, feats: 0, lemma: 0 };
    expect(of(100, { upos: "NN" }, [], untagged)).toBeUndefined();
  });

  test("a pipeline knows which columns its tagger predicts", async () => {
    const sentences = parseConllu(treebank);
    const settings = { jackknife: 2, tagger: { epochs: 1 }, parser: { epochs: 1 } };
    const pipeline = await trainPipeline(sentences, { preset: "linear", settings });
    const { tagger: _, ...untagging } = pipeline;
    expect([createPipeline(pipeline), createPipeline(untagging)].map(({ facts }) => facts.tagged)).toEqual([
      pipeline.tagger!.description.columns,
      [],
    ]);
  });
});

describe("info describes every kind of file", () => {
  test("a pipeline of several treebanks", async () => {
    const card = (await arcwise(["info", english])).out.split("\n");
    for (const line of ["language: English", "licence: CC-BY-SA-4.0"]) expect(card).toContain(line);
    expect(card.find((line) => line.startsWith("treebank: "))).toMatch(/UD_English-EWT .*UD_English-GUM /);
    expect(card.length).toBeLessThan(11);
    const train = ["train", "--preset", "linear", "--threads", "1", "--train", "@one", "@two"];
    const quick = settings({ jackknife: 2, tokenizer: { epochs: 1 }, parser: { epochs: 1 } });
    const model = await trainedModel([...train, ...quick], { one: treebank, two: treebank });
    const { out } = await inFolder({ model }).run("info @model --all");
    expect(out).toMatch(/^treebanks 2 name: two$/m);
    expect(out).not.toContain("[object");
  });

  test("a state of a checkpoint and a tagger", async () => {
    const train = "train --for tagged --preset linear --verbose --train @tagged --model @stopped --epochs 3";
    const controller = new AbortController();
    const onMessage = (text: string) => text.includes("weights 1/3") && controller.abort();
    await run(train, { signal: controller.signal, onMessage });
    const checkpoint = await run("info @stopped.checkpoint/weights.state");
    expect(checkpoint.code).toBe(0);
    expect(checkpoint.out).toMatch(/^kind: checkpoint$/m);
    expect(checkpoint.out).toMatch(/^state epoch: [12]$/m);
    await run("tag train --train @tagged --model @tagger");
    const { out } = await run("info --json @tagger");
    expect(JSON.parse(out)).toMatchObject({ kind: "tagger", columns: expect.arrayContaining(["upos"]) });
  });

  test("and says of another one that it is none", async () => {
    const { code, err } = await run("info @tagged");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`${path("tagged")}: expected an Arcwise model file, found CoNLL-U`),
    ]);
  });
});

test("a sentence may have no tags when the model had none", async () => {
  const bare = conllu("s", "Cats/_/2/nsubj sleep/_/0/root")
    .replaceAll(/\t(?:cats|sleep)\t/g, "\t_\t")
    .repeat(10);
  const { run } = inFolder({ train: bare });
  await run("train --for tagged --preset linear --train @train --epochs 1 --model @model");
  expect((await run("parse --strict --model @model @train")).code).toBe(0);
});
