import { random } from "@arcwise/core";
import { GLOBAL_TEMPLATES, PART_LINE } from "@arcwise/core/features";
import { describe, expect, it } from "vitest";
import { GlobalScorer, globalDimension } from "../src/scoring/trees/global-scorer.ts";
import { testTreeFeatures } from "../src/scoring/trees/tree-feature-check.ts";
import {
  checkTreeFeatures,
  matchTreeFeatures,
  type TreeFeatures,
  tableOf,
} from "../src/scoring/trees/tree-features.ts";
import { ChangingTree, type TreeView } from "../src/scoring/trees/tree-view.ts";
import { encoded, sample, TREEBANK } from "./support.ts";
import { wholeTreeLaws } from "./whole-tree-laws.ts";

const BITS = 10;
const FROM = 8;
const examples = [...TREEBANK, ...sample("train").slice(0, 8)];
const sentences = encoded(examples, 1).sentences.map((codes, s) => ({
  ...codes,
  words: examples[s]!.sentence,
}));

const tag = (tree: TreeView, i: number) => tree.word(i).upos ?? "";

/** One feature of each scope. */
const FEATURES: TreeFeatures = {
  name: "every scope",
  features: {
    arc: { scope: "head", features: (tree, m) => [`${tag(tree, tree.head(m))} ${tag(tree, m)}`] },
    tags: {
      scope: "modifiers",
      features: (tree, h) => [
        tree
          .modifiers(h)
          .map((m) => tag(tree, m))
          .join(" "),
        `${tag(tree, h)}`,
      ],
    },
    frame: {
      scope: "both",
      *features(tree, h) {
        for (const m of tree.modifiers(h)) yield `${tag(tree, tree.head(h))} ${tag(tree, h)} ${tag(tree, m)}`;
      },
    },
    grandparent: {
      features: (tree, m) => (m === 0 ? [] : [`${tree.head(Math.max(0, tree.head(m)))} ${tag(tree, m)}`]),
      touched: (tree, m) => [m, ...tree.modifiers(m), m],
    },
    depth: {
      scope: "tree",
      features(tree) {
        let depth = 0;
        for (let x = tree.n; x > 0; x = tree.head(x)) depth++;
        return [`depth ${depth}`];
      },
    },
  },
};
const table = tableOf(FEATURES, BITS);

describe.each([
  ["of a module alone", {}],
  ["of a module and all views", GLOBAL_TEMPLATES],
])("features of whole trees %s", (_name, templates) => {
  const configuration = { templates, bits: BITS, module: table };
  const scorer = new GlobalScorer(configuration, FEATURES);
  const stream = random(1);
  const length = FROM + globalDimension(configuration);
  const weights = Float32Array.from({ length }, () => stream.normal());

  it("have as many weights as they say", () => {
    expect(globalDimension(configuration)).toBe(PART_LINE * 2 ** BITS + 2 ** BITS);
  });

  wholeTreeLaws(scorer, sentences, { values: weights, first: FROM, scale: 0.5 });
});

describe("testTreeFeatures", () => {
  const words = examples.map(({ sentence }) => sentence);

  it("accepts features that keep to their scope", () => {
    expect(() => testTreeFeatures(FEATURES, words)).not.toThrow();
  });

  it.each([
    ["a grandparent at the scope of a head", "head"],
    ["a grandparent at the scope of head and modifiers", "both"],
  ] as const)("finds %s", (_name, scope) => {
    const features = (tree: TreeView, m: number) => [
      m === 0 ? "" : `${tree.head(Math.max(0, tree.head(m)))}`,
    ];
    const wrong: TreeFeatures = { name: "wrong", features: { far: { scope, features } } };
    expect(() => testTreeFeatures(wrong, words)).toThrow(
      /features\.far: expected word \d+ to keep its features/,
    );
  });
});

it("a view shows words, features, heads and modifiers", () => {
  const tree = new ChangingTree([
    { form: "Cats", feats: "Case=Nom|Number=Plur" },
    { form: "sleep", feats: "_" },
    { form: "here" },
  ]);
  tree.reset(Int32Array.of(-1, 2, 0, 2));
  expect([tree.n, tree.word(0).form, tree.word(1).form]).toEqual([3, "", "Cats"]);
  expect([tree.feature(1, "Number"), tree.feature(1, "Gender"), tree.feature(2, "Case")]).toEqual([
    "Plur",
    "",
    "",
  ]);
  expect([0, 1, 2, 3].map((i) => tree.head(i))).toEqual([-1, 2, 0, 2]);
  expect(tree.modifiers(2)).toEqual([1, 3]);
  tree.move(1, 3);
  tree.move(3, 0);
  expect([0, 2, 3].map((i) => [...tree.modifiers(i)])).toEqual([[2, 3], [], [1]]);
});

const feature = { scope: "head", features: () => [] };
it.each([
  [undefined, 'global: expected { name: "...", features: { ... } }, found nothing'],
  [{ features: {} }, "global: expected a name, found nothing"],
  [{ name: "x", features: {} }, "global: expected an object of features, found object {}"],
  [{ name: "x", features: { a: {} } }, 'global: features.a: expected a function "features", found nothing'],
  [{ name: "x", features: { a: { features: () => [] } } }, "expected a scope or a function"],
  [{ name: "x", features: { a: { ...feature, scope: "heads" } } }, '"heads" (did you mean "head"?)'],
  [{ name: "x", features: { a: { ...feature, touched: () => [] } } }, "found both"],
])("a module of features such as %j is refused", (value, message) => {
  expect(() => checkTreeFeatures(value)).toThrow(message);
});

it("a model's features are those that it was trained with", () => {
  const known = { ...table, specifier: "./every.mjs" };
  expect(matchTreeFeatures(known, FEATURES)).toBe(FEATURES);
  expect(matchTreeFeatures(undefined, undefined)).toBeUndefined();
  expect(() => matchTreeFeatures(known, undefined)).toThrow(/give the module with --global \.\/every\.mjs/);
  expect(() => matchTreeFeatures(known, { ...FEATURES, name: "other" })).toThrow('found the module "other"');
  const { arc: _, ...fewer } = FEATURES.features;
  expect(() => matchTreeFeatures(known, { ...FEATURES, features: fewer })).toThrow(
    "expected its features arc, tags, frame, grandparent, depth, found tags, frame",
  );
  expect(() => matchTreeFeatures(undefined, FEATURES)).toThrow(
    'expected none to parse with, found "every scope"',
  );
});
