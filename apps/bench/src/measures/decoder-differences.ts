import { type BootstrapResult, pairedBootstrap } from "@arcwise/evaluate";
import type { SentenceRights } from "../results/results.ts";

/** Number of resampled sets of sentences for each pair of decoders. */
const SAMPLES = 1000;

/** The difference in LAS of two decoders on the same sentences, the second minus the first. */
export interface DecoderDifference {
  readonly first: string;
  readonly second: string;
  readonly las: BootstrapResult;
  /** The p-value of `las`, corrected by Holm over the pairs with the last decoder; absent in other pairs. */
  readonly correctedP?: number | undefined;
}

interface Counted {
  readonly decoder: string;
  readonly rights: SentenceRights;
}

/** Compares the right heads, or the right arcs, of the same sentences by a paired bootstrap. */
export function difference(
  [first, second]: readonly [SentenceRights, SentenceRights],
  counted: "heads" | "arcs",
  options: { readonly seed: number; readonly samples?: number },
): BootstrapResult {
  const [a, b] = [first, second].map((rights) => ({ correct: rights[counted], total: rights.words }));
  return pairedBootstrap({ a: a!, b: b! }, options);
}

/** Returns all pairs of items, each once. */
export function pairsOf<T>(items: readonly T[]): (readonly [T, T])[] {
  return items.flatMap((first, i) => items.slice(i + 1).map((second) => [first, second] as const));
}

/**
 * Compares all pairs of decoders, the last of which is the exact one, by a paired bootstrap over sentences: 1,000 samples from the seed.
 * Cost: O(pairs · samples · sentences).
 */
export function decoderDifferences(decoders: readonly Counted[], seed: number): DecoderDifference[] {
  const pairs = pairsOf(decoders).map(([first, second]) => {
    const las = difference([first.rights, second.rights], "arcs", { seed, samples: SAMPLES });
    return { first: first.decoder, second: second.decoder, las };
  });
  const last = decoders.at(-1)?.decoder;
  const tested = pairs.filter(({ second }) => second === last);
  const corrected = holm(tested.map(({ las }) => las.pValue));
  return pairs.map((pair) => {
    const at = tested.indexOf(pair);
    return at < 0 ? pair : { ...pair, correctedP: corrected[at]! };
  });
}

/**
 * Returns p-values corrected for several tests by the method of Holm (1979), in the order given: the smallest
 * is multiplied by the number of tests, the next by one less, and so on; none is below one before it.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = [...pValues.keys()].sort((a, b) => pValues[a]! - pValues[b]!);
  const corrected = new Array<number>(pValues.length);
  let last = 0;
  for (const [rank, test] of order.entries()) {
    last = Math.max(last, Math.min(1, (pValues.length - rank) * pValues[test]!));
    corrected[test] = last;
  }
  return corrected;
}
