import type { Schema } from "../routes/fields.ts";

/** Returns the reference to a schema of the document. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const STRING: Schema = { type: "string" };
const INTEGER: Schema = { type: "integer" };
const INDEX: Schema = { ...INTEGER, description: "the sentence, from 0" };
const list = (items: Schema): Schema => ({ type: "array", items });

/** Returns the schema of an object. Members are required unless their name ends in "?". */
function object(members: Readonly<Record<string, Schema>>): Schema {
  const all = Object.entries(members);
  const required = Object.keys(members).filter((name) => !name.endsWith("?"));
  const properties = Object.fromEntries(all.map(([name, schema]) => [name.replace("?", ""), schema]));
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

const COLUMNS: Readonly<Record<string, Schema>> = {
  ...{ "lemma?": STRING, "upos?": STRING, "xpos?": STRING, "deprel?": STRING },
  "feats?": { type: ["object", "string"] },
  "deps?": { type: ["array", "string"] },
  "misc?": { type: ["object", "string"], description: "ArcP is the probability of the arc, with marginals" },
};
const OFFSETS = { "start?": INTEGER, "end?": INTEGER };

/** The schemas of answers by name. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  Sentence: object({
    ...{ "id?": STRING, text: STRING, comments: list(STRING), words: list(ref("Word")) },
    "start?": { ...INTEGER, description: "offset in the text, as all offsets in the unit of offsets" },
    "offsets?": { ...STRING, description: "code-points if that was asked for; absent: UTF-16 code units" },
    tokens: list(object({ "id?": STRING, "form?": STRING, "words?": list(INTEGER), ...OFFSETS })),
    "emptyNodes?": list(object({ "id?": STRING, "form?": STRING, ...COLUMNS })),
  }),
  Word: object({
    id: { ...INTEGER, description: "from 1" },
    form: STRING,
    "head?": { ...INTEGER, description: "0: the root" },
    ...{ ...COLUMNS, ...OFFSETS },
  }),
  SentenceFailure: object({ "index?": INTEGER, error: object({ code: STRING, message: STRING }) }),
  Parsed: object({
    ...{ model: STRING, sentences: list(ref("Sentence")), failures: list(ref("SentenceFailure")) },
    mostlyUnknown: {
      type: "boolean",
      description: "whether the model does not know most words, as of a text in another language",
    },
  }),
  Match: object({
    index: INDEX,
    words: list(object({ "id?": INTEGER, "form?": STRING })),
    names: { type: "object", description: "the words that the pattern names", additionalProperties: INTEGER },
    "relations?": { type: "object", additionalProperties: STRING },
  }),
  MatchedText: object({ index: INDEX, "id?": STRING, text: STRING }),
  Found: object({
    ...{ "model?": STRING, "sentences?": INTEGER, matches: list(ref("Match")) },
    "isTruncated?": { type: "boolean", description: "whether there are more matches than the limit" },
    "texts?": { ...list(ref("MatchedText")), description: "the sentences that have matches" },
    "failures?": list(ref("SentenceFailure")),
  }),
  Models: object({
    "default?": STRING,
    "models?": list(
      object({ "name?": STRING, "names?": list(STRING), "parts?": list(STRING), "tagged?": list(STRING) }),
    ),
  }),
  Processed: object({ model: STRING, acknowledgements: list(STRING), result: STRING }),
  Failure: object({
    error: object({
      ...{ code: STRING, message: STRING, "requestId?": STRING },
      "limit?": object({ name: STRING, value: { type: "number" }, unit: STRING }),
    }),
  }),
};
