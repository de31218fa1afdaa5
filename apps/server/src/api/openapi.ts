import type { Content, Schema } from "../routes/fields.ts";
import { ANSWER_TYPES, type AnswerFormat } from "../routes/plan.ts";
import type { Described, Route } from "../routes/route.ts";
import type { ServerState } from "../server-state.ts";
import { REQUEST_TYPES } from "./read-request.ts";
import { ref, SCHEMAS, STRING } from "./schemas.ts";

/** A parameter of a query. */
export interface Parameter {
  readonly name: string;
  readonly in: "query";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

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

/** A path and what the document says of it, if it is a part of the document. */
export interface DocumentedPath {
  readonly path: string;
  /** The name of its operation. */
  readonly name?: string;
  readonly documented?: Described | Route;
}

/** Returns the document of a server that answers at some paths. */
export function openApi({ version, limits }: ServerState, endpoints: readonly DocumentedPath[]): OpenApi {
  const { body, sentence, sentences, words, kBest, pattern, answer, seconds, bodySeconds, requests } = limits;
  const description =
    "Dependency parsing: text in, sentences with tags, lemmas and trees out. Limits: " +
    `bodies of ${body} bytes that arrive within ${bodySeconds} s, ${sentences} sentences and ${words} words per request, ` +
    `sentences of ${sentence} words, ${kBest} trees per sentence, patterns of ${pattern} characters, answers of ${answer} bytes, ` +
    `${seconds} s per 64 sentences, ${requests} requests at a time.`;
  const paths = endpoints.flatMap(({ path, name, documented }) => {
    if (name === undefined || documented === undefined) return [];
    const methods =
      "fields" in documented ? fieldMethods(name, documented, limits) : { get: operation(name, documented) };
    return [[path, methods] as const];
  });
  return {
    openapi: "3.1.0",
    info: { title: "Arcwise", version, description },
    paths: Object.fromEntries(paths),
    components: { schemas: SCHEMAS },
  };
}

function operation(operationId: string, { summary, answers }: Described): Operation {
  const content = Object.entries(answers ?? {}).map(([format, schema]) => [
    ANSWER_TYPES[format as AnswerFormat],
    { schema },
  ]);
  const bodies = answers === undefined ? { "text/plain": { schema: STRING } } : Object.fromEntries(content);
  return { operationId, summary, responses: { 200: { description: "the answer", content: bodies } } };
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

/** Types of forms, whose failures are texts. */
const FORMS = ["multipart/form-data", "application/x-www-form-urlencoded"];

/** Returns the operations of a path whose requests have fields, in the query or in a body. */
function fieldMethods(name: string, route: Route, limits: ServerState["limits"]): OpenApi["paths"][string] {
  const { summary, isForm = false } = route;
  const fields = Object.entries(route.fields(limits));
  const required = fields.filter(([, { isRequired }]) => isRequired).map(([field]) => field);
  const parameters = fields
    .filter(([, { isBodyOnly }]) => !isBodyOnly)
    .map(
      ([field, { help, schema, isRequired }]): Parameter => ({
        ...({ name: field, in: "query", description: help, schema } as const),
        ...(isRequired && { required: true }),
      }),
    );
  const properties = Object.fromEntries(
    fields.map(([field, { help, schema }]): [string, Schema] => [field, { ...schema, description: help }]),
  );
  const schema = { type: "object", properties, ...(isForm ? { required } : { additionalProperties: false }) };
  const bodies = (isForm ? FORMS : REQUEST_TYPES).map((type, k) => [
    type,
    { schema: isForm || k === 0 ? schema : STRING },
  ]);
  const failures = isForm
    ? { 400: { description: `${FAILURES[400]}: a text`, content: { "text/plain": { schema: STRING } } } }
    : Object.fromEntries(
        Object.entries(FAILURES).map(([status, description]) => [
          status,
          { description, content: { "application/json": { schema: ref("Failure") } } },
        ]),
      );
  const common = { summary, responses: { ...operation(name, route).responses, ...failures } };
  return {
    get: { operationId: `${name}Query`, parameters, ...common },
    post: {
      ...{ operationId: name, requestBody: { content: Object.fromEntries(bodies) }, ...common },
      ...(!isForm && {
        description:
          "Fields are members of JSON; a body of text or CoNLL-U is the input alone, with the others in the query.",
        parameters: parameters.filter(({ name: field }) => field !== "text" && field !== "conllu"),
      }),
    },
  };
}
