import { isTree, type Random, random, SparseVector } from "@arcwise/core";
import type { EncodedSentence, WeightTable } from "@arcwise/core/features";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { GlobalScorer } from "../src/scoring/trees/global-scorer.ts";

/**
 * A tree drawn at random: each word in a random order hangs on the root or a word that is in the tree
 * already.
 */
export function randomTree(stream: Random, n: number): Int32Array {
  const tree = new Int32Array(n + 1).fill(-1);
  const order = Array.from({ length: n }, (_, i) => i + 1);
  stream.shuffle(order);
  for (const [index, m] of order.entries()) tree[m] = index === 0 ? 0 : (order[stream.int(index)] ?? 0);
  if (n > 2 && stream.int(3) === 0) tree[order[n - 1]!] = 0;
  return tree;
}

/** Words that m can hang on: all but those below it. */
export function possibleHeads(tree: Int32Array, m: number): Int32Array {
  return Int32Array.from(tree.keys()).filter((h) => {
    let x = h;
    while (x > 0 && x !== m) x = tree[x]!;
    return x !== m;
  });
}

/** Declares the tests of every scorer of whole trees. */
export function wholeTreeLaws(
  scorer: GlobalScorer,
  sentences: readonly EncodedSentence[],
  table: WeightTable & { readonly values: Float32Array },
): void {
  it("scores a change of a head as the difference of two whole trees, along random walks", () => {
    const property = fc.property(fc.nat(sentences.length - 1), fc.nat(1e6), (index, seed) => {
      const sentence = sentences[index]!;
      const { n } = sentence;
      const stream = random(seed);
      const whole = scorer.scorer(sentence, table);
      const climb = whole.incremental!();
      const tree = randomTree(stream, n);
      let score = climb.reset(tree);
      expect(score).toBe(whole.score(tree));
      for (let step = 0; step < 6; step++) {
        const m = 1 + stream.int(n);
        const candidates = possibleHeads(tree, m);
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

  it("scores trees as the features that are learned from them", () => {
    const stream = random(3);
    const { values, first: from, scale } = table;
    for (const sentence of sentences) {
      const [first, second] = [randomTree(stream, sentence.n), randomTree(stream, sentence.n)];
      // Two trees that are alike in part, too.
      const similar = first.with(1, first.indexOf(0, 1) === 1 ? 0 : first.indexOf(0, 1));
      for (const other of [second, similar, first]) {
        if (!isTree(other)) continue;
        const difference = new SparseVector();
        scorer.addFeatures(sentence, { heads: other, than: first }, { first: from, scale }, difference);
        scorer.addFeatures(
          sentence,
          { heads: first, than: other },
          { first: from, scale: -scale },
          difference,
        );
        const whole = scorer.scorer(sentence, table);
        expect(difference.dot(values)).toBeCloseTo(whole.score(other) - whole.score(first), 6);
        if (other === first) expect(difference.size).toBe(0);
        expect(difference.indices.subarray(0, difference.size).every((at) => at >= from)).toBe(true);
      }
    }
  });
}
