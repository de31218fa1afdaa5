import type { Context } from "hono";
import type { App, AppEnv } from "../app-env.ts";
import { answer } from "../requests/answer.ts";
import { failureHeaders, failureOf } from "../requests/failures.ts";
import { hiddenNames, type ServerState } from "../server-state.ts";

/** The parts of models that UDPipe names. */
const PARTS: readonly string[] = ["tokenizer", "tagger", "parser"];

/** Adds the routes of the REST service of UDPipe 2: `/models` and `/process`. Errors are texts, as there. */
export function udpipeRoutes(app: App, state: ServerState): void {
  app.on(["GET", "POST"], "/models", (c) =>
    asText(c, state, async () => {
      const models = state.models?.models ?? [];
      const entries = models.map(({ name, parts }) => [name, parts.filter((part) => PARTS.includes(part))]);
      return c.json({ models: Object.fromEntries(entries), default_model: models[0]?.name });
    }),
  );
  app.on(["GET", "POST"], "/process", (c) => asText(c, state, () => answer(c, state, "process")));
}

/** Answers an error by its message alone. */
async function asText(
  c: Context<AppEnv>,
  state: ServerState,
  make: () => Promise<Response>,
): Promise<Response> {
  try {
    return await make();
  } catch (error) {
    const failure = failureOf(error, hiddenNames(state));
    if (failure.status === 500) throw error;
    return c.text(`${failure.message}\n`, failure.status, failureHeaders(failure));
  }
}
