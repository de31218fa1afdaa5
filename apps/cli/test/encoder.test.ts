import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseConllu, sentenceWords } from "@arcwise/conllu";
import { beforeEach, describe, expect, test } from "vitest";
import { kept } from "../../../tools/kept-models.ts";
import { inFolder, settings, temporaryFolder, trainedModel, treebank } from "./support.ts";

const WIDTH = 2;
const words = parseConllu(treebank).flatMap(sentenceWords);

/** Writes a folder of vectors: the length of each word, and whether it ends a sentence. */
function writeVectors(folder: string, fingerprint = "lengths 1"): void {
  mkdirSync(folder, { recursive: true });
  const numbers = Float32Array.from(words.flatMap(({ form }) => [form.length, /\p{P}/u.test(form) ? 1 : 0]));
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${words.length}, ${WIDTH}), }`;
  const header = `${text.padEnd(128 - 11)}\n`;
  const magic = Uint8Array.of(0x93, ...Buffer.from("NUMPY"), 1, 0, header.length, 0);
  const bytes = Buffer.concat([magic, Buffer.from(header), new Uint8Array(numbers.buffer)]);
  writeFileSync(join(folder, "train.npy"), bytes);
  writeFileSync(join(folder, "train.conllu"), treebank);
  writeFileSync(join(folder, "encoder.json"), JSON.stringify({ name: "lengths", fingerprint }));
}

const TRAIN = ["train", "--train", "@treebank", "--threads", "1"];
const PARSER = { terms: ["network"], network: { units: 8, epochs: 1 } };
const SHORT = settings({ tokenizer: { epochs: 1 }, parser: PARSER });
const ALONE = settings({ parser: { terms: ["network"], network: { units: 8, epochs: 2 } } });

const LEARN = "train --for tagged --train @a.conllu --threads 1";

/** A folder with a treebank and its vectors. */
function withVectors(contents: Readonly<Record<string, Uint8Array>> = {}) {
  const at = inFolder({ "a.conllu": treebank, ...contents });
  writeVectors(at.path("lengths"));
  return at;
}

describe("a model of an encoder", () => {
  let at: ReturnType<typeof withVectors>;
  beforeEach(async () => {
    const model = await kept(["command with an encoder", treebank, words, ALONE], async () => {
      const { run, bytes } = withVectors();
      const { code, err } = await run(`${LEARN} --model @my.model --encoder @lengths`, ...ALONE);
      expect(err).toMatch(/^vectors of the encoder done after/m);
      expect(code).toBe(0);
      return bytes("my.model");
    });
    at = withVectors({ "my.model": model });
  });

  test("is described", async () => {
    const { out } = await at.run("info --json @my.model");
    expect(JSON.parse(out)).toMatchObject({
      encoder: { name: "lengths", width: WIDTH, fingerprint: "lengths 1" },
    });
    expect((await at.run("info @my.model --all")).out).toMatch(/lengths/);
  });

  test("parses with --encoder, and with an encoder that is found by its name", async () => {
    const elsewhere = join(temporaryFolder(), "encoders", "lengths");
    mkdirSync(join(elsewhere, ".."));
    renameSync(at.path("lengths"), elsewhere);
    const parse = "parse @my.model @a.conllu";
    const given = await at.run(parse, "--encoder", elsewhere);
    expect(given).toMatchObject({ code: 0 });
    expect(given.out.split("\n\n")).toHaveLength(treebank.split("\n\n").length);
    const env = { ARCWISE_ENCODERS: join(elsewhere, "..") };
    expect(await at.run(parse, { env })).toMatchObject({ code: 0, out: given.out });
    renameSync(elsewhere, at.path("lengths"));
    expect(await at.run(parse)).toMatchObject({ code: 0, out: given.out });
    expect(await at.run(`${parse} --threads 1 -o @out.conllu`)).toMatchObject({ code: 0 });
    expect(at.text("out.conllu")).toBe(given.out);
  });

  test("is continued with its encoder, which is found by its name", async () => {
    const proceed = () => at.run(`${LEARN} --continue @my.model --model @next.model`, ...ALONE);
    expect(await proceed()).toMatchObject({ code: 0 });
    expect(await at.run("parse @next.model @a.conllu")).toMatchObject({ code: 0 });
    expect(at.bytes("next.model")).not.toEqual(at.bytes("my.model"));
    writeVectors(at.path("lengths"), "lengths 2");
    expect(await proceed()).toMatchObject({ code: 2, err: expect.stringMatching(/lengths 1.*lengths 2/) });
  });

  test("is refused without its encoder, and with another one, by the names of both", async () => {
    writeVectors(at.path("lengths"), "lengths 2");
    const parse = () => at.run("parse @my.model @a.conllu");
    const other = expect.stringMatching(/my\.model.*lengths 1.*lengths 2/);
    expect(await parse()).toMatchObject({ code: 2, err: other });
    renameSync(at.path("lengths"), at.path("renamed"));
    const missing = expect.stringMatching(/my\.model.*lengths.*--encoder FOLDER/);
    expect(await parse()).toMatchObject({ code: 2, err: missing });
  });

  describe("in a cascade", () => {
    beforeEach(async () => {
      writeFileSync(at.path("quick.model"), await trainedModel([...TRAIN, "--for", "tagged", ...ALONE]));
    });

    test("reads the sentences of which the first model is not confident", async () => {
      const [alone, first] = await Promise.all(
        ["my", "quick"].map((name) => at.run(`parse @${name}.model @a.conllu`)),
      );
      expect(alone!.out).not.toBe(first!.out);
      const parse = (flags = "") => at.run(`parse @my.model @a.conllu --first @quick.model ${flags}`);
      expect(await parse("--min-confidence 0")).toMatchObject({ code: 0, out: first!.out });
      expect(await parse("--min-confidence 1")).toMatchObject({ code: 0, out: alone!.out });
      const { code, out } = await parse();
      expect(code).toBe(0);
      const [both, sentences] = [`${alone!.out}\n\n${first!.out}`.split("\n\n"), out.split("\n\n")];
      expect(sentences.filter((sentence) => !both.includes(sentence))).toEqual([]);
    });

    test("is compared with the model alone, threshold by threshold", async () => {
      const learn = (flags: string) => at.run(`cascade @my.model @a.conllu --first @quick.model ${flags}`);
      const json = await learn("--json --max-loss 100");
      expect(json.code).toBe(0);
      const { points, minConfidence, second } = JSON.parse(json.out);
      expect([points.length, minConfidence]).toEqual([101, 0]);
      const { code, out } = await learn("--max-loss 0");
      expect(code).toBe(0);
      expect(out).toMatch(/^ +0\.00 \| +0\.0 \|/m);
      expect(out).toMatch(new RegExp(`^ +alone \\| +100\\.0 \\| +${second.uas.toFixed(2)} \\|`, "m"));
      expect(out).toMatch(/^--min-confidence (?:0|0\.\d+|1): LAS \d/m);
    });

    test.each([
      ["cascade @my.model @a.conllu", 2, /--first/],
      ["parse @my.model @a.conllu --min-confidence 1", 2, /--first/],
      ["parse @my.model @a.conllu --first nothing.model", 1, /nothing\.model/],
      ["parse @my.model @a.conllu --first @a.conllu", 1, /a\.conllu/],
      ["parse @my.model @a.conllu --first @quick.model --store @store -o out", 2, /--first/],
      ["cascade @quick.model @a.conllu --first @quick.model --encoder @lengths", 2, /--encoder/],
      ["parse @my.model @a.conllu --first @quick.model -o @quick.model", 2, /quick\.model/],
    ])("refuses %s", async (line, code, message) => {
      expect(await at.run(line)).toMatchObject({ code, err: expect.stringMatching(message), out: "" });
    });

    test("refuses a first model that fills in other columns", async () => {
      writeFileSync(at.path("tagged.model"), await trainedModel([...TRAIN, ...SHORT]));
      const message = expect.stringMatching(/--first .*tagged\.model: expected a model that fills in/);
      for (const command of ["parse", "cascade"]) {
        const line = `${command} @my.model @a.conllu --first @tagged.model`;
        expect(await at.run(line)).toMatchObject({ code: 2, err: message });
      }
    });
  });

  test("names the sentence without vectors", async () => {
    writeFileSync(at.path("a.conllu"), "1\tUnheard\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
    const parsed = await at.run("parse @my.model @a.conllu --encoder @lengths");
    expect(parsed).toMatchObject({ code: 1, err: expect.stringMatching(/Unheard/) });
  });
});

test("a pipeline is trained, and does not need vectors of sentences that its tokeniser finds", async () => {
  const { run } = withVectors();
  const line = "train --train @a.conllu --model @my.model --encoder @lengths --threads 1";
  expect(await run(line, ...SHORT)).toMatchObject({ code: 0 });
  expect(await run("parse @my.model @a.conllu")).toMatchObject({ code: 0 });
});

test("a model without an encoder refuses one", async () => {
  const model = await trainedModel([...TRAIN, "--for", "tagged", ...ALONE]);
  const { code, err } = await withVectors({ model }).run("parse @model @a.conllu --encoder @lengths");
  expect([code, err]).toEqual([2, expect.stringMatching(/expected no encoder, found the encoder lengths/)]);
});
