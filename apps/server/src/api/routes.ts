import type { App } from "../app-env.ts";
import { answer } from "../requests/answer.ts";
import type { ServerState } from "../server-state.ts";
import { docsPage } from "./docs-page.ts";
import { openApi } from "./openapi.ts";
import { parseFields, searchFields } from "./request-fields.ts";

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
  app.on(["GET", "POST"], "/v1/parse", (c) => answer(c, state, "parse"));
  app.on(["GET", "POST"], "/v1/search", (c) => answer(c, state, "search"));
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
