import type { Sentence } from "@arcwise/core";
import { expect, test } from "vitest";
import { jackknifeTags } from "../src/index.ts";

/** Sentences of `form/UPOS` words. */
const tagged = (text: string): Sentence =>
  text.split(" ").map((word) => {
    const [form, upos] = word.split("/");
    return { form: form!, upos: upos!, lemma: "", xpos: "", feats: "" };
  });

test("each part is tagged by a tagger that has not seen it", async () => {
  const common = ["the/DET dog/NOUN runs/VERB", "the/DET cat/NOUN runs/VERB", "a/DET dog/NOUN sleeps/VERB"];
  // "saw" is a verb in the first part only, and a noun everywhere else.
  const sentences = [
    tagged("saw/VERB"),
    ...Array.from({ length: 9 }, (_, i) => tagged(common[i % 3])),
    tagged("saw/NOUN"),
    ...Array.from({ length: 9 }, (_, i) => tagged(common[i % 3])),
  ];
  const found = await jackknifeTags(sentences, { parts: 2, columns: ["upos"] });
  expect(found.map((sentence) => sentence.map(({ form }) => form))).toEqual(
    sentences.map((sentence) => sentence.map(({ form }) => form)),
  );
  expect(found[0][0].upos).toBe("NOUN");
  expect(found[10][0].upos).toBe("VERB");
  expect(found[1]).toEqual(sentences[1]);
});

test("reports parts, and refuses more of them than sentences", async () => {
  const parts = new Set<number>();
  const sentences = ["a/X", "b/Y", "a/X"].map(tagged);
  await jackknifeTags(sentences, { parts: 3, epochs: 1, onProgress: ({ part }) => parts.add(part!) });
  expect([...parts]).toEqual([1, 2, 3]);
  for (const wrong of [4, 1, 2.5])
    await expect(jackknifeTags(sentences, { parts: wrong })).rejects.toMatchObject({
      code: "invalid-argument",
    });
});

test("ends with the reason of its signal", async () => {
  const sentences = ["a/X", "b/Y", "a/X"].map(tagged);
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(jackknifeTags(sentences, { parts: 2, signal })).rejects.toThrow("enough");
});
