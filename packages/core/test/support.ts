import type { Arcs, ParsingProblem, PartKind, Random } from "@arcwise/core";
import { filterArcs, partLayout } from "@arcwise/core";
import fc from "fast-check";

/** A random tree of n words: each word, in random order, hangs off the root or a word placed before it. */
export function randomTree(rng: Random, n: number, singleRoot = false): Int32Array {
  const order = rng.shuffle(Array.from({ length: n }, (_, i) => i + 1));
  const heads = new Int32Array(n + 1).fill(-1);
  order.forEach((word, i) => {
    if (i === 0) heads[word] = 0;
    else heads[word] = singleRoot ? order[rng.int(i)] : rng.int(i + 1) === i ? 0 : order[rng.int(i)];
  });
  return heads;
}

/** Trees of up to `most` words, several roots among them; they shrink towards chains from the left. */
export function trees(most: number): fc.Arbitrary<Int32Array> {
  return fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: most }).map((draws) => {
    const placed = [0];
    const left = draws.map((_, i) => i + 1);
    const heads = new Int32Array(draws.length + 1).fill(-1);
    for (const [word, head] of draws) {
      const [m] = left.splice(word % left.length, 1);
      heads[m!] = placed[head % placed.length];
      placed.push(m!);
    }
    return heads;
  });
}

/** Each arc of the sentence is a candidate with the probability given. */
export function randomArcs(rng: Random, n: number, probability: number): Arcs {
  return filterArcs(n, () => rng.next() < probability);
}

/** Random scores for arcs and for tables of the kinds. */
export function randomProblem(rng: Random, arcs: Arcs, kinds: readonly PartKind[]): ParsingProblem {
  const parts = kinds.map((kind) => {
    const table = partLayout(kind, arcs);
    for (let p = 0; p < table.scores.length; p++) table.scores[p] = rng.normal();
    return table;
  });
  return { arcs, arcScores: Float64Array.from(arcs.head, () => rng.normal()), parts };
}

/** Whether `top` is `word` or above it. */
export function isAbove(heads: Int32Array, top: number, word: number): boolean {
  let above = word;
  while (above > 0 && above !== top) above = heads[above];
  return above === top;
}

/** Returns what a function throws; undefined if it returns. */
export function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
