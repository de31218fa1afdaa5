import { checkTree, heads, random } from "@arcwise/core";
import {
  extend,
  GLOBAL_TEMPLATES,
  GLOBAL_VIEWS,
  GlobalFeatures,
  type GlobalView,
  PART_LINE,
  ROLE,
  VIEW,
  type Weights,
} from "@arcwise/core/features";
import { describe, expect, it } from "vitest";
import { GlobalScorer } from "../src/scoring/trees/global-scorer.ts";
import { encoded, example, sample, TREEBANK } from "./support.ts";
import { possibleHeads, randomTree, wholeTreeLaws } from "./whole-tree-laws.ts";

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
const { encoder, sentences } = encoded(examples, 1);

function randomWeights(seed: number): Float32Array {
  const stream = random(seed);
  return Float32Array.from({ length: FROM + PART_LINE * 2 ** BITS }, () => stream.normal());
}
const weights = randomWeights(1);
const tableOf = <Values extends Weights>(values: Values, scale = 1) => ({ values, first: FROM, scale });

describe.each([["all views", GLOBAL_VIEWS], ...GLOBAL_VIEWS.map((view) => [view, [view]] as const)] as [
  string,
  readonly GlobalView[],
][])("GlobalScorer of %s", (_name, views) => {
  const templates = Object.fromEntries(views.map((view) => [view, GLOBAL_TEMPLATES[view]]));
  const scorer = new GlobalScorer({ templates, bits: BITS });

  wholeTreeLaws(scorer, sentences, tableOf(weights, 0.5));
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
    const whole = scorer.scorer(sentence, tableOf(weights, 2));
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
  const fresh = (index: number, by = weights) => new GlobalScorer(ALL).scorer(sentences[index]!, tableOf(by));

  it("do not disturb each other", () => {
    const others = randomWeights(2);
    const scorers = ([[0], [6], [0, others]] as [number, Float32Array?][]).map(([index, by = weights]) => {
      const shared = scorer.scorer(sentences[index]!, tableOf(by));
      return [shared, fresh(index, by), examples[index]!.tree.heads] as const;
    });
    const climbs = scorers.map(([shared, alone]) => [shared.incremental!(), alone.incremental!()] as const);
    for (let turn = 0; turn < 2; turn++) {
      for (const [k, [shared, alone, tree]] of scorers.entries()) {
        expect(checkTree(tree)).toBeUndefined();
        expect(shared.score(tree)).toBe(alone.score(tree));
        expect(climbs[k]![0].reset(tree)).toBe(climbs[k]![1].reset(tree));
      }
    }
    for (const [k, [, , tree]] of scorers.entries()) {
      const candidates = possibleHeads(tree, 2);
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
    const byBytes = scorer.scorer(sentences[0]!, tableOf(bytes, 0.25)).score(tree);
    expect(byBytes).toBe(scorer.scorer(sentences[0]!, tableOf(Float32Array.from(bytes))).score(tree) / 4);
  });

  it("score a sentence without words 0", () => {
    const empty = scorer.scorer(encoder.encode([]), tableOf(weights));
    expect(empty.score(heads(""))).toBe(0);
    expect(empty.incremental!().reset(heads(""))).toBe(0);
  });
});
