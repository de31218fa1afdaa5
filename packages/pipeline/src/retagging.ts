import type { Sentence, Word } from "@arcwise/core";
import { identifiersOf } from "@arcwise/core/training";
import {
  createParser,
  type GivenColumns,
  type NetworkColumn,
  type ParserModel,
  type Reading,
} from "@arcwise/parser";
import { TAGGER_COLUMNS, type Tagger, type TaggerColumn } from "@arcwise/sequence";

/** A column of tags: lemmas are found by the tagger's lemmatiser, from the tags. */
type TagColumn = Exclude<TaggerColumn, "lemma">;

/**
 * How much is added to the network's score of a label that the tagger gave while the network learns: on the
 * development split of Gothic 2 is better than 1 and 3.
 */
const TRUST = 2;
/**
 * The same when texts are read. On development splits, 1.5 for feats, where networks are furthest ahead of
 * taggers, raises them by 0.14 on Gothic, 0.06 on French and 0.02 on English, and lowers them by 0.04 on
 * Hungarian (2 to 3 seeds each); for universal tags, 1.5 is not better than 2.
 */
const READING_TRUST: Readonly<Record<TagColumn, number>> = { upos: 2, xpos: 2, feats: 1.5 };

function tagColumns(columns: readonly TaggerColumn[]): TagColumn[] {
  return columns.filter((name) => name !== "lemma");
}

function labelsOf(sentences: readonly Sentence[], name: TagColumn): string[][] {
  return sentences.map((sentence) => sentence.map((word) => word[name] ?? ""));
}

/** Which words of a treebank lack tags. */
interface Annotation {
  /** Whether words without a universal tag are not annotated. */
  readonly partial: boolean;
  /** The parser that is continued, which has columns that the treebank may lack. */
  readonly continued: ParserModel | undefined;
}

/**
 * Returns the columns that the network of a parser learns to predict from the words of a treebank, and from the tags of a
 * tagger that has not seen them, if there are such tags.
 */
export function networkColumns(
  sentences: readonly Sentence[],
  tagged: readonly Sentence[] | undefined,
  columns: readonly TaggerColumn[],
  { partial, continued }: Annotation,
): NetworkColumn[] {
  const isThere = (name: TagColumn) => sentences.some((words) => words.some((word) => word[name]));
  const needsTag = partial && isThere("upos");
  const absent = continued === undefined ? [] : tagColumns(columns).filter((name) => !isThere(name));
  // Without a tagger, the network itself says which tags go together with new ones.
  const own = continued && tagged === undefined && absent.length > 0 && ownTags(continued, sentences);
  return tagColumns(columns).map((name) => {
    const isAbsent = absent.includes(name);
    const categories = categoriesOf(sentences, name);
    return {
      name,
      labels: sentences.map((words, s) =>
        words.map(({ upos }, i) => (isAbsent || (needsTag && !upos) ? undefined : categories[s]![i]!)),
      ),
      given: tagged
        ? { labels: labelsOf(tagged, name), trust: TRUST }
        : own && isAbsent
          ? { labels: own.map((found) => found[name]!), trust: 0 }
          : undefined,
      parts: name === "feats" ? (label: string) => label.split("|") : undefined,
    };
  });
}

/** Returns the columns of sentences that a network predicts from their forms; undefined if it needs an encoder. */
function ownTags(model: ParserModel, sentences: readonly Sentence[]): Record<string, string[]>[] | undefined {
  const parser = createParser(model);
  if (parser.encoder !== undefined) return undefined;
  return parser
    .read(sentences.map((words) => words.map(({ form }) => ({ form }))))
    .map((one) => one.columns());
}

/** Returns the columns that the network of a parser predicts. */
export function columnsOfNetwork({ description }: ParserModel): TagColumn[] {
  const { columns = [] } = (description.network ?? {}) as { readonly columns?: readonly string[] };
  return tagColumns(TAGGER_COLUMNS).filter((name) => columns.includes(name));
}

/** Returns the labels of a column, empty in place of identifiers. */
function categoriesOf(sentences: readonly Sentence[], name: TagColumn): string[][] {
  const identifiers = identifiersOf(sentences, name);
  return labelsOf(sentences, name).map((labels) =>
    labels.map((label) => (identifiers.has(label) ? "" : label)),
  );
}

/** Tags words by the network of a parser alone. */
export interface NetworkTagger {
  /** The columns that it fills in. */
  readonly columns: readonly TaggerColumn[];
  /** Returns words with the labels that a network predicts from their forms, and the lemmas that follow from them. */
  tag(columnsOf: Reading["columns"], words: Sentence): Sentence;
}

/** Returns the tagger of a model whose network predicts these columns from words alone; undefined without columns. */
export function networkTagger(
  names: readonly string[],
  lemma: Tagger["lemma"] | undefined,
): NetworkTagger | undefined {
  if (names.length === 0) return undefined;
  const tags = TAGGER_COLUMNS.filter((name) => name !== "lemma" && names.includes(name));
  return {
    columns: lemma === undefined ? tags : [...tags, "lemma"],
    tag(columnsOf, words) {
      const { upos, xpos, feats } = columnsOf();
      const tagged: Word[] = [];
      for (let i = 0; i < words.length; i++) {
        const { form } = words[i]!;
        const word = {
          form,
          lemma: "",
          upos: upos?.[i] ?? "",
          xpos: xpos?.[i] ?? "",
          feats: feats?.[i] ?? "",
        };
        if (lemma !== undefined) word.lemma = lemma(word);
        tagged.push(word);
      }
      return tagged;
    },
  };
}

/**
 * Returns the words of a tagger with the tags that the network of a parser predicts, which sees the whole
 * sentence and the tagger's choice, and with the lemmas that follow from these tags. Other columns stay as
 * they are; words whose tags stay as they are, and a sentence of such words, are the same objects.
 */
export function retag(
  columnsOf: Reading["columns"],
  { columns, lemma }: Pick<Tagger, "columns"> & Partial<Pick<Tagger, "lemma">>,
  tagged: readonly Word[],
): readonly Word[] {
  const names = tagColumns(columns);
  const given: GivenColumns = Object.fromEntries(
    names.map((name) => [
      name,
      { labels: tagged.map((word) => word[name] ?? ""), trust: READING_TRUST[name] },
    ]),
  );
  const predicted = columnsOf(given);
  let isChanged = false;
  const words = tagged.map((word, i) => {
    const changed = names.filter((name) => (predicted[name]?.[i] ?? word[name]) !== word[name]);
    if (changed.length === 0) return word;
    isChanged = true;
    const refined: { -readonly [Key in keyof Word]: Word[Key] } = { ...word };
    for (const name of changed) refined[name] = predicted[name]![i]!;
    if (lemma !== undefined) refined.lemma = lemma(refined);
    return refined;
  });
  return isChanged ? words : tagged;
}
