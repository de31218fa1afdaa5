import type { App } from "./app-env.ts";
import type { ServerState } from "./server-state.ts";

/** Adds the routes of probes and monitoring: `/health`, `/ready`, `/metrics`. */
export function statusRoutes(app: App, state: ServerState): void {
  app.get("/health", (c) => c.json({ status: "ok", version: state.version }));
  app.get("/ready", (c) => {
    if (state.isStopping) return c.json({ status: "stopping" }, 503);
    if (state.models === undefined) return c.json({ status: "loading" }, 503);
    return c.json({ status: "ready", models: state.models.models.map(({ name }) => name) });
  });
  app.get("/metrics", async (c) =>
    c.body(await state.metrics.text(), 200, { "content-type": state.metrics.contentType }),
  );
}
