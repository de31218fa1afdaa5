import { random } from "@arcwise/core";
import { ATTRIBUTES, buildEncoder, type SentenceEncoder } from "@arcwise/core/features";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { saveParser, type TrainingExample } from "../src/index.ts";
import { trained } from "../src/model/model.ts";
import type { NetworkOptions } from "../src/training/network-options.ts";
import { PLAIN, treeNetworkTask } from "../src/training/network-task.ts";
import { trainNetwork } from "../src/training/network-training.ts";
import type { NetworkExample } from "../src/training/variation/network-example.ts";
import { Substitutions } from "../src/training/variation/substitution.ts";
import { variationsOf } from "../src/training/variation/variations.ts";
import { drawOrder, inOrder } from "../src/training/variation/word-order.ts";
import { trainParser } from "./fast-training.ts";
import { example, sample, TREEBANK } from "./support.ts";

const NAMES = ["free", "fixed"];
const ALWAYS = { rate: 1, free: [true, false] };

/** A tree in writing: its heads, and the labels of `NAMES`. */
function tree(text: string, labels: string) {
  const { heads } = example(labels, text, labels).tree;
  return { heads, labels: Int32Array.from([-1, ...labels.split(" ").map((label) => NAMES.indexOf(label))]) };
}

/** An example of a sentence and its tree, with a column that has the number of each form in a list. */
function made({ sentence, tree: { heads, labels } }: TrainingExample, { encoder, forms, names }: Treebank) {
  const column = Int32Array.from(sentence, ({ form }) => forms.indexOf(form));
  return {
    sentence: { ...encoder.encode(sentence), words: sentence, vectors: Int32Array.of(0, ...column) },
    tree: { heads, labels: Int32Array.from(labels, (label, i) => (i === 0 ? -1 : names.indexOf(label))) },
    columns: [{ labels: column, given: column.map((form) => form - 1), trust: 0.5 }],
  };
}

/** What a treebank is encoded by. */
interface Treebank {
  readonly encoder: SentenceEncoder;
  readonly forms: readonly string[];
  readonly names: readonly string[];
}

function treebankOf(examples: readonly TrainingExample[]): Treebank {
  const sentences = examples.map(({ sentence }) => sentence);
  return {
    encoder: buildEncoder(sentences, 1, { fine: true }),
    forms: [...new Set(sentences.flatMap((sentence) => sentence.map(({ form }) => form)))],
    names: [...new Set(examples.flatMap((one) => one.tree.labels.slice(1)))],
  };
}

/** Checks that all that is known of the words of an example is theirs. */
function expectWhole({ sentence, tree: { heads, labels }, columns }: NetworkExample, treebank: Treebank) {
  const { columns: codes, words, vectors, ...rest } = sentence;
  const { columns: expected, ...others } = treebank.encoder.encode(words!);
  expect(rest).toEqual(others);
  for (const [c, column] of codes.entries()) if (c !== MARKER) expect(column).toEqual(expected[c]);
  const column = Int32Array.from(words!, ({ form }) => treebank.forms.indexOf(form));
  expect(columns).toEqual([{ labels: column, given: column.map((form) => form - 1), trust: 0.5 }]);
  expect(vectors).toEqual(Int32Array.of(0, ...column));
  expect(isTree(heads)).toBe(true);
  expect(labels[0]).toBe(-1);
}

/** What networks do not read. */
const MARKER = ATTRIBUTES.indexOf("marker");

/** Whether each word is below the root. */
function isTree(heads: Int32Array): boolean {
  return heads[0] === -1 && heads.slice(1).every((_, k) => depthOf(heads, k + 1) <= heads.length);
}

function depthOf(heads: Int32Array, word: number): number {
  let depth = 0;
  for (let i = word; i > 0 && depth <= heads.length; i = heads[i]!) depth++;
  return depth;
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
        const words = Array.from(order.subarray(1), (i) => `w${i}/X`).join(" ");
        const sentence = example(words, "0 ".repeat(order.length - 1).trim(), "x").sentence;
        const encoded = buildEncoder([sentence]).encode(sentence);
        const found = inOrder({ sentence: encoded, tree: from, columns: [] }, order).tree;
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

describe("examples in another order", () => {
  const examples = sample("train");
  const treebank = treebankOf(examples);

  test("have all that is known of their words", () => {
    fc.assert(
      fc.property(fc.nat({ max: examples.length - 1 }), fc.nat(), (k, seed) => {
        const { sentence } = examples[k]!;
        const moved = random(seed).shuffle(Int32Array.from(sentence, (_, i) => i + 1));
        const found = inOrder(made(examples[k]!, treebank), Int32Array.of(0, ...moved));
        expect(found.sentence.words).toEqual(Array.from(moved, (old) => sentence[old - 1]!));
        expectWhole(found, treebank);
      }),
      { numRuns: 50 },
    );
  });

  test("have the columns of features, too", () => {
    const [{ sentence, tree: of }] = examples as [TrainingExample];
    const encoder = buildEncoder([sentence], 1, { features: ["Case", "Number"] });
    const order = Int32Array.from(of.heads, (_, i) => (i === 0 ? 0 : of.heads.length - i));
    const encoded = encoder.encode(sentence);
    const before = structuredClone(encoded);
    const found = inOrder({ sentence: encoded, tree: { ...of, labels: of.heads }, columns: [] }, order);
    expect(found.sentence.morphology).toEqual(encoder.encode(sentence.toReversed()).morphology);
    expect(encoded).toEqual(before);
  });
});

describe("Substitutions", () => {
  const small = [
    example("The/DET dog/NOUN barks/VERB", "2 3 0", "det nsubj root"),
    example("A/DET small/ADJ cat/NOUN sees/VERB mice/NOUN", "3 3 4 0 4", "det amod nsubj root obj"),
    example("They/PRON see/VERB it/PRON ?/PUNCT", "2 0 2 2", "nsubj root obj punct"),
    example("Who/PRON did/AUX you/PRON see/VERB !/PUNCT", "4 4 4 0 4", "obj aux nsubj root punct"),
    // What Tim said is interrupted by who asks.
    example(
      "What/PRON do/AUX you/PRON think/VERB Tim/NOUN said/VERB",
      "6 4 4 0 6 4",
      "obj aux nsubj root nsubj ccomp",
    ),
  ];

  /** The sentences that are drawn in place of one, with their heads. */
  function variants(examples: readonly TrainingExample[], index: number, rate = 1): string[] {
    const treebank = treebankOf(examples);
    const all = examples.map((one) => made(one, treebank));
    const substitutions = new Substitutions(all);
    const stream = random(4);
    const found = new Set<string>();
    for (let k = 0; k < 100; k++) {
      const drawn = substitutions.draw(all[index]!, rate, stream) ?? all[index]!;
      expectWhole(drawn, treebank);
      const { sentence, tree } = drawn;
      const labels = [...tree.labels.subarray(1)].map((label) => treebank.names[label]);
      const words = sentence.words!.map(({ form }) => form);
      found.add([words, tree.heads.slice(1), labels].map((row) => row.join(" ")).join(": "));
    }
    return [...found].sort();
  }

  test.each([
    [
      "a phrase by one of another length",
      0,
      [
        "A small cat barks: 3 3 4 0: det amod nsubj root",
        "The dog barks: 2 3 0: det nsubj root",
        "Tim barks: 2 0: nsubj root",
      ],
    ],
    [
      "those of each tag apart, and no punctuation",
      2,
      ["They", "you"]
        .flatMap((subject) =>
          ["Who", "it"].map((object) => `${subject} see ${object} ?: 2 0 2 2: nsubj root obj punct`),
        )
        .concat(["They", "you"].map((s) => `${s} see What ?: 2 0 2 2: nsubj root obj punct`))
        .sort(),
    ],
  ])("replace %s", (_, index, expected) => {
    expect(variants(small, index)).toEqual(expected);
  });

  test("replace nothing with a rate of 0, nor what is like no other", () => {
    expect(variants(small, 1, 0)).toHaveLength(1);
    expect(variants([small[1]!, small[2]!], 0)).toHaveLength(1);
  });

  test("replace what depends on an interrupted phrase, not the phrase", () => {
    const clause = example("You/PRON say/VERB Tim/NOUN left/VERB", "2 0 4 2", "nsubj root nsubj ccomp");
    for (const found of variants([...small, clause], 4))
      expect(found).toMatch(/ said: 6 4 4 0 6 4|: \d.*ccomp$/);
    expect(variants([...small, clause], 4).some((found) => found.includes("left"))).toBe(false);
  });

  test("leave out phrases of more than 12 words", () => {
    const long = (words: number) =>
      example(
        `${"big/ADJ ".repeat(words - 1)}dogs/NOUN bark/VERB`,
        `${`${words} `.repeat(words - 1)}${words + 1} 0`,
        `${"amod ".repeat(words - 1)}nsubj root`,
      );
    const cats = example("Cats/NOUN sleep/VERB", "2 0", "nsubj root");
    expect(variants([cats, long(12)], 0)).toHaveLength(2);
    expect(variants([cats, long(13)], 0)).toHaveLength(1);
  });

  test("give trees whose words have all that is known of them", () => {
    const examples = sample("train");
    const treebank = treebankOf(examples);
    const all = examples.map((one) => made(one, treebank));
    const substitutions = new Substitutions(all);
    let changed = 0;
    fc.assert(
      fc.property(
        fc.nat({ max: all.length - 1 }),
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (k, seed, rate) => {
          const found = substitutions.draw(all[k]!, rate, random(seed));
          if (found === undefined) return;
          changed++;
          expectWhole(found, treebank);
          // Each word has the label that it has in its own sentence, and the root is the one that it was.
          const root = (one: NetworkExample) => one.sentence.words![one.tree.heads.indexOf(0) - 1];
          expect(root(found)).toBe(root(all[k]!));
        },
      ),
      { numRuns: 200 },
    );
    expect(changed).toBeGreaterThan(10);
  });

  test("come after other orders", () => {
    const treebank = treebankOf(small);
    const all = small.map((one) => made(one, treebank));
    const free = treebank.names.map((name) => name === "nsubj" || name === "obj");
    const vary = variationsOf(all, { permute: 1, replace: 1 }, free)!;
    const stream = random(1);
    const found = new Set<string>();
    for (let k = 0; k < 200; k++)
      found.add((vary(2, stream) ?? all[2]!).sentence.words!.map(({ form }) => form).join(" "));
    expect(found).toContain("Who see you ?");
    expect(found).toContain("you see What ?");
    expect(variationsOf(all, { permute: 0, replace: 0 }, free)).toBeUndefined();
  });
});

describe("training with variation", () => {
  const network = { units: 8, epochs: 2 };
  const file = async (augment?: NetworkOptions["augment"]) =>
    saveParser(await trainParser(TREEBANK, { epochs: 1, network: { ...network, augment } }));

  test("gives another model, and the one without where the rate is 0", async () => {
    const without = await file();
    expect(await file({ permute: 0, replace: 0 })).toEqual(without);
    expect(await file({ permute: 1 })).not.toEqual(without);
    expect(await file({ replace: 1 })).not.toEqual(without);
  });

  test("keeps the rates in the model", async () => {
    const { description } = await trainParser(TREEBANK, {
      epochs: 1,
      network: { ...network, augment: { permute: 0.5, replace: 0.1 } },
    });
    expect(description.network).toMatchObject({
      augment: { permute: 0.5, replace: 0.1 },
    });
  });

  test("goes on after an interruption as without one, with columns", async () => {
    const encoder = buildEncoder(TREEBANK.map(({ sentence }) => sentence));
    const labels = [...new Set(TREEBANK.flatMap(({ tree: { labels } }) => labels.slice(1)))];
    const task = treeNetworkTask({
      family: "trees",
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
      settings: { ...PLAIN, augment: { permute: 0.7, replace: 0.5 } },
      permuted: labels.map((label) => label !== "root"),
    });
    const options = { epochs: 3, seed: 5 };
    const states: Parameters<typeof trainNetwork>[1]["resume"][] = [];
    const whole = await trainNetwork(task, {
      ...options,
      onEpoch: (state) => void states.push(structuredClone(state)),
    });
    for (const resume of states) expect(await trainNetwork(task, { ...options, resume })).toEqual(whole);
  });

  test("has the tree and the columns of what each sentence is varied to", () => {
    const gold = tree("2 0 2 3", "free fixed free fixed");
    const encoder = buildEncoder(TREEBANK.map(({ sentence }) => sentence));
    const sentence = encoder.encode(example("a/X b/X c/X d/X", "2 0 2 3", "x x x x").sentence);
    const column = { labels: Int32Array.of(5, 6, 7, 8), given: Int32Array.of(1, 2, 3, -1), trust: 0.5 };
    const task = treeNetworkTask({
      family: "trees",
      ...{ sentences: [sentence, sentence], golds: [gold, gold], columns: [[column, column]] },
      shape: { units: 8, labels: 2, columns: [{ labels: 9, parts: [] }] },
      settings: { ...PLAIN, augment: { permute: ALWAYS.rate, replace: 0 } },
      permuted: ALWAYS.free,
    });
    const original = { sentence, tree: gold, columns: [column] };
    const varied = inOrder(original, Int32Array.of(0, 3, 4, 2, 1));
    const { pairs, columns } = task.targets([0, 1], [varied, undefined]);
    const moved = { labels: Int32Array.of(7, 8, 6, 5), given: Int32Array.of(3, -1, 2, 1), trust: 0.5 };
    expect(columns).toEqual([[moved, column]]);
    expect(pairs.map(({ head }) => head)).toEqual([3, 1, 0, 3, 2, 0, 2, 3]);
  });

  test("refuses a treebank without labels that are permuted", async () => {
    const examples = [example("Dogs/NOUN bark/VERB", "2 0", "SBJ ROOT")];
    const training = trainParser(examples, { epochs: 1, network: { ...network, augment: { permute: 0.5 } } });
    await expect(training).rejects.toThrow("expected labels that are permuted, nsubj");
  });

  test("moves labels with their subtypes", async () => {
    const learned = async (labels: string, augment?: NetworkOptions["augment"]) =>
      trained(
        await trainParser([example("Dogs/NOUN now/ADV bark/VERB", "3 3 0", labels)], {
          epochs: 1,
          network: { ...network, augment },
        }),
      ).network;
    const moved = "nsubj:pass advmod:time root";
    expect(await learned(moved, { permute: 1 })).not.toEqual(await learned(moved));
    // One dependent alone has no place to go to.
    const alone = "nsubj:pass discourse root";
    expect(await learned(alone, { permute: 1 })).toEqual(await learned(alone));
  });
});
