import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sentenceWords, writeConllu } from "@arcwise/conllu";
import { type Encoder, encoderLaws, encodeSentences, toHalves } from "@arcwise/core/encoders";
import { describe, expect, test, vi } from "vitest";
import { createPipeline, trainPipeline } from "../src/index.ts";
import { computedVectors, keptVectors } from "../src/node/index.ts";
import { TREEBANK } from "./treebank.ts";

const root = mkdtempSync(join(tmpdir(), "arcwise-"));
let folders = 0;
function newFolder(): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  return folder;
}

const WIDTH = 3;
/** Numbers that 16 bits hold. */
const vectorsOf = (words: readonly string[]) =>
  Float32Array.from(words.flatMap((word, k) => [word.length % 100, k, words.length]));

/** Counts the sentences that it is given, and fails after some of them. */
function counting(fails = Infinity): Encoder & { readonly seen: string[][] } {
  const seen: string[][] = [];
  return {
    ...{ name: "counting/one", width: WIDTH, fingerprint: "counting 1", seen },
    async encode(sentences, { signal } = {}) {
      signal?.throwIfAborted();
      if (seen.length + sentences.length > fails) throw new Error("interrupted");
      seen.push(...sentences.map((words) => [...words]));
      return sentences.map(vectorsOf);
    },
  };
}

const sentences = Array.from({ length: 600 }, (_, s) =>
  Array.from({ length: 1 + (s % 9) }, (_, k) => `w${(s * 7 + k * 13) % 50}`),
);
const distinct = new Set(sentences.map((words) => words.join(" "))).size;

describe("kept vectors", () => {
  for (const { name, check } of encoderLaws(() => keptVectors(counting(), join(root, "laws"))))
    test(`law: ${name}`, check);

  test("are computed once, by whatever instance", async () => {
    const folder = newFolder();
    const first = counting();
    const kept = keptVectors(first, folder);
    const found = await encodeSentences(kept, sentences);
    expect(first.seen).toHaveLength(distinct);
    await encodeSentences(kept, sentences);
    expect(first.seen).toHaveLength(distinct);
    await kept.close();
    const second = counting(0);
    const again = keptVectors(second, folder);
    expect(await encodeSentences(again, sentences)).toEqual(found);
    await again.close();
    expect(second.seen).toEqual([]);
    expect(found.map(({ values }) => values)).toEqual(sentences.map((words) => toHalves(vectorsOf(words))));
  });

  test("of an interrupted run are used by the next one", async () => {
    const folder = newFolder();
    const broken = keptVectors(counting(300), folder);
    await expect(encodeSentences(broken, sentences)).rejects.toThrow("interrupted");
    await broken.close();
    const next = counting();
    const kept = keptVectors(next, folder);
    const found = await encodeSentences(kept, sentences);
    expect(next.seen.length).toBeLessThan(distinct);
    expect(next.seen.length).toBeGreaterThan(0);
    expect(found.map(({ values }) => values)).toEqual(sentences.map((words) => toHalves(vectorsOf(words))));
    await kept.close();
  });

  test("are written after some seconds, for processes that are killed", async () => {
    const folder = newFolder();
    const now = vi.spyOn(performance, "now");
    try {
      const kept = keptVectors(counting(), folder);
      now.mockReturnValue(1);
      await kept.encode([["a"]]);
      expect(filesIn(folder)).toEqual([]);
      now.mockReturnValue(6000);
      await kept.encode([["b"]]);
      expect(filesIn(folder)).toHaveLength(1);
      await kept.close();
    } finally {
      now.mockRestore();
    }
  });

  test("of another fingerprint are others", async () => {
    const folder = newFolder();
    const kept = keptVectors(counting(), folder);
    await kept.encode(sentences);
    await kept.close();
    const other = counting();
    const own = keptVectors({ ...other, fingerprint: "counting 2" }, folder);
    await own.encode(sentences);
    await own.close();
    expect(other.seen).toHaveLength(distinct);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test.each<[string, (bytes: Buffer) => Uint8Array]>([
    ["cut short", (bytes) => bytes.subarray(0, bytes.length - 5)],
    ["with a changed number", (bytes) => Buffer.concat([bytes.subarray(0, -2), Uint8Array.of(1, 1)])],
    ["without a header", () => Buffer.from("{}\n")],
    ["empty", () => new Uint8Array(0)],
  ])("in a file %s are computed again", async (_, damage) => {
    const folder = newFolder();
    const kept = keptVectors(counting(), folder);
    const expected = await kept.encode(sentences);
    await kept.close();
    for (const file of filesIn(folder)) writeFileSync(file, damage(readFileSync(file)));
    const second = counting();
    const again = keptVectors(second, folder);
    expect(await again.encode(sentences)).toEqual(expected);
    expect(second.seen.length).toBeGreaterThan(0);
    await again.close();
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) =>
    readdirSync(join(folder, name)).map((file) => join(folder, name, file)),
  );
}

/** Writes a matrix as numpy.save does. */
function npy(rows: readonly (readonly number[])[], descr = "<f4", version = 1): Uint8Array {
  const columns = rows[0]?.length ?? 0;
  const numbers = Float32Array.from(rows.flat());
  const data =
    { "<f2": toHalves(numbers), "<f4": numbers, "<f8": Float64Array.from(numbers) }[descr] ?? numbers;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${rows.length}, ${columns}), }`;
  const before = version === 1 ? 10 : 12;
  const padded = `${text.padEnd(64 * Math.ceil((before + text.length + 1) / 64) - before - 1)}\n`;
  const length = new Uint8Array(before - 8);
  new DataView(length.buffer).setUint16(0, padded.length, true);
  return Buffer.concat([
    Uint8Array.of(0x93, ...Buffer.from("NUMPY"), version, 0),
    length,
    Buffer.from(padded),
    new Uint8Array(data.buffer),
  ]);
}

const treebank = TREEBANK.slice(0, 40);
const forms = treebank.map((sentence) => sentenceWords(sentence).map(({ form }) => form));
const rows = forms.flatMap((words) =>
  words.map((_, k) => [...vectorsOf(words).subarray(k * WIDTH, (k + 1) * WIDTH)]),
);

function written(matrix: Uint8Array = npy(rows), identity: object = { name: "elsewhere", fingerprint: "1" }) {
  const folder = newFolder();
  writeFileSync(join(folder, "train.conllu"), writeConllu(treebank));
  writeFileSync(join(folder, "train.npy"), matrix);
  writeFileSync(join(folder, "encoder.json"), JSON.stringify(identity));
  return folder;
}

describe("vectors computed elsewhere", () => {
  test.each([
    ["<f2", 1],
    ["<f4", 1],
    ["<f8", 2],
  ])("are read of the type %s", async (type, version) => {
    const encoder = await computedVectors(written(npy(rows, type, version)));
    expect(encoder).toMatchObject({ name: "elsewhere", width: WIDTH, fingerprint: "1" });
    expect(await encoder.encode([forms[3]!, [], forms[1]!])).toEqual([
      vectorsOf(forms[3]!),
      new Float32Array(0),
      vectorsOf(forms[1]!),
    ]);
    await encoder.close?.();
  });

  test("come from all pairs of files of a folder", async () => {
    const folder = written();
    const more = [["Rain", "falls"]];
    const text = more[0]!.map((form, k) => `${k + 1}\t${form}\t_\t_\t_\t_\t${k}\tdep\t_\t_\n`).join("");
    writeFileSync(join(folder, "dev.conllu"), `${text}\n`);
    writeFileSync(
      join(folder, "dev.npy"),
      npy([
        [1, 2, 3],
        [4, 5, 6],
      ]),
    );
    const encoder = await computedVectors(folder);
    expect(await encoder.encode(more)).toEqual([Float32Array.of(1, 2, 3, 4, 5, 6)]);
    await expect(encoder.encode([["Rain", "fell"]])).rejects.toMatchObject({
      code: "missing-vectors",
      message: expect.stringMatching(/Rain fell.*2 words/),
    });
    await encoder.close?.();
  });

  test("train a pipeline, whose scores from raw text need vectors of other sentences", async () => {
    const encoder = await computedVectors(written());
    const warnings: string[] = [];
    const model = await trainPipeline(treebank, {
      settings: { tokenizer: { epochs: 1 }, parser: { network: { units: 8, epochs: 2 } } },
      encoder,
      dev: treebank.slice(0, 6),
      onWarning: ({ message }) => void warnings.push(message),
    });
    expect(model.parser?.description.encoder?.name).toBe("elsewhere");
    expect(model.description?.dev === undefined).toBe(warnings.some((message) => /vectors/.test(message)));
    const [sentence] = await createPipeline(model, { encoder }).annotate([treebank[0]!]);
    expect(sentence!.words).toHaveLength(forms[0]!.length);
    await encoder.close?.();
  });

  test.each<[string, () => string, RegExp]>([
    ["no matrix", () => newFolder(), /\*\.npy/],
    ["too few rows", () => written(npy(rows.slice(1))), /train\.npy.*expected \d+ rows/],
    ["another type", () => written(npy(rows, "<i4")), /train\.npy.*16-, 32- or 64-bit floats/],
    ["something else", () => written(Buffer.from("hello, world")), /train\.npy.*numpy\.save/],
    ["a file cut short", () => written(npy(rows).subarray(0, -4)), /train\.npy.*bytes/],
    ["no name", () => written(npy(rows), { fingerprint: "1" }), /encoder\.json/],
  ])("are refused with %s", async (_, make, message) => {
    await expect(computedVectors(make())).rejects.toMatchObject({
      code: "invalid-vectors",
      message: expect.stringMatching(message),
    });
  });

  test("are refused where files have different widths", async () => {
    const folder = written();
    writeFileSync(join(folder, "zero.npy"), npy([[1, 2]]));
    writeFileSync(join(folder, "zero.conllu"), "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
    await expect(computedVectors(folder)).rejects.toMatchObject({
      code: "invalid-vectors",
      message: expect.stringMatching(/zero\.npy.*3 columns.*found 2/),
    });
  });
});
