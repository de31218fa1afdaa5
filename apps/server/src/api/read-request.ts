import type { ConlluSentence } from "@arcwise/conllu";
import { counted } from "@arcwise/core/errors";
import type { SentenceInput } from "@arcwise/pipeline";
import { parseAccept } from "hono/utils/accept";
import { badRequest, limitExceeded, RequestFailure, unsupportedType } from "../failures.ts";
import { decodeText } from "../routes/charset.ts";
import { type FieldsOf, type FieldTable, jsonObject, MAX_SHOWN, readFields } from "../routes/fields.ts";
import { conlluSentences, groupsOf, slicesOf } from "../routes/pieces.ts";
import {
  ANSWER_TYPES,
  type AnswerFormat,
  type ReadTask,
  type RequestHead,
  type Source,
} from "../routes/plan.ts";
import type { CompleteLimits } from "../server-options.ts";
import type { Constraints, WordConstraint } from "./constraints.ts";
import type { ParseFields } from "./request-fields.ts";

/** Media types of bodies that are the input alone; other fields are in the query. */
const INPUT_TYPES: ReadonlyMap<string, string> = new Map([
  ["text/plain", "text"],
  ["text/x-conllu", "conllu"],
  ["application/x-conllu", "conllu"],
  ["application/conllu", "conllu"],
]);

/** The media types that a request may have. */
export const REQUEST_TYPES = ["application/json", ...INPUT_TYPES.keys()];

/** Reads the fields of a request: JSON, or an input with the other fields in the query. */
export function fieldsOf<Table extends FieldTable>(
  table: Table,
  { head, bytes }: Pick<ReadTask, "head" | "bytes">,
): FieldsOf<Table> {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(head.query)) {
    if (name in query)
      throw badRequest(`${name.slice(0, MAX_SHOWN)}: expected once in the query, found twice`);
    if (Object.hasOwn(table, name) && table[name]!.isBodyOnly)
      throw badRequest(`${name}: expected in a body of JSON, found in the query`);
    query[name] = value;
  }
  if (head.method !== "POST") return readFields(table, query);
  const type = head.type ?? "text/plain";
  const media = type.split(";", 1)[0]!.trim().toLowerCase();
  if (media === ANSWER_TYPES.json)
    return readFields(table, joined(query, jsonObject(decodeText(bytes, type), "body")));
  const name = INPUT_TYPES.get(media);
  if (name !== undefined) return readFields(table, joined(query, { [name]: decodeText(bytes, type) }));
  throw unsupportedType(REQUEST_TYPES.join(", "), media);
}

/** Returns the fields of a query and of a body. */
function joined(query: object, body: object): object {
  const both = Object.keys(query).find((name) => Object.hasOwn(body, name));
  if (both !== undefined)
    throw badRequest(`${both.slice(0, MAX_SHOWN)}: expected in the query or in the body, found in both`);
  return { ...query, ...body };
}

type InputFields = Pick<ParseFields, "text" | "conllu" | "sentences" | "lines">;

/** What the sentences of a request depend on. */
interface SourceOptions {
  readonly limits: CompleteLimits;
  readonly constraints?: Constraints | undefined;
  readonly trees?: number | undefined;
  /** Called with each sentence of CoNLL-U. */
  readonly see?: ((sentence: ConlluSentence) => void) | undefined;
}

/** Returns the sentences of a request. */
export function sourceOf(
  { text, conllu, sentences, lines }: InputFields,
  { limits, constraints, trees = 1, see }: SourceOptions,
): Source {
  const given = [text, conllu, sentences].filter((input) => input !== undefined).length;
  if (given !== 1) throw badRequest(`expected one of text, conllu and sentences, found ${given}`);
  const listed = constraints === "given" ? undefined : constraints;
  if (listed !== undefined && listed.length > limits.sentences)
    throw limitExceeded("sentences", limits, `constraints of ${listed.length}`);
  if (text !== undefined) {
    const cut = { lines, trees, spaces: false };
    return { text, cut, constraints: listed?.map((words) => JSON.stringify(words)) };
  }
  const pieces =
    conllu !== undefined
      ? slicesOf("conllu", conllu, conlluSentences(conllu, see), limits, trees)
      : groupsOf(wordCounts(sentences!), limits, trees).map(({ from, count }) => ({
          ...({ kind: "words", from, count } as const),
          data: JSON.stringify(sentences!.slice(from, from + count)),
        }));
  const last = pieces.at(-1);
  requireSentences(listed, last === undefined ? 0 : last.from + last.count);
  return {
    pieces: listed === undefined ? pieces : pieces.map((piece) => ({ ...piece, ...within(piece, listed) })),
  };
}

function* wordCounts(sentences: readonly SentenceInput[]): Generator<number> {
  for (const sentence of sentences) yield (sentence as readonly unknown[]).length;
}

function within(
  { from, count }: { from: number; count: number },
  listed: readonly (readonly WordConstraint[])[],
) {
  return { constraints: JSON.stringify(listed.slice(from, from + count)) };
}

/** @throws RequestFailure if there are constraints for sentences that do not exist */
export function requireSentences(constraints: readonly unknown[] | undefined, count: number): void {
  if (constraints === undefined || constraints.length <= count) return;
  throw badRequest(
    `constraints: expected a list for each of ${counted(count, "sentence")}, found ${counted(constraints.length, "list")}`,
  );
}

/**
 * Returns the format of an answer: the field `format`, or the known type of the largest weight in Accept; of equal ones a
 * type comes before a range of types.
 */
export function answerFormat<Format extends AnswerFormat>(
  given: Format | undefined,
  { accept }: Pick<RequestHead, "accept">,
  known: readonly Format[],
): Format {
  if (given !== undefined) return given;
  const items = parseAccept(accept || "*/*");
  const refused = items.flatMap(({ type, q }) => (q > 0 ? [] : [type.toLowerCase()]));
  const accepted = items
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q || Number(a.type.endsWith("*")) - Number(b.type.endsWith("*")));
  for (const { type } of accepted) {
    const format = known.find((one) => {
      const own = ANSWER_TYPES[one];
      const covering = [own, own.replace(/\/.*/, "/*"), "*/*"];
      return covering.includes(type.toLowerCase()) && !refused.includes(own);
    });
    if (format !== undefined) return format;
  }
  const types = known.map((format) => ANSWER_TYPES[format]).join(", ");
  const message = `expected Accept to have one of ${types}, found ${JSON.stringify((accept ?? "").slice(0, MAX_SHOWN))}`;
  throw new RequestFailure({ status: 406, code: "not-acceptable", message });
}
