import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseConllu, sentenceWords } from "@arcwise/conllu";
import { beforeEach, describe, expect, test } from "vitest";
import { arcwise, folderWith, settings, temporaryFolder, treebank } from "./support.ts";

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

const ALONE = settings({ parser: { network: { units: 8, epochs: 2 } } });

describe("a model of an encoder", () => {
  let folder: string;
  let file: string;
  let model: string;
  let vectors: string;
  beforeEach(async () => {
    folder = folderWith({ "a.conllu": treebank });
    [file, model] = [join(folder, "a.conllu"), join(folder, "my.model")];
    vectors = writeVectors(join(folder, "lengths"));
    const args = ["--for", "tagged", "--train", file, "--model", model, "--encoder", vectors];
    const { code, err } = await arcwise(["train", ...args, "--threads", "1", ...ALONE]);
    expect(err).toMatch(/^vectors of the encoder done after/m);
    expect(code).toBe(0);
  });

  test("is described", async () => {
    const { out } = await arcwise(["info", "--json", model]);
    expect(JSON.parse(out)).toMatchObject({
      encoder: { name: "lengths", width: WIDTH, fingerprint: "lengths 1" },
    });
    expect((await arcwise(["info", model])).out).toMatch(/lengths/);
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
  const short = settings({ tokenizer: { epochs: 1 }, parser: { network: { units: 8, epochs: 1 } } });
  const args = ["--train", file, "--model", model, "--encoder", vectors, "--threads", "1"];
  expect(await arcwise(["train", ...args, ...short])).toMatchObject({ code: 0 });
  expect(await arcwise(["parse", model, file])).toMatchObject({ code: 0 });
});

test("train is refused with an encoder that is not there", async () => {
  const folder = folderWith({ train: treebank });
  const args = ["--train", join(folder, "train"), "--model", join(folder, "model"), "--threads", "1"];
  const { code, err } = await arcwise(["train", ...args, ...ALONE, "--encoder", "missing"]);
  expect(code).toBe(1);
  expect(err).toMatch(/missing: expected the folder of an encoder/);
  expect(existsSync(join(folder, "model"))).toBe(false);
});

test("a model without an encoder refuses one", async () => {
  const folder = folderWith({ "a.conllu": treebank });
  const [file, model] = [join(folder, "a.conllu"), join(folder, "my.model")];
  const args = ["--for", "tagged", "--train", file, "--model", model, "--threads", "1"];
  expect(await arcwise(["train", ...args, ...ALONE])).toMatchObject({ code: 0 });
  const vectors = writeVectors(join(folder, "lengths"));
  const { code, err } = await arcwise(["parse", model, file, "--encoder", vectors]);
  expect(code).toBe(2);
  expect(err).toMatch(/expected no encoder, found the encoder lengths/);
});
