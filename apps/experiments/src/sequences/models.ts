import { crf, exponentiatedGradient, type OnlineLearner, perceptron, svm } from "@arcwise/learn";
import {
  type AutomatonFactory,
  type AutomatonModel,
  bioForbidden,
  CHUNKING_TEMPLATES,
  type ChainTrainOptions,
  createAutomatonLabeller,
  createLabeller,
  gazetteerTemplates,
  gramAutomaton,
  type LabelledSentence,
  NAMES_TEMPLATES,
  prepareChain,
  RATNAPARKHI_TEMPLATES,
  TAG_DICTIONARY,
  TAGGING_TEMPLATES,
  trainAutomaton,
  trainChain,
} from "@arcwise/sequence";
import { createNeuralLabeller, type NeuralShape, trainNeural } from "@arcwise/sequence/neural";
import { trainHmmTagger } from "./hmm-tagger.ts";
import { namesByType } from "./names-by-type.ts";
import { placeNames } from "./places.ts";
import type { SequenceModel } from "./sequence-model.ts";

export interface SubjectSettings {
  readonly epochs: number;
  readonly seed: number;
  /** Called after preparation, when training starts. */
  readonly onStart?: (() => void) | undefined;
  /** Called after each epoch. */
  readonly onEpoch?: ((epoch: number, model: () => SequenceModel) => void) | undefined;
}

/** A model to train, with its display name. */
export interface SequenceSubject {
  readonly model: string;
  readonly epochs: number;
  /** Whether BIO labels are learned as BIOES, with a label for the end of a chunk. */
  readonly bioes?: boolean | undefined;
  train(examples: readonly LabelledSentence[], settings: SubjectSettings): Promise<SequenceModel>;
}

type Learner = (dimension: number) => OnlineLearner;
export const plain: Learner = (dimension) => perceptron(dimension, { averaged: false });
export const loglinear: Learner = (dimension) => crf(dimension, { rate: 0.1, l2: 1e-5 });
export const margin: Learner = (dimension) => svm(dimension, { optimizer: "adagrad", rate: 0.1, l2: 1e-5 });

export const chunking: ChainTrainOptions = { templates: CHUNKING_TEMPLATES, bio: true };
export const names: ChainTrainOptions = { templates: NAMES_TEMPLATES, bio: true };
export const tagging: ChainTrainOptions = { templates: TAGGING_TEMPLATES };
export const trigrams: ChainTrainOptions = { templates: [...TAGGING_TEMPLATES, "label-1 label-2"] };
export const collins: ChainTrainOptions = {
  templates: RATNAPARKHI_TEMPLATES,
  dictionary: TAG_DICTIONARY,
  pairs: "observed",
};
export const withoutHistory = (options: ChainTrainOptions): ChainTrainOptions => ({
  ...options,
  bio: false,
  templates: options.templates.filter((template) => !template.includes("label-1")),
});

/** Returns `names` with lists: the names of each type in the training set, and places. */
export const namesWithLists =
  (lists: "places" | "training" | "both") =>
  (examples: readonly LabelledSentence[]): ChainTrainOptions => {
    const gazetteers = [
      ...(lists === "training" ? [] : [{ names: placeNames() }]),
      ...(lists === "places" ? [] : namesByType(examples)),
    ];
    const more = gazetteers.flatMap((_, k) => gazetteerTemplates(k + 1));
    return { ...names, gazetteers, templates: [...NAMES_TEMPLATES, ...more] };
  };

/** Returns a linear chain. @param given its options, or how they follow from the training set */
export function chain(
  model: string,
  given: ChainTrainOptions | ((examples: readonly LabelledSentence[]) => ChainTrainOptions),
  epochs: number,
  { bioes = false } = {},
): SequenceSubject {
  return {
    model,
    epochs,
    bioes,
    async train(examples, { onStart, onEpoch, ...settings }) {
      let isStarted = false;
      const options = typeof given === "function" ? given(examples) : given;
      const labelling = (trained: Awaited<ReturnType<typeof trainChain>>): SequenceModel => ({
        weights: trained.weights.length,
        label: createLabeller(trained).label,
      });
      const trained = await trainChain(examples, {
        ...options,
        ...settings,
        onProgress: () => {
          if (!isStarted) onStart?.();
          isStarted = true;
        },
        onEpoch: (epoch, make) => onEpoch?.(epoch, () => labelling(make())),
      });
      return labelling(trained);
    },
  };
}

/**
 * Returns a conditional random field trained by exponentiated gradient on the dual. The objective is 1 / 2 |w|² plus the
 * sum of losses.
 */
export function dual(model: string, options: ChainTrainOptions, epochs: number): SequenceSubject {
  return {
    model,
    epochs,
    async train(examples, { epochs: most, seed, onStart, onEpoch }) {
      const training = prepareChain(examples, options);
      const labelling = (weights: Float64Array): SequenceModel => ({
        weights: weights.length,
        label: createLabeller(training.model(weights)).label,
      });
      onStart?.();
      const { weights } = await exponentiatedGradient(training.task, {
        l2: 1 / examples.length,
        epochs: most,
        seed,
        tolerance: 0,
        checkEvery: 1,
        onCheck: ({ epoch, weights: current }) => onEpoch?.(epoch, () => labelling(current)),
      });
      return labelling(weights);
    },
  };
}

/** Returns the pairs of labels that BIO notation forbids and a training set does not have: see `bioForbidden`. */
function forbiddenPairs(labels: readonly string[], examples: readonly LabelledSentence[]): Uint8Array {
  const forbidden = bioForbidden(labels);
  for (const { labels: gold } of examples) {
    let before = labels.length;
    for (const label of gold.map((name) => labels.indexOf(name))) {
      forbidden[before * labels.length + label] = 0;
      before = label;
    }
  }
  return forbidden;
}

/** Returns an averaged perceptron with features of all k-grams of BIO labels up to an order, searched exactly. */
export function grams(order: number, { templates }: ChainTrainOptions, epochs: number): SequenceSubject {
  return {
    model: `averaged perceptron, exact ${order}-grams`,
    epochs,
    async train(examples, { onStart, onEpoch, ...settings }) {
      const automaton: AutomatonFactory = (labels) =>
        gramAutomaton(labels.length, order, forbiddenPairs(labels, examples));
      const labelling = (trained: AutomatonModel): SequenceModel => ({
        weights: trained.chain.weights.length + trained.transitionWeights.length,
        label: createAutomatonLabeller(trained, automaton).label,
      });
      onStart?.();
      const trained = await trainAutomaton(examples, {
        ...settings,
        templates,
        automaton,
        onEpoch: (epoch, make) => onEpoch?.(epoch, () => labelling(make())),
      });
      return labelling(trained);
    },
  };
}

/** Returns a network. */
export function network(model: string, shape: NeuralShape, epochs: number): SequenceSubject {
  return {
    model,
    epochs,
    async train(examples, { onStart, onEpoch, ...settings }) {
      const labelling = (trained: Awaited<ReturnType<typeof trainNeural>>): SequenceModel => ({
        weights: trained.parameters.length,
        label: createNeuralLabeller(trained).label,
      });
      onStart?.();
      const trained = await trainNeural(examples, {
        ...shape,
        ...settings,
        onEpoch: (epoch, _loss, make) => onEpoch?.(epoch, () => labelling(make())),
      });
      return labelling(trained);
    },
  };
}

/** Returns a hidden Markov model, trained by counting in one pass. */
export function hidden(model: string, order: 2 | 3): SequenceSubject {
  return {
    model,
    epochs: 1,
    async train(examples, { onStart, onEpoch }) {
      onStart?.();
      const trained = trainHmmTagger(examples, order);
      onEpoch?.(1, () => trained);
      return trained;
    },
  };
}
