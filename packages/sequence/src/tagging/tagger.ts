import type { Sentence, Word } from "@arcwise/core";
import {
  integer,
  list,
  oneOf,
  readContainer,
  record,
  refuse,
  type SectionTable,
  writeContainer,
} from "@arcwise/core/container";
import { type ChainHeader, chainSections, checkChain, compactChain, readChain } from "../chain/chain-file.ts";
import {
  type ChainModel,
  type ChainOptions,
  type LabelledSentence,
  trainChain,
} from "../chain/chain-model.ts";
import { createLabeller, type Labeller } from "../chain/labeller.ts";
import {
  LEMMA_TEMPLATES,
  MORPHOLOGY_TEMPLATES,
  TAG_DICTIONARY,
  TAGGING_TEMPLATES,
} from "../features/template-sets.ts";
import { applyLemmaRule, lemmaRule } from "./lemma.ts";

/** Columns of CoNLL-U that a tagger predicts, in order: later ones use the earlier ones as input. */
export const TAGGER_COLUMNS = ["upos", "xpos", "feats", "lemma"] as const;
/** A column of CoNLL-U that a tagger predicts. */
export type TaggerColumn = (typeof TAGGER_COLUMNS)[number];

/** A trained tagger. Plain data. */
export interface TaggerModel {
  readonly description: {
    readonly columns: readonly TaggerColumn[];
    readonly epochs: number;
    readonly seed: number;
    readonly trainingSentences: number;
    readonly trainingWords: number;
  };
  readonly columns: readonly { readonly name: TaggerColumn; readonly model: ChainModel }[];
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
}

/** Progress of the training of a tagger. */
export interface TaggerProgress {
  readonly column: TaggerColumn;
  /** From 1. */
  readonly epoch: number;
  readonly epochs: number;
  readonly done: number;
  readonly total: number;
  /** Share of words with a wrong label so far in this epoch. */
  readonly trainingError: number;
  readonly epochDone: boolean;
}

/** Options of `trainTagger`. */
export interface TaggerTrainOptions {
  /** Columns to learn. Default: those of upos, xpos, feats and lemma that the training set has. */
  readonly columns?: readonly TaggerColumn[];
  /** Default: 8. */
  readonly epochs?: number;
  /** Default: 1. */
  readonly seed?: number;
  readonly onProgress?: (progress: TaggerProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * Training options of each column. Columns with many labels use the labels that a word, or similar words,
 * had.
 */
const SETTINGS: Readonly<Record<TaggerColumn, ChainOptions>> = {
  upos: { templates: TAGGING_TEMPLATES },
  xpos: { templates: MORPHOLOGY_TEMPLATES, dictionary: TAG_DICTIONARY, pairs: "observed" },
  feats: { templates: MORPHOLOGY_TEMPLATES, dictionary: TAG_DICTIONARY, pairs: "observed" },
  lemma: { templates: LEMMA_TEMPLATES, dictionary: TAG_DICTIONARY, pairs: "observed" },
};

function labelOf(column: TaggerColumn, word: Word): string {
  return column === "lemma" ? lemmaRule(word.form, word.lemma || word.form) : (word[column] ?? "");
}

function columnValue(column: TaggerColumn, form: string, label: string): string {
  return column === "lemma" ? applyLemmaRule(form, label) : label;
}

/**
 * Trains a tagger: one chain model per column, by the averaged perceptron (Collins 2002), with weights
 * rounded to bytes. The same sentences, options and seed give the same model.
 *
 * @throws RangeError when there are no tags to learn from, or an option is out of range
 * @throws the reason of the signal once that is aborted
 */
export async function trainTagger(
  sentences: readonly Sentence[],
  options: TaggerTrainOptions = {},
): Promise<TaggerModel> {
  const { epochs = 8, seed = 1, signal } = options;
  const columns = columnsOf(sentences, options.columns);
  const models: { name: TaggerColumn; model: ChainModel }[] = [];
  for (const name of columns) {
    const examples = sentences.map((sentence) => exampleOf(sentence, name));
    const total = examples.length;
    let words = 0;
    for (const { labels } of examples) words += labels.length;
    const model = await trainChain(examples, {
      ...SETTINGS[name],
      epochs,
      seed,
      onProgress: ({ epoch, done, cost }) => {
        const trainingError = (cost / words) * (total / done);
        options.onProgress?.({
          column: name,
          epoch,
          epochs,
          done,
          total,
          trainingError,
          epochDone: done === total,
        });
      },
      ...(signal && { signal }),
    });
    models.push({ name, model: compactChain(model) });
  }
  const trainingWords = sentences.reduce((sum, { length }) => sum + length, 0);
  return {
    description: { columns, epochs, seed, trainingSentences: sentences.length, trainingWords },
    columns: models,
  };
}

/** Returns the training data of a column: forms, and universal tags if they come before it. */
function exampleOf(sentence: Sentence, name: TaggerColumn): LabelledSentence {
  const labels = sentence.map((word) => labelOf(name, word));
  if (name === "upos") return { sentence: sentence.map(({ form }) => ({ form })), labels };
  return { sentence: sentence.map(({ form, upos = "" }) => ({ form, upos })), labels };
}

/** Returns the columns to learn: those requested, or those that are not empty. */
function columnsOf(
  sentences: readonly Sentence[],
  asked: readonly TaggerColumn[] | undefined,
): readonly TaggerColumn[] {
  for (const name of asked ?? []) {
    if (!TAGGER_COLUMNS.includes(name)) {
      throw new RangeError(`unknown column "${name}"; expected one of ${TAGGER_COLUMNS.join(", ")}`);
    }
  }
  const found = TAGGER_COLUMNS.filter((name) =>
    asked === undefined
      ? sentences.some((sentence) => sentence.some((word) => (word[name] ?? "") !== ""))
      : asked.includes(name),
  );
  if (found.length === 0) throw new RangeError("expected sentences with tags to learn from, found none");
  return found;
}

/** Makes a tagger from a model. */
export function createTagger(model: TaggerModel): Tagger {
  const labellers: { readonly name: TaggerColumn; readonly labeller: Labeller }[] = model.columns.map(
    ({ name, model: chain }) => ({ name, labeller: createLabeller(chain) }),
  );
  const columns = labellers.map(({ name }) => name);
  const hasUpos = columns.includes("upos");
  return {
    columns,
    tag(sentence) {
      const { length } = sentence;
      const tagged = new Array<Word>(length);
      for (let i = 0; i < length; i++) {
        const { form, lemma = "", upos = "", xpos = "", feats = "" } = sentence[i]!;
        tagged[i] = { form, lemma, upos, xpos, feats };
      }
      for (const { name, labeller } of labellers) {
        const labels = labeller.label(hasUpos ? tagged : sentence);
        for (let i = 0; i < length; i++) {
          const word = tagged[i]!;
          tagged[i] = { ...word, [name]: columnValue(name, word.form, labels[i]!) };
        }
      }
      return tagged;
    },
  };
}

interface TaggerHeader {
  readonly description: TaggerModel["description"];
  readonly columns: readonly { readonly name: TaggerColumn; readonly chain: ChainHeader }[];
}

/** Returns the bytes of a tagger file. O(weights). */
export function saveTagger({ description, columns }: TaggerModel): Uint8Array {
  const parts = columns.map(({ name, model }) => ({ name, ...chainSections(model, name) }));
  const header: TaggerHeader = {
    description,
    columns: parts.map(({ name, header: chain }) => ({ name, chain })),
  };
  const vectors = Object.assign(
    {},
    ...parts.map((part) => part.vectors),
  ) as (typeof parts)[number]["vectors"];
  return writeContainer({ kind: "tagger", header, vectors });
}

const COUNT = integer(0, Number.MAX_SAFE_INTEGER);

const TAGGER = record<TaggerHeader>({
  description: record<TaggerModel["description"]>({
    columns: list(oneOf(...TAGGER_COLUMNS)),
    epochs: COUNT,
    seed: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    trainingSentences: COUNT,
    trainingWords: COUNT,
  }),
  columns: list(record<TaggerHeader["columns"][number]>({ name: oneOf(...TAGGER_COLUMNS), chain: () => {} })),
});

/** Checks the header of a tagger file, and declares its sections. @throws ModelError */
function checkTagger(value: unknown, sections: SectionTable): void {
  const at = "damaged tagger file: header";
  TAGGER(value, at);
  const { description, columns } = value as TaggerHeader;
  const names = columns.map(({ name }) => name);
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
}

/**
 * Reads the bytes of a tagger file.
 *
 * @throws ModelError when they are not a tagger file, are damaged, truncated, or of a newer version
 */
export function loadTagger(bytes: Uint8Array): TaggerModel {
  const container = readContainer(bytes, "tagger", checkTagger);
  const { description, columns } = container.header as TaggerHeader;
  return {
    description,
    columns: columns.map(({ name, chain }) => ({ name, model: readChain(chain, container, name) })),
  };
}
