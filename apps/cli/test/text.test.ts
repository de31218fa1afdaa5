import { parseConllu, viewSentence, writeConllu } from "@arcwise/conllu";
import { createPipeline, loadPipeline } from "@arcwise/pipeline";
import { beforeAll, describe, expect, test } from "vitest";
import { arcwise, conllu, inFolder, settings, TRAIN_PARSER, trainedModel, treebank } from "./support.ts";

const QUICK = [
  ...settings({ preset: "linear", jackknife: 2, parser: { epochs: 3 } }),
  "--threads",
  "1",
  "--verbose",
];

/** A model without a tokeniser and a tagger. */
const parserAlone = () => trainedModel([...TRAIN_PARSER, "--train", "@treebank", "--epochs", "1"]);

/** The treebank without tags and lemmas. */
const untagged = treebank.replaceAll(/^(\d+\t[^\t]*)\t[^\t]*\t[^\t]*/gm, "$1\t_\t_");

let model: Buffer;
let trained: { readonly code: number; readonly err: string };

beforeAll(async () => {
  const { run, bytes } = inFolder({ train: treebank, dev: treebank });
  trained = await run("train --train @train --dev @dev --model @model", ...QUICK);
  if (trained.code !== 0) throw new Error(trained.err);
  model = bytes("model");
});

function run(text: string | Uint8Array, ...options: readonly string[]) {
  return inFolder({ model }).run("run @model", ...options, { stdin: text });
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
    const { run, path } = inFolder({ model });
    const card = (await run("info @model")).out.trimEnd().split("\n");
    expect(card.map((line) => line.split(":")[0])).toEqual([
      ...["kind", "language", "treebank", "licence", "parts", "development set", "size", "more"],
    ]);
    expect(card).toContain("parts: tokeniser, tagger, parser");
    expect(card.at(-1)).toBe(`more: arcwise info ${path("model")} --all`);
    const { out } = await run("info @model --all");
    expect(out).toMatch(/^kind: pipeline$/m);
    expect(out).toMatch(/^dev tokens: 100$/m);
    for (const part of ["tokeniser", "tagger", "parser"])
      expect(out).toMatch(new RegExp(`^${part} bytes: \\d`, "m"));
    expect(out).toMatch(/^parser decoder: mst$/m);
  });

  test("warns of a treebank that does not say where its text has no spaces", async () => {
    expect(trained.err).toMatch(/^arcwise: warning: .*train: no word has SpaceAfter=No .* --for tagged/m);
  });
});

describe("a training that is interrupted", () => {
  const TRAIN = "train --train @train --model @model";
  const stopAt = (at: ReturnType<typeof inFolder>, argv: string, line: RegExp) => {
    const controller = new AbortController();
    const onMessage = (text: string) => void (line.test(text) && controller.abort());
    return at.run(argv, ...QUICK, { signal: controller.signal, onMessage });
  };

  test("goes on to the same model, byte for byte", async () => {
    const at = inFolder({ train: treebank, dev: treebank });
    const argv = `${TRAIN} --dev @dev`;
    const first = await stopAt(at, argv, /^tokeniser, characters 1\//m);
    expect([first.code, first.err]).toEqual([130, expect.stringContaining("before the first checkpoint")]);
    const second = await stopAt(at, argv, /^weights 1\//m);
    expect([second.code, second.err]).toEqual([130, expect.stringContaining("--resume continues from it")]);
    expect((await at.run("info @model.checkpoint/tagger.state")).out).toMatch(/^kind: checkpoint$/m);
    const last = await at.run(`${argv} --resume`, ...QUICK);
    expect([last.code, last.err]).toEqual([0, expect.not.stringContaining("tokeniser,")]);
    expect(at.bytes("model").equals(model)).toBe(true);
  });

  test.each([
    ["text", "tagged", /^tagger, upos 1\//m],
    ["tagged", "text", /^weights 1\//m],
  ])("with --for %s does not go on with --for %s", async (begun, other, line) => {
    const at = inFolder({ train: treebank });
    await stopAt(at, `${TRAIN} --for ${begun}`, line);
    const { code, err } = await at.run(`${TRAIN} --for ${other} --resume`, ...QUICK);
    expect([code, err]).toEqual([2, expect.stringContaining(`give --for ${begun}`)]);
    expect(at.names()).toContain("model.checkpoint");
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
    const { run: runIn } = inFolder({ model: await parserAlone() });
    expect(await runIn("run @model", { stdin: "a" })).toMatchObject({ code: 1 });
  });
});

test("parse takes raw text, and its parser and tagger from a pipeline", async () => {
  const { run } = inFolder({ model });
  const text = await run("parse --model @model --input text", { stdin: "Cats sleep" });
  const stdin = conllu("s", "Cats/_/_/_ sleep/_/_/_");
  const words = await run("parse --model @model --tagger @model", { stdin });
  for (const { out } of [text, words])
    expect(parseConllu(out)[0]!.rows).toMatchObject([{ upos: "NOUN", head: 2 }, { head: 0 }]);
});

test("parse by a pipeline keeps the tags of its input, and says how it tags words without", async () => {
  const { run, path } = inFolder({ model });
  const tagged = await run("parse --model @model", { stdin: treebank.replaceAll("\tADJ\t", "\tX\t") });
  expect(tagged.out.split("\tX\t")).toHaveLength(treebank.split("\tADJ\t").length);
  const { err } = await run("parse --model @model", { stdin: untagged });
  expect(err).toContain(`tag them first, or give --tagger ${path("model")}`);
});

test("parse tags words a line by the tagger of a pipeline, and none by a parser", async () => {
  const { run } = inFolder({ model, parser: await parserAlone(), text: "Cats\nsleep\n" });
  const pipeline = await run("parse --model @model --input vertical @text");
  expect(parseConllu(pipeline.out)[0]!.rows).toMatchObject([{ upos: "NOUN" }, { upos: "VERB" }]);
  const { out, err } = await run("parse --model @parser --input vertical @text");
  expect(parseConllu(out)[0]!.rows).toMatchObject([{ upos: "_" }, { upos: "_" }]);
  expect(err).not.toContain("tokeniser");
});

test.each([
  ["parse --input text --model @parser", "Cats sleep", "tokeniser"],
  ["run @parser", "Cats sleep", "tokeniser"],
  ["run --input conllu @parser", "Cats sleep", "tagger"],
  ["parse --model @parser --tagger @parser", treebank, "tagger"],
])("%s with a parser alone says what it lacks", async (line, stdin, part) => {
  const { run, path } = inFolder({ parser: await parserAlone() });
  const { code, err } = await run(line, { stdin });
  const message = `${path("parser")}: expected a model with a ${part}, found one with a parser`;
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
});

test("run writes the tags that the network of the parser decides on", async () => {
  const network = settings({ parser: { network: { units: 8, epochs: 1 } } });
  const bytes = await trainedModel(["train", ...QUICK, ...network, "--train", "@treebank"]);
  const input = conllu("s", "Sleepy/_/_/_ dog/_/_/_ chasing/_/_/_ oldish/_/_/_ catty/_/_/_ !/_/_/_");
  const { out } = await inFolder({ model: bytes }).run("run @model --input conllu", { stdin: input });
  const trained = loadPipeline(bytes);
  expect(out).toBe(writeConllu(createPipeline(trained).annotate(parseConllu(input))));
});

test("train --terms network makes a model whose network tags, and whose tagger finds lemmas alone", async () => {
  const { run } = inFolder({ train: treebank, words: "The\ndogs\nbark\n\n" });
  const quick = settings({ parser: { network: { units: 8, epochs: 3 } }, tagger: { epochs: 1 } });
  const options = "--terms network --verbose --threads 1";
  const made = await run(`train ${options} --train @train --model @alone`, ...quick);
  expect([made.code, made.err]).toEqual([0, expect.stringMatching(/^network 3\/3: /m)]);
  expect(made.err).not.toMatch(/^(?:weights|pruner|tags of parts|tagger, upos)/m);
  const { out: facts } = await run("info @alone --all");
  expect(facts).toMatch(/^tagger columns: 1 \(lemma\)$/m);
  expect(facts).toMatch(/^parser terms: 1 \(network\)$/m);
  for (const line of [
    "run @alone",
    "parse @alone @words --input vertical",
    "parse @alone @train --tags predicted",
  ]) {
    const { code, out } = await run(line, { stdin: "The dogs bark." });
    expect(code).toBe(0);
    // Words with lemma, tag, head and label.
    expect(out).toMatch(/^2\t[a-z]+\t[^\t_]+\t[A-Z]+\t.*\t\d+\t[a-z:]+\t/m);
  }
  const { code, out } = await run("train --terms network --print-settings");
  expect(code).toBe(0);
  const again = await run("train --print-settings --settings", out);
  expect([again.code, again.out]).toEqual([0, out]);
});

test("train keeps a graph model, with which run fills in DEPS", async () => {
  const { run } = inFolder({ train: treebank });
  await run("convert --deps enhance @train -o @enhanced.conllu");
  const graphs = "train --for graphs --threads 1 --preset linear --epochs 1";
  expect(await run(`${graphs} --train @enhanced.conllu --model @graphs`)).toMatchObject({ code: 0 });
  const train = (line: string) => run(`train --train @train ${line}`, ...QUICK);
  const trained = await train("--model @model --settings graphs=@graphs");
  expect([trained.code, trained.err]).toEqual([0, expect.any(String)]);
  expect((await run("run @model", { stdin: "Cats sleep" })).out).toMatch(/\t2\tnsubj\t2:nsubj\t/);
  expect((await run("info @model --all")).out).toMatch(/^graphs graphs: enhanced$/m);
  expect(await train("--model @graphs --settings graphs=@graphs")).toMatchObject({ code: 2 });
  expect((await train("--model @model --settings graphs=@train")).code).toBe(1);
  const tagged = await run("train --for tagged --train @train --model @model --settings graphs=@graphs");
  expect([tagged.code, tagged.err]).toEqual([2, expect.stringContaining("graphs requires --for text")]);
});

test("text writes the text of a treebank, which run cuts into its words again", async () => {
  const { code, out } = await arcwise(["text"], { stdin: treebank });
  expect([code, out.slice(0, 25)]).toEqual([0, "Cats sleep Old cats sleep"]);
  const { run: runIn } = inFolder({ gold: treebank, found: (await run(out)).out });
  const { out: scores } = await runIn("evaluate @gold @found");
  expect(scores).toMatch(/Words\s+\|\s+100\.00/);
});
