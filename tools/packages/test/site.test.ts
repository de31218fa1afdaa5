import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";

const docs = fileURLToPath(new URL("../../../docs", import.meta.url));
const site = join(docs, ".vitepress/dist");
const pages = () =>
  readdirSync(site, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));

describe("the site", { timeout: 300_000 }, () => {
  beforeAll(() => {
    const vitepress = join(docs, "node_modules/vitepress/bin/vitepress.js");
    const { status, stderr } = spawnSync(process.execPath, [vitepress, "build", docs], { encoding: "utf8" });
    // A link to a page that is not there, or a block that cannot be drawn, ends the build.
    expect(stderr.match(/dead link|Error/g) ?? []).toEqual([]);
    expect(status).toBe(0);
  }, 300_000);

  test("has the pages of the guide, the reference, the results and the explanations", () => {
    for (const page of [
      "index",
      "guide/first-steps",
      "reference/packages/core",
      "results/decoders",
      "explanation/ad3",
    ]) {
      expect(pages()).toContain(`${page}.html`);
    }
  });

  test("draws blocks of CoNLL-U, for screens and for phones", () => {
    const page = readFileSync(join(site, "explanation/parsing.html"), "utf8");
    expect(page.match(/<svg class="aw/g)?.length).toBe(2 * 11);
  });

  test("draws blocks of English text", () => {
    const page = readFileSync(join(site, "guide/first-steps.html"), "utf8");
    expect(page).toContain(">letter</text>");
  });

  test("has no scripts inside of pages, so that a content security policy without 'unsafe-inline' holds", () => {
    const inline = pages().flatMap(
      (name) => readFileSync(join(site, name), "utf8").match(/<script(?![^>]* src=)[^>]*>/g) ?? [],
    );
    expect(inline).toEqual([]);
  });

  test("asks for nothing from elsewhere", () => {
    const requests = pages().flatMap((name) => [
      ...readFileSync(join(site, name), "utf8").matchAll(/(?:src|href)="(https?:[^"]+)"[^>]*>/g),
    ]);
    // Links that a reader may follow are not requests.
    expect(
      requests.filter(([tag]) => !tag.startsWith("href") || /rel="(?:stylesheet|preload|icon)/.test(tag)),
    ).toEqual([]);
  });
});
