import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { type PageOptions, pageRoutes } from "../src/pages.ts";
import type { AppEnv } from "../src/server-state.ts";
import { temporaryFolder } from "./support.ts";

const folder = temporaryFolder();
mkdirSync(join(folder, "assets"));
writeFileSync(join(folder, "index.html"), '<!doctype html><meta name="arcwise-host" content="" />');
writeFileSync(join(folder, "one.model"), "bytes of a model");
writeFileSync(join(folder, "assets/a-1234.js"), "0;");
/** A server with a model, and one with an encoder. */
const models = [
  { name: "welsh", path: join(folder, "one.model"), facts: {} },
  { name: "large", path: join(folder, "two.model"), facts: { language: "Welsh" }, encoder: {} },
];
const state = { models: { models } } as unknown as PageOptions["state"];
const appWith = (options: Partial<PageOptions>) => {
  const made = new Hono<AppEnv>();
  pageRoutes(made, { state, hasToken: false, folder, ...options });
  return made;
};
const app = appWith({});

test("a package that was built without the page has a page of links", async () => {
  const plain = appWith({ folder: join(folder, "none") });
  expect(await (await plain.request("/")).text()).toContain("/v1/docs");
});

test.each([
  ["/", 200, "text/html", "no-cache"],
  ["/assets/a-1234.js", 200, "text/javascript", "immutable"],
  ["/assets/../../etc/passwd", 404, "", ""],
  ["/%2e%2e/%2e%2e/etc/passwd", 404, "", ""],
  ["/none.js", 404, "", ""],
])("%s is a file of the page, or not found", async (path, status, type, cache) => {
  const response = await app.request(path);
  expect(response.status).toBe(status);
  if (status !== 200) return;
  expect(response.headers.get("content-type")).toContain(type);
  expect(response.headers.get("cache-control")).toContain(cache);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'self'");
});

test.each([
  [
    false,
    [
      { name: "welsh", href: "page-models/0" },
      { name: "large", language: "Welsh", parse: "v1/parse" },
    ],
    200,
  ],
  [true, [{ name: "welsh" }, { name: "large", language: "Welsh" }], 404],
])(
  "the page learns of the models; with a token (%s) it cannot load them",
  async (hasToken, listed, status) => {
    const served = appWith({ hasToken });
    expect(await (await served.request("/")).text()).toContain('name="arcwise-host" content="host.json"');
    expect(await (await served.request("/host.json")).json()).toEqual({ files: [], models: listed });
    const model = await served.request("/page-models/0");
    expect(model.status).toBe(status);
    if (status === 200) expect(await model.text()).toBe("bytes of a model");
    expect((await served.request("/page-models/2")).status).toBe(404);
  },
);
