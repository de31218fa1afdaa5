import type { TrainingStep } from "@arcwise/core/training";
import { networkEpochs, type PlainSettings, settingsOf } from "./settings.ts";
import type { TrainOptions } from "./train-options.ts";

/**
 * Estimated microseconds per word and epoch of each step, on one thread: fitted to trainings on English-EWT
 * (204,577 words) and Gothic-PROIEL (35,024 words) with the three presets.
 */
const PRUNER = 110;
const WEIGHTS = { 1: 110, 2: 190, 3: 280 } as const;
const SEARCH = { hillclimb: 1.5, ad3: 2 } as const;
/** The work of a recurrent network grows with the square of its units. */
const NETWORK = { fixed: 30, square: 0.03 };
const LABELLER = 30;
/** Pruners of the cross-fitting. */
const PRUNERS = 5;

/** Returns the estimated work of the steps of a training on `words` words, in microseconds on one thread. */
export function stepWork(
  words: number,
  { decoder, order, epochs, prune, labels, network }: PlainSettings,
): Readonly<Partial<Record<TrainingStep, number>>> {
  const search = Object.hasOwn(SEARCH, decoder) ? SEARCH[decoder as keyof typeof SEARCH] : 1;
  return {
    prune: prune === false ? 0 : PRUNERS * words * PRUNER,
    network: network
      ? network.members *
        networkEpochs(network, words) *
        words *
        (NETWORK.fixed + NETWORK.square * network.units * network.units)
      : 0,
    weights: epochs * words * WEIGHTS[order] * search,
    labels: labels.labeller === "sequence" ? 2 * labels.epochs * words * LABELLER : 0,
  };
}

/**
 * Returns the estimated work of a training on `words` words, in microseconds on one thread: to weigh it
 * against the training of a tagger and a tokeniser.
 *
 * @throws as `checkTrainOptions`
 */
export function trainingWork(words: number, options: TrainOptions = {}): number {
  const steps = Object.values(stepWork(words, settingsOf(options).plain));
  return steps.reduce((sum, work) => sum + work, 0);
}
