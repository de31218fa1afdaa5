import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { CHROMIUM, chromiumOptions } from "../chromium.ts";
import { ROOT, runSound } from "../project.ts";
import { serveFolder } from "../serve.ts";

const project = inject("project");
const INSTALL = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
/** An empty folder in which what the guide says is done. */
const folder = join(project.folder, "plain");
const page = (name: string) => readFileSync(join(ROOT, `docs/guide/${name}.md`), "utf8");
const guide = page("browser");
const SENTENCE = "We painted the old boat yesterday.";

beforeAll(() => {
  mkdirSync(folder);
  // Without it, npm would install in the folder above.
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  runSound("npm", [...INSTALL, ...project.packages.map(({ tarball }) => tarball)], folder);
});

it("the command parses a sentence with the model of English, by its name", () => {
  const arcwise = join(folder, "node_modules/arcwise/bin/arcwise.js");
  const tree = runSound(
    process.execPath,
    [arcwise, "parse", "english", SENTENCE, "--output-format", "tree"],
    folder,
  );
  expect(tree).toMatch(/─ painted +VERB +root/);
});

it("an installation of arcwise and English has at most 12 packages and 24 MB", () => {
  const alone = join(project.folder, "alone");
  mkdirSync(alone);
  writeFileSync(join(alone, "package.json"), '{ "private": true }\n');
  const wanted = project.packages.filter(({ name }) => ["arcwise", "@arcwise/english"].includes(name));
  runSound("npm", [...INSTALL, ...wanted.map(({ tarball }) => tarball)], alone);
  const files = readdirSync(join(alone, "node_modules"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const manifests = files.filter((file) => /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file));
  expect(manifests.length).toBeLessThanOrEqual(12);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeLessThan(24e6);
  const arcwise = join(alone, "node_modules/arcwise/bin/arcwise.js");
  const args = [arcwise, "parse", "english", SENTENCE, "--threads", "2", "--output-format", "tree"];
  expect(runSound(process.execPath, args, alone)).toMatch(/─ painted +VERB +root/);
});

it("the single file has no imports, and exports what the package exports", async () => {
  const file = join(folder, "node_modules/arcwise/dist/arcwise.min.js");
  const names = Object.keys(await import(file)).sort();
  expect(names).toEqual(Object.keys(await import(join(folder, "node_modules/arcwise/dist/index.js"))).sort());
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules/arcwise/package.json"), "utf8"));
  for (const field of ["unpkg", "jsdelivr"]) expect(manifest[field]).toBe("./dist/arcwise.min.js");
});

it("the command serves the playground with its models", async () => {
  const arcwise = join(folder, "node_modules/arcwise/bin/arcwise.js");
  const server = spawn(process.execPath, [arcwise, "serve", "english", "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    let printed = "";
    while (!/ at http:\S+\n/.test(printed)) printed += String((await once(server.stderr, "data"))[0]);
    const url = / at (http:\S+)/.exec(printed)![1]!;
    const page = await (await fetch(url)).text();
    expect(page).toContain("Arcwise playground");
    const script = /src="\.\/(assets\/[^"]+)"/.exec(page)![1]!;
    const { models } = (await (await fetch(`${url}/host.json`)).json()) as { models: { href: string }[] };
    for (const path of [script, models[0]!.href])
      expect((await fetch(`${url}/${path}`)).status, path).toBe(200);
  } finally {
    server.kill();
  }
});

it("the server of the guide answers with the tree of a sentence", async () => {
  const code = /^```js\n\/\/ server.mjs\n(.*?)^```$/ms.exec(page("server"))![1]!;
  expect(code).toContain(".listen(8080)");
  // A port that is free, which the server prints.
  const port = ".listen(0, function () { console.log(this.address().port); })";
  writeFileSync(join(folder, "server.mjs"), code.replace(".listen(8080)", port));
  const server = spawn(process.execPath, ["server.mjs"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [printed] = (await once(server.stdout, "data")) as [Buffer];
    const url = `http://localhost:${Number(String(printed))}`;
    const [sentence] = await (await fetch(url, { method: "POST", body: SENTENCE })).json();
    expect(sentence).toMatchObject({ text: SENTENCE });
    expect(sentence.words.map(({ form }: { form: string }) => form)).toContain("painted");
  } finally {
    server.kill();
  }
});

it("the command serves a model by its name", async () => {
  const arcwise = join(folder, "node_modules/arcwise/bin/arcwise.js");
  const server = spawn(process.execPath, [arcwise, "serve", "english", "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(server, "exit");
  try {
    const [printed] = (await once(server.stderr, "data")) as [Buffer];
    const url = /serving english at (http:\S+)/.exec(String(printed))![1]!;
    const answer = await fetch(`${url}/v1/parse`, { method: "POST", body: SENTENCE });
    const { sentences } = await answer.json();
    expect(sentences[0]).toMatchObject({ text: SENTENCE });
    const data = new URLSearchParams({ data: SENTENCE, tokenizer: "", output: "horizontal" });
    const processed = await fetch(`${url}/process`, { method: "POST", body: data });
    expect((await processed.json()).result).toBe("We painted the old boat yesterday .\n");
    for (const path of ["/", "/v1/docs", "/ready", "/metrics"])
      expect((await fetch(`${url}${path}`)).status).toBe(200);
  } finally {
    server.kill();
  }
  expect(await ended).toEqual([0, null]);
});

describe.skipIf(CHROMIUM === undefined)("the page of the guide without a bundler", () => {
  it("draws the tree of the reader's own sentence, and requests four files", async () => {
    const source = /^```html\n(<!doctype html>.*?)^```$/ms.exec(guide)?.[1];
    writeFileSync(join(folder, "index.html"), source!);
    const server = await serveFolder(folder);
    const browser = await chromium.launch(chromiumOptions());
    try {
      const tab = await browser.newPage();
      await tab.goto(`${server.origin}/`);
      await tab.fill("input", SENTENCE);
      await tab.press("input", "Enter");
      await tab.waitForSelector("svg", { timeout: 60_000 });
      expect(await tab.locator("svg .arc").count()).toBe(7);
      expect(await tab.locator("svg").textContent()).toContain("nsubj");
      expect(server.requested.filter((path) => path !== "/favicon.ico")).toEqual([
        "/",
        "/node_modules/@arcwise/english/index.js",
        "/node_modules/arcwise/dist/arcwise.min.js",
        "/node_modules/@arcwise/english/english.model",
      ]);
    } finally {
      await browser.close();
      server.close();
    }
  });
});
