import { random, type Sentence } from "@arcwise/core";
import { ATTRIBUTES, buildEncoder, PADDING } from "@arcwise/core/features";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkTrainOptions, type ReorderingOptions, saveModel, trainParser } from "../src/index.ts";
import { trained } from "../src/model/model.ts";
import { networkTask, trainNetwork } from "../src/training/network-training.ts";
import { drawOrder, sentenceInOrder, treeInOrder, wordsInOrder } from "../src/training/word-order.ts";
import { example, sample, TREEBANK } from "./support.ts";

const NAMES = ["free", "fixed"];
const ALWAYS = { rate: 1, free: [true, false] };

/** A tree in writing: its heads, and the labels of `NAMES`. */
function tree(text: string, labels: string) {
  const { heads } = example(labels, text, labels).tree;
  return { heads, labels: Int32Array.from([-1, ...labels.split(" ").map((label) => NAMES.indexOf(label))]) };
}

/** The different orders that are drawn, as text. */
function drawn(from: ReturnType<typeof tree>, draws = 200): string[] {
  const stream = random(3);
  const found = new Set<string>();
  for (let k = 0; k < draws; k++) found.add(`${drawOrder(from, ALWAYS, stream)?.slice(1).join(" ")}`);
  return [...found].sort();
}

describe("drawOrder", () => {
  test.each([
    ["two dependents on both sides of their head", "2 0 2", "free fixed free", ["1 2 3", "3 2 1"]],
    ["those before their head", "3 3 0", "free free fixed", ["1 2 3", "2 1 3"]],
    ["all that depends on them, too", "2 3 0 3", "fixed free fixed free", ["1 2 3 4", "4 3 1 2"]],
    [
      "three",
      "4 4 4 0",
      "free free free fixed",
      ["1 2 3 4", "1 3 2 4", "2 1 3 4", "2 3 1 4", "3 1 2 4", "3 2 1 4"],
    ],
    ["around one that is fixed", "4 4 4 0", "free fixed free fixed", ["1 2 3 4", "3 2 1 4"]],
    [
      "within what moves",
      "3 3 4 0 4",
      "free free free fixed free",
      ["1 2 3 4 5", "2 1 3 4 5", "5 4 1 2 3", "5 4 2 1 3"],
    ],
    ["not one that is free alone", "2 0 2", "free fixed fixed", ["undefined"]],
    ["not those of the root", "0 0 0", "free free free", ["undefined"]],
    // Word 1 is below word 3 with word 2 between them, which is not.
    ["not parts of an interrupted dependent", "3 4 4 0 4", "fixed free free fixed free", ["undefined"]],
  ])("moves %s", (_, heads, labels, orders) => {
    expect(drawn(tree(heads, labels))).toEqual(orders);
  });

  test("draws all orders alike", () => {
    const counts = new Map<string, number>();
    const stream = random(8);
    for (let k = 0; k < 6000; k++) {
      const order = `${drawOrder(tree("4 4 4 0", "free free free fixed"), ALWAYS, stream)}`;
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });

  test.each([0, 0.3, 1])("changes the places of a share of %d of the heads", (rate) => {
    const stream = random(1);
    let changed = 0;
    for (let k = 0; k < 4000; k++) {
      if (drawOrder(tree("2 0 2", "free fixed free"), { ...ALWAYS, rate }, stream) !== undefined) changed++;
    }
    expect(changed / 4000).toBeCloseTo(rate, 1);
  });

  test("gives the same tree in another order, whose families have the same places", () => {
    fc.assert(
      fc.property(treeOf(), fc.nat(), (from, seed) => {
        const order = drawOrder(from, ALWAYS, random(seed)) ?? Int32Array.from(from.heads, (_, i) => i);
        expect([...order].sort((a, b) => a - b)).toEqual([...from.heads.keys()]);
        const found = treeInOrder(from, order);
        for (let i = 1; i < order.length; i++) {
          expect(order[found.heads[i]!]).toBe(from.heads[order[i]!]);
          expect(found.labels[i]).toBe(from.labels[order[i]!]);
        }
        // A fixed dependent is as many places from the first of its family as it was.
        for (const [i, place] of placesOf(found.heads).entries()) {
          if (i === 0 || from.labels[order[i]!] === 0) continue;
          expect(place).toBe(placesOf(from.heads)[order[i]!]);
        }
        expect(crossings(found.heads)).toBe(crossings(from.heads));
      }),
    );
  });
});

/** Trees with labels of `NAMES`. */
function treeOf() {
  return fc
    .array(fc.record({ at: fc.nat(), free: fc.boolean() }), { minLength: 1, maxLength: 9 })
    .map((words) => {
      // Each word of a random list hangs on one before it, and the list is put in a random order.
      const stream = random(words.reduce((sum, { at }) => (31 * sum + at) % 65_536, 7));
      const place = stream.shuffle(Int32Array.from(words, (_, k) => k + 1));
      const heads = new Int32Array(words.length + 1).fill(-1);
      const labels = new Int32Array(words.length + 1).fill(-1);
      for (const [k, { at, free }] of words.entries()) {
        heads[place[k]!] = k === 0 ? 0 : place[at % k]!;
        labels[place[k]!] = free ? 0 : 1;
      }
      return { heads, labels };
    });
}

/** The place of each word among the dependents of its head, from 0. */
function placesOf(heads: Int32Array): number[] {
  return Array.from(heads, (head, i) => heads.subarray(1, i).filter((other) => other === head).length);
}

/** Number of pairs of arcs that cross. */
function crossings(heads: Int32Array): number {
  let count = 0;
  for (let a = 1; a < heads.length; a++) {
    for (let b = 1; b < heads.length; b++) {
      const [left, right] = [Math.min(a, heads[a]!), Math.max(a, heads[a]!)];
      const [start, end] = [Math.min(b, heads[b]!), Math.max(b, heads[b]!)];
      if (left < start && start < right && right < end) count++;
    }
  }
  return count;
}

describe("a sentence in another order", () => {
  const examples = sample("train");
  const encoder = buildEncoder(
    examples.map(({ sentence }) => sentence),
    1,
    { fine: true, features: ["Case", "Number"] },
  );
  /** What networks do not read. */
  const MARKER = ATTRIBUTES.indexOf("marker");

  test("is encoded as its words in that order are", () => {
    fc.assert(
      fc.property(fc.nat({ max: examples.length - 1 }), fc.nat(), (k, seed) => {
        const { sentence } = examples[k]!;
        const encoded = { ...encoder.encode(sentence), words: sentence, vectors: rows(sentence) };
        const moved = random(seed).shuffle(Int32Array.from(sentence, (_, i) => i + 1));
        const order = Int32Array.of(0, ...moved);
        const words: Sentence = Array.from(moved, (old) => sentence[old - 1]!);
        const { columns, ...rest } = sentenceInOrder(encoded, order);
        const { columns: expected, ...others } = encoder.encode(words);
        const vectors = Int32Array.from(order, (old) => encoded.vectors[old]!);
        expect(rest).toEqual({ ...others, words, vectors });
        for (const [c, column] of columns.entries()) if (c !== MARKER) expect(column).toEqual(expected[c]);
        expect(wordsInOrder(encoded.vectors.subarray(1), order)).toEqual(vectors.subarray(1));
      }),
      { numRuns: 50 },
    );
  });

  function rows(sentence: Sentence): Int32Array {
    return Int32Array.from([0, ...sentence], (_, i) => 7 * i);
  }

  test("leaves the original as it was", () => {
    const before = encoder.encode(examples[0]!.sentence);
    const order = Int32Array.from({ length: before.n + 1 }, (_, i) => (i === 0 ? 0 : before.n + 1 - i));
    sentenceInOrder(before, order);
    expect(before).toEqual(encoder.encode(examples[0]!.sentence));
    expect(before.columns[0]!.slice(0, PADDING)).toEqual(
      sentenceInOrder(before, order).columns[0]!.slice(0, PADDING),
    );
  });
});

describe("training with other orders", () => {
  const network = { units: 8, epochs: 2 };
  const file = async (reordering?: ReorderingOptions) =>
    saveModel(await trainParser(TREEBANK, { epochs: 1, network: { ...network, reordering } }));

  test("gives another model, and the one without where the rate is 0", async () => {
    const without = await file();
    expect(await file({ rate: 0 })).toEqual(without);
    expect(await file({ rate: 1 })).not.toEqual(without);
    expect(await file({ rate: 1 })).toEqual(await file({ rate: 1 }));
  });

  test("keeps the rate and the labels in the model", async () => {
    const { description } = await trainParser(TREEBANK, {
      epochs: 1,
      network: { ...network, reordering: { rate: 0.5 } },
    });
    expect(description.network).toMatchObject({
      reordering: { rate: 0.5, labels: ["nsubj", "csubj", "obj", "iobj", "obl", "advmod"] },
    });
  });

  test("goes on after an interruption as without one, with columns", async () => {
    const encoder = buildEncoder(TREEBANK.map(({ sentence }) => sentence));
    const labels = [...new Set(TREEBANK.flatMap(({ tree: { labels } }) => labels.slice(1)))];
    const task = networkTask({
      sentences: TREEBANK.map(({ sentence }) => encoder.encode(sentence)),
      golds: TREEBANK.map(({ tree }) => ({
        heads: tree.heads,
        labels: Int32Array.from(tree.labels, (label) => labels.indexOf(label)),
      })),
      shape: { units: 8, labels: labels.length, columns: [{ labels: 5, parts: [] }] },
      columns: [
        TREEBANK.map(({ sentence }) => ({
          labels: Int32Array.from(sentence, (_, i) => i),
          given: Int32Array.from(sentence, (_, i) => 4 - i),
          trust: 0.5,
        })),
      ],
      reordering: { rate: 0.7, free: labels.map((label) => label !== "root") },
    });
    const options = { epochs: 3, seed: 5 };
    const states: Parameters<typeof trainNetwork>[1]["resume"][] = [];
    const whole = await trainNetwork(task, {
      ...options,
      onEpoch: (state) => void states.push(structuredClone(state)),
    });
    for (const resume of states) expect(await trainNetwork(task, { ...options, resume })).toEqual(whole);
  });

  test("has the tree and the columns of each sentence in its order", () => {
    const gold = tree("2 0 2 3", "free fixed free fixed");
    const encoder = buildEncoder(TREEBANK.map(({ sentence }) => sentence));
    const sentence = encoder.encode(example("a/X b/X c/X d/X", "2 0 2 3", "x x x x").sentence);
    const column = { labels: Int32Array.of(5, 6, 7, 8), given: Int32Array.of(1, 2, 3, -1), trust: 0.5 };
    const task = networkTask({
      ...{ sentences: [sentence, sentence], golds: [gold, gold], columns: [[column, column]] },
      shape: { units: 8, labels: 2, columns: [{ labels: 9, parts: [] }] },
      reordering: ALWAYS,
    });
    const { pairs, columns } = task.targets([0, 1], [Int32Array.of(0, 3, 4, 2, 1), undefined]);
    const moved = { labels: Int32Array.of(7, 8, 6, 5), given: Int32Array.of(3, -1, 2, 1), trust: 0.5 };
    expect(columns).toEqual([[moved, column]]);
    expect(pairs.map(({ head }) => head)).toEqual([3, 1, 0, 3, 2, 0, 2, 3]);
  });

  test.each([
    [{ rate: 1.5 }, "expected a rate of reordering from 0 to 1, got 1.5"],
    [{ rate: Number.NaN }, "expected a rate of reordering from 0 to 1, got NaN"],
    [{ rate: 0.5, labels: [] }, "expected labels that reordering applies to, got none"],
  ])("refuses %j", (reordering, message) => {
    expect(() => checkTrainOptions({ network: { units: 8, reordering } })).toThrow(message);
  });

  test("refuses labels that the treebank does not have", async () => {
    await expect(file({ rate: 0.5, labels: ["SBJ"] })).rejects.toThrow(
      "expected labels that reordering applies to, SBJ; the treebank has",
    );
  });

  test("moves labels with their subtypes, or some subtypes", async () => {
    const passive = [example("Dogs/NOUN now/ADV bark/VERB", "3 3 0", "nsubj:pass advmod:time root")];
    const learned = async (reordering?: ReorderingOptions) =>
      trained(await trainParser(passive, { epochs: 1, network: { ...network, reordering } })).network;
    const kept = await learned();
    expect(await learned({ rate: 1 })).not.toEqual(kept);
    expect(await learned({ rate: 1, labels: ["nsubj", "advmod:time"] })).not.toEqual(kept);
    // One dependent alone has no place to go to.
    expect(await learned({ rate: 1, labels: ["nsubj", "advmod:place"] })).toEqual(kept);
  });
});
