import { type BootstrapResult, pairedBootstrap } from "@arcwise/evaluate";
import { holm } from "../results/holm.ts";
import type { SentenceRights } from "../results/results.ts";

/** Number of resampled sets of sentences for each pair. */
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

/**
 * Compares all pairs of decoders, the last of which is the exact one, by a paired bootstrap over sentences: 1,000 samples from the seed.
 * Cost: O(pairs · samples · sentences).
 */
export function decoderDifferences(decoders: readonly Counted[], seed: number): DecoderDifference[] {
  const options = { seed, samples: SAMPLES };
  const pairs = decoders.flatMap((first, i) =>
    decoders.slice(i + 1).map((second) => {
      const las = pairedBootstrap({ a: countsOf(first), b: countsOf(second) }, options);
      return { first: first.decoder, second: second.decoder, las };
    }),
  );
  const last = decoders.at(-1)?.decoder;
  const tested = pairs.filter(({ second }) => second === last);
  const corrected = holm(tested.map(({ las }) => las.pValue));
  return pairs.map((pair) => {
    const at = tested.indexOf(pair);
    return at < 0 ? pair : { ...pair, correctedP: corrected[at]! };
  });
}

function countsOf({ rights }: Counted) {
  return { correct: rights.arcs, total: rights.words };
}
