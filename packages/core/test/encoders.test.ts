import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Encoder,
  encodeChecked,
  encoderLaws,
  encodeSentences,
  encodeWords,
  fromHalves,
  requireEncoder,
  requireSameEncoder,
  toHalves,
  withVectors,
} from "../src/encoders/index.ts";
import { words as areWords } from "../src/options/index.ts";

/** Gives the length of each word and its distance from the end of the sentence. */
function plain(changes: Partial<Encoder> = {}): Encoder {
  return {
    name: "plain",
    width: 2,
    fingerprint: "plain 1",
    encode: async (sentences, { signal } = {}) => {
      signal?.throwIfAborted();
      return sentences.map((words) =>
        Float32Array.from(words.flatMap((word, k) => [word.length, words.length - k])),
      );
    },
    ...changes,
  };
}

/** An encoder whose vectors another function changes. */
function changed(change: (vectors: Float32Array[], call: number) => Float32Array[]): Encoder {
  let calls = 0;
  const { encode, ...rest } = plain();
  return { ...rest, encode: async (...given) => change(await encode(...given), calls++) };
}

async function brokenLaws(make: () => Encoder): Promise<string[]> {
  const broken: string[] = [];
  for (const { name, check } of encoderLaws(make)) await check().catch(() => broken.push(name));
  return broken;
}

describe("laws of encoders", () => {
  for (const { name, check } of encoderLaws(() => plain())) test(name, check);

  test.each<[string, string, () => Encoder]>([
    ["another width", "shape", () => plain({ width: 3 })],
    ["a sentence is missing", "shape", () => changed((all) => all.slice(1))],
    ["no numbers", "shape", () => changed((all) => all.map((vectors) => vectors.fill(Number.NaN)))],
    ["counts calls", "repetition", () => changed((all, call) => all.map((own) => own.map((x) => x + call)))],
    [
      "sums the batch",
      "grouping",
      () => changed((all) => all.map((own) => own.map((x) => x + 100 * all.length))),
    ],
    ["ignores signals", "signal", () => plain({ encode: (sentences) => plain().encode(sentences) })],
    ["without a fingerprint", "members", () => plain({ fingerprint: "" })],
  ])("%s breaks the law %s", async (_, law, make) => {
    const own = make();
    expect(await brokenLaws(() => own)).toContain(law);
  });

  test("results that are written again break the law of repetition", async () => {
    const memory = new Map<number, Float32Array>();
    const reused = changed((all) =>
      all.map((vectors, s) => {
        const { buffer } = memory.get(s) ?? new Float32Array(2 ** 12);
        memory.set(s, new Float32Array(buffer));
        const view = new Float32Array(buffer, 0, vectors.length);
        view.set(vectors);
        return view;
      }),
    );
    expect(await brokenLaws(() => reused)).toContain("repetition");
  });
});

describe("requireEncoder", () => {
  test.each([
    [null, /found null/],
    [{}, /name/],
    [plain({ width: 0 }), /width/],
    [plain({ width: 1.5 }), /width/],
    [{ ...plain(), fingerprint: 7 }, /fingerprint/],
    [{ ...plain(), encode: undefined }, /encode/],
    [{ ...plain(), parts: { layers: 2 } }, /parts/],
    [{ ...plain(), parts: ["layers"] }, /parts/],
  ])("refuses %j", (value, message) => {
    expect(() => requireEncoder(value, "option encoder")).toThrow(
      expect.objectContaining({ code: "invalid-encoder", message: expect.stringMatching(message) }),
    );
  });
});

test.each([
  [
    { layers: "2 3", pieces: "mean" },
    { layers: "2 3", pieces: "first" },
    /differ in pieces \(.*mean.*first\)$/,
  ],
  [{ layers: "2 3" }, { layers: "2 3", model: "ab" }, /differ in model \(expected none, found ab\)$/],
  [{ layers: "2 3" }, { layers: "2 3" }, /fingerprint b\)$/],
  [undefined, { layers: "2 3" }, /fingerprint b\)$/],
  [{ layers: "2 3" }, undefined, /fingerprint b\)$/],
])("an encoder of other parts is refused by their difference", (expected, found, message) => {
  const needed = plain({ fingerprint: "a", parts: expected });
  const given = plain({ fingerprint: "b", parts: found });
  const refusal = expect.objectContaining({
    code: "missing-encoder",
    message: expect.stringMatching(message),
  });
  expect(() => requireSameEncoder(needed, given)).toThrow(refusal);
  expect(() => requireSameEncoder(needed, { ...given, fingerprint: "a" })).not.toThrow();
});

test("encodeChecked names the sentence and the word of a wrong vector", async () => {
  const encoder = changed((all) => {
    all[1]![3] = Infinity;
    return all;
  });
  await expect(encodeChecked(encoder, [["a"], ["b", "c"]])).rejects.toMatchObject({
    code: "invalid-encoder",
    message: expect.stringMatching(/plain.*sentence 2.*"c".*Infinity/),
  });
});

describe("16-bit floats", () => {
  test("are read back to the same bits", () => {
    const halves = Uint16Array.from({ length: 2 ** 16 }, (_, half) => half).filter(
      (half) => (half & 0x7c00) !== 0x7c00 && half !== 0x8000,
    );
    expect(toHalves(fromHalves(halves))).toEqual(halves);
  });

  test.each([
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [1e9, 0x7bff],
    [-1e9, 0xfbff],
    [0, 0],
    [2 ** -24, 1],
    [2 ** -25, 0],
    [1.5 * 2 ** -24, 2],
    [2 ** -14 - 2 ** -26, 0x400],
    // Halfway between two values: to the even one.
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [1 + 2 ** -11 + 2 ** -20, 0x3c01],
  ])("of %s are the nearest ones", (value, half) => {
    expect(toHalves(Float32Array.of(value))).toEqual(Uint16Array.of(half));
  });

  test("are the nearest ones of any number", () => {
    fc.assert(
      fc.property(fc.float({ min: -65504, max: 65504, noNaN: true }), (value) => {
        const [half] = toHalves(Float32Array.of(value));
        const near = (bits: number) => Math.abs(fromHalves(Uint16Array.of(bits))[0]! - value);
        for (const bits of [half! - 1, half! + 1]) {
          if (bits < 0 || (bits & 0x7c00) === 0x7c00) continue;
          expect(near(half!)).toBeLessThanOrEqual(near(bits));
        }
      }),
    );
  });
});

describe("encoded sentences", () => {
  test("are encoded once, and have vectors in the order of the sentences", async () => {
    const seen: string[][] = [];
    const encoder = plain({
      encode: async (sentences) => {
        seen.push(...sentences.map((words) => [...words]));
        return plain().encode(sentences);
      },
    });
    const sentences = [["a"], ["bb", "c"], ["a"], [], ["bb c"]];
    const shares: number[] = [];
    const found = await encodeSentences(encoder, sentences, { onProgress: (share) => shares.push(share) });
    expect(found.map(({ values }) => [...fromHalves(values)])).toEqual([
      [1, 1],
      [2, 2, 1, 1],
      [1, 1],
      [],
      [4, 1],
    ]);
    expect(seen).toHaveLength(4);
    expect(shares).toEqual([1]);
    expect(found[0]!.encoder).toEqual({ name: "plain", width: 2, fingerprint: "plain 1" });
    expect(await encodeSentences(encoder, [])).toEqual([]);
  });

  test("give their vectors to words, which are checked", async () => {
    const [sentence] = await encodeWords(plain(), [[{ form: "ab", upos: "X" }]]);
    expect(sentence).toMatchObject([{ form: "ab", upos: "X", vector: { encoder: { name: "plain" } } }]);
    expect(() => areWords(sentence, "words")).not.toThrow();
    const vector = { ...sentence![0]!.vector!, values: new Uint16Array(3) };
    expect(() => areWords([{ form: "ab", vector }], "words")).toThrow(/words\[0\]\.vector/);
    const [vectors] = await encodeSentences(plain(), [["a", "b"]]);
    expect(() => withVectors([{ form: "a" }], vectors!)).toThrow(
      expect.objectContaining({ code: "invalid-encoder" }),
    );
  });
});
