import { expect, test } from "vitest";
import { createParser, loadParser, saveParser, type TrainOptions } from "../src/index.ts";
import { buildLabelFilter, TAGS } from "../src/scoring/arcs/label-filter.ts";
import { trainedParser, trainParser } from "./fast-training.ts";
import { example, sample } from "./support.ts";

/** A sentence by its tags, as far as the filter looks at it. */
const sentence = (...tags: number[]) => ({ n: tags.length, tag: Uint8Array.of(0, ...tags) }) as never;

test("an arc may have the labels seen with its tags, or the nearest to it", () => {
  // Labels: 0 under the root; 1 and 2 under words of tag 1; nothing is known of tag 4.
  const sentences = [sentence(1, 2, 3), sentence(1, 2)];
  const trees = [
    { heads: Int32Array.of(-1, 0, 1, 1), labels: Int32Array.of(-1, 0, 1, 2) },
    { heads: Int32Array.of(-1, 0, 1), labels: Int32Array.of(-1, 0, 2) },
  ];
  const { start, list } = buildLabelFilter(sentences, trees, 4);
  const labels = (h: number, m: number) => [...list.subarray(start[h * TAGS + m]!, start[h * TAGS + m + 1]!)];
  expect(labels(0, 1)).toEqual([0]);
  expect(labels(1, 2)).toEqual([1, 2]);
  expect(labels(1, 3)).toEqual([2]);
  expect(labels(3, 2)).toEqual([1, 2]); // as under other words
  expect(labels(0, 2)).toEqual([0]); // as others under the root
  expect(labels(2, 1)).toEqual([1, 2]); // tag 1 was seen under the root alone
  expect(labels(1, 4)).toEqual([1, 2]);
  expect(labels(0, 4)).toEqual([0]);
});

test("nothing that was seen: all labels", () => {
  const { start, list } = buildLabelFilter([], [], 2);
  expect([...list.subarray(start[5]!, start[6]!)]).toEqual([0, 1]);
  expect(list.length).toBe(2 * TAGS * TAGS);
});

test("the label root goes with the root and nothing else, in every analysis", async () => {
  const parser = createParser(await trainedParser(sample("train").slice(0, 20), { epochs: 1, prune: false }));
  for (const { sentence: words } of sample("dev").slice(0, 10)) {
    for (const { heads, labels } of parser.read([[...words, { form: "!", upos: "PUNCT" }]])[0]!.kBest(20)) {
      for (let m = 1; m < heads.length; m++) expect(labels[m] === "root").toBe(heads[m] === 0);
    }
  }
  expect(parser.parse([{ form: "?", upos: "PUNCT" }]).labels).toEqual(["", "root"]);
});

test("a label that was seen under the root alone is on no other arc, whatever else was seen", () => {
  const trees = [{ heads: Int32Array.of(-1, 0), labels: Int32Array.of(-1, 0) }];
  const { start, list } = buildLabelFilter([sentence(1)], trees, 2);
  const labels = (h: number, m: number) => [...list.subarray(start[h * TAGS + m]!, start[h * TAGS + m + 1]!)];
  expect(labels(0, 1)).toEqual([0]);
  expect(labels(1, 2)).toEqual([1]);
});

const YES = example("Yes/INTJ", "0", "root");
const NO = example("No/INTJ", "0", "root");
test.each<[what: string, options: TrainOptions]>([
  ["first order", { order: 1 }],
  ["third order, projective", { order: 3, decoder: "eisner" }],
  ["AD3", { decoder: "ad3" }],
  ["hill climbing", { decoder: "hillclimb" }],
  ["a network", { order: 1, network: { units: 4, epochs: 1 } }],
])(
  "words that are not the root are not labelled root after sentences of one word: %s",
  async (_what, options) => {
    const model = await trainParser([YES, NO, YES, NO], { epochs: 1, ...options });
    const { sentence: words } = example("Ann/NOUN sings/VERB well/ADV", "2 0 2", "nsubj root advmod");
    const parser = createParser(loadParser(saveParser(model)));
    for (const { heads, labels } of [createParser(model).parse(words), parser.parse(words)]) {
      expect([...labels]).toEqual([...heads].map((head, m) => (m === 0 ? "" : head === 0 ? "root" : "dep")));
    }
  },
);
