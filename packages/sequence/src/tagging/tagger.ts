import type { Sentence, Word } from "@arcwise/core";
import { readContainer, type SectionTable, writeContainer } from "@arcwise/core/container";
import {
  callback,
  checkArgument,
  checkOptions,
  defineOptions,
  field,
  flag,
  integer,
  joinOptions,
  list,
  oneOf,
  optional,
  record,
  refuse,
  signal,
  withMembers,
  words,
} from "@arcwise/core/options";
import {
  columnWarnings,
  epochShare,
  identifiersOf,
  type TrainingProgress,
  TrainingReporter,
  type TrainingWarning,
} from "@arcwise/core/training";
import { type ChainHeader, chainSections, checkChain, compactChain, readChain } from "../chain/chain-file.ts";
import {
  type ChainModel,
  type ChainOptions,
  type LabelledSentence,
  readersOf,
  trainChain,
} from "../chain/chain-model.ts";
import { sequenceLabeller } from "../chain/labeller.ts";
import type { EncodedSequence, SequenceEncoder } from "../features/attributes.ts";
import { type Gazetteer, MAX_GAZETTEERS } from "../features/gazetteers.ts";
import {
  gazetteerTemplates,
  MORPHOLOGY_TEMPLATES,
  TAG_DICTIONARY,
  TAGGING_TEMPLATES,
} from "../features/template-sets.ts";
import {
  checkLemmas,
  type LemmaHeader,
  type LemmaModel,
  lemmaSections,
  readLemmas,
} from "../lemmas/lemma-model.ts";
import { trainLemmas } from "../lemmas/lemma-training.ts";
import { Lemmatizer } from "../lemmas/lemmatizer.ts";

/** Columns of CoNLL-U that a tagger predicts, in order: later ones use the earlier ones as input. */
export const TAGGER_COLUMNS = ["upos", "xpos", "feats", "lemma"] as const;
/** A column of CoNLL-U that a tagger predicts. */
export type TaggerColumn = (typeof TAGGER_COLUMNS)[number];
/** A column that a chain model predicts. */
type LabelledColumn = Exclude<TaggerColumn, "lemma">;

/** A trained tagger. Plain data. */
export interface TaggerModel {
  readonly description: {
    readonly columns: readonly TaggerColumn[];
    readonly epochs: number;
    readonly seed: number;
    readonly trainingSentences: number;
    readonly trainingWords: number;
  };
  readonly columns: readonly { readonly name: LabelledColumn; readonly model: ChainModel }[];
  readonly lemmas?: LemmaModel | undefined;
}

/** Tags sentences with one model. Not for concurrent use. */
export interface Tagger {
  /** The columns that it predicts. */
  readonly columns: readonly TaggerColumn[];
  /**
   * Returns the words with the tagger's columns replaced and the others unchanged. Reads only the forms.
   *
   * O(n (templates · candidates + candidates²)).
   */
  tag(sentence: Sentence): Word[];
  /**
   * Returns the lemma of a word by its form, universal tag and features. Undefined: it predicts no lemmas.
   */
  readonly lemma: ((word: Pick<Word, "form" | "upos" | "feats">) => string) | undefined;
}

/** What determines a trained tagger besides its sentences and its seed. */
export interface TaggerSettings {
  /** Columns to learn. Default: the columns among upos, xpos, feats and lemma that the training set has. */
  readonly columns?: readonly TaggerColumn[] | undefined;
  /** Default: 8. */
  readonly epochs?: number | undefined;
}

/** Options of `trainTagger`. */
export interface TaggerTrainOptions extends TaggerSettings {
  /** Up to eight lists of names, in which the words of sentences are looked up. Default: none. */
  readonly gazetteers?: readonly Gazetteer[] | undefined;
  /** A development set: each column is measured on it once it is learned, as the tagger predicts it. */
  readonly dev?: readonly Sentence[] | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined;
  /** Called before the training with a warning for each column of tags with nearly as many values as words. */
  readonly onWarning?: ((warning: TrainingWarning) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The settings of a tagger. Flags, the reference page and files of settings follow from it. */
export const TAGGER_SETTINGS = defineOptions<TaggerSettings>()({
  columns: {
    check: list(oneOf(...TAGGER_COLUMNS), { min: 1, distinct: true }),
    help: `columns to learn: ${TAGGER_COLUMNS.join(", ")}`,
    defaultHelp: "the columns that the treebank has",
    flag: "--columns <names>",
  },
  epochs: { check: integer(1), help: "epochs of each column", default: 8, flag: "--epochs <n>" },
});

const GAZETTEER = record<Gazetteer>({
  names: list(field, { min: 1 }),
  ignoreCase: optional(flag),
});

const TRAIN_OPTIONS = joinOptions(
  TAGGER_SETTINGS,
  defineOptions<Omit<TaggerTrainOptions, keyof TaggerSettings>>()({
    gazetteers: {
      check: list(GAZETTEER, { max: MAX_GAZETTEERS }),
      help: "lists of names, in which the words of sentences are looked up",
    },
    dev: { check: list(words), help: "a development set" },
    seed: { check: integer(0), help: "random seed", default: 1 },
    onProgress: { check: callback, help: "called with the progress of the training" },
    onWarning: { check: callback, help: "called with warnings about the sentences" },
    signal: { check: signal, help: "ends the training" },
  }),
);

/**
 * Training options of each column. Columns with many labels use the labels that a word, or similar words,
 * had.
 */
const SETTINGS: Readonly<Record<LabelledColumn, ChainOptions>> = {
  upos: { templates: TAGGING_TEMPLATES },
  xpos: { templates: MORPHOLOGY_TEMPLATES, dictionary: TAG_DICTIONARY, pairs: "observed" },
  feats: { templates: MORPHOLOGY_TEMPLATES, dictionary: TAG_DICTIONARY, pairs: "observed" },
};

/** Maximum number of epochs of lemmas: on development sets further ones do not help. */
const LEMMA_EPOCHS = 4;

/**
 * Trains a tagger: one chain model per column of tags, by the averaged perceptron (Collins 2002), and a model
 * that finds lemmas by edits of forms and by the lemmas of the treebank, with weights rounded to bytes. The
 * same sentences, options and seed give the same model.
 *
 * @throws RangeError when there are no tags to learn from
 * @throws ArcwiseError `unknown-option` or `invalid-option`
 * @throws the reason of the signal once that is aborted
 */
export async function trainTagger(
  sentences: readonly Sentence[],
  given: TaggerTrainOptions = {},
): Promise<TaggerModel> {
  const options = checkOptions(TRAIN_OPTIONS, given, "trainTagger");
  const { epochs, seed } = options;
  const columns = columnsOf(sentences, options.columns);
  const tags = columns.filter((name) => name !== "lemma");
  for (const warning of columnWarnings(sentences, tags)) options.onWarning?.(warning);
  const report = columnReports(columns, options);
  const lists = (options.gazetteers ?? []).flatMap((_, k) => gazetteerTemplates(k + 1));
  const models: { name: LabelledColumn; model: ChainModel }[] = [];
  for (const name of tags) {
    const identifiers = identifiersOf(sentences, name);
    const examples = sentences.map((sentence) => exampleOf(sentence, name, identifiers));
    const total = examples.length;
    let words = 0;
    for (const { labels } of examples) words += labels.length;
    const { templates, ...settings } = SETTINGS[name];
    const model = await trainChain(examples, {
      ...settings,
      templates: [...templates, ...lists],
      gazetteers: options.gazetteers,
      epochs,
      seed,
      onProgress: ({ epoch, done, cost }) =>
        report.progress(name, { epoch, epochs, done, total, error: (cost / words) * (total / done) }),
      signal: options.signal,
    });
    models.push({ name, model: compactChain(model) });
    report.columnDone(name, { columns: models });
  }
  const lemmas = columns.includes("lemma")
    ? await learnLemmas(sentences, { epochs, seed, signal: options.signal }, report)
    : undefined;
  if (lemmas) report.columnDone("lemma", { columns: models, lemmas });
  const trainingWords = sentences.reduce((sum, { length }) => sum + length, 0);
  return {
    description: { columns, epochs, seed, trainingSentences: sentences.length, trainingWords },
    columns: models,
    lemmas,
  };
}

/** Progress within a column. */
interface ColumnProgress {
  readonly epoch: number;
  readonly epochs: number;
  readonly done: number;
  readonly total: number;
  /** Share of wrong labels so far in this epoch. */
  readonly error: number;
}

interface ColumnReports {
  progress(column: TaggerColumn, at: ColumnProgress): void;
  /** Reports the end of a column, with its score on the development set. */
  columnDone(column: TaggerColumn, model: Pick<TaggerModel, "columns" | "lemmas">): void;
}

/** Reports the progress of columns, one after the other. The last report of each waits for its score. */
function columnReports(
  columns: readonly TaggerColumn[],
  { dev, onProgress }: Pick<TaggerTrainOptions, "dev" | "onProgress">,
): ColumnReports {
  const reporter = new TrainingReporter<"tagger">({ tagger: 1 }, onProgress);
  let last: ColumnProgress | undefined;
  const report = (
    column: TaggerColumn,
    { epoch, epochs, done, total, error }: ColumnProgress,
    score?: number,
  ): void => {
    const share = (columns.indexOf(column) + epochShare(epoch, epochs, done, total)) / columns.length;
    const common = { step: "tagger", target: column, epoch, epochs, epochDone: done === total } as const;
    reporter.report("tagger", {
      ...common,
      share,
      error: { share: error, of: column },
      dev: score === undefined ? undefined : { [column]: score },
    });
  };
  return {
    progress(column, at) {
      last = at;
      if (at.epoch < at.epochs || at.done < at.total) report(column, at);
    },
    columnDone(column, { columns: models, lemmas }) {
      const names = [...models.map(({ name }) => name), ...(lemmas ? (["lemma"] as const) : [])];
      const description = { columns: names, epochs: 0, seed: 0, trainingSentences: 0, trainingWords: 0 };
      const score = dev?.length ? accuracy({ description, columns: models, lemmas }, dev, column) : undefined;
      report(column, last!, score);
    },
  };
}

/** Returns the percentage of words whose value of a column is predicted. */
function accuracy(model: TaggerModel, sentences: readonly Sentence[], column: TaggerColumn): number {
  const { tag } = createTagger(model);
  let right = 0;
  let total = 0;
  for (const sentence of sentences) {
    total += sentence.length;
    for (const [i, word] of tag(sentence).entries())
      if ((word[column] ?? "") === (sentence[i][column] ?? "")) right++;
  }
  return (100 * right) / Math.max(1, total);
}

function learnLemmas(
  sentences: readonly Sentence[],
  {
    epochs: asked,
    seed,
    signal,
  }: Pick<TaggerTrainOptions, "signal"> & Readonly<Record<"epochs" | "seed", number>>,
  report: ColumnReports,
): Promise<LemmaModel> {
  const epochs = Math.min(asked, LEMMA_EPOCHS);
  return trainLemmas(sentences, {
    epochs,
    seed,
    signal,
    onProgress: ({ epoch, done, total, errors }) =>
      report.progress("lemma", { epoch, epochs, done, total, error: errors / done }),
  });
}

/**
 * Returns the training data of a column: forms, and universal tags if they come before it.
 *
 * @param leftOut values that count as none
 */
function exampleOf(sentence: Sentence, name: LabelledColumn, leftOut: ReadonlySet<string>): LabelledSentence {
  const labels = sentence.map(({ [name]: value = "" }) => (leftOut.has(value) ? "" : value));
  if (name === "upos") return { sentence: sentence.map(({ form }) => ({ form })), labels };
  return { sentence: sentence.map(({ form, upos = "" }) => ({ form, upos })), labels };
}

/** Returns the columns to learn: those requested, or those that are not empty. */
function columnsOf(
  sentences: readonly Sentence[],
  asked: readonly TaggerColumn[] | undefined,
): readonly TaggerColumn[] {
  const found = TAGGER_COLUMNS.filter((name) =>
    asked === undefined
      ? sentences.some((sentence) => sentence.some((word) => (word[name] ?? "") !== ""))
      : asked.includes(name),
  );
  if (found.length === 0) throw new RangeError("expected sentences with tags to learn from, found none");
  return found;
}

/** Question and exclamation marks: a treebank without questions and orders teaches nothing about them. */
const OTHER_STOPS = /^[?!\u00a1\u00bf\u061f\u203c\u203d\u2047-\u2049\uff01\uff1f]+$/u;
const PUNCTUATION = "PUNCT";

const MODEL = withMembers("a model of loadTagger or trainTagger", "description", "columns");

/** Makes a tagger from a model. @throws ArcwiseError `invalid-argument` for another value, such as bytes */
export function createTagger(model: TaggerModel): Tagger {
  checkArgument(MODEL, model, "createTagger: model");
  const readers = readersOf(model.columns.map(({ model: chain }) => chain));
  const labellers = model.columns.map(({ name, model: chain }, k) => {
    const reader = readers[k];
    const readsStops = name === "upos" && chain.configuration.labels.includes(PUNCTUATION);
    return { name, encoder: reader.encoder, labeller: sequenceLabeller(chain, reader), readsStops };
  });
  const lemmatizer = model.lemmas && new Lemmatizer(model.lemmas);
  return {
    columns: model.description.columns,
    tag(sentence) {
      checkArgument(words, sentence, "tag: sentence");
      const { length } = sentence;
      const tagged = new Array<{ -readonly [Key in keyof Word]: Word[Key] }>(length);
      for (let i = 0; i < length; i++) {
        const { form, lemma = "", upos = "", xpos = "", feats = "" } = sentence[i];
        tagged[i] = { form, lemma, upos, xpos, feats };
      }
      let sequence: EncodedSequence | undefined;
      let last: SequenceEncoder | undefined;
      for (const { name, encoder, labeller, readsStops } of labellers) {
        if (sequence === undefined || encoder !== last) sequence = encoder.encode(tagged);
        else encoder.annotate(sequence, tagged);
        last = encoder;
        const labels = labeller.labelSequence(sequence);
        for (let i = 0; i < length; i++) {
          const word = tagged[i];
          word[name] = readsStops && OTHER_STOPS.test(word.form) ? PUNCTUATION : labels[i];
        }
      }
      if (lemmatizer !== undefined) for (const word of tagged) word.lemma = lemmatizer.lemma(word);
      return tagged;
    },
    lemma: lemmatizer && ((word) => lemmatizer.lemma(word)),
  };
}

interface TaggerHeader {
  readonly description: TaggerModel["description"];
  readonly columns: readonly { readonly name: LabelledColumn; readonly chain: ChainHeader }[];
  readonly lemmas?: LemmaHeader | undefined;
}

/** Returns the bytes of a tagger file. O(weights). */
export function saveTagger({ description, columns, lemmas }: TaggerModel): Uint8Array {
  const parts = columns.map(({ name, model }) => ({ name, ...chainSections(model, name) }));
  const lemmaParts = lemmas && lemmaSections(lemmas, "lemma");
  const header: TaggerHeader = {
    description,
    columns: parts.map(({ name, header: chain }) => ({ name, chain })),
    lemmas: lemmaParts?.header,
  };
  const vectors = Object.assign(
    {},
    ...parts.map((part) => part.vectors),
    lemmaParts?.vectors,
  ) as (typeof parts)[number]["vectors"];
  return writeContainer({ kind: "tagger", header, vectors });
}

const LABELLED = TAGGER_COLUMNS.filter((name) => name !== "lemma");
const COUNT = integer(0, Number.MAX_SAFE_INTEGER);

const TAGGER = record<TaggerHeader>({
  description: record<TaggerModel["description"]>({
    columns: list(oneOf(...TAGGER_COLUMNS)),
    epochs: COUNT,
    seed: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    trainingSentences: COUNT,
    trainingWords: COUNT,
  }),
  columns: list(record<TaggerHeader["columns"][number]>({ name: oneOf(...LABELLED), chain: () => {} })),
  lemmas: () => {},
});

/** Checks the header of a tagger file, and declares its sections. @throws ModelError */
function checkTagger(value: unknown, sections: SectionTable): void {
  const at = "damaged tagger file: header";
  TAGGER(value, at);
  const { description, columns, lemmas } = value as TaggerHeader;
  const names: TaggerColumn[] = columns.map(({ name }) => name);
  if (lemmas !== undefined) names.push("lemma");
  // Later columns use the earlier ones as input.
  const expected = TAGGER_COLUMNS.filter((name) => names.includes(name));
  for (const found of [names, description.columns]) {
    if (found.length === 0 || found.join() !== expected.join()) {
      refuse(`${at}.columns`, `some of ${TAGGER_COLUMNS.join(", ")} in this order`, found.join(", "));
    }
  }
  for (const [index, { name, chain }] of columns.entries()) {
    checkChain(chain, sections, name, `${at}.columns[${index}].chain`);
  }
  if (lemmas !== undefined) checkLemmas(lemmas, sections, "lemma", `${at}.lemmas`);
}

/**
 * Reads the bytes of a tagger file.
 *
 * @throws ModelError when they are not a tagger file, are damaged, truncated, or of a newer version
 */
export function loadTagger(bytes: Uint8Array): TaggerModel {
  const container = readContainer(bytes, "tagger", checkTagger);
  const { description, columns, lemmas } = container.header as TaggerHeader;
  return {
    description,
    columns: columns.map(({ name, chain }) => ({ name, model: readChain(chain, container, name) })),
    lemmas: lemmas && readLemmas(lemmas, container, "lemma"),
  };
}
