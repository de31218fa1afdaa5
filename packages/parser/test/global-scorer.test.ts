import { checkTree, heads, isTree, random, SparseVector, type TreeScorer } from "@arcwise/core";
import {
  buildEncoder,
  extend,
  GLOBAL_TEMPLATES,
  GLOBAL_VIEWS,
  GlobalFeatures,
  type GlobalView,
  PART_LINE,
  ROLE,
  VIEW,
} from "@arcwise/core/features";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GlobalScorer } from "../src/scoring/trees/global-scorer.ts";
import { example, sample, TREEBANK } from "./support.ts";

const BITS = 12;
const FROM = 16;
const ALL = { templates: GLOBAL_TEMPLATES, bits: BITS };
const LISTS = example(
  "And/CCONJ she/PRON (/PUNCT of/ADP course/NOUN )/PUNCT saw/VERB cats/NOUN ,/PUNCT dogs/NOUN " +
    ",/PUNCT and/CCONJ mice/NOUN ,/PUNCT in/ADP town/NOUN ./PUNCT",
  "7 7 5 5 7 5 0 7 10 8 13 13 8 7 16 7 7",
  Array(17).fill("dep").join(" "),
);
const examples = [LISTS, ...TREEBANK, ...sample("train").slice(0, 12)];
const encoder = buildEncoder(
  examples.map(({ sentence }) => sentence),
  1,
);
const sentences = examples.map(({ sentence }) => encoder.encode(sentence));

function randomWeights(seed: number): Float32Array {
  const stream = random(seed);
  return Float32Array.from({ length: FROM + PART_LINE * 2 ** BITS }, () => stream.normal());
}
const weights = randomWeights(1);

/**
 * A tree drawn at random: each word in a random order hangs on the root or a word that is in the tree
 * already.
 */
function randomTree(stream: ReturnType<typeof random>, n: number): Int32Array {
  const tree = new Int32Array(n + 1).fill(-1);
  const order = Array.from({ length: n }, (_, i) => i + 1);
  for (let i = n - 1; i > 0; i--) {
    const j = stream.int(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  for (const [index, m] of order.entries()) tree[m] = index === 0 ? 0 : (order[stream.int(index)] ?? 0);
  if (n > 2 && stream.int(3) === 0) tree[order[n - 1]!] = 0;
  return tree;
}

/** Words that m can hang on: all but those below it. */
function possibleHeads(tree: Int32Array, m: number): number[] {
  const possible: number[] = [];
  for (let h = 0; h < tree.length; h++) {
    let x = h;
    while (x > 0 && x !== m) x = tree[x]!;
    if (x !== m) possible.push(h);
  }
  return possible;
}

describe.each([["all views", GLOBAL_VIEWS], ...GLOBAL_VIEWS.map((view) => [view, [view]] as const)] as [
  string,
  readonly GlobalView[],
][])("GlobalScorer of %s", (_name, views) => {
  const templates = Object.fromEntries(views.map((view) => [view, GLOBAL_TEMPLATES[view]]));
  const scorer = new GlobalScorer({ templates, bits: BITS });

  it("tells what each change of a head adds, along random walks", () => {
    const property = fc.property(fc.nat(sentences.length - 1), fc.nat(1e6), (index, seed) => {
      const sentence = sentences[index]!;
      const { n } = sentence;
      const stream = random(seed);
      const whole = scorer.scorer(sentence, { values: weights, first: FROM, scale: 0.5 });
      const climb = whole.incremental!();
      const tree = randomTree(stream, n);
      let score = climb.reset(tree);
      expect(score).toBeCloseTo(whole.score(tree), 8);
      for (let step = 0; step < 6; step++) {
        const m = 1 + stream.int(n);
        const candidates = Int32Array.from(possibleHeads(tree, m));
        const deltas = new Float64Array(candidates.length + 1).fill(7);
        climb.deltas(m, candidates, candidates.length, deltas);
        for (const [k, head] of candidates.entries()) {
          const moved = tree.with(m, head);
          expect(deltas[k], `${tree} with ${head} -> ${m}`).toBeCloseTo(whole.score(moved) - score, 8);
        }
        expect(deltas.at(-1)).toBe(7);
        tree[m] = candidates[stream.int(candidates.length)]!;
        climb.move(m, tree[m]!);
        score = whole.score(tree);
      }
    });
    fc.assert(property, { numRuns: 60 });
  });

  it("scores trees as their features do", () => {
    const stream = random(3);
    for (const sentence of sentences) {
      const [first, second] = [randomTree(stream, sentence.n), randomTree(stream, sentence.n)];
      // Two trees that are alike in part, too.
      for (const other of [
        second,
        first.with(1, first.indexOf(0, 1) === 1 ? 0 : first.indexOf(0, 1)),
        first,
      ]) {
        if (!isTree(other)) continue;
        const difference = new SparseVector();
        scorer.addFeatures(sentence, { heads: other, than: first }, { first: FROM, scale: 0.5 }, difference);
        scorer.addFeatures(sentence, { heads: first, than: other }, { first: FROM, scale: -0.5 }, difference);
        const whole = scorer.scorer(sentence, { values: weights, first: FROM, scale: 0.5 });
        expect(difference.dot(weights)).toBeCloseTo(whole.score(other) - whole.score(first), 6);
        if (other === first) expect(difference.size).toBe(0);
        expect(difference.indices.subarray(0, difference.size).every((at) => at >= FROM)).toBe(true);
      }
    }
  });
});

/** All views of a tree with their arguments, straight from the definitions: O(n³). */
function viewsOf(tree: Int32Array, features: GlobalFeatures): number[][] {
  const n = tree.length - 1;
  const words = Array.from({ length: n }, (_, i) => i + 1);
  const { role, tagCodes, closing, last } = features;
  const isBelow = (x: number, top: number) => {
    let at = x;
    while (at > 0 && at !== top) at = tree[at]!;
    return at === top;
  };
  const modifiers = (h: number) => words.filter((m) => tree[m] === h);
  const code = (list: number[]) =>
    list
      .map((m) => tagCodes[m]!)
      .filter((tag, i, tags) => i === 0 || tag !== tags[i - 1])
      .reduce(extend, 0);
  const views: number[][] = [];
  for (let h = 0; h <= n; h++) {
    const lefts = modifiers(h).filter((m) => m < h);
    const rights = modifiers(h).filter((m) => m > h);
    views.push([VIEW.valency, h, lefts.length, rights.length, 0]);
    if (lefts.length > 0) views.push([VIEW.leftTags, h, code(lefts), lefts.length, 0]);
    if (rights.length > 0) views.push([VIEW.rightTags, h, code(rights), rights.length, 0]);
  }
  let crossings = 0;
  for (const m of words) {
    const h = tree[m]!;
    const below = words.filter((x) => isBelow(x, m));
    views.push([VIEW.span, h, m, Math.min(...below), Math.max(...below)]);
    const first = (what: number, before = n + 1) => modifiers(m).find((x) => role[x] === what && x < before);
    const p = first(ROLE.adposition) ?? first(ROLE.subordinator);
    if (p !== undefined) views.push([VIEW.phrase, h, p, m, 0]);
    const c = first(ROLE.coordinator, m) ?? first(ROLE.punctuation, m);
    if (c !== undefined && c > h) views.push([VIEW.coordination, h, c, m, Math.max(...below)]);
    for (const s of words) {
      const [a, b] = [Math.min(h, m), Math.max(h, m)];
      const [i, j] = [Math.min(tree[s]!, s), Math.max(tree[s]!, s)];
      if (!((a < i && i < b && b < j) || (i < a && a < j && j < b))) continue;
      views.push([VIEW.crossing, h, m, 0, 0]);
      crossings++;
    }
    if (closing[m]! > 0) views.push([VIEW.pair, m, closing[m]!, h, tree[closing[m]!]!]);
  }
  views.push([VIEW.shape, 0, words.filter((x) => isBelow(last, x)).length, 0, 0]);
  views.push([VIEW.shape, 1, words.filter((m) => tree[m]! < m).length, 0, 0]);
  views.push([VIEW.shape, 2, crossings / 2, 0, 0]);
  return views;
}

it("GlobalScorer scores the views that the definitions give", () => {
  const features = new GlobalFeatures(GLOBAL_TEMPLATES, BITS);
  const scorer = new GlobalScorer(ALL);
  const stream = random(5);
  for (const sentence of sentences) {
    features.prepare(sentence);
    const whole = scorer.scorer(sentence, { values: weights, first: FROM, scale: 2 });
    for (let trial = 0; trial < 5; trial++) {
      const tree = randomTree(stream, sentence.n);
      const scores = viewsOf(tree, features).map(
        ([view, a, b, c, d]) => 2 * features.sum(weights, FROM, view!, a!, b!, c!, d!),
      );
      const expected = scores.reduce((sum, score) => sum + score, 0);
      expect(whole.score(tree), `${tree}`).toBeCloseTo(expected, 6);
    }
  }
});

describe("scorers of several sentences", () => {
  const scorer = new GlobalScorer(ALL);
  const fresh = (index: number, by = weights) =>
    new GlobalScorer(ALL).scorer(sentences[index]!, {
      values: by,
      first: FROM,
      scale: 1,
    });

  it("do not disturb each other", () => {
    const others = randomWeights(2);
    const scorers: [TreeScorer, TreeScorer, Int32Array][] = [
      [
        scorer.scorer(sentences[0]!, { values: weights, first: FROM, scale: 1 }),
        fresh(0),
        examples[0]!.tree.heads,
      ],
      [
        scorer.scorer(sentences[6]!, { values: weights, first: FROM, scale: 1 }),
        fresh(6),
        examples[6]!.tree.heads,
      ],
      [
        scorer.scorer(sentences[0]!, { values: others, first: FROM, scale: 1 }),
        fresh(0, others),
        examples[0]!.tree.heads,
      ],
    ];
    const climbs = scorers.map(([shared, alone]) => [shared.incremental!(), alone.incremental!()] as const);
    for (let turn = 0; turn < 2; turn++) {
      for (const [k, [shared, alone, tree]] of scorers.entries()) {
        expect(checkTree(tree)).toBeUndefined();
        expect(shared.score(tree)).toBe(alone.score(tree));
        expect(climbs[k]![0].reset(tree)).toBe(climbs[k]![1].reset(tree));
      }
    }
    for (const [k, [, , tree]] of scorers.entries()) {
      const candidates = Int32Array.from(possibleHeads(tree, 2));
      const [shared, alone] = climbs[k]!.map((climb) => {
        const out = new Float64Array(candidates.length);
        climb.deltas(2, candidates, candidates.length, out);
        return out;
      });
      expect(shared).toEqual(alone);
    }
  });

  it("score bytes as their multiples of the scale", () => {
    const stream = random(4);
    const bytes = Int8Array.from({ length: weights.length }, () => stream.int(255) - 127);
    const tree = examples[0]!.tree.heads;
    const byBytes = scorer.scorer(sentences[0]!, { values: bytes, first: FROM, scale: 0.25 }).score(tree);
    expect(byBytes).toBe(
      scorer.scorer(sentences[0]!, { values: Float32Array.from(bytes), first: FROM, scale: 1 }).score(tree) /
        4,
    );
  });

  it("score a sentence without words 0", () => {
    const empty = scorer.scorer(encoder.encode([]), { values: weights, first: FROM, scale: 1 });
    expect(empty.score(heads(""))).toBe(0);
    expect(empty.incremental!().reset(heads(""))).toBe(0);
  });
});
