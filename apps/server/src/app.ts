import type { IncomingMessage } from "node:http";
import type { Complete } from "@arcwise/core/options";
import { type Context, Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { cors } from "hono/cors";
import { requestId } from "hono/request-id";
import { getPath } from "hono/utils/url";
import { ENDPOINTS, type Endpoint } from "./endpoints.ts";
import { failureHeaders, failureJson, failureOf, RequestFailure } from "./failures.ts";
import { pageRoutes } from "./pages.ts";
import { passOver } from "./requests/bodies.ts";
import { requestLog } from "./requests/request-log.ts";
import type { SERVER_OPTIONS } from "./server-options.ts";
import { type AppEnv, hiddenNames, type ServerState } from "./server-state.ts";

/** Who may call a server. */
type AccessOptions = Pick<Complete<typeof SERVER_OPTIONS>, "cors" | "token">;

/** Slashes before another one, and at the end of a path. */
const SLASHES = /\/+(?=\/)|(?<=[^/])\/+$/g;

const UNAUTHORIZED = "expected the header Authorization: Bearer TOKEN, with the token of this server";

/** Makes the routes of a server. */
export function createApp(state: ServerState, { cors: origins, token }: AccessOptions): Hono<AppEnv> {
  // Clients of UDPipe append paths to the address of the service, which may end in a slash.
  const app = new Hono<AppEnv>({ getPath: (request) => getPath(request).replaceAll(SLASHES, "") });
  app.use(requestId());
  app.use(requestLog(state));
  app.use(async (c, next) => {
    await next();
    c.res.headers.set("X-Content-Type-Options", "nosniff");
    // A body that is late has had its time.
    if (c.res.status !== 408) await passOver(c.env?.incoming as IncomingMessage | undefined);
  });
  if (origins.length > 0) app.use(cors({ origin: origins.includes("*") ? "*" : [...origins] }));
  if (token !== undefined) {
    const refusal = { message: { error: { code: "unauthorized", message: UNAUTHORIZED } } };
    const auth = bearerAuth({
      ...{
        token,
        noAuthenticationHeader: refusal,
        invalidToken: refusal,
        invalidAuthenticationHeader: refusal,
      },
    });
    for (const { path, isOpen } of ENDPOINTS) if (!isOpen) app.use(path, auth);
  }
  for (const endpoint of ENDPOINTS) {
    const { path, methods } = endpoint;
    app.on([...methods], path, (c) => answered(c, state, endpoint));
    app.all(path, (c) => {
      const message = `${path}: expected the method ${methods.join(" or ")}, found ${c.req.method}`;
      const headers = { Allow: methods.join(", ") };
      throw new RequestFailure({ status: 405, code: "method-not-allowed", message, headers });
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

/** Answers a request. An error of a path of UDPipe is its message alone. */
async function answered(c: Context<AppEnv>, state: ServerState, endpoint: Endpoint): Promise<Response> {
  try {
    return await endpoint.handle(c, state);
  } catch (error) {
    const failure = failureOf(error, hiddenNames(state));
    if (!endpoint.isUdpipe || failure.status === 500) throw error;
    return c.text(`${failure.message}\n`, failure.status, failureHeaders(failure));
  }
}
