import type { Sentence } from "@arcwise/core";
import { ArcwiseError, invalidArgument } from "@arcwise/core/errors";
import { vocabularyCounter } from "@arcwise/core/features";
import {
  anything,
  type Check,
  checkArgument,
  checkLearned,
  checkReceived,
  field,
  list,
  shaped,
  string,
  words,
} from "@arcwise/core/options";
import { type OnlineLearner, type OnlineProgress, perceptron, trainOnline } from "@arcwise/learn";
import { bioForbidden } from "../chunks/bio.ts";
import { frequentFormsOf, SequenceEncoder } from "../features/attributes.ts";
import {
  collectDictionary,
  type DictionaryData,
  type DictionaryLevel,
  dictionaryAttributes,
  LabelDictionary,
} from "../features/dictionary.ts";
import { KeyExtractor } from "../features/extraction.ts";
import { collectFeatures, FeatureSpace, type FeatureSpaceData } from "../features/feature-space.ts";
import { type Gazetteer, type GazetteerData, gazetteerData, MAX_GAZETTEERS } from "../features/gazetteers.ts";
import type { SequenceTemplate } from "../features/templates.ts";
import type { ChainExample } from "./chain-example.ts";
import { ChainScorer } from "./chain-scorer.ts";
import { type ChainTask, chainTask } from "./chain-task.ts";

/** Maximum number of labels of a model file. */
const MAX_LABELS = 2 ** 16;
/** Checks the labels of a model. */
export const CHAIN_LABELS: Check = list(field, { min: 1, max: MAX_LABELS, distinct: true });

/** A sequence with its labels, one per word. */
export interface LabelledSentence {
  readonly sentence: Sentence;
  readonly labels: readonly string[];
}

/** Configuration of labelling, without weights and collected features. Plain data. */
export interface ChainConfiguration {
  readonly templates: readonly SequenceTemplate[];
  readonly labels: readonly string[];
  /** Whether labels are BIO or BIOES, and only valid sequences of them are returned. */
  readonly bio: boolean;
  readonly normalisation: "global" | "local";
}

/** A trained chain model. Plain data. */
export interface ChainModel {
  readonly configuration: ChainConfiguration;
  /** Codes of the forms that are not rare. */
  readonly frequentForms: Int32Array;
  readonly space: FeatureSpaceData;
  readonly dictionary?: DictionaryData | undefined;
  /** The lists of names that templates look up. */
  readonly gazetteers?: readonly GazetteerData[] | undefined;
  readonly weights: Float32Array | Int8Array;
  /** Unit of weights that were rounded to bytes. Default: 1. */
  readonly scale?: number | undefined;
}

/** Options of a chain model. */
export interface ChainOptions {
  readonly templates: readonly SequenceTemplate[];
  /** Features that occur fewer times are left out. Default: 1. */
  readonly minimum?: number | undefined;
  /**
   * Whether an attribute of the input is a feature with all labels, or only with those it was seen with.
   * Default: "all".
   */
  readonly pairs?: "all" | "observed" | undefined;
  /** Levels by which candidate labels are looked up; without them every word has all labels. */
  readonly dictionary?: readonly DictionaryLevel[] | undefined;
  /** Up to eight lists of names, which the attributes `list1`, `first1`, ... of templates look up. */
  readonly gazetteers?: readonly Gazetteer[] | undefined;
  /** Returns only valid BIO or BIOES sequences. Default: false. */
  readonly bio?: boolean | undefined;
  /** "local" for a maximum-entropy Markov model. Default: "global". */
  readonly normalisation?: "global" | "local" | undefined;
  /** Beam width, for learners that update by inexact search. Default: 8. */
  readonly beam?: number | undefined;
}

/** Options of `trainChain`. */
export interface ChainTrainOptions extends ChainOptions {
  /** Makes the learner. Default: the averaged perceptron. */
  readonly learner?: ((dimension: number) => OnlineLearner) | undefined;
  /** Default: 10. */
  readonly epochs?: number | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  readonly onProgress?: ((progress: OnlineProgress) => void) | undefined;
  /** Called after each epoch with a function that makes the current model. */
  readonly onEpoch?: ((epoch: number, model: () => ChainModel) => void | Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A training set as a task of learners, with a function that makes a model from learned weights. */
export interface ChainTraining {
  readonly task: ChainTask;
  readonly examples: readonly ChainExample[];
  /** Makes the model of a weight vector, which is copied. */
  model(weights: Float32Array | Float64Array): ChainModel;
}

/**
 * Collects labels, features and dictionary of a training set.
 *
 * Memory: 4 bytes per template and word. O(pieces of the templates, at all words).
 *
 * @throws ArcwiseError `invalid-argument` without sentences; `invalid-data` without words, or when a sentence does not
 *   have one label per word
 * @throws RangeError when a template is invalid
 */
export function prepareChain(examples: readonly LabelledSentence[], options: ChainOptions): ChainTraining {
  const {
    templates,
    minimum = 1,
    pairs = "all",
    dictionary: levels,
    bio = false,
    normalisation = "global",
  } = options;
  checkLabelled(examples);
  const labels = labelsOf(examples);
  const ids = new Map(labels.map((label, id) => [label, id]));
  const extractor = new KeyExtractor(templates);
  const frequentForms = frequentFormsOf(examples.map(({ sentence }) => sentence)).sort();
  const wanted = [...extractor.attributes, ...dictionaryAttributes(levels ?? [])];
  const gazetteers = gazetteersOf(options.gazetteers);
  const encoder = new SequenceEncoder(wanted, frequentForms, gazetteers);
  const encoded = examples.map((example) => ({
    sequence: encoder.encode(example.sentence),
    labels: Int32Array.from(example.labels, (label) => ids.get(label)!),
  }));
  const dictionary = levels && collectDictionary(encoded, levels);
  const data = collectFeatures(encoded, extractor, labels.length, { pairs, minimum });
  const space = new FeatureSpace(data, labels.length, extractor);
  const scorer = new ChainScorer(space, extractor, dictionary && new LabelDictionary(dictionary));
  const prepared = encoded.map((example) => ({
    prepared: scorer.prepare(example.sequence, { gold: example.labels }),
    labels: example.labels,
  }));
  const { beam } = options;
  return {
    examples: prepared,
    task: chainTask(prepared, scorer, { normalisation, beam }),
    model: (weights) => ({
      configuration: { templates, labels, bio, normalisation },
      frequentForms,
      space: data,
      dictionary,
      gazetteers,
      weights: Float32Array.from(weights),
    }),
  };
}

/**
 * Trains a chain model with an online learner, which processes one sentence at a time. The same examples,
 * options and seed give the same model.
 *
 * @throws as `prepareChain`; RangeError when epochs or seed are out of range
 * @throws the reason of the signal once that is aborted
 *
 * @example
 * import { crf } from "@arcwise/learn";
 * import { chunkScores, createLabeller, type LabelledSentence, trainChain } from "@arcwise/sequence";
 *
 * // A sentence of `form/label` words.
 * function labelled(text: string): LabelledSentence {
 *   const words = text.split(" ").map((word) => word.split("/") as [form: string, label: string]);
 *   return { sentence: words.map(([form]) => ({ form })), labels: words.map(([, label]) => label) };
 * }
 *
 * const examples = [
 *   "Ada/B-PER Lovelace/I-PER wrote/O to/O London/B-LOC",
 *   "Charles/B-PER Babbage/I-PER lived/O in/O London/B-LOC",
 *   "They/O met/O Ada/B-PER in/O New/B-LOC York/I-LOC",
 *   "Grace/B-PER Hopper/I-PER worked/O in/O New/B-LOC York/I-LOC",
 * ].map(labelled);
 *
 * // Templates define features of nearby words and of the previous label.
 * const templates = ["bias", "word", "word-1", "word+1", "shape", "shape shape+1", "suffix2", "label-1"];
 * const learner = (dimension: number) => crf(dimension, { l2: 1e-3 });
 * const labeller = createLabeller(await trainChain(examples, { templates, bio: true, epochs: 30, learner }));
 * const words = "Grace Lovelace lived in York".split(" ").map((form) => ({ form }));
 * console.log(labeller.label(words).join(" ")); // B-PER I-PER O O B-LOC
 *
 * // Probabilities, other analyses, and labels that are known in advance.
 * const [grace] = labeller.marginals(words);
 * console.log(grace![0]!.label, grace![0]!.probability > 0.8, labeller.kBest(words, 3).length); // B-PER true 3
 * const known = [undefined, "B-LOC", undefined, undefined, undefined];
 * console.log(labeller.label(words, { known }).slice(0, 2).join(" ")); // B-PER B-LOC
 * const found = examples.map(({ sentence }) => labeller.label(sentence));
 * console.log(chunkScores(examples.map(({ labels }) => labels), found).f1); // 1
 */
export async function trainChain(
  examples: readonly LabelledSentence[],
  options: ChainTrainOptions,
): Promise<ChainModel> {
  const { epochs = 10, seed = 1, onEpoch, onProgress, signal } = options;
  const training = prepareChain(examples, options);
  const learner = (options.learner ?? perceptron)(training.task.dimension);
  await trainOnline(training.task, learner, {
    epochs,
    seed,
    onProgress,
    onEpoch: onEpoch && (({ epoch }) => onEpoch(epoch, () => training.model(learner.result()))),
    signal,
  });
  return training.model(learner.result());
}

const EXAMPLES = list(anything);
const EXAMPLE = shaped<LabelledSentence>("a sentence with its labels", {
  sentence: words,
  labels: list(string),
});

/** Checks labelled sentences. */
export function checkLabelled(examples: readonly LabelledSentence[]): void {
  checkArgument(EXAMPLES, examples, "examples");
  if (examples.length === 0) throw invalidArgument("examples", "at least one sentence", "none");
  for (const [s, example] of examples.entries()) {
    const at = `sentence ${s + 1}`;
    checkReceived(EXAMPLE, example, at);
    const { sentence, labels } = example;
    if (sentence.length !== labels.length) {
      const message = `${at}: expected ${sentence.length} labels, got ${labels.length}`;
      throw new ArcwiseError("invalid-data", message, { at });
    }
  }
}

/** Returns the labels of a training set, the most frequent first. */
function labelsOf(examples: readonly LabelledSentence[]): readonly string[] {
  const counter = vocabularyCounter();
  for (const { labels } of examples) for (const label of labels) counter.add(label);
  const { strings } = counter.vocabulary();
  if (strings.length === 0) throw new ArcwiseError("invalid-data", "expected at least one word, got none");
  checkLearned(CHAIN_LABELS, strings, "labels");
  return strings;
}

export function gazetteersOf(lists: readonly Gazetteer[] | undefined): readonly GazetteerData[] | undefined {
  if (lists === undefined || lists.length === 0) return undefined;
  if (lists.length > MAX_GAZETTEERS) {
    throw new RangeError(`expected at most ${MAX_GAZETTEERS} gazetteers, got ${lists.length}`);
  }
  return lists.map(gazetteerData);
}

/** Number of labels, the most frequent ones, that are candidates of words that a dictionary does not know. */
const UNKNOWN = 256;

/** Scorer of sequences by a model: the weights are used without copying. */
export interface ChainReader {
  readonly encoder: SequenceEncoder;
  readonly scorer: ChainScorer;
}

/** Models that share an encoder. */
interface EncoderGroup {
  readonly forms: Int32Array;
  readonly gazetteers: readonly GazetteerData[] | undefined;
  readonly attributes: number[];
}

/**
 * Returns a reader of each model. Those of the same training set share an encoder, so that a sequence is
 * encoded once.
 */
export function readersOf(models: readonly ChainModel[]): ChainReader[] {
  const scorers = models.map(scorerOf);
  const groups = new Map<string, EncoderGroup>();
  const names = models.map(({ frequentForms, dictionary, gazetteers }, k) => {
    const lists = gazetteers?.map(
      ({ ignoreCase, keys, first }) => `${ignoreCase} ${keys.join()} ${first.join()}`,
    );
    const name = [frequentForms.join(), ...(lists ?? [])].join("\n");
    const group = groups.get(name) ?? { forms: frequentForms, gazetteers, attributes: [] };
    group.attributes.push(...scorers[k].extractor.attributes);
    group.attributes.push(...dictionaryAttributes(dictionary?.levels ?? []));
    groups.set(name, group);
    return name;
  });
  const encoders = new Map(
    Array.from(groups, ([name, { forms, attributes, gazetteers }]) => [
      name,
      new SequenceEncoder(attributes, forms, gazetteers),
    ]),
  );
  return scorers.map((scorer, k) => ({ scorer, encoder: encoders.get(names[k])! }));
}

function scorerOf({ configuration, space: data, dictionary, weights }: ChainModel): ChainScorer {
  const { templates, labels, bio } = configuration;
  const extractor = new KeyExtractor(templates);
  const space = new FeatureSpace(data, labels.length, extractor);
  if (weights.length !== space.dimension) {
    throw new RangeError(`expected ${space.dimension} weights, got ${weights.length}`);
  }
  return new ChainScorer(space, extractor, dictionary && new LabelDictionary(dictionary), {
    frozen: true,
    unknown: UNKNOWN,
    forbidden: bio ? bioForbidden(labels) : undefined,
  });
}
