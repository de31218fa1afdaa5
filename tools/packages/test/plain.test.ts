import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { CHROMIUM, chromiumOptions } from "../chromium.ts";
import { ROOT, runSound } from "../project.ts";
import { serveFolder } from "../serve.ts";

const project = inject("project");
/** An empty folder in which what the guide says is done. */
const folder = join(project.folder, "plain");
const guide = readFileSync(join(ROOT, "docs/guide/browser.md"), "utf8");
const SENTENCE = "We painted the old boat yesterday.";

beforeAll(() => {
  mkdirSync(folder);
  // Without it, npm would install in the folder above.
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  runSound("npm", [...install, ...project.packages.map(({ tarball }) => tarball)], folder);
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

it("the single file has no imports, and exports what the package exports", async () => {
  const file = join(folder, "node_modules/arcwise/dist/arcwise.min.js");
  const names = Object.keys(await import(file)).sort();
  expect(names).toEqual(Object.keys(await import(join(folder, "node_modules/arcwise/dist/index.js"))).sort());
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules/arcwise/package.json"), "utf8"));
  for (const field of ["unpkg", "jsdelivr"]) expect(manifest[field]).toBe("./dist/arcwise.min.js");
});

describe.skipIf(CHROMIUM === undefined)("the page of the guide without a bundler", () => {
  it("draws the tree of the reader's own sentence, and requests four files", async () => {
    const page = /^```html\n(<!doctype html>.*?)^```$/ms.exec(guide)?.[1];
    writeFileSync(join(folder, "index.html"), page!);
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
