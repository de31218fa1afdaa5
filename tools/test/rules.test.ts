import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { importTable, importViolations } from "../src/import-rules.ts";
import { readWorkspace, type WorkspacePackage } from "../src/workspace.ts";

/** A package with one source file that breaks no rule, with changes of its package.json. */
function sound(folder = "packages/learn", fields: WorkspacePackage["manifest"] = {}): WorkspacePackage {
  const name = `@arcwise/${folder.split("/")[1]}`;
  const text = 'export { random } from "@arcwise/core";\n';
  return {
    folder,
    manifest: { name, dependencies: { "@arcwise/core": "workspace:*" }, ...fields },
    files: [{ path: "src/index.ts", text }],
  };
}

/** Returns what is wrong with a file of a sound package: `core` is short for `packages/core/src/x.ts`. */
function violationsAt(place: string, text: string): string[] {
  const file = place.includes("/") ? place : `packages/${place}/src/x.ts`;
  const folder = file.split("/", 2).join("/");
  const path = file.slice(folder.length + 1);
  const pkg = sound(folder);
  const found = importViolations([{ ...pkg, files: [...pkg.files, { path, text }] }]);
  return found.filter((line) => line.includes(path));
}

test("this repository imports only what the architecture allows", () => {
  const workspace = readWorkspace(fileURLToPath(new URL("../..", import.meta.url)));
  const folders = workspace.map(({ folder }) => folder);
  expect(folders).toContain("packages/core");
  expect(folders).toContain("apps/cli");
  expect(workspace.every(({ files }) => files.some(({ path }) => path.startsWith("src/")))).toBe(true);
  expect(importViolations(workspace)).toEqual([]);
});

test("the page of the architecture has the table of imports (npx vitest run tools/test/rules -u writes it)", async () => {
  const page = join(import.meta.dirname, "../../docs/explanation/architecture.md");
  const after = readFileSync(page, "utf8").replace(
    /(<!-- imports: [^\n]*-->\n).*(<!-- end of imports)/s,
    (_, begin, end) => `${begin}\n${importTable()}\n\n${end}`,
  );
  await expect(after).toMatchFileSnapshot(page);
});

test("sound packages break no rule", () => {
  expect(importViolations([sound("apps/cli"), sound()])).toEqual([]);
});

test("circles of imports between folders of a package are refused", () => {
  const files = [
    { path: "src/a/one.ts", text: 'import "../b/two.ts";' },
    { path: "src/b/two.ts", text: 'import "../a/three.ts";' },
    { path: "src/c/four.ts", text: 'import "../d/five.ts";' },
    { path: "src/d/five.ts", text: 'import "../e/six.ts"; import "../a/one.ts";' },
    { path: "src/e/six.ts", text: 'import "../c/four.ts"; import "./seven.ts";' },
  ];
  expect(importViolations([{ ...sound(), files }])).toEqual([
    "packages/learn/src: imports in a circle: a -> b -> a",
    "packages/learn/src: imports in a circle: b -> a -> b",
    "packages/learn/src: imports in a circle: c -> d -> e -> c",
    "packages/learn/src: imports in a circle: d -> e -> c -> d",
    "packages/learn/src: imports in a circle: e -> c -> d -> e",
  ]);
  expect(importViolations([{ ...sound(), files: [files[0]!, files[2]!, files[3]!] }])).toEqual([]);
  expect(importViolations([{ ...sound("apps/experiments"), files: files.slice(0, 2) }])).toHaveLength(2);
});

describe("import rules reject", () => {
  test.each([
    ["core that imports a package", "core", 'import { z } from "zod";', "zod"],
    ["a type import of one", "core", 'import type { Z } from "zod";', "zod"],
    ["an import() in a type", "core", 'export type Z = import("zod").Z;', "zod"],
    ["a dynamic import", "core", 'export const z = await import("zod");', "zod"],
    ["a re-export", "core", 'export { z } from "zod";', "zod"],
    [
      "a spanning-tree decoder with features",
      "decode-mst",
      'import "@arcwise/core/features";',
      "core/features",
    ],
    ["another decoder with features", "decode-ad3", 'import "@arcwise/core/features";', "core/features"],
    ["a decoder that learns", "decode-ad3", 'import "@arcwise/learn";', "@arcwise/learn"],
    ["a learner that knows trees", "learn", 'import { scoreTree } from "@arcwise/core";', "scoreTree"],
    ["a learner that takes all of core", "learn", 'import * as core from "@arcwise/core";', "imports *"],
    [
      "threads where there may be none",
      "learn",
      'import { onThreads } from "@arcwise/jobs/node";',
      "@arcwise/jobs/node",
    ],
    ["files that know evaluation", "conllu", 'import "@arcwise/evaluate";', "@arcwise/evaluate"],
    ["a parser that ships the laws", "parser", 'import "@arcwise/decoder-laws";', "decoder-laws"],
    ["a package that imports an application", "parser", 'import "@arcwise/cli";', "@arcwise/cli"],
    ["a test that does", "packages/parser/test/x.test.ts", 'import "@arcwise/bench";', "@arcwise/bench"],
    ["a package nobody knows", "mystery", 'import "@arcwise/core";', "@arcwise/core"],
    ["a built-in of Node", "conllu", 'import { readFileSync } from "node:fs";', "node:fs"],
    ["a built-in by its old name", "conllu", 'import { join } from "path/posix";', "path/posix"],
    ["a global of Node", "conllu", "export const b = Buffer.alloc(1);", "Buffer"],
    ["chance", "core", "export const r = Math.random();", "Math.random"],
    ["chance in brackets", "core", 'export const r = Math["random"]();', "Math.random"],
    ["chance taken apart", "packages/core/test/x.ts", "export const { random: r } = Math;", "Math.random"],
    ["a way out of the package", "core", 'import "../../learn/src/index.ts";', "outside"],
    ["sources that need tests", "core", 'import "../test/y.ts";', "not in src"],
    [
      "an output that is not planned",
      "apps/cli/src/commands/x.ts",
      'import { writeFile } from "node:fs/promises";',
      "planFiles",
    ],
    [
      "a stream to an output that is not planned",
      "apps/cli/src/commands/x.ts",
      'const { createWriteStream } = await import("node:fs"); export { createWriteStream };',
      "planFiles",
    ],
    [
      "a model that is not planned",
      "apps/cli/src/x.ts",
      'import { writeParserFile } from "@arcwise/parser/node";',
      "planFiles",
    ],
    [
      "a report that is not planned",
      "apps/bench/src/command/io.ts",
      'import { writeFileSync } from "node:fs";',
      "planFiles",
    ],
    [
      "a file of events that is not planned",
      "apps/experiments/src/x.ts",
      'import { appendFileSync } from "node:fs";',
      "planFiles",
    ],
    ["an import without its ending", "core", 'import "./y";', "without its ending"],
  ])("%s", (_what, place, text, named) => {
    const found = violationsAt(place, text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(named);
  });

  test("dependencies that no import may use", () => {
    const runtime = sound("packages/learn", {
      dependencies: { "@arcwise/core": "workspace:*", "@arcwise/conllu": "workspace:*" },
    });
    expect(importViolations([runtime])).toEqual([expect.stringContaining("depends on @arcwise/conllu")]);
    const tests = sound("packages/learn", { devDependencies: { "@arcwise/cli": "workspace:*" } });
    expect(importViolations([tests])).toEqual([expect.stringContaining("depends on @arcwise/cli")]);
  });
});

describe("import rules accept", () => {
  test.each([
    [
      "Node in /node subpaths",
      "packages/parser/src/node/index.ts",
      'import "node:fs"; export const p = process;',
    ],
    [
      "threads in /node subpaths",
      "packages/parser/src/node/x.ts",
      'import "@arcwise/jobs/node"; import "node:os";',
    ],
    ["Node in tests", "packages/parser/test/x.test.ts", 'import "node:fs"; import "vitest";'],
    ["features in the parser", "parser", 'import "@arcwise/core/features";'],
    ["a decoder on spanning trees", "decode-ad3", 'import "@arcwise/decode-mst";'],
    ["names that look like Node's", "core", "export const a = { process: 1 }.process;"],
    ["words in strings and comments", "core", "// Math.random()\nexport const s = \"import 'zod'\";"],
    ["inputs in the command", "apps/cli/src/commands/x.ts", 'import { readFile } from "node:fs/promises";'],
    ["outputs that the command plans", "apps/cli/src/files/x.ts", 'import { open } from "node:fs/promises";'],
    [
      "anything else in applications",
      "apps/bench/src/x.ts",
      'import "node:fs"; import "commander"; import "@arcwise/cli";',
    ],
  ])("%s", (_what, place, text) => {
    expect(violationsAt(place, text)).toEqual([]);
  });
});
