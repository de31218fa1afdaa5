import type { Context } from "hono";
import { docsPage } from "./api/docs-page.ts";
import { type DocumentedPath, openApi } from "./api/openapi.ts";
import { ref } from "./api/schemas.ts";
import { ROUTES, type RouteName } from "./models/server-jobs.ts";
import { answer } from "./requests/answer.ts";
import type { AppEnv, ServerState } from "./server-state.ts";

/** A path that the server answers at. Access, methods and documents follow from it. */
export interface Endpoint extends DocumentedPath {
  readonly methods: readonly ("GET" | "POST")[];
  /** Whether it needs no token, as probes, and what explains other paths. */
  readonly isOpen?: boolean;
  /** Whether errors are texts, as in UDPipe. */
  readonly isUdpipe?: boolean;
  handle(c: Context<AppEnv>, state: ServerState): Response | Promise<Response>;
}

/** Pages of the server load nothing from elsewhere. */
const STRICT = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
/** The parts of models that UDPipe names. */
const PARTS: readonly string[] = ["tokenizer", "tagger", "parser"];

const [GET, ANY] = [["GET"], ["GET", "POST"]] as const;
const ANSWER = { json: { type: "object" } };

/** The paths of the server, in the order of the document. */
export const ENDPOINTS: readonly Endpoint[] = [
  analysing("/v1/parse", "parse"),
  analysing("/v1/search", "search"),
  {
    ...{ path: "/v1/models", methods: GET, name: "models" },
    documented: { summary: "List the models", answers: { json: ref("Models") } },
    handle: (c, state) => c.json(modelList(state)),
  },
  {
    ...{ path: "/models", methods: ANY, isUdpipe: true, name: "udpipeModels" },
    documented: { summary: "List the models, as UDPipe 2", answers: ANSWER },
    handle: (c, { models }) => {
      const all = models?.models ?? [];
      const parts = all.map((one) => [one.name, one.parts.filter((part) => PARTS.includes(part))]);
      return c.json({ models: Object.fromEntries(parts), default_model: all[0]?.name });
    },
  },
  { ...analysing("/process", "process"), isUdpipe: true },
  {
    ...{ path: "/health", methods: GET, isOpen: true, name: "health" },
    documented: { summary: "Tell that the process runs", answers: ANSWER },
    handle: (c, { version }) => c.json({ status: "ok", version }),
  },
  {
    ...{ path: "/ready", methods: GET, isOpen: true, name: "ready" },
    documented: { summary: "Tell whether models are loaded (200) or not (503)", answers: ANSWER },
    handle: (c, { isStopping, models }) => {
      if (isStopping) return c.json({ status: "stopping" }, 503);
      if (models === undefined) return c.json({ status: "loading" }, 503);
      return c.json({ status: "ready", models: models.models.map(({ name }) => name) });
    },
  },
  {
    ...{ path: "/metrics", methods: GET, name: "metrics" },
    documented: { summary: "Figures for Prometheus" },
    handle: async (c, { metrics }) =>
      c.body(await metrics.text(), 200, { "content-type": metrics.contentType }),
  },
  {
    ...{ path: "/v1/openapi.json", methods: GET, isOpen: true },
    handle: (c, state) => c.json(openApi(state, ENDPOINTS)),
  },
  {
    ...{ path: "/v1/docs", methods: GET, isOpen: true },
    handle: (c, state) =>
      c.html(docsPage(openApi(state, ENDPOINTS)), 200, { "content-security-policy": STRICT }),
  },
];

function analysing(path: string, name: RouteName): Endpoint {
  return {
    ...{ path, methods: ANY, name, documented: ROUTES[name] },
    handle: (c, state) => answer(c, state, name),
  };
}

function modelList({ models }: ServerState): object {
  const list = (models?.models ?? []).map(({ name, names, parts, facts }) => ({
    ...{ name, names, parts },
    tagged: facts.tagged,
    graphs: facts.graphs,
  }));
  return { models: list, default: list[0]?.name };
}
