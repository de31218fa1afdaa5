import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { cors } from "hono/cors";
import { requestId } from "hono/request-id";
import { getPath } from "hono/utils/url";
import { apiRoutes } from "./api/routes.ts";
import type { App, AppEnv } from "./app-env.ts";
import { pageRoutes } from "./pages/routes.ts";
import { passOver } from "./requests/bodies.ts";
import { failureHeaders, failureJson, failureOf, RequestFailure } from "./requests/failures.ts";
import { requestLog } from "./requests/request-log.ts";
import { hiddenNames, type ServerState } from "./server-state.ts";
import { statusRoutes } from "./status-routes.ts";
import { udpipeRoutes } from "./udpipe/routes.ts";

/** Who may call a server. */
export interface AccessOptions {
  readonly cors: readonly string[];
  readonly token?: string | undefined;
}

/** Slashes before another one, and at the end of a path. */
const SLASHES = /\/+(?=\/)|(?<=[^/])\/+$/g;

/** Paths and their methods. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  "/health": ["GET"],
  "/ready": ["GET"],
  "/metrics": ["GET"],
  "/models": ["GET", "POST"],
  "/process": ["GET", "POST"],
  "/v1/docs": ["GET"],
  "/v1/models": ["GET"],
  "/v1/openapi.json": ["GET"],
  "/v1/parse": ["GET", "POST"],
  "/v1/search": ["GET", "POST"],
};
/** Paths that need no token: probes, and what explains the others. */
const OPEN: readonly string[] = ["/health", "/ready", "/v1/docs", "/v1/openapi.json"];

/** Makes the routes of a server. */
export function createApp(state: ServerState, { cors: origins, token }: AccessOptions): App {
  // Clients of UDPipe append paths to the address of the service, which may end in a slash.
  const app = new Hono<AppEnv>({ getPath: (request) => getPath(request).replaceAll(SLASHES, "") });
  app.use(requestId());
  app.use(requestLog(state));
  app.use(async (c, next) => {
    await next();
    c.res.headers.set("X-Content-Type-Options", "nosniff");
    await passOver(c.env?.incoming as IncomingMessage | undefined);
  });
  if (origins.length > 0) app.use(cors({ origin: origins.includes("*") ? "*" : [...origins] }));
  if (token !== undefined) {
    const auth = bearerAuth({
      token,
      noAuthenticationHeader: { message: unauthorized },
      invalidToken: { message: unauthorized },
      invalidAuthenticationHeader: { message: unauthorized },
    });
    for (const path of Object.keys(METHODS)) if (!OPEN.includes(path)) app.use(path, auth);
  }
  statusRoutes(app, state);
  udpipeRoutes(app, state);
  apiRoutes(app, state);
  for (const [path, methods] of Object.entries(METHODS)) {
    const allow = methods.join(", ");
    app.all(path, (c) => {
      const message = `${path}: expected the method ${methods.join(" or ")}, found ${c.req.method}`;
      throw new RequestFailure({
        status: 405,
        code: "method-not-allowed",
        message,
        headers: { Allow: allow },
      });
    });
  }
  pageRoutes(app, { state, hasToken: token !== undefined });
  app.notFound((c) => {
    throw new RequestFailure({
      status: 404,
      code: "not-found",
      message: `${c.req.path}: expected a path of /v1/docs`,
    });
  });
  app.onError((error, c) => {
    if ("getResponse" in error) return (error as { getResponse(): Response }).getResponse();
    const failure = failureOf(error, hiddenNames(state));
    const id = c.get("requestId");
    if (failure.status === 500) state.log.error({ requestId: id, err: error }, "request failed");
    return c.json(failureJson(failure, id), failure.status, failureHeaders(failure));
  });
  return app;
}

function unauthorized(): object {
  const message = "expected the header Authorization: Bearer TOKEN, with the token of this server";
  return { error: { code: "unauthorized", message } };
}
