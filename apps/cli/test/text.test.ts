import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseConllu, viewSentence, writeConllu } from "@arcwise/conllu";
import { createPipeline, loadPipeline } from "@arcwise/pipeline";
import { beforeAll, describe, expect, test } from "vitest";
import { arcwise, conllu, folderWith, settings, TRAIN_PARSER, trainedModel, treebank } from "./support.ts";

const QUICK = [
  ...settings({ preset: "linear", jackknife: 2, parser: { epochs: 3 } }),
  "--threads",
  "1",
  "--verbose",
];

/** A model without a tokeniser and a tagger. */
const parserAlone = () => trainedModel([...TRAIN_PARSER, "--train", "treebank", "--epochs", "1"]);

/** The treebank without tags and lemmas. */
const untagged = treebank.replaceAll(/^(\d+\t[^\t]*)\t[^\t]*\t[^\t]*/gm, "$1\t_\t_");

let model: Buffer;
let trained: { readonly code: number; readonly err: string };

beforeAll(async () => {
  const folder = folderWith({ train: treebank, dev: treebank });
  const files = ["--train", join(folder, "train"), "--dev", join(folder, "dev")];
  trained = await arcwise(["train", ...QUICK, ...files, "--model", join(folder, "model")]);
  if (trained.code !== 0) throw new Error(trained.err);
  model = readFileSync(join(folder, "model"));
});

function run(text: string | Uint8Array, ...options: readonly string[]) {
  const folder = folderWith({ model });
  return arcwise(["run", join(folder, "model"), ...options], { stdin: text });
}

describe("train", () => {
  test("reports each step and the scores from raw text", () => {
    for (const line of [/^tokeniser, characters 1\//m, /^tokeniser, tokens 1\//m, /^tagger, upos 1\//m]) {
      expect(trained.err).toMatch(line);
    }
    expect(trained.err).toMatch(/^tags of parts, part 2, upos \d+\/\d+/m);
    expect(trained.err).toMatch(/^weights 3\/3: /m);
    expect(trained.err).toMatch(/^dev, from raw text: tokens 100\.00, sentences .*las \d/m);
  });

  test("is what info describes", async () => {
    const path = join(folderWith({ model }), "model");
    const card = (await arcwise(["info", path])).out.trimEnd().split("\n");
    expect(card.map((line) => line.split(":")[0])).toEqual([
      ...["kind", "language", "treebank", "licence", "parts", "development set", "size", "more"],
    ]);
    expect(card).toContain("parts: tokeniser, tagger, parser");
    expect(card.at(-1)).toBe(`more: arcwise info ${path} --all`);
    const { out } = await arcwise(["info", path, "--all"]);
    expect(out).toMatch(/^kind: pipeline$/m);
    expect(out).toMatch(/^dev tokens: 100$/m);
    for (const part of ["tokeniser", "tagger", "parser"])
      expect(out).toMatch(new RegExp(`^${part} bytes: \\d`, "m"));
    expect(out).toMatch(/^parser decoder: mst$/m);
  });

  test.each<[string, string, string[], number, string]>([
    ["an empty treebank", "", [], 1, "expected sentences to learn from"],
    ["a treebank without tags", untagged, [], 1, "for a tagger to learn, found none; for a parser without"],
  ])("refuses %s before anything is learned", async (_what, train, options, expected, message) => {
    const folder = folderWith({ train });
    const files = ["--train", join(folder, "train"), "--model", join(folder, "model")];
    const { code, err } = await arcwise(["train", ...files, ...options]);
    expect([code, err]).toEqual([expected, expect.stringContaining(message)]);
    expect(readdirSync(folder)).toEqual(["train"]);
  });

  test("warns of a treebank that does not say where its text has no spaces", async () => {
    expect(trained.err).toMatch(/^arcwise: warning: .*train: no word has SpaceAfter=No .* --for tagged/m);
  });
});

describe("a training that is interrupted", () => {
  const stopAt = async (argv: readonly string[], line: RegExp) => {
    const controller = new AbortController();
    const onMessage = (text: string) => void (line.test(text) && controller.abort());
    return arcwise(argv, { signal: controller.signal, onMessage });
  };

  test("goes on to the same model, byte for byte", async () => {
    const folder = folderWith({ train: treebank, dev: treebank });
    const path = join(folder, "model");
    const argv = ["train", ...QUICK, "--train", join(folder, "train"), "--dev", join(folder, "dev")];
    argv.push("--model", path);
    const first = await stopAt(argv, /^tokeniser, characters 1\//m);
    expect([first.code, first.err]).toEqual([130, expect.stringContaining("before the first checkpoint")]);
    const second = await stopAt(argv, /^weights 1\//m);
    expect([second.code, second.err]).toEqual([130, expect.stringContaining("--resume continues from it")]);
    expect((await arcwise(["info", join(`${path}.checkpoint`, "tagger.state")])).out).toMatch(
      /^kind: checkpoint$/m,
    );
    const last = await arcwise([...argv, "--resume"]);
    expect([last.code, last.err]).toEqual([0, expect.not.stringContaining("tokeniser,")]);
    expect(readFileSync(path).equals(model)).toBe(true);
  });

  test.each([
    ["text", "tagged", /^tagger, upos 1\//m],
    ["tagged", "text", /^weights 1\//m],
  ])("with --for %s does not go on with --for %s", async (begun, other, line) => {
    const folder = folderWith({ train: treebank });
    const path = join(folder, "model");
    const argv = ["train", ...QUICK, "--train", join(folder, "train"), "--model", path];
    await stopAt([...argv, "--for", begun], line);
    const { code, err } = await arcwise([...argv, "--for", other, "--resume"]);
    expect([code, err]).toEqual([2, expect.stringContaining(`give --for ${begun}`)]);
    expect(readdirSync(folder)).toContain("model.checkpoint");
  });
});

describe("run", () => {
  test("writes the sentences of a text as CoNLL-U, with offsets", async () => {
    const { code, out } = await run("Old cats sleep\n\nCats sleep");
    expect(code).toBe(0);
    const found = parseConllu(out);
    expect(found.map(({ rows }) => rows.map(({ form, misc }) => `${form} ${misc}`))).toEqual([
      ["Old TokenRange=0:3", "cats TokenRange=4:8", "sleep TokenRange=9:14"],
      ["Cats TokenRange=16:20", "sleep TokenRange=21:26"],
    ]);
    expect(found[0]!.rows).toMatchObject([
      { upos: "ADJ", lemma: "old", head: 2, deprel: "amod" },
      { upos: "NOUN", head: 3 },
      { upos: "VERB", head: 0, deprel: "root" },
    ]);
  });

  test("writes JSON, and the data of displaCy, a line a sentence", async () => {
    const json = (await run("Cats sleep", "--output-format", "jsonl")).out.trim().split("\n");
    const [sentence] = parseConllu((await run("Cats sleep")).out).map(viewSentence);
    // In its text, a sentence also has an offset.
    expect(json.map((line) => JSON.parse(line))).toEqual([{ ...sentence!.toJSON(), start: 0 }]);
    expect(JSON.parse(json[0]!)).toMatchObject({
      text: "Cats sleep",
      words: [
        { form: "Cats", upos: "NOUN", deprel: "nsubj", head: 2, start: 0, end: 4 },
        { form: "sleep", upos: "VERB", deprel: "root", head: 0, start: 5, end: 10 },
      ],
    });
    const displacy = (await run("Cats sleep", "--output-format", "displacy")).out;
    expect(JSON.parse(displacy)).toEqual({
      words: [
        { text: "Cats", tag: "NOUN" },
        { text: "sleep", tag: "VERB" },
      ],
      arcs: [{ start: 0, end: 1, label: "nsubj", dir: "left" }],
    });
  });

  test("takes words a line, CoNLL-U, and lines that are sentences", async () => {
    const forms = (out: string) => parseConllu(out).map(({ rows }) => rows.map(({ form }) => form).join(" "));
    expect(forms((await run("Cats\nsleep\n\nDogs\r\n", "--input", "vertical")).out)).toEqual([
      "Cats sleep",
      "Dogs",
    ]);
    expect(forms((await run("one\n\ttwo\n three\tX\ty \r\r four", "--input", "vertical")).out)).toEqual([
      "one two three",
      "four",
    ]);
    const given = await run(conllu("s", "Cats/_/_/_ sleep/_/_/_"), "--input", "conllu");
    expect(parseConllu(given.out)[0]!.rows).toMatchObject([{ upos: "NOUN", head: 2 }, { upos: "VERB" }]);
    expect(forms((await run("Cats\nsleep", "--lines")).out)).toEqual(["Cats", "sleep"]);
    expect(await run("", "--lines", "--input", "conllu")).toMatchObject({ code: 2 });
    expect(await run("", "--no-lines", "--input", "conllu")).toMatchObject({ code: 2 });
  });

  test("recognises lines that are sentences, and says so", async () => {
    const count = (out: string) => parseConllu(out).length;
    const text = "Cats sleep\nDogs sleep\nCats";
    const found = await run(text);
    expect([count(found.out), found.err]).toEqual([3, expect.stringMatching(/3 of 3 lines.*--no-lines/)]);
    const given = await run(text, "--lines");
    expect([given.out, given.err]).toEqual([found.out, expect.not.stringContaining("lines")]);
    expect((await run(text, "--no-lines")).err).not.toContain("lines");
  });

  test("counts a byte-order mark in offsets", async () => {
    const { out } = await run("\ufeffCats sleep");
    expect(out.match(/TokenRange=\d+:\d+/g)).toEqual(["TokenRange=1:5", "TokenRange=6:11"]);
  });

  test.each([
    ["an empty text", "", 0],
    ["spaces alone", " \n\n\t", 0],
    ["10,000 characters", "cats sleep ".repeat(909), 1_818],
  ])("analyses %s", async (_, text, words) => {
    const { code, out } = await run(text);
    expect([code, out.split("\n").filter((line) => /^\d/.test(line)).length]).toEqual([0, words]);
  });

  test("refuses text that is not UTF-8, and a model without a tokeniser", async () => {
    const { code, err } = await run(Uint8Array.of(0x61, 0xff, 0x62));
    expect([code, err]).toEqual([1, expect.stringContaining("expected text in UTF-8")]);
    const path = join(folderWith({ model: await parserAlone() }), "model");
    expect(await arcwise(["run", path], { stdin: "a" })).toMatchObject({ code: 1 });
  });
});

test("parse takes raw text, and its parser and tagger from a pipeline", async () => {
  const folder = folderWith({ model });
  const path = join(folder, "model");
  const run = (stdin: string, ...more: string[]) => arcwise(["parse", "--model", path, ...more], { stdin });
  const text = await run("Cats sleep", "--input", "text");
  expect(parseConllu(text.out)[0]!.rows).toMatchObject([{ upos: "NOUN", head: 2 }, { head: 0 }]);
  const words = await run(conllu("s", "Cats/_/_/_ sleep/_/_/_"), "--tagger", path);
  expect(parseConllu(words.out)[0]!.rows).toMatchObject([{ upos: "NOUN", head: 2 }, { head: 0 }]);
});

test("parse by a pipeline keeps the tags of its input, and says how it tags words without", async () => {
  const path = join(folderWith({ model }), "model");
  const parse = (stdin: string) => arcwise(["parse", "--model", path], { stdin });
  const tagged = await parse(treebank.replaceAll("\tADJ\t", "\tX\t"));
  expect(tagged.out.split("\tX\t")).toHaveLength(treebank.split("\tADJ\t").length);
  const { err } = await parse(untagged);
  expect(err).toContain(`tag them first, or give --tagger ${path}`);
});

test("parse tags words a line by the tagger of a pipeline, and none by a parser", async () => {
  const folder = folderWith({ model, parser: await parserAlone(), text: "Cats\nsleep\n" });
  const [pipeline, parser, text] = ["model", "parser", "text"].map((name) => join(folder, name));
  const parse = (path: string) => arcwise(["parse", "--model", path, "--input", "vertical", text!]);
  expect(parseConllu((await parse(pipeline!)).out)[0]!.rows).toMatchObject([
    { upos: "NOUN" },
    { upos: "VERB" },
  ]);
  const { out, err } = await parse(parser!);
  expect(parseConllu(out)[0]!.rows).toMatchObject([{ upos: "_" }, { upos: "_" }]);
  expect(err).not.toContain("tokeniser");
});

test.each([
  [["parse", "--input", "text", "--model"], "tokeniser"],
  [["run"], "tokeniser"],
  [["run", "--input", "conllu"], "tagger"],
])("%s with a parser alone says what it lacks", async (argv, part) => {
  const path = join(folderWith({ parser: await parserAlone() }), "parser");
  const { code, err } = await arcwise([...argv, path], { stdin: "Cats sleep" });
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(`${path}: expected a model with a ${part}, found one with a parser`),
  ]);
  const tagger = await arcwise(["parse", "--model", path, "--tagger", path], { stdin: treebank });
  expect([tagger.code, tagger.err]).toEqual([
    1,
    expect.stringContaining("with a tagger, found one with a parser"),
  ]);
});

test("run writes the tags that the network of the parser decides on", async () => {
  const network = settings({ parser: { network: { units: 8, epochs: 1 } } });
  const bytes = await trainedModel(["train", ...QUICK, ...network, "--train", "treebank"]);
  const path = join(folderWith({ model: bytes }), "model");
  const input = conllu("s", "Sleepy/_/_/_ dog/_/_/_ chasing/_/_/_ oldish/_/_/_ catty/_/_/_ !/_/_/_");
  const { out } = await arcwise(["run", path, "--input", "conllu"], { stdin: input });
  const trained = loadPipeline(bytes);
  expect(out).toBe(writeConllu(createPipeline(trained).annotate(parseConllu(input))));
});

test("train --terms network makes a model whose network tags, and whose tagger finds lemmas alone", async () => {
  const folder = folderWith({ train: treebank, words: "The\ndogs\nbark\n\n" });
  const [train, alone] = ["train", "alone"].map((name) => join(folder, name)) as [string, string];
  const quick = settings({ parser: { network: { units: 8, epochs: 3 } }, tagger: { epochs: 1 } });
  const options = ["--terms", "network", ...quick, "--verbose", "--threads", "1"];
  const made = await arcwise(["train", ...options, "--train", train, "--model", alone]);
  expect([made.code, made.err]).toEqual([0, expect.stringMatching(/^network 3\/3: /m)]);
  expect(made.err).not.toMatch(/^(?:weights|pruner|tags of parts|tagger, upos)/m);
  const { out: facts } = await arcwise(["info", alone, "--all"]);
  expect(facts).toMatch(/^tagger columns: 1 \(lemma\)$/m);
  expect(facts).toMatch(/^parser terms: 1 \(network\)$/m);
  for (const args of [
    ["run", alone],
    ["parse", alone, join(folder, "words"), "--input", "vertical"],
    ["parse", alone, train, "--tags", "predicted"],
  ]) {
    const { code, out } = await arcwise(args, { stdin: "The dogs bark." });
    expect(code).toBe(0);
    // Words with lemma, tag, head and label.
    expect(out).toMatch(/^2\t[a-z]+\t[^\t_]+\t[A-Z]+\t.*\t\d+\t[a-z:]+\t/m);
  }
  const { code, out } = await arcwise(["train", "--terms", "network", "--print-settings"]);
  expect(code).toBe(0);
  const again = await arcwise(["train", "--settings", out, "--print-settings"]);
  expect([again.code, again.out]).toEqual([0, out]);
});

test("train keeps a graph model, with which run fills in DEPS", async () => {
  const folder = folderWith({ train: treebank });
  const [train, graphs, path] = ["train", "graphs", "model"].map((name) => join(folder, name));
  await arcwise(["convert", "--deps", "enhance", train!, "-o", join(folder, "enhanced.conllu")]);
  const files = ["--train", join(folder, "enhanced.conllu"), "--model", graphs!];
  expect(
    await arcwise([
      "train",
      "--for",
      "graphs",
      "--threads",
      "1",
      ...files,
      "--preset",
      "linear",
      "--epochs",
      "1",
    ]),
  ).toMatchObject({
    code: 0,
  });
  const options = ["--train", train!, "--model", path!];
  const trained = await arcwise(["train", ...QUICK, ...options, "--settings", `graphs=${graphs}`]);
  expect([trained.code, trained.err]).toEqual([0, expect.any(String)]);
  const { out } = await arcwise(["run", path!], { stdin: "Cats sleep" });
  expect(out).toMatch(/\t2\tnsubj\t2:nsubj\t/);
  expect((await arcwise(["info", path!, "--all"])).out).toMatch(/^graphs graphs: enhanced$/m);
  const same = ["--train", train!, "--model", graphs!, "--settings", `graphs=${graphs}`];
  expect(await arcwise(["train", ...QUICK, ...same])).toMatchObject({ code: 2 });
  const wrong = await arcwise(["train", ...QUICK, ...options, "--settings", `graphs=${train}`]);
  expect(wrong.code).toBe(1);
  const tagged = await arcwise([...TRAIN_PARSER, ...options, "--settings", `graphs=${graphs}`]);
  expect([tagged.code, tagged.err]).toEqual([2, expect.stringContaining("graphs requires --for text")]);
});

test("text writes the text of a treebank, which run cuts into its words again", async () => {
  const { code, out } = await arcwise(["text"], { stdin: treebank });
  expect([code, out.slice(0, 25)]).toEqual([0, "Cats sleep Old cats sleep"]);
  const folder = folderWith({ gold: treebank, found: (await run(out)).out });
  const { out: scores } = await arcwise(["evaluate", join(folder, "gold"), join(folder, "found")]);
  expect(scores).toMatch(/Words\s+\|\s+100\.00/);
});
