import type { HttpBindings } from "@hono/node-server";
import type { Logger } from "pino";
import { Metrics } from "./metrics.ts";
import type { ModelSet } from "./models/served-models.ts";
import { Admission } from "./requests/admission.ts";
import { Works } from "./requests/work.ts";
import type { CompleteLimits } from "./server-options.ts";
import { version } from "./version.ts";

/** What handlers find in their context. */
export interface AppEnv {
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string };
}

/** What the routes of a server share. */
export interface ServerState {
  /** Undefined while models are loaded for the first time. */
  models: ModelSet | undefined;
  isStopping: boolean;
  readonly limits: CompleteLimits;
  readonly admission: Admission;
  readonly works: Works;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly version: string;
}

/** Bodies of the longest length that fit in memory. */
const BODIES = 32;

/** Makes the state of a server. */
export function serverState(limits: CompleteLimits, log: Logger): ServerState {
  const admission = new Admission({ requests: limits.requests, bytes: BODIES * limits.body });
  const metrics = new Metrics(admission);
  const works = new Works({ limits, admission, metrics });
  return {
    models: undefined,
    isStopping: false,
    ...{ limits, admission, works, metrics, log },
    version: version(),
  };
}

/** Names that clients see in place of paths. */
export function hiddenNames({ models }: Pick<ServerState, "models">): ReadonlyMap<string, string> {
  return new Map(models?.models.map(({ path, name }) => [path, name]));
}
