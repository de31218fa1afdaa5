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
  TAGGING_TEMPLATES,
  trainAutomaton,
  trainChain,
} from "@arcwise/sequence";
import { createNeuralLabeller, type NeuralShape, trainNeural } from "@arcwise/sequence/neural";
import { trainHmmTagger } from "./hmm-tagger.ts";
import { namesByType } from "./names-by-type.ts";
import { placeNames } from "./places.ts";
import type { SequenceModel } from "./sequence-model.ts";

type ChainModel = Awaited<ReturnType<typeof trainChain>>;
type NeuralModel = Awaited<ReturnType<typeof trainNeural>>;

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

type Labels = SequenceModel["label"];

/** How a subject trains: a model is made for measurements after an epoch, and at the end. */
type Train<Trained> = (
  examples: readonly LabelledSentence[],
  settings: {
    readonly epochs: number;
    readonly seed: number;
    readonly onEpoch: (epoch: number, make: () => Trained) => void;
    readonly onStart: () => void;
  },
) => Promise<Trained>;

/** Returns a subject. @param use the number of weights of what is trained, and its labels of a sentence */
function subject<Trained>(
  model: string,
  epochs: number,
  train: Train<Trained>,
  use: (trained: Trained, examples: readonly LabelledSentence[]) => readonly [weights: number, label: Labels],
): SequenceSubject {
  return {
    model,
    epochs,
    async train(examples, { onStart = () => {}, onEpoch, ...settings }) {
      const modelOf = (trained: Trained): SequenceModel => {
        const [weights, label] = use(trained, examples);
        return { weights, label };
      };
      const measured = (epoch: number, make: () => Trained) => onEpoch?.(epoch, () => modelOf(make()));
      return modelOf(await train(examples, { ...settings, onStart, onEpoch: measured }));
    },
  };
}

/** Returns a linear chain. @param given its options, or how they follow from the training set */
export function chain(
  model: string,
  given: ChainTrainOptions | ((examples: readonly LabelledSentence[]) => ChainTrainOptions),
  epochs: number,
  { bioes = false } = {},
): SequenceSubject {
  const made = subject<ChainModel>(
    model,
    epochs,
    (examples, { onStart, ...settings }) => {
      let isStarted = false;
      const onProgress = () => {
        if (!isStarted) onStart();
        isStarted = true;
      };
      const options = typeof given === "function" ? given(examples) : given;
      return trainChain(examples, { ...options, ...settings, onProgress });
    },
    (trained) => [trained.weights.length, createLabeller(trained).label],
  );
  return { ...made, bioes };
}

/**
 * Returns a conditional random field trained by exponentiated gradient on the dual. The objective is 1 / 2 |w|² plus the
 * sum of losses.
 */
export function dual(model: string, options: ChainTrainOptions, epochs: number): SequenceSubject {
  return subject<ChainModel>(
    model,
    epochs,
    async (examples, { epochs: most, seed, onStart, onEpoch }) => {
      const training = prepareChain(examples, options);
      onStart();
      const { weights } = await exponentiatedGradient(training.task, {
        ...{ l2: 1 / examples.length, epochs: most, seed, tolerance: 0, checkEvery: 1 },
        onCheck: ({ epoch, weights: current }) => onEpoch(epoch, () => training.model(current)),
      });
      return training.model(weights);
    },
    (trained) => [trained.weights.length, createLabeller(trained).label],
  );
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
  const automatonOf =
    (examples: readonly LabelledSentence[]): AutomatonFactory =>
    (labels) =>
      gramAutomaton(labels.length, order, forbiddenPairs(labels, examples));
  return subject<AutomatonModel>(
    `averaged perceptron, exact ${order}-grams`,
    epochs,
    (examples, { onStart, ...settings }) => {
      onStart();
      return trainAutomaton(examples, { ...settings, templates, automaton: automatonOf(examples) });
    },
    (trained, examples) => [
      trained.chain.weights.length + trained.transitionWeights.length,
      createAutomatonLabeller(trained, automatonOf(examples)).label,
    ],
  );
}

/** Returns a network. */
export function network(model: string, shape: NeuralShape, epochs: number): SequenceSubject {
  return subject<NeuralModel>(
    model,
    epochs,
    (examples, { onStart, onEpoch, ...settings }) => {
      onStart();
      return trainNeural(examples, {
        ...shape,
        ...settings,
        onEpoch: (epoch, _loss, make) => onEpoch(epoch, make),
      });
    },
    (trained) => [trained.parameters.length, createNeuralLabeller(trained).label],
  );
}

/** Returns a hidden Markov model, trained by counting in one pass. */
export function hidden(model: string, order: 2 | 3): SequenceSubject {
  return subject<SequenceModel>(
    model,
    1,
    async (examples, { onStart, onEpoch }) => {
      onStart();
      const trained = trainHmmTagger(examples, order);
      onEpoch(1, () => trained);
      return trained;
    },
    ({ weights, label }) => [weights, label],
  );
}
