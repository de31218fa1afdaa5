import type { Context } from "hono";
import type { App, AppEnv } from "../app-env.ts";
import { breakOffOf, HELD, withBody, withWork } from "../requests/begin.ts";
import { streamed } from "../requests/streams.ts";
import type { Work } from "../requests/work.ts";
import type { ServerState } from "../server-state.ts";
import { docsPage } from "./docs-page.ts";
import { openApi } from "./openapi.ts";
import { parsed, withErrorLine } from "./parse.ts";
import { answerFormat, fieldsOf } from "./read-request.ts";
import { ANSWER_TYPES, type AnswerFormat, parseFields, searchFields } from "./request-fields.ts";
import { searchLines, searchObject } from "./search.ts";

/** Pages of the server load nothing from elsewhere. */
const STRICT = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** Adds the routes of `/v1`. */
export function apiRoutes(app: App, state: ServerState): void {
  const fields = parseFields(state.limits.kBest);
  const search = searchFields();
  const document = openApi(state, { parse: fields, search });
  app.get("/v1/models", (c) => c.json(modelList(state)));
  app.get("/v1/openapi.json", (c) => c.json(document));
  app.get("/v1/docs", (c) => c.html(docsPage(document), 200, { "content-security-policy": STRICT }));
  app.on(["GET", "POST"], "/v1/parse", (c) =>
    withBody(c, state, async (bytes) => {
      const given = fieldsOf(fields, c.req.raw, bytes);
      const format = answerFormat(given.format, c.req.raw, ["json", "ndjson", "conllu"]);
      return withWork(c, state, given.model, (work) => answer(c, parsed(given, format, work), format, work));
    }),
  );
  app.on(["GET", "POST"], "/v1/search", (c) =>
    withBody(c, state, async (bytes) => {
      const given = fieldsOf(search, c.req.raw, bytes);
      const format = answerFormat(given.format, c.req.raw, ["json", "ndjson"]);
      return withWork(c, state, given.model, (work) => {
        const lines = searchLines(given, work);
        const texts =
          format === "json" ? onePiece(searchObject(lines, work)) : withErrorLine(ndjson(lines), work);
        return answer(c, texts, format, work);
      });
    }),
  );
}

async function answer(
  c: Context<AppEnv>,
  texts: AsyncGenerator<string>,
  format: AnswerFormat,
  work: Work,
): Promise<Response> {
  const held = format === "ndjson" ? 1 : HELD;
  const body = await streamed(texts, { held, breakOff: breakOffOf(c) }, work);
  const type = ANSWER_TYPES[format];
  return c.body(body, 200, { "content-type": format === "conllu" ? `${type}; charset=utf-8` : type });
}

async function* ndjson(lines: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

async function* onePiece(object: Promise<object>): AsyncGenerator<string> {
  yield `${JSON.stringify(await object)}\n`;
}

/** Returns the models with their names, parts, and what they fill in. */
function modelList({ models }: ServerState): object {
  const list = (models?.models ?? []).map(({ name, names, parts, facts }) => ({
    ...{ name, names, parts },
    tagged: facts.tagged,
    graphs: facts.graphs,
  }));
  return { models: list, default: list[0]?.name };
}
