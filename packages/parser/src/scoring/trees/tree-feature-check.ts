import { type Random, random, type Sentence } from "@arcwise/core";
import { scoredWords, touchedWords } from "./tree-feature-scorer.ts";
import { checkTreeFeatures, TreeFeatureError, type TreeFeatures } from "./tree-features.ts";
import { ChangingTree } from "./tree-view.ts";

/** Options of the test of features. */
export interface TreeFeatureTest {
  readonly seed?: number | undefined;
  /** Changes of head tried on each sentence. Default: 50. */
  readonly changes?: number | undefined;
}

/**
 * Tests that features depend on nothing but their scope. In random trees over the sentences, heads change at
 * random, and all words that a change does not affect must keep their features; otherwise incremental scores
 * would be wrong.
 *
 * Cost: n times the features for each change.
 *
 * @throws ArcwiseError `invalid-tree-features` that names the feature, the word and the change
 */
export function testTreeFeatures(
  features: TreeFeatures,
  sentences: readonly Sentence[],
  { seed = 1, changes = 50 }: TreeFeatureTest = {},
): void {
  checkTreeFeatures(features, features.specifier);
  const stream = random(seed);
  for (const sentence of sentences) {
    if (sentence.length < 2) continue;
    const tree = new ChangingTree(sentence);
    tree.reset(randomTree(stream, sentence.length));
    for (let change = 0; change < changes; change++) testChange(features, tree, stream);
  }
}

function testChange({ features }: TreeFeatures, tree: ChangingTree, stream: Random): void {
  const m = 1 + stream.int(tree.n);
  const head = stream.int(tree.n + 1);
  for (let x = head; x >= 0; x = tree.head(x)) if (x === m) return;
  const old = tree.head(m);
  const untouched: [name: string, word: number, before: string[]][] = [];
  for (const [name, feature] of Object.entries(features)) {
    const touched = new Set(touchedWords(feature, tree, m, head));
    for (const word of scoredWords(feature, tree.n)) {
      if (!touched.has(word)) untouched.push([name, word, [...feature.features(tree, word)]]);
    }
  }
  tree.move(m, head);
  for (const [name, word, before] of untouched) {
    const after = [...features[name].features(tree, word)];
    if (before.join("\n") === after.join("\n")) continue;
    throw new TreeFeatureError(
      `features.${name}: expected word ${word} to keep its features when the head of word ${m} ` +
        `changes from ${old} to ${head}, as its scope says; found ${JSON.stringify(before)} before and ` +
        `${JSON.stringify(after)} after`,
    );
  }
}

/** Draws a tree: in a random order, each word gets the root or an earlier word as its head. */
function randomTree(stream: Random, n: number): Int32Array {
  const heads = new Int32Array(n + 1).fill(-1);
  const order = Array.from({ length: n }, (_, i) => i + 1);
  stream.shuffle(order);
  for (const [index, m] of order.entries()) heads[m] = index === 0 ? 0 : order[stream.int(index)];
  return heads;
}
