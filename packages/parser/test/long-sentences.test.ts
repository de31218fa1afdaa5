import {
  arcIndex,
  type Decoder,
  filterArcs,
  isProjective,
  isTree,
  partCount,
  random,
  type Sentence,
} from "@arcwise/core";
import { buildEncoder } from "@arcwise/core/features";
import { eisnerDecoder, mstDecoder } from "@arcwise/decode-mst";
import { createParser, type Parser } from "@arcwise/parser";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { cutBlocks, joinBlocks, MAX_WORDS } from "../src/decoding/blocks.ts";
import { reachableArcs, withinWindow } from "../src/pruning/reach.ts";
import { limitParts, MAX_PARTS } from "../src/scoring/parts/part-limit.ts";
import { trainedParser } from "./fast-training.ts";
import { sample, withCode } from "./support.ts";

const dots = (count: number): Sentence =>
  Array.from({ length: count }, () => ({ form: ".", lemma: ".", upos: "PUNCT", xpos: "." }));

/** Every word may hang on one of the first `heads` words, on the next word, or on the root. */
function crowded(n: number, heads: number, seed: number) {
  const stream = random(seed);
  const arcs = filterArcs(n, (h, m) => h <= heads || h === m + 1);
  return {
    arcs,
    scores: Float64Array.from(arcs.head, () => stream.normal()),
    labels: Int32Array.from(arcs.head, (_, a) => a % 7),
  };
}

describe("parts of a sentence", () => {
  const kinds = ["grandparent", "nextSibling", "grandSibling", "triSibling"] as const;

  test("are all scored up to the limit", () => {
    const given = crowded(40, 3, 1);
    const { reduction, ...rest } = limitParts(given, kinds, "any");
    expect(reduction).toBeUndefined();
    expect(rest).toEqual({ ...given, kinds });
  });

  test.each<[Decoder["trees"], number, number]>([
    ["any", 300, 12],
    ["projective", 300, 12],
    ["any", 900, 3],
  ])("stay within the limit, with a tree left (%s, %d words)", (trees, n, heads) => {
    const given = crowded(n, heads, 2);
    const { arcs, scores, labels, kinds: left, reduction } = limitParts(given, kinds, trees);
    const total = left.reduce((sum, kind) => sum + partCount(kind, arcs), 0);
    expect(total).toBeLessThanOrEqual(MAX_PARTS);
    expect(reduction!.heads).toBeLessThanOrEqual(8);
    expect([...left, ...reduction!.leftOut].sort()).toEqual([...kinds].sort());
    for (let a = 0; a < arcs.head.length; a++) {
      const before = arcIndex(given.arcs, arcs.head[a]!, arcs.modifier[a]!);
      expect([scores[a], labels[a]]).toEqual([given.scores[before], given.labels[before]]);
    }
    const decoder = trees === "projective" ? eisnerDecoder() : mstDecoder();
    expect(isTree(decoder.decode({ arcs, arcScores: scores, parts: [] }).heads)).toBe(true);
  });
});

test.each([400, 401])("the arcs of %d words that are scored are those within the window", (n) => {
  const sentence = buildEncoder([]).encode(dots(n));
  const expected = filterArcs(n, (h, m) => withinWindow(n, h, m));
  const reached = reachableArcs(sentence, undefined);
  // The diff of so many arcs would take minutes.
  expect(reached.head.length).toBe(expected.head.length);
  expect(reached).toEqual(expected);
  expect(arcIndex(expected, 1, 150) < 0).toBe(n > 400);
});

describe("blocks of words", () => {
  test("end behind full stops, else behind punctuation, else anywhere", () => {
    const word = (form: string, upos = "NOUN") => ({ form, upos });
    const text = (breaks: Readonly<Record<number, string>>, length: number) =>
      Array.from({ length }, (_, i) => word(breaks[i + 1] ?? "w", breaks[i + 1] ? "PUNCT" : "NOUN"));
    expect(cutBlocks(text({ 250: ".", 390: "," }, 600))).toEqual([0, 250, 600]);
    expect(cutBlocks(text({ 150: ".", 390: "," }, 600))).toEqual([0, 390, 600]);
    expect(cutBlocks(text({}, 900))).toEqual([0, 400, 800, 900]);
    expect(cutBlocks(text({}, 12))).toEqual([0, 12]);
  });

  test("give a tree with one root, projective where theirs are", () => {
    const tree = fc.integer({ min: 1, max: 9 }).chain((n) =>
      fc.array(fc.nat(), { minLength: n, maxLength: n }).map((draws) => {
        // Words hang on the one before or, the first, on the root: always projective.
        const heads = Int32Array.from([
          -1,
          ...draws.map((draw, i) => (i === 0 ? 0 : draw % 2 === 0 ? i : 1)),
        ]);
        return { heads };
      }),
    );
    const property = fc.property(fc.array(tree, { minLength: 1, maxLength: 6 }), (trees) => {
      const cuts = [0];
      for (const { heads } of trees) cuts.push(cuts.at(-1)! + heads.length - 1);
      const { heads, links } = joinBlocks(trees, cuts);
      expect(isTree(heads, { singleRoot: true })).toBe(true);
      if (trees.every((each) => isProjective(each.heads))) expect(isProjective(heads)).toBe(true);
      expect(links).toHaveLength(trees.length - 1);
    });
    fc.assert(property, { numRuns: 200 });
  });
});

describe("a sentence of one repeated word", () => {
  const parsers: Record<string, Parser> = {};
  beforeAll(async () => {
    const examples = sample("train").slice(0, 40);
    for (const decoder of ["eisner", "hillclimb", "ad3"] as const) {
      parsers[decoder] = createParser(await trainedParser(examples, { decoder, order: 3, epochs: 1 }));
    }
  });

  test.each(["eisner", "hillclimb", "ad3"])(
    "of 400 words has a tree, and fewer parts than it could (%s)",
    (name) => {
      const { heads, labels, reduced, score, bound } = parsers[name]!.parse(dots(400));
      expect(isTree(heads, { singleRoot: true })).toBe(true);
      expect(labels.slice(1).every((label) => label !== "")).toBe(true);
      expect(reduced).toMatchObject({ blocks: 1 });
      expect(bound).toBeGreaterThanOrEqual(score);
    },
  );

  test("of more words than are parsed at once is parsed in blocks", () => {
    const { heads, labels, reduced, bound } = parsers.ad3!.parse(dots(MAX_WORDS + 1));
    expect(isTree(heads, { singleRoot: true })).toBe(true);
    expect(labels).toHaveLength(MAX_WORDS + 2);
    expect(labels.slice(1).every((label) => typeof label === "string" && label !== "")).toBe(true);
    expect(reduced).toMatchObject({ blocks: 3 });
    expect(bound).toBe(Infinity);
  });

  test("of so many words has no probabilities and takes no constraints", () => {
    const long = dots(MAX_WORDS + 1);
    const reading = parsers.eisner!.read([long])[0]!;
    const heads = new Int32Array(long.length + 1).fill(-1);
    const calls = [
      () => reading.marginals(),
      () => reading.kBest(2),
      () => reading.best({ constraints: { heads } }),
    ];
    for (const call of calls) {
      expect(call).toThrow(withCode("invalid-data"));
      expect(call).toThrow(/at most 1000 words, found 1001/);
    }
  });

  test("leaves ordinary sentences to be parsed as a whole", () => {
    for (const { sentence } of sample("dev")) {
      for (const parser of Object.values(parsers)) expect(parser.parse(sentence).reduced).toBeUndefined();
    }
  });
});
