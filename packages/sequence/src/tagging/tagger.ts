import type { Sentence, Word } from "@arcwise/core";
import { fileFormat, prefixed, readModel, type SectionRows, writeModel } from "@arcwise/core/container";
import {
  checkArgument,
  integer,
  list,
  oneOf,
  record,
  refuse,
  withMembers,
  words,
} from "@arcwise/core/options";
import { CHAIN, type ChainHeader } from "../chain/chain-file.ts";
import { type ChainModel, readersOf } from "../chain/chain-model.ts";
import { sequenceLabeller } from "../chain/labeller.ts";
import type { EncodedSequence, SequenceEncoder } from "../features/attributes.ts";
import { LEMMAS, type LemmaHeader, type LemmaModel } from "../lemmas/lemma-model.ts";
import { Lemmatizer } from "../lemmas/lemmatizer.ts";

/** Columns of CoNLL-U that a tagger predicts, in order: later ones use the earlier ones as input. */
export const TAGGER_COLUMNS = ["upos", "xpos", "feats", "lemma"] as const;
/** A column of CoNLL-U that a tagger predicts. */
export type TaggerColumn = (typeof TAGGER_COLUMNS)[number];
/** A column that a chain model predicts. */
export type LabelledColumn = Exclude<TaggerColumn, "lemma">;

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

const LABELLED = TAGGER_COLUMNS.filter((name) => name !== "lemma");
const COUNT = integer(0, Number.MAX_SAFE_INTEGER);

const HEADER = record<TaggerHeader>({
  description: record<TaggerModel["description"]>({
    columns: list(oneOf(...TAGGER_COLUMNS)),
    epochs: COUNT,
    seed: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    trainingSentences: COUNT,
    trainingWords: COUNT,
  }),
  columns: list(record<TaggerHeader["columns"][number]>({ name: oneOf(...LABELLED), chain: CHAIN.header })),
  lemmas: LEMMAS.header,
});

function checkHeader(value: unknown, at: string): void {
  HEADER(value, at);
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
}

/** How a tagger is stored in a file. */
const TAGGER_FILE = fileFormat({
  kind: "tagger",
  header: checkHeader,
  headerOf: ({ description, columns, lemmas }: TaggerModel): TaggerHeader => ({
    description,
    columns: columns.map(({ name, model }) => ({ name, chain: CHAIN.headerOf(model) })),
    lemmas: LEMMAS.headerOf(lemmas),
  }),
  sections({ columns, lemmas }: TaggerHeader, entriesOf, model?: TaggerModel): SectionRows {
    const chains = columns.map(({ name, chain }, k) =>
      prefixed(name, CHAIN).sections(chain, entriesOf, model?.columns[k].model),
    );
    return Object.assign({}, ...chains, LEMMAS.sections(lemmas, entriesOf, model?.lemmas));
  },
  read: ({ description, columns, lemmas }, vectors): TaggerModel => ({
    description,
    columns: columns.map(({ name, chain }) => ({ name, model: prefixed(name, CHAIN).read(chain, vectors) })),
    lemmas: LEMMAS.read(lemmas, vectors),
  }),
});

/** Returns the bytes of a tagger file. O(weights). */
export function saveTagger(model: TaggerModel): Uint8Array {
  return writeModel(TAGGER_FILE, model);
}

/**
 * Reads the bytes of a tagger file.
 *
 * @throws ModelError when they are not a tagger file, are damaged, truncated, or of a newer version
 */
export function loadTagger(bytes: Uint8Array): TaggerModel {
  return readModel(TAGGER_FILE, bytes);
}
