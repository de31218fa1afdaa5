import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { type DestinationStream, type Logger, pino } from "pino";
import type { AppEnv, ServerState } from "../server-state.ts";

/** Makes a log of a line of JSON per event. Texts of clients are not in it. */
export function createLog(destination: DestinationStream | undefined): Logger {
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Logs and measures each request, when its answer was sent or broken off. */
export function requestLog({ log, metrics }: ServerState): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const began = performance.now();
    const { method, path } = c.req;
    const { outgoing } = c.env ?? {};
    const done = (isComplete: boolean) => {
      const { status } = c.res;
      const seconds = (performance.now() - began) / 1000;
      const found = routePath(c, -1);
      metrics.request({
        method: method.slice(0, 10),
        route: status === 404 ? "other" : found,
        status,
        seconds,
      });
      const entry = { requestId: c.get("requestId"), method, path: path.slice(0, 200), status, seconds };
      if (isComplete) log.info(entry, "request");
      else log.warn(entry, "the connection ended before the answer");
    };
    outgoing?.once("close", () => done(outgoing.writableFinished));
    await next();
    if (outgoing === undefined) done(true);
  };
}
