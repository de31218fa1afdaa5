import type { ServerState } from "../server-state.ts";
import { INPUT_FORMATS } from "../udpipe/inputs.ts";
import { OUTPUT_FORMATS } from "../udpipe/outputs.ts";
import type { FieldTable, Schema } from "./fields.ts";
import { REQUEST_TYPES } from "./read-request.ts";
import { ANSWER_TYPES } from "./request-fields.ts";

/** A parameter of a query. */
export interface Parameter {
  readonly name: string;
  readonly in: "query";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/** The bodies that an operation takes or gives, by media type. */
export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** A method of a path. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

/** A document of OpenAPI 3.1. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Tables of the fields of requests. */
export interface RequestTables {
  readonly parse: FieldTable;
  readonly search: FieldTable;
}

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const STRING: Schema = { type: "string" };
const INTEGER: Schema = { type: "integer" };
const json = (schema: Schema): Content => ({ [ANSWER_TYPES.json]: { schema } });

/** Returns the document of a server. */
export function openApi({ version, limits }: ServerState, { parse, search }: RequestTables): OpenApi {
  const { body, sentence, sentences, words, kBest, pattern, answer, seconds, bodySeconds, requests } = limits;
  const description =
    "Dependency parsing: text in, sentences with tags, lemmas and trees out. Limits: " +
    `bodies of ${body} bytes that arrive within ${bodySeconds} s, ${sentences} sentences and ${words} words per request, ` +
    `sentences of ${sentence} words, ${kBest} trees per sentence, patterns of ${pattern} characters, answers of ${answer} bytes, ` +
    `${seconds} s per 64 sentences, ${requests} requests at a time.`;
  return {
    openapi: "3.1.0",
    info: { title: "Arcwise", version, description },
    paths: {
      "/v1/parse": fieldPaths("parse", "Parse text or sentences", parse, {
        [ANSWER_TYPES.json]: { schema: ref("Parsed") },
        [ANSWER_TYPES.ndjson]: { schema: { oneOf: [ref("Sentence"), ref("SentenceFailure")] } },
        [ANSWER_TYPES.conllu]: { schema: STRING },
      }),
      "/v1/search": fieldPaths("search", "Search trees by a pattern", search, {
        [ANSWER_TYPES.json]: { schema: ref("Found") },
        [ANSWER_TYPES.ndjson]: { schema: { oneOf: [ref("MatchedText"), ref("Match")] } },
      }),
      "/v1/models": { get: simple("models", "List the models", json(ref("Models"))) },
      "/models": { get: simple("udpipeModels", "List the models, as UDPipe 2", json({ type: "object" })) },
      "/process": udpipePaths(),
      "/health": { get: simple("health", "Tell that the process runs", json({ type: "object" })) },
      "/ready": {
        get: simple("ready", "Tell whether models are loaded (200) or not (503)", json({ type: "object" })),
      },
      "/metrics": { get: simple("metrics", "Figures for Prometheus", { "text/plain": { schema: STRING } }) },
    },
    components: { schemas: SCHEMAS },
  };
}

function simple(operationId: string, summary: string, content: Content): Operation {
  return { operationId, summary, responses: { 200: { description: "the answer", content } } };
}

/** The statuses of failures that requests with a body may have. */
const FAILURES = {
  400: "the request is wrong",
  401: "the token is missing or wrong",
  408: "the body arrived late",
  413: "the body is too long",
  415: "the media type is unknown",
  422: "the data is wrong, or exceeds a limit",
  500: "the server failed",
  503: "the server is busy, loads its models, or stops: Retry-After has the seconds to wait",
};

function withFailures(content: Content): Operation["responses"] {
  const failures = Object.entries(FAILURES).map(([status, description]) => [
    status,
    { description, content: json(ref("Failure")) },
  ]);
  return { 200: { description: "the answer", content }, ...Object.fromEntries(failures) };
}

function fieldPaths(name: string, summary: string, table: FieldTable, content: Content) {
  const fields = Object.entries(table);
  const parameters = fields
    .filter(([, { isBodyOnly }]) => isBodyOnly !== true)
    .map(([field, { help, schema }]): Parameter => ({ name: field, in: "query", description: help, schema }));
  const properties = Object.fromEntries(
    fields.map(([field, { help, schema }]): [string, Schema] => [field, { ...schema, description: help }]),
  );
  const body: Schema = { type: "object", properties, additionalProperties: false };
  const texts = REQUEST_TYPES.filter((type) => type !== ANSWER_TYPES.json);
  const bodies: Content = {
    ...json(body),
    ...Object.fromEntries(texts.map((type) => [type, { schema: STRING }])),
  };
  const inputs = parameters.filter(({ name: field }) => field !== "text" && field !== "conllu");
  const responses = withFailures(content);
  return {
    get: { operationId: `${name}Query`, summary, parameters, responses },
    post: {
      operationId: name,
      summary,
      description:
        "Fields are members of JSON; a body of text or CoNLL-U is the input alone, with the others in the query.",
      parameters: inputs,
      requestBody: { content: bodies },
      responses,
    },
  };
}

/** The parameters of `/process`. */
const UDPIPE: Readonly<Record<string, string>> = {
  data: "the input",
  model: "the name of a model, or what is left of it before a hyphen",
  input: `the format of the input: ${INPUT_FORMATS.join(", ")}; conllu by default`,
  tokenizer: "data is raw text to be cut; options: ranges, presegmented, normalized_spaces",
  tagger: "words get tags and lemmas; the value may be empty",
  parser: "words get heads and relations; the value may be empty",
  output: `the format of the output: ${OUTPUT_FORMATS.join(", ")}; conllu by default; options: horizontal=paragraphs, vertical=paragraphs, plaintext=normalized_spaces`,
};

function udpipePaths() {
  const parameters = Object.entries(UDPIPE).map(
    ([name, description]): Parameter => ({ name, in: "query", description, schema: STRING }),
  );
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }): [string, Schema] => [name, { ...schema, description }]),
  );
  const schema: Schema = { type: "object", properties, required: ["data"] };
  const summary = "Process data, as the REST service of UDPipe 2";
  const responses = {
    200: { description: "the answer", content: json(ref("Processed")) },
    400: { description: "the request is wrong: a text", content: { "text/plain": { schema: STRING } } },
  };
  const get = parameters.map((one) => (one.name === "data" ? { ...one, required: true } : one));
  return {
    get: { operationId: "processQuery", summary, parameters: get, responses },
    post: {
      operationId: "process",
      summary,
      requestBody: {
        content: { "multipart/form-data": { schema }, "application/x-www-form-urlencoded": { schema } },
      },
      responses,
    },
  };
}

const list = (items: Schema): Schema => ({ type: "array", items });
const object = (properties: Readonly<Record<string, Schema>>, ...required: string[]): Schema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});

const COLUMNS: Readonly<Record<string, Schema>> = {
  ...{ lemma: STRING, upos: STRING, xpos: STRING, deprel: STRING },
  feats: { type: ["object", "string"] },
  deps: { type: ["array", "string"] },
  misc: { type: ["object", "string"], description: "ArcP is the probability of the arc, with marginals" },
};

const SCHEMAS: Readonly<Record<string, Schema>> = {
  Sentence: object(
    {
      id: STRING,
      text: STRING,
      start: { ...INTEGER, description: "offset in the text, as all offsets in the unit of offsets" },
      offsets: { ...STRING, description: "code-points if that was asked for; absent: UTF-16 code units" },
      comments: list(STRING),
      words: list(ref("Word")),
      tokens: list(object({ id: STRING, form: STRING, words: list(INTEGER), start: INTEGER, end: INTEGER })),
      emptyNodes: list(object({ id: STRING, form: STRING, ...COLUMNS })),
    },
    "text",
    "comments",
    "words",
    "tokens",
  ),
  Word: object(
    {
      id: { ...INTEGER, description: "from 1" },
      form: STRING,
      head: { ...INTEGER, description: "0: the root" },
      ...COLUMNS,
      start: INTEGER,
      end: INTEGER,
    },
    "id",
    "form",
  ),
  SentenceFailure: object(
    { index: INTEGER, error: object({ code: STRING, message: STRING }, "code", "message") },
    "error",
  ),
  Parsed: object(
    { model: STRING, sentences: list(ref("Sentence")), failures: list(ref("SentenceFailure")) },
    "model",
    "sentences",
    "failures",
  ),
  Match: object(
    {
      index: { ...INTEGER, description: "the sentence, from 0" },
      words: list(object({ id: INTEGER, form: STRING })),
      names: {
        type: "object",
        description: "the words that the pattern names",
        additionalProperties: INTEGER,
      },
      relations: { type: "object", additionalProperties: STRING },
    },
    "index",
    "words",
    "names",
  ),
  MatchedText: object(
    { index: { ...INTEGER, description: "the sentence, from 0" }, id: STRING, text: STRING },
    "index",
    "text",
  ),
  Found: object(
    {
      model: STRING,
      sentences: INTEGER,
      isTruncated: { type: "boolean", description: "whether there are more matches than the limit" },
      matches: list(ref("Match")),
      texts: { ...list(ref("MatchedText")), description: "the sentences that have matches" },
      failures: list(ref("SentenceFailure")),
    },
    "matches",
  ),
  Models: object({
    default: STRING,
    models: list(object({ name: STRING, names: list(STRING), parts: list(STRING), tagged: list(STRING) })),
  }),
  Processed: object(
    { model: STRING, acknowledgements: list(STRING), result: STRING },
    "model",
    "acknowledgements",
    "result",
  ),
  Failure: object(
    {
      error: object(
        {
          code: STRING,
          message: STRING,
          requestId: STRING,
          limit: object({ name: STRING, value: { type: "number" }, unit: STRING }, "name", "value", "unit"),
        },
        "code",
        "message",
      ),
    },
    "error",
  ),
};
