import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { markupViolations } from "../src/markup-rules.ts";
import { readWorkspace, sourcesOf } from "../src/workspace.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

test("no text of this repository becomes markup without being escaped", () => {
  const sources = sourcesOf(readWorkspace(ROOT));
  const site = readdirSync(`${ROOT}/docs/.vitepress`)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ path: name, text: readFileSync(`${ROOT}/docs/.vitepress/${name}`, "utf8") }));
  expect(site.length).toBeGreaterThan(2);
  expect(markupViolations([...sources, ...site])).toEqual([]);
  // `markup` itself, drawings and plots as finished elements, and the script of a report.
  const raw = [...sources, ...site].filter(({ text }) => /\brawMarkup\b(?!")/.test(text));
  expect(raw.map(({ path }) => path).sort()).toEqual([
    "apps/bench/src/report/html.ts",
    "apps/cli/src/analysis/drawing-writers.ts",
    "apps/cli/src/evaluation/error-page.ts",
    "drawings.ts",
    "packages/draw/src/element.ts",
    "packages/draw/src/html.ts",
    "packages/draw/src/index.ts",
    "packages/draw/src/text/markup.ts",
  ]);
});

/** Returns a source whose values in templates were written `#{x}`. */
function withValues(text: string): string {
  return text.replaceAll("#{", "${");
}

describe("the rule of markup", () => {
  test.each([
    ["a template", "const x = `<b>#{y}</b>`;"],
    ["a template that ends in an attribute", 'const x = `<a href="#{y}">`;'],
    ["a template of a closing tag", "const x = `#{y}</b>`;"],
    ["a concatenation", 'const x = "<b>" + y + "</b>";'],
    ["innerHTML", "x.innerHTML = y;"],
    ["innerHTML by a template", "x.innerHTML = `#{y}`;"],
    ["a choice", 'x.innerHTML = z ? "" : y;'],
    ["insertAdjacentHTML", 'x.insertAdjacentHTML("beforeend", y);'],
    ["another tag", "const x = html`<b>#{y}</b>`;"],
  ])("rejects %s", (_, text) => {
    expect(markupViolations([{ path: "src/x.ts", text: `\n${withValues(text)}\n` }])).toEqual([
      expect.stringMatching("^src/x.ts:2: "),
    ]);
  });
  test.each([
    ["pieces of markup", 'const x = markup`<b title="#{y}">#{z}</b>`;'],
    ["constants", 'const x = "<b>bold</b>"; x.innerHTML = "";'],
    ["a piece in a page", "x.innerHTML = String(markup`<b>#{y}</b>`);"],
    ["names of arguments", "const x = `expected <model> #{y}, 1 < #{z}`;"],
  ])("accepts %s", (_, text) => {
    expect(markupViolations([{ path: "src/x.ts", text: withValues(text) }])).toEqual([]);
  });
});
