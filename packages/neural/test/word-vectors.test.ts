import { random } from "@arcwise/core";
import type { TrainingProgress } from "@arcwise/core/training";
import { describe, expect, test } from "vitest";
import { trainWordVectors } from "../src/index.ts";
import { readCorpus } from "../src/vectors/corpus.ts";
import { subwords } from "../src/vectors/subwords.ts";
import type { WordVectorTable } from "../src/vectors/word-vectors.ts";

/** Sentences of two topics, whose nouns and verbs do not mix. */
function topics(count: number): string[][] {
  const rng = random(4);
  const nouns = ["ship sail harbour captain wave", "flour oven bread baker sugar"].map((list) =>
    list.split(" "),
  );
  return Array.from({ length: count }, (_, s) => Array.from({ length: 8 }, () => nouns[s % 2][rng.int(5)]));
}

function cosine({ dimension, words, values }: WordVectorTable, a: string, b: string): number {
  const [u, v] = [a, b].map((word) => {
    const from = words.indexOf(word) * dimension;
    return values.subarray(from, from + dimension);
  });
  let [product, uu, vv] = [0, 0, 0];
  for (let d = 0; d < dimension; d++) {
    product += u![d] * v![d];
    uu += u![d] ** 2;
    vv += v![d] ** 2;
  }
  return product / Math.sqrt(uu * vv);
}

const SMALL = { dimension: 10, epochs: 5, minimumCount: 1, subsample: 1, window: 3 };

describe.each(["skip-gram", "cbow"] as const)("%s", (objective) => {
  test("gives words of similar contexts similar vectors", async () => {
    const table = await trainWordVectors(topics(600), { ...SMALL, objective, ngrams: false });
    expect(table.words).toHaveLength(10);
    expect(table.values).toHaveLength(100);
    for (const [a, near, far] of [
      ["ship", "sail", "oven"],
      ["bread", "sugar", "wave"],
    ] as const) {
      expect(cosine(table, a, near)).toBeGreaterThan(0.5);
      expect(cosine(table, a, near)).toBeGreaterThan(cosine(table, a, far) + 0.5);
    }
  });

  test("depends on the seed alone", async () => {
    const text = topics(40);
    const train = (seed: number) => trainWordVectors(text, { ...SMALL, objective, seed, epochs: 2 });
    const [one, same, other] = [await train(1), await train(1), await train(2)];
    expect(same).toEqual(one);
    expect(other.values).not.toEqual(one.values);
  });
});

test("words share the vectors of their n-grams", async () => {
  const rng = random(2);
  const ends = ["ing", "ly"];
  const text = Array.from({ length: 600 }, (_, s) =>
    Array.from({ length: 6 }, () => `${"abcdefgh"[rng.int(8)]}xx${ends[s % 2]}`),
  );
  const table = await trainWordVectors([...text, ["zyxxing", "q"]], {
    ...SMALL,
    ngrams: { from: 3, to: 4, buckets: 1000 },
  });
  expect(cosine(table, "zyxxing", "axxing")).toBeGreaterThan(cosine(table, "zyxxing", "axxly") + 0.3);
});

test("reports progress, whose loss falls", async () => {
  const seen: TrainingProgress[] = [];
  await trainWordVectors(topics(2_000), { ...SMALL, ngrams: false, onProgress: (at) => void seen.push(at) });
  expect(seen.map(({ epoch, epochDone }) => `${epoch} ${epochDone}`)).toEqual(
    [1, 2, 3, 4, 5].flatMap((epoch) => [`${epoch} false`, `${epoch} true`]),
  );
  expect(seen[0]).toMatchObject({ step: "vectors", epochs: 5, share: 0.125, trainingShare: 0.125 });
  expect(seen.at(-1)!.share).toBe(1);
  expect(seen.at(-1)!.loss!.value).toBeLessThan(seen[0].loss!.value);
});

test("ends with the reason of its signal", async () => {
  const controller = new AbortController();
  const reason = new Error("stopped");
  const onProgress = () => controller.abort(reason);
  const training = trainWordVectors(topics(2_000), { ...SMALL, onProgress, signal: controller.signal });
  await expect(training).rejects.toBe(reason);
});

test.each([
  [{ dimension: 0 }, "dimension must be an integer >= 1, got 0"],
  [{ epochs: 1.5 }, "epochs must be an integer >= 1, got 1.5"],
  [{ window: -1 }, "window must be an integer >= 1, got -1"],
  [{ minimumCount: 9 }, "expected words that occur 9 times, found none"],
])("refuses %o", async (options, message) => {
  await expect(trainWordVectors([["a", "b"]], options)).rejects.toThrow(message);
});

test("a corpus orders words by their counts and leaves rare ones out", async () => {
  const { words, counts, tokens, start } = await readCorpus(
    ["b c a a", "", "d a b"].map((line) => line.split(" ").filter(Boolean)),
    2,
  );
  expect([words, [...counts]]).toEqual([
    ["a", "b"],
    [3, 2],
  ]);
  expect([[...tokens], [...start]]).toEqual([
    [1, 0, 0, 0, 1],
    [0, 3, 3, 5],
  ]);
});

test("subwords are the word and the n-grams of it between brackets", () => {
  const { rows, start, list } = subwords(["ab", "cab", "a"], { from: 3, to: 4, buckets: 1e9 });
  expect(rows).toBe(3 + 1e9);
  // <ab ab>; <ca cab ab> <cab cab>; none but <a> itself.
  expect([...start]).toEqual([0, 3, 9, 10]);
  expect(list[2]).toBe(list[8]);
  expect(list[9]).toBe(2);
  expect(subwords(["ab"], undefined)).toMatchObject({ rows: 1 });
});
