import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { headingAnchor } from "../../docs/.vitepress/repository.ts";
import { readWorkspace } from "../src/workspace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tracked = execFileSync("git", ["ls-files", "docs"], { cwd: root, encoding: "utf8" });
const documents = ["README.md", "CONTRIBUTING.md"]
  .concat(tracked.split("\n").filter((path) => !path.includes(".vitepress")))
  .concat(readWorkspace(root).map(({ folder }) => `${folder}/README.md`))
  .filter((path) => path.endsWith(".md") && existsSync(join(root, path)));

/**
 * Returns the targets of links to files in a Markdown text. Links from "/" are those between pages of the site,
 * which its build checks.
 */
function fileLinks(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!.replace(/#.*/, ""))
    .filter((target) => target !== "" && !/^(?:[a-z]+:|\/)/.test(target));
}

test("links to files are distinguished from other links", () => {
  expect(fileLinks("[a](b.md) [c](../d/e.md#f) [g](https://h.org) [i](#j) [k](/l)")).toEqual([
    "b.md",
    "../d/e.md",
  ]);
});

test("READMEs are short: of the repository 100 lines, of a package or of apps/bench and apps/cli 80", () => {
  const lengths = documents
    .filter((path) => /^(?:packages\/[^/]+\/|apps\/(?:bench|cli)\/|)README\.md$/.test(path))
    .map((path) => ({ path, lines: readFileSync(join(root, path), "utf8").trimEnd().split("\n").length }));
  expect(lengths.filter(({ path, lines }) => lines > (path === "README.md" ? 100 : 80))).toEqual([]);
});

describe("links lead to files", () => {
  test.each(documents)("%s", (path) => {
    const links = fileLinks(readFileSync(join(root, path), "utf8"));
    expect(links.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
  });
});

const CODE = /```[\s\S]*?```/g;

/** Returns the anchors of the headings of a Markdown text. */
function anchors(text: string): string[] {
  return [...text.replace(CODE, "").matchAll(/^#+ (.*)$/gm)].map(([, title]) => headingAnchor(title!));
}

/** Returns the links of a document to headings of documents, whose headings do not have their anchors. */
function deadAnchors(path: string, text: string): string[] {
  const links = text.replace(CODE, "").matchAll(/\]\((?![a-z]+:)([^)\s#]*)#([^)\s]+)\)/g);
  return [...links].flatMap(([, target = "", anchor = ""]) => {
    const file = target.startsWith("/") ? join("docs", target) : join(dirname(path), target);
    const found = target === "" ? path : [file, `${file}.md`].find((name) => documents.includes(name));
    if (found === undefined) return [];
    return anchors(readFileSync(join(root, found), "utf8")).includes(anchor) ? [] : [`${target}#${anchor}`];
  });
}

test("headings have anchors, and links to others are found", () => {
  expect(anchors("# A, `b` C\n\n```sh\n# no\n```\n## d-e f\n")).toEqual(["a-b-c", "d-e-f"]);
  const text =
    "[a](../CONTRIBUTING.md#fuzzing) [b](../CONTRIBUTING.md#no) [c](/guide/train#train) [d](https://h.org#i)";
  expect(deadAnchors("docs/index.md", text)).toEqual(["../CONTRIBUTING.md#no"]);
});

describe("links lead to headings", () => {
  test.each(documents)("%s", (path) => {
    expect(deadAnchors(path, readFileSync(join(root, path), "utf8"))).toEqual([]);
  });
});
