import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseConllu, sentenceWords } from "@arcwise/conllu";
import { beforeEach, describe, expect, test } from "vitest";
import { kept } from "../../../tools/kept-models.ts";
import { arcwise, folderWith, settings, temporaryFolder, trainedModel, treebank } from "./support.ts";

const WIDTH = 2;
const words = parseConllu(treebank).flatMap(sentenceWords);

/** Writes a folder of vectors: the length of each word, and whether it ends a sentence. */
function writeVectors(folder: string, fingerprint = "lengths 1"): string {
  mkdirSync(folder, { recursive: true });
  const numbers = Float32Array.from(words.flatMap(({ form }) => [form.length, /\p{P}/u.test(form) ? 1 : 0]));
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${words.length}, ${WIDTH}), }`;
  const header = `${text.padEnd(128 - 11)}\n`;
  const magic = Uint8Array.of(0x93, ...Buffer.from("NUMPY"), 1, 0, header.length, 0);
  const bytes = Buffer.concat([magic, Buffer.from(header), new Uint8Array(numbers.buffer)]);
  writeFileSync(join(folder, "train.npy"), bytes);
  writeFileSync(join(folder, "train.conllu"), treebank);
  writeFileSync(join(folder, "encoder.json"), JSON.stringify({ name: "lengths", fingerprint }));
  return folder;
}

const TRAIN = ["train", "--train", "treebank", "--threads", "1"];
const ALONE = settings({ parser: { terms: ["network"], network: { units: 8, epochs: 2 } } });

describe("a model of an encoder", () => {
  let folder: string;
  let file: string;
  let model: string;
  let vectors: string;
  beforeEach(async () => {
    folder = folderWith({ "a.conllu": treebank });
    [file, model] = [join(folder, "a.conllu"), join(folder, "my.model")];
    vectors = writeVectors(join(folder, "lengths"));
    const bytes = await kept(["command with an encoder", treebank, words, ALONE], async () => {
      const args = ["--for", "tagged", "--train", file, "--model", model, "--encoder", vectors];
      const { code, err } = await arcwise(["train", ...args, "--threads", "1", ...ALONE]);
      expect(err).toMatch(/^vectors of the encoder done after/m);
      expect(code).toBe(0);
      return readFileSync(model);
    });
    writeFileSync(model, bytes);
  });

  test("is described", async () => {
    const { out } = await arcwise(["info", "--json", model]);
    expect(JSON.parse(out)).toMatchObject({
      encoder: { name: "lengths", width: WIDTH, fingerprint: "lengths 1" },
    });
    expect((await arcwise(["info", model, "--all"])).out).toMatch(/lengths/);
  });

  test("parses with --encoder, and with an encoder that is found by its name", async () => {
    const elsewhere = join(temporaryFolder(), "encoders", "lengths");
    mkdirSync(join(elsewhere, ".."));
    renameSync(vectors, elsewhere);
    const given = await arcwise(["parse", model, file, "--encoder", elsewhere]);
    expect(given).toMatchObject({ code: 0 });
    expect(given.out.split("\n\n")).toHaveLength(treebank.split("\n\n").length);
    const env = { ARCWISE_ENCODERS: join(elsewhere, "..") };
    expect(await arcwise(["parse", model, file], { env })).toMatchObject({ code: 0, out: given.out });
    renameSync(elsewhere, vectors);
    expect(await arcwise(["parse", model, file])).toMatchObject({ code: 0, out: given.out });
    expect(await arcwise(["parse", model, file, "--threads", "1", "-o", join(folder, "out.conllu")])).toEqual(
      expect.objectContaining({ code: 0 }),
    );
    expect(readFileSync(join(folder, "out.conllu"), "utf8")).toBe(given.out);
  });

  test("is continued with its encoder, which is found by its name", async () => {
    const next = join(folder, "next.model");
    const args = ["--continue", model, "--for", "tagged", "--train", file, "--model", next, "--threads", "1"];
    expect(await arcwise(["train", ...args, ...ALONE])).toMatchObject({ code: 0 });
    expect(await arcwise(["parse", next, file])).toMatchObject({ code: 0 });
    expect(readFileSync(next)).not.toEqual(readFileSync(model));
    writeVectors(vectors, "lengths 2");
    const other = await arcwise(["train", ...args, ...ALONE]);
    expect(other.err).toMatch(/lengths 1.*lengths 2/);
    expect(other.code).toBe(2);
  });

  test("is refused without its encoder, and with another one, by the names of both", async () => {
    writeVectors(vectors, "lengths 2");
    const other = await arcwise(["parse", model, file]);
    expect(other.code).toBe(2);
    expect(other.err).toMatch(/my\.model.*lengths 1.*lengths 2/);
    renameSync(vectors, join(folder, "renamed"));
    const missing = await arcwise(["parse", model, file]);
    expect(missing.code).toBe(2);
    expect(missing.err).toMatch(/my\.model.*lengths.*--encoder FOLDER/);
  });

  describe("in a cascade", () => {
    let quick: string;
    beforeEach(async () => {
      quick = join(folder, "quick.model");
      writeFileSync(quick, await trainedModel([...TRAIN, "--for", "tagged", ...ALONE]));
    });

    test("reads the sentences of which the first model is not confident", async () => {
      const [alone, first] = await Promise.all([model, quick].map((one) => arcwise(["parse", one, file])));
      expect(alone!.out).not.toBe(first!.out);
      const parse = (...more: string[]) => arcwise(["parse", model, file, "--first", quick, ...more]);
      expect(await parse("--min-confidence", "0")).toMatchObject({ code: 0, out: first!.out });
      expect(await parse("--min-confidence", "1")).toMatchObject({ code: 0, out: alone!.out });
      const { code, out } = await parse();
      expect(code).toBe(0);
      const [both, sentences] = [`${alone!.out}\n\n${first!.out}`.split("\n\n"), out.split("\n\n")];
      expect(sentences.filter((sentence) => !both.includes(sentence))).toEqual([]);
    });

    test("is compared with the model alone, threshold by threshold", async () => {
      const learn = (...more: string[]) => arcwise(["cascade", model, file, "--first", quick, ...more]);
      const json = await learn("--json", "--max-loss", "100");
      expect(json.code).toBe(0);
      const { points, minConfidence, second } = JSON.parse(json.out);
      expect([points.length, minConfidence]).toEqual([101, 0]);
      const { code, out } = await learn("--max-loss", "0");
      expect(code).toBe(0);
      expect(out).toMatch(/^ +0\.00 \| +0\.0 \|/m);
      expect(out).toMatch(new RegExp(`^ +alone \\| +100\\.0 \\| +${second.uas.toFixed(2)} \\|`, "m"));
      expect(out).toMatch(/^--min-confidence (?:0|0\.\d+|1): LAS \d/m);
    });

    test.each<[string, number, RegExp, () => readonly string[]]>([
      ["no first model", 2, /--first/, () => ["cascade", model, file]],
      [
        "a confidence without a first model",
        2,
        /--first/,
        () => ["parse", model, file, "--min-confidence", "1"],
      ],
      [
        "a first model that is not there",
        1,
        /nothing\.model/,
        () => ["parse", model, file, "--first", "nothing.model"],
      ],
      ["a first model that is not a model", 1, /a\.conllu/, () => ["parse", model, file, "--first", file]],
      [
        "jobs of a store",
        2,
        /--first/,
        () => ["parse", model, file, "--first", quick, "--store", folder, "-o", "out"],
      ],
      ["no encoder", 2, /--encoder/, () => ["cascade", quick, file, "--first", quick, "--encoder", vectors]],
      [
        "an output in place of the first model",
        2,
        /quick\.model/,
        () => ["parse", model, file, "--first", quick, "-o", quick],
      ],
    ])("refuses %s", async (_, code, message, args) => {
      expect(await arcwise(args())).toMatchObject({ code, err: expect.stringMatching(message), out: "" });
    });

    test("refuses a first model that fills in other columns", async () => {
      const tagged = join(folder, "tagged.model");
      const parser = { terms: ["network"], network: { units: 8, epochs: 1 } };
      const short = settings({ tokenizer: { epochs: 1 }, parser });
      writeFileSync(tagged, await trainedModel([...TRAIN, ...short]));
      for (const command of ["parse", "cascade"]) {
        const { code, err } = await arcwise([command, model, file, "--first", tagged]);
        expect(err).toMatch(/--first .*tagged\.model: expected a model that fills in/);
        expect(code).toBe(2);
      }
    });
  });

  test("names the sentence without vectors", async () => {
    writeFileSync(file, "1\tUnheard\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
    const { code, err } = await arcwise(["parse", model, file, "--encoder", vectors]);
    expect(code).toBe(1);
    expect(err).toMatch(/Unheard/);
  });
});

test("a pipeline is trained, and does not need vectors of sentences that its tokeniser finds", async () => {
  const folder = folderWith({ "a.conllu": treebank });
  const [file, model] = [join(folder, "a.conllu"), join(folder, "my.model")];
  const vectors = writeVectors(join(folder, "lengths"));
  const parser = { terms: ["network"], network: { units: 8, epochs: 1 } };
  const short = settings({ tokenizer: { epochs: 1 }, parser });
  const args = ["--train", file, "--model", model, "--encoder", vectors, "--threads", "1"];
  expect(await arcwise(["train", ...args, ...short])).toMatchObject({ code: 0 });
  expect(await arcwise(["parse", model, file])).toMatchObject({ code: 0 });
});

test("a model without an encoder refuses one", async () => {
  const folder = folderWith({ "a.conllu": treebank });
  const [file, model] = [join(folder, "a.conllu"), join(folder, "my.model")];
  writeFileSync(model, await trainedModel([...TRAIN, "--for", "tagged", ...ALONE]));
  const vectors = writeVectors(join(folder, "lengths"));
  const { code, err } = await arcwise(["parse", model, file, "--encoder", vectors]);
  expect(code).toBe(2);
  expect(err).toMatch(/expected no encoder, found the encoder lengths/);
});
