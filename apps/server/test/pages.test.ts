import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { afterAll, expect, test } from "vitest";
import type { AppEnv } from "../src/app-env.ts";
import { pageRoutes } from "../src/pages/routes.ts";

const folder = mkdtempSync(join(tmpdir(), "arcwise-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "assets"));
writeFileSync(join(folder, "index.html"), "<!doctype html>");
writeFileSync(join(folder, "assets/a-1234.js"), "0;");
const app = new Hono<AppEnv>();
pageRoutes(app, folder);

test("a package that was built without the page has a page of links", async () => {
  const plain = new Hono<AppEnv>();
  pageRoutes(plain, join(folder, "none"));
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
