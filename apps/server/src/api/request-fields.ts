import type { SentenceInput } from "@arcwise/pipeline";
import {
  choice,
  count,
  type Field,
  type FieldsOf,
  listOf,
  object,
  refuse,
  text,
  toggle,
} from "../routes/fields.ts";
import { CONSTRAINTS } from "./constraints.ts";

/** The formats of each route, the default first. */
export const PARSE_FORMATS = ["json", "ndjson", "conllu"] as const;
export const SEARCH_FORMATS = ["json", "ndjson"] as const;

/** What a column of CoNLL-U can have. */
const COLUMN = /^[^\t\n\r]+$/;
const FORM: Field<string> = {
  ...text("a column of CoNLL-U"),
  read: (value, at) =>
    typeof value === "string" && COLUMN.test(value)
      ? value
      : refuse(at, "a text that is not empty, without tabs and line ends", value),
};
const WORD = object<object>(
  "a word",
  { form: FORM, lemma: FORM, upos: FORM, xpos: FORM, feats: FORM },
  "form",
);

const WORDS = listOf<string | object>(
  {
    help: WORD.help,
    schema: { oneOf: [FORM.schema, WORD.schema] },
    read: (value, at) => (typeof value === "string" ? FORM : WORD).read(value, at),
  },
  "a list of words",
);
const LISTS = listOf(WORDS, "a list of sentences");

/** Sentences of given words. */
const SENTENCES: Field<readonly SentenceInput[]> = {
  read: (value, at) => LISTS.read(value, at) as readonly SentenceInput[],
  schema: { ...LISTS.schema, examples: [[["Dogs", "bark", "."]]] },
  help: "sentences of words: lists of forms, or of objects { form, lemma, upos, xpos, feats }",
  isBodyOnly: true,
};

/** The fields of the input of a request: one of three. */
const INPUT_FIELDS = {
  text: text("raw text, which the model cuts into sentences and words", "Dogs bark at the mail."),
  conllu: text("sentences in CoNLL-U"),
  sentences: SENTENCES,
} as const;

/** Without the default of other switches. */
const LINES: Field<boolean> = {
  ...toggle(
    "each line of the text ends a sentence; false: no line does; by default the lines of headlines, messages and lists do",
  ),
  schema: { type: "boolean" },
};

/** The fields of `/v1/parse`. @param maxTrees the limit of k */
export function parseFields(maxTrees: number) {
  return {
    model: text("the name of a model, or what is left of it before a hyphen; by default the first model"),
    ...INPUT_FIELDS,
    lines: LINES,
    tags: choice("whether words get new tags, or keep the tags that they have", ["predicted", "given"]),
    kBest: count("the k best trees of each sentence, each as a sentence", 1, maxTrees, "trees"),
    marginals: toggle("the probability of each arc, as ArcP of misc"),
    constraints: { ...CONSTRAINTS, isBodyOnly: true },
    deps: choice(
      "the enhanced graph: drop leaves it out, keep keeps the input's, enhance makes one by rules of English; by default " +
        "the graph of a model that has graphs",
      ["drop", "keep", "enhance"],
    ),
    graph: toggle("the graph of a model of semantic dependencies, in deps"),
    offsets: choice(
      "the unit of start and end in JSON: UTF-16 code units, as JavaScript counts, or code points, as Python and R count",
      ["utf-16", "code-points"],
    ),
    report: toggle("comments that say how each tree was found"),
    format: choice("the format of the answer; by default what Accept asks for, or else JSON", PARSE_FORMATS),
  } as const;
}

/** The maximum number of matches of an answer. */
export const MAX_MATCHES = 100_000;
const DEFAULT_MATCHES = 1000;

/** The fields of `/v1/search`. */
export function searchFields() {
  const { model, text: raw, conllu, sentences, lines, tags } = parseFields(1);
  return {
    pattern: text("the pattern, as of arcwise search", "{upos:VERB}=v >nsubj {}=s"),
    ...{ model, text: raw, conllu, sentences, lines, tags },
    trees: choice(
      "the trees that are searched: given, of conllu; or predicted; by default given if there are any",
      ["given", "predicted"],
    ),
    unique: toggle("one match for each choice of named words in a sentence"),
    limit: count(`maximum number of matches (${DEFAULT_MATCHES})`, 1, MAX_MATCHES, "matches"),
    format: choice("the format of the answer", SEARCH_FORMATS),
  } as const;
}

/** The fields of a request to parse. */
export type ParseFields = FieldsOf<ReturnType<typeof parseFields>>;
/** The fields of a request to search. */
export type SearchFields = FieldsOf<ReturnType<typeof searchFields>>;

/** Returns the maximum number of matches of a request. */
export function matchLimit({ limit = DEFAULT_MATCHES }: Pick<SearchFields, "limit">): number {
  return limit;
}
