import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Hono, MiddlewareHandler } from "hono";
import { html as markup } from "hono/html";
import type { AppEnv, ServerState } from "./server-state.ts";

/** The files of the playground, in a folder next to `src` and `dist`, where the build of the package puts them. */
const PLAYGROUND = fileURLToPath(new URL("../playground", import.meta.url));

/** Pages of the playground load nothing from elsewhere, and compile WebAssembly. */
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "worker-src 'self' blob:; frame-ancestors 'self'";

/** The attribute of the page that names what describes its server: see apps/playground/src/app/host.ts. */
const HOST = 'name="arcwise-host" content="';

/** What the page is served with. */
export interface PageOptions {
  readonly state: Pick<ServerState, "models">;
  /** Whether clients need a token: the page cannot load models then. */
  readonly hasToken: boolean;
  /** The folder of the playground. */
  readonly folder?: string | undefined;
}

/**
 * Adds the page at `/`: the playground, which parses by the models of this server, if the package was built with it, or
 * else a page that links what there is.
 */
export function pageRoutes(app: Hono<AppEnv>, { state, hasToken, folder = PLAYGROUND }: PageOptions): void {
  if (!existsSync(join(folder, "index.html"))) {
    app.get("/", (c) => c.html(FIRST_PAGE, 200, { "content-security-policy": "default-src 'none'" }));
    return;
  }
  const loaded = () => state.models?.models ?? [];
  app.get("/", withHeaders, async (c) => {
    const index = await readFile(join(folder, "index.html"), "utf8");
    return c.html(index.replace(HOST, `${HOST}host.json`));
  });
  app.get("/host.json", (c) => {
    // A model with an encoder parses at the server; a page has no token.
    const models = loaded().map(({ name, facts: { language }, encoder }, i) => ({
      ...{ name, language },
      ...(!hasToken && (encoder === undefined ? { href: `page-models/${i}` } : { parse: "v1/parse" })),
    }));
    return c.json({ files: [], models });
  });
  if (!hasToken)
    app.get("/page-models/:index", async (c, next) => {
      const model = loaded()[Number(c.req.param("index"))];
      if (model === undefined) return next();
      return c.body(Readable.toWeb(createReadStream(model.path)) as ReadableStream);
    });
  app.get("/*", withHeaders, serveStatic({ root: folder }));
}

const withHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (c.res.status >= 400) return;
  c.res.headers.set("content-security-policy", POLICY);
  // The names of these files have a hash of their contents.
  const isNamedByHash = c.req.path.startsWith("/assets/");
  c.res.headers.set("cache-control", isNamedByHash ? "public, max-age=31536000, immutable" : "no-cache");
};

const FIRST_PAGE = markup`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Arcwise</title></head>
<body>
<h1>Arcwise</h1>
<p>This server parses: <a href="/v1/docs">how to call it</a>, <a href="/v1/models">its models</a>.</p>
</body>
</html>`;
