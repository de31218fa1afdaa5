import { existsSync } from "node:fs";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { MiddlewareHandler } from "hono";
import { html as markup } from "hono/html";
import type { App, AppEnv } from "../app-env.ts";
import { PLAYGROUND } from "../playground-folder.ts";

/** Pages of the playground load nothing from elsewhere, and compile WebAssembly. */
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "worker-src 'self' blob:; frame-ancestors 'self'";

/** Adds the page at `/`: the playground if the package was built with it, or else a page that links what there is. */
export function pageRoutes(app: App, folder: string = PLAYGROUND): void {
  if (!existsSync(join(folder, "index.html"))) {
    app.get("/", (c) => c.html(FIRST_PAGE, 200, { "content-security-policy": "default-src 'none'" }));
    return;
  }
  app.get("/*", withHeaders, serveStatic({ root: folder }));
}

/** Adds headers to the files of the playground. */
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
