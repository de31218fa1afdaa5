import { type ConlluSentence, readConllu } from "@arcwise/conllu";
import type { SentenceInput } from "@arcwise/pipeline";
import { allWithinLimits } from "../analysis/analyse.ts";
import { lineSentences, textSentences, wordSentences } from "../analysis/text.ts";
import { decodeText } from "../requests/bodies.ts";
import { badRequest, RequestFailure } from "../requests/failures.ts";
import type { Work } from "../requests/work.ts";
import { type FieldsOf, type FieldTable, jsonObject, readFields } from "./fields.ts";
import { ANSWER_TYPES, type AnswerFormat, type ParseFields } from "./request-fields.ts";

/** Media types of bodies that are the input alone; other fields are in the query. */
const INPUT_TYPES: Readonly<Record<string, string>> = {
  "text/plain": "text",
  "text/x-conllu": "conllu",
  "application/x-conllu": "conllu",
  "application/conllu": "conllu",
};

/** The media types that a request may have. */
export const REQUEST_TYPES = ["application/json", ...Object.keys(INPUT_TYPES)];

/**
 * Reads the fields of a request: JSON, or an input with the other fields in the query.
 *
 * @throws RequestFailure for another media type, or a body that is not JSON
 * @throws ArcwiseError `unknown-option`, `invalid-option`
 */
export function fieldsOf<Table extends FieldTable>(
  table: Table,
  request: Request,
  bytes: Uint8Array,
): FieldsOf<Table> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  for (const name of Object.keys(query)) {
    if (Object.hasOwn(table, name) && table[name]!.isBodyOnly)
      throw badRequest(`${name}: expected in a body of JSON, found in the query`);
  }
  if (request.method !== "POST") return readFields(table, query);
  const type = request.headers.get("content-type") ?? "text/plain";
  const media = type.split(";", 1)[0]!.trim().toLowerCase();
  if (media === ANSWER_TYPES.json)
    return readFields(table, { ...query, ...jsonObject(decodeText(bytes), "body") });
  const name = INPUT_TYPES[media];
  if (name !== undefined) return readFields(table, { ...query, [name]: decodeText(bytes) });
  const message = `expected a body of ${REQUEST_TYPES.join(", ")}, found ${JSON.stringify(media)}`;
  throw new RequestFailure({ status: 415, code: "unsupported-media-type", message });
}

type InputFields = Pick<ParseFields, "text" | "conllu" | "sentences" | "lines">;

/** Sentences to analyse. */
export type Sentences = AsyncIterable<ConlluSentence> | Iterable<ConlluSentence>;

/**
 * Returns the sentences of a request.
 *
 * @throws RequestFailure unless there is one input, or for a sentence that is too long; ConlluError
 */
export function sentencesOf({ text, conllu, sentences, lines }: InputFields, work: Work): Sentences {
  const given = [text, conllu, sentences].filter((input) => input !== undefined).length;
  if (given !== 1) throw badRequest(`expected one of text, conllu and sentences, found ${given}`);
  if (conllu !== undefined) return allWithinLimits([...readConllu(conllu)], work);
  if (sentences !== undefined) return allWithinLimits(sentences.map(withColumns), work);
  return (lines === true ? lineSentences : textSentences)(text!, work.model.analyser, work.signal);
}

/** Returns a sentence of given words with their columns. */
function withColumns(input: SentenceInput, index: number): ConlluSentence {
  const words = input as readonly (string | Readonly<Record<string, string>>)[];
  const forms = words.map((word) => (typeof word === "string" ? word : word.form!));
  const [sentence] = wordSentences([forms]);
  const rows = sentence!.rows.map((row, i) => {
    const word = words[i]!;
    return typeof word === "string" ? row : { ...row, ...word };
  });
  return { ...sentence!, comments: [`# sent_id = ${index + 1}`, ...sentence!.comments.slice(1)], rows };
}

/** Returns the format of an answer: the field `format`, or the first known type of Accept. @throws RequestFailure */
export function answerFormat<Format extends AnswerFormat>(
  given: Format | undefined,
  request: Request,
  known: readonly Format[],
): Format {
  if (given !== undefined) return given;
  const accepted = (request.headers.get("accept") ?? "*/*")
    .split(",")
    .map((type) => type.split(";", 1)[0]!.trim());
  for (const type of accepted) {
    const format = known.find((one) => ANSWER_TYPES[one] === type);
    if (format !== undefined) return format;
  }
  if (accepted.some((type) => ["*/*", "application/*", ""].includes(type))) return known[0]!;
  const types = known.map((format) => ANSWER_TYPES[format]).join(", ");
  const message = `expected Accept to have one of ${types}, found ${JSON.stringify(accepted.join(", "))}`;
  throw new RequestFailure({ status: 406, code: "not-acceptable", message });
}
