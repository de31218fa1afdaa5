import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { documentedNames, exportedNames, undocumentedNames } from "../src/doc-rules.ts";
import { incompleteTables, unknownOptions } from "../src/option-rows.ts";
import { readWorkspace, type WorkspacePackage } from "../src/workspace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const workspace = readWorkspace(root);

describe("this repository", () => {
  it("has a doc comment for every exported name", () => {
    expect(exportedNames(workspace).length).toBeGreaterThan(400);
    expect(undocumentedNames(workspace)).toEqual([]);
  });

  it("has an example in the doc comment of every name that arcwise exports", () => {
    const names = documentedNames(workspace, "arcwise");
    expect(names.length).toBeGreaterThan(80);
    expect(names.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual([]);
  });
});

it("@throws of packages names errors that users can import", () => {
  const known = new Set(exportedNames(workspace).map(({ name }) => name));
  for (const name of ["Error", "RangeError", "SyntaxError", "TypeError"]) known.add(name);
  const thrown = workspace
    .filter(({ folder }) => folder.startsWith("packages/"))
    .flatMap(({ folder, files }) =>
      files.flatMap(({ path, text }) =>
        Array.from(text.matchAll(/@throws ([A-Z]\w*)/g), ([, name]) => ({
          file: `${folder}/${path}`,
          name: name!,
        })),
      ),
    );
  expect(thrown.length).toBeGreaterThan(200);
  expect(thrown.filter(({ name }) => !known.has(name))).toEqual([]);
});

describe("tables of options in documents", () => {
  const documents = workspace.map((own) => ({ own, path: join(root, own.folder, "README.md") }));

  it.each([
    ["name options that their package has", unknownOptions],
    ["name all options of a table of their package", incompleteTables],
  ] as const)("%s", (_what, faultsOf) => {
    const faults = documents
      .filter(({ path }) => existsSync(path))
      .flatMap(({ own, path }) =>
        [...faultsOf(own, readFileSync(path, "utf8"))].map((row) => ({ path, ...row })),
      );
    expect(faults).toEqual([]);
  });

  it("with an option that went are found", () => {
    const files = [
      { path: "src/index.ts", text: "const TABLE = defineOptions({ width: { check: COUNT } });\n" },
    ];
    const text = "| option | meaning |\n|---|---|\n| `width`, `height` | pixels |\n\n| `depth` | prose |\n";
    expect(unknownOptions({ files }, text)).toEqual([{ line: 3, name: "height" }]);
  });

  it.each([
    ["| `width`, `height` |\n| `depth` |", []],
    ["| `width` |\n| `height` |\n| `other` |", [{ line: 1, names: ["depth"] }]],
    ["| `width` |\n| `other` |", []],
  ])("without an option of a table that they are about are found: %j", (rows, faults) => {
    const members =
      "  width: {\n    check: record({\n      inner: COUNT,\n    }),\n  },\n  height: HEIGHT,\n  depth,\n";
    const files = [
      {
        path: "src/index.ts",
        text: `const TABLE = defineOptions({\n${members}});\nconst a = {\n  b: 1,\n};\n`,
      },
    ];
    expect(incompleteTables({ files }, `| option |\n|---|\n${rows}\n`)).toEqual(faults);
  });
});

describe("a package", () => {
  const packageOf = (index: string, other: string): WorkspacePackage => ({
    folder: "packages/one",
    manifest: { name: "@arcwise/one", exports: { ".": {} } } as WorkspacePackage["manifest"],
    files: [
      { path: "src/index.ts", text: index },
      { path: "src/other.ts", text: other },
    ],
  });

  it("exports names under the names of its index", () => {
    const pkg = packageOf('export { a, type B, c as d } from "./other.ts";\n', "");
    expect(exportedNames([pkg])).toEqual([
      { module: "@arcwise/one", name: "a", file: "src/other.ts", declared: "a" },
      { module: "@arcwise/one", name: "B", file: "src/other.ts", declared: "B" },
      { module: "@arcwise/one", name: "d", file: "src/other.ts", declared: "c" },
    ]);
  });

  it.each([
    ["no comment", "export const a = 1;\n", true],
    ["a plain comment", "/* The first. */\nexport const a = 1;\n", true],
    ["tags alone", "/** @throws RangeError always */\nexport function a(): void {}\n", true],
    ["a comment of something else", "/** Not this. */\nconst b = 1;\nexport const a = b;\n", true],
    ["a comment in one line", "/** The first. */\nexport const a = 1;\n", false],
    ["a comment in lines", "/**\n * The first.\n *\n * @throws nothing\n */\nexport type a = 1;\n", false],
  ])("a name with %s: undocumented is %s", (_, text, isMissing) => {
    const missing = undocumentedNames([packageOf('export { a } from "./other.ts";\n', text)]);
    expect(missing).toEqual(isMissing ? ["packages/one/src/other.ts: a"] : []);
  });
});
