import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { SETTINGS, scopedStyles } from "../scripts/build.mjs";
import { VIEW_NAMES } from "../src/app/view-names.ts";

const src = fileURLToPath(new URL("../src", import.meta.url));
const sheets = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".css"))
  .map((path) => path.replaceAll("\\", "/"));

/** Returns why the built style sheet of a view can reach another view; undefined if it cannot. */
function faultOf(css: string): string | undefined {
  const [, view, body] = /^:where\(main\[data-view="([\w-]+)"\]\) \{(.*)\}$/s.exec(css) ?? [];
  if (view === undefined || !VIEW_NAMES.some((name) => name === view)) return "not in a view";
  const code = body!.replaceAll(/\/\*.*?\*\/|"[^"]*"|'[^']*'/gs, "");
  const [global] = /@(?!media|container|supports)[\w-]+/.exec(code) ?? [];
  if (global !== undefined) return `${global} is of the page`;
  let depth = 0;
  for (const [brace] of code.matchAll(/[{}]/g)) {
    depth += brace === "{" ? 1 : -1;
    if (depth < 0) return "the scope is closed";
  }
  return depth === 0 ? undefined : "a rule is not closed";
}

describe("a style sheet stays within its view", () => {
  test("style sheets are found", () => {
    expect(sheets.length).toBeGreaterThan(8);
  });
  test("the page is built and served with the scopes", () => {
    expect(SETTINGS.plugins).toContain(scopedStyles);
  });
  const own = sheets.filter((path) => path !== "style.css" && !path.startsWith("shared/"));
  test.each(own)("%s", (path) => {
    const file = join(src, path);
    expect(faultOf(scopedStyles.transform(readFileSync(file, "utf8"), file) ?? "")).toBeUndefined();
  });
  test.each([
    ["a folder that is not a view", "app/a.css", ".a {}", "not in a view"],
    ["the folder of all views", "style.css", ".a {}", "not in a view"],
    ["names of the whole page", "learn/a.css", "@keyframes a {}", "@keyframes is of the page"],
    ["a brace too many", "learn/a.css", "} .toolbar { width: 0; } .a {", "the scope is closed"],
    ["a rule within a rule", "correct/view/a.css", '.a { &:hover { content: "}"; } }', undefined],
  ])("%s", (_, path, css, fault) => {
    expect(faultOf(scopedStyles.transform(css, join(src, path)) ?? css)).toBe(fault);
  });
});
