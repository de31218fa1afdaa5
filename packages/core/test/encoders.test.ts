import { describe, expect, test } from "vitest";
import { type Encoder, encodeChecked, encoderLaws, requireEncoder } from "../src/encoders/index.ts";

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
  ])("refuses %j", (value, message) => {
    expect(() => requireEncoder(value, "option encoder")).toThrow(
      expect.objectContaining({ code: "invalid-encoder", message: expect.stringMatching(message) }),
    );
  });
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
