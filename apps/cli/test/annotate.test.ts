import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PageServer, servePage } from "../src/annotate/page-server.ts";
import { KeptFile } from "../src/files/kept-file.ts";

const folder = mkdtempSync(join(tmpdir(), "arcwise-"));
const trees = join(folder, "trees.conllu");
const INDEX = '<meta name="arcwise-host" content="" />';
let server: PageServer;

beforeAll(async () => {
  mkdirSync(join(folder, "page/assets"), { recursive: true });
  writeFileSync(join(folder, "page/index.html"), INDEX);
  writeFileSync(join(folder, "page/assets/a.js"), "0;");
  for (const name of ["trees.conllu", "gold.conllu", "own.model"]) writeFileSync(join(folder, name), name);
  const kept = (name: string) => [new KeptFile(join(folder, name))];
  const contents = { files: kept("trees.conllu"), gold: kept("gold.conllu"), models: kept("own.model") };
  server = await servePage({ page: join(folder, "page"), ...contents }, 0);
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, options?: RequestInit) => fetch(new URL(path, server.url), options);

test("the page learns of the files and models", async () => {
  expect(await (await get("")).text()).toBe(INDEX.replace('""', '"host.json"'));
  expect(await (await get("host.json")).json()).toEqual({
    files: [{ name: "trees.conllu", path: trees, href: "files/0", gold: "gold/0" }],
    models: [{ name: "own", href: "models/0" }],
  });
});

test.each([
  ["files/0", 200, "trees.conllu"],
  ["gold/0", 200, "gold.conllu"],
  ["models/0", 200, "own.model"],
  ["assets/a.js", 200, "0;"],
  ["files/1", 404],
  ["none.js", 404],
  ["..%2ftrees.conllu", 404],
  ["%2e%2e/%2e%2e/etc/passwd", 404],
  ["%", 400],
  ["../host.json", 404],
])("%s: %i", async (path, status, content?: string) => {
  const answer = await get(path);
  expect(answer.status).toBe(status);
  if (content !== undefined) expect(await answer.text()).toBe(content);
});

test("a file is replaced, unless another program changed it", async () => {
  const put = (version: string | undefined, body: string) =>
    get("files/0", { method: "PUT", body, ...(version && { headers: { "if-match": version } }) });
  const opened = (await get("files/0")).headers.get("etag")!;
  const saved = await put(opened, "first");
  expect([saved.status, readFileSync(trees, "utf8")]).toEqual([204, "first"]);
  writeFileSync(trees, "of another program");
  expect((await put(saved.headers.get("etag")!, "second")).status).toBe(412);
  expect((await put(undefined, "second")).status).toBe(428);
  expect(readFileSync(trees, "utf8")).toBe("of another program");
  const seen = (await get("files/0")).headers.get("etag")!;
  const both = await Promise.all([put(seen, "a"), put(seen, "b")]);
  expect(both.map(({ status }) => status)).toEqual([204, 412]);
  expect(readFileSync(trees, "utf8")).toBe("a");
  expect((await get("gold/0", { method: "PUT", headers: { "if-match": "*" }, body: "x" })).status).toBe(405);
});
