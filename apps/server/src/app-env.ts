import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";

/** What handlers find in their context. */
export interface AppEnv {
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string };
}
/** The routes of a server. */
export type App = Hono<AppEnv>;
