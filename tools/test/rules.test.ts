import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { dependencyCycles, importViolations } from "../src/import-rules.ts";
import { manifestViolations } from "../src/manifest-rules.ts";
import {
  changesetsViolations,
  decoderNameViolations,
  textViolations,
  wordingViolations,
} from "../src/text-rules.ts";
import { type Manifest, readTexts, readWorkspace, type WorkspacePackage } from "../src/workspace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const rootManifest = readJson("package.json") as Manifest;
const workspace = readWorkspace(root);

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, unknown>;
}

/** Returns a package that breaks no rule, with changes. */
function sound(
  folder = "packages/learn",
  source = 'export { random } from "@arcwise/core";\n',
): WorkspacePackage {
  const name = folder.split("/")[1]!;
  return {
    folder,
    manifest: {
      name: `@arcwise/${name}`,
      version: "0.0.0",
      description: "A sound package",
      license: "MIT",
      author: "Arcwise contributors",
      keywords: ["dependency-parsing", "one", "two", "three"],
      type: "module",
      sideEffects: false,
      engines: { node: ">=20.19" },
      exports: {
        ".": { "@arcwise/source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" },
      },
      files: ["dist", "src"],
      publishConfig: { access: "public" },
      scripts: { build: "tsc -p tsconfig.json" },
      dependencies: { "@arcwise/core": "workspace:*" },
    },
    files: [{ path: "src/index.ts", text: source }],
    others: ["README.md", "tsconfig.json"],
  };
}

/** Returns an application that breaks no rule. */
function application(): WorkspacePackage {
  const { sideEffects, exports, ...manifest } = sound("apps/cli").manifest;
  const changed = {
    ...manifest,
    bin: { arcwise: "./bin/arcwise.js" },
    files: ["bin", "dist", "program", "src"],
    scripts: { build: "tsc -p tsconfig.json && node scripts/bundle.mjs" },
  };
  const order = [
    "name",
    "version",
    "description",
    "license",
    "author",
    "keywords",
    "type",
    "engines",
    "bin",
    "files",
  ];
  const rest = ["publishConfig", "scripts", "dependencies"];
  const sorted = Object.fromEntries([...order, ...rest].map((field) => [field, changed[field as "name"]]));
  return { ...sound("apps/cli"), manifest: sorted };
}

function withFile(folder: string, path: string, text: string): WorkspacePackage {
  return { ...sound(folder), files: [...sound(folder).files, { path, text }] };
}

function withFields(fields: Record<string, unknown>): WorkspacePackage {
  const pkg = sound();
  return { ...pkg, manifest: { ...pkg.manifest, ...fields } };
}

test("the workspace is read", () => {
  const folders = workspace.map(({ folder }) => folder);
  expect(folders).toContain("packages/core");
  expect(folders).toContain("apps/cli");
  expect(workspace.every(({ files }) => files.some(({ path }) => path.startsWith("src/")))).toBe(true);
});

describe("this repository", () => {
  test("imports only what the architecture allows", () => {
    expect(importViolations(workspace)).toEqual([]);
  });
  test("can be built in some order", () => {
    expect(dependencyCycles(workspace)).toEqual([]);
  });
  test("has consistent package.json files", () => {
    expect(manifestViolations(workspace, rootManifest)).toEqual([]);
  });
  test("has a README per package, files of a readable length and no notes of unfinished work", () => {
    expect(textViolations(workspace)).toEqual([]);
  });
  test("tests capabilities of decoders, not their names", () => {
    expect(decoderNameViolations(workspace)).toEqual([]);
  });
  test("has lines of at most 110 characters, and the terms of the field", () => {
    const files = readTexts(root).filter(({ path }) => !/(?:text-rules|rules.test).ts$/.test(path));
    expect(files.length).toBeGreaterThan(500);
    expect(wordingViolations(files)).toEqual([]);
  });
  test("releases all packages together", () => {
    expect(changesetsViolations(readJson(".changeset/config.json"))).toEqual([]);
  });
  test("pins its package manager", () => {
    expect(rootManifest.packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+$/);
  });
});

test("sound packages break no rule", () => {
  const both = [application(), sound()];
  expect(importViolations(both)).toEqual([]);
  expect(dependencyCycles(both)).toEqual([]);
  expect(manifestViolations(both, rootManifest)).toEqual([]);
  expect(textViolations(both)).toEqual([]);
});

describe("import rules reject", () => {
  test.each([
    ["core that imports a package", "packages/core", "src/x.ts", 'import { z } from "zod";', "zod"],
    ["a type import of one", "packages/core", "src/x.ts", 'import type { Z } from "zod";', "zod"],
    ["an import() in a type", "packages/core", "src/x.ts", 'export type Z = import("zod").Z;', "zod"],
    ["a dynamic import", "packages/core", "src/x.ts", 'export const z = await import("zod");', "zod"],
    ["a re-export", "packages/core", "src/x.ts", 'export { z } from "zod";', "zod"],
    [
      "a spanning-tree decoder with features",
      "packages/decode-mst",
      "src/x.ts",
      'import "@arcwise/core/features";',
      "core/features",
    ],
    [
      "another decoder with features",
      "packages/decode-ad3",
      "src/x.ts",
      'import "@arcwise/core/features";',
      "core/features",
    ],
    [
      "a decoder that learns",
      "packages/decode-ad3",
      "src/x.ts",
      'import "@arcwise/learn";',
      "@arcwise/learn",
    ],
    [
      "a learner that knows trees",
      "packages/learn",
      "src/x.ts",
      'import { scoreTree } from "@arcwise/core";',
      "scoreTree",
    ],
    [
      "a learner that takes all of core",
      "packages/learn",
      "src/x.ts",
      'import * as core from "@arcwise/core";',
      "imports *",
    ],
    [
      "threads where there may be none",
      "packages/learn",
      "src/x.ts",
      'import { Tinypool } from "tinypool";',
      "tinypool",
    ],
    [
      "files that know evaluation",
      "packages/conllu",
      "src/x.ts",
      'import "@arcwise/evaluate";',
      "@arcwise/evaluate",
    ],
    [
      "a parser that ships the laws",
      "packages/parser",
      "src/x.ts",
      'import "@arcwise/decoder-laws";',
      "decoder-laws",
    ],
    [
      "a package that imports an application",
      "packages/parser",
      "src/x.ts",
      'import "@arcwise/cli";',
      "@arcwise/cli",
    ],
    ["a test that does", "packages/parser", "test/x.test.ts", 'import "@arcwise/bench";', "@arcwise/bench"],
    ["a package nobody knows", "packages/mystery", "src/x.ts", 'import "@arcwise/core";', "@arcwise/core"],
    [
      "a built-in of Node",
      "packages/conllu",
      "src/x.ts",
      'import { readFileSync } from "node:fs";',
      "node:fs",
    ],
    [
      "a built-in by its old name",
      "packages/conllu",
      "src/x.ts",
      'import { join } from "path/posix";',
      "path/posix",
    ],
    ["a global of Node", "packages/conllu", "src/x.ts", "export const b = Buffer.alloc(1);", "Buffer"],
    ["chance", "packages/core", "src/x.ts", "export const r = Math.random();", "Math.random"],
    ["chance in brackets", "packages/core", "src/x.ts", 'export const r = Math["random"]();', "Math.random"],
    ["chance taken apart", "packages/core", "test/x.ts", "export const { random: r } = Math;", "Math.random"],
    [
      "a way out of the package",
      "packages/core",
      "src/x.ts",
      'import "../../learn/src/index.ts";',
      "outside",
    ],
    ["sources that need tests", "packages/core", "src/x.ts", 'import "../test/y.ts";', "not in src"],
    ["an import without its ending", "packages/core", "src/x.ts", 'import "./y";', "without its ending"],
  ])("%s", (_what, folder, path, text, named) => {
    const found = importViolations([withFile(folder, path, text)]).filter((line) => line.includes(path));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(named);
  });

  test("dependencies that no import may use", () => {
    const runtime = withFields({
      dependencies: { "@arcwise/core": "workspace:*", "@arcwise/conllu": "workspace:*" },
    });
    expect(importViolations([runtime])).toEqual([expect.stringContaining("depends on @arcwise/conllu")]);
    const tests = withFields({ devDependencies: { "@arcwise/cli": "workspace:*" } });
    expect(importViolations([tests])).toEqual([expect.stringContaining("depends on @arcwise/cli")]);
  });

  test("cyclic dependencies of packages", () => {
    const core = sound("packages/core");
    const needy = {
      ...core,
      manifest: { ...core.manifest, dependencies: {}, devDependencies: { "@arcwise/learn": "" } },
    };
    expect(dependencyCycles([needy, sound()])).toEqual([
      expect.stringContaining("@arcwise/core, @arcwise/learn"),
    ]);
  });
});

describe("import rules accept", () => {
  test.each([
    [
      "Node in /node subpaths",
      "packages/parser",
      "src/node/index.ts",
      'import "node:fs"; export const p = process;',
    ],
    ["threads in /node subpaths", "packages/learn", "src/node/x.ts", 'import "tinypool"; import "node:os";'],
    ["Node in tests", "packages/parser", "test/x.test.ts", 'import "node:fs"; import "vitest";'],
    ["features in the parser", "packages/parser", "src/x.ts", 'import "@arcwise/core/features";'],
    ["a decoder on spanning trees", "packages/decode-ad3", "src/x.ts", 'import "@arcwise/decode-mst";'],
    ["names that look like Node's", "packages/core", "src/x.ts", "export const a = { process: 1 }.process;"],
    [
      "words in strings and comments",
      "packages/core",
      "src/x.ts",
      "// Math.random()\nexport const s = \"import 'zod'\";",
    ],
    [
      "anything in applications",
      "apps/cli",
      "src/x.ts",
      'import "node:fs"; import "commander"; import "@arcwise/bench";',
    ],
  ])("%s", (_what, folder, path, text) => {
    const found = importViolations([withFile(folder, path, text)]);
    expect(found.filter((line) => line.includes(path))).toEqual([]);
  });
});

describe("package.json rules reject", () => {
  test.each([
    ["another name", { name: "@arcwise/other" }, "name"],
    ["another version", { version: "1.0.0" }, "version"],
    ["another licence", { license: "ISC" }, "license"],
    ["another author", { author: "somebody" }, "author"],
    ["too few keywords", { keywords: ["dependency-parsing", "one"] }, "at least four"],
    ["a keyword twice", { keywords: ["dependency-parsing", "one", "one", "two"] }, "all different"],
    ["an address", { homepage: "https://arcwise.example" }, "homepage must be absent"],
    ["a repository", { repository: "https://arcwise.example" }, "repository must be absent"],
    ["an address for bugs", { bugs: "https://arcwise.example" }, "bugs must be absent"],
    ["CommonJS", { type: "commonjs" }, "type"],
    ["another Node", { engines: { node: ">=22" } }, "engines"],
    ["another build", { scripts: { build: "make" } }, "scripts"],
    ["scripts of its own", { scripts: { build: "tsc -p tsconfig.json", test: "vitest" } }, "scripts"],
    ["a description that is a sentence", { description: "It is sound." }, "description"],
    ["side effects", { sideEffects: true }, "sideEffects"],
    ["too few files", { files: ["dist"] }, "files"],
    ["private access", { publishConfig: { access: "restricted" } }, "publishConfig"],
    ["a pinned sibling", { dependencies: { "@arcwise/core": "^1.0.0" } }, "workspace:*"],
    ["unsorted dependencies", { devDependencies: { b: "1", a: "1" } }, "sorted"],
    ["a field of its own", { funding: "x" }, "funding"],
    ["no entry", { exports: {} }, 'exports must have "."'],
    [
      "an entry that does not exist",
      { exports: { ...sound().manifest.exports, "./more": sound().manifest.exports?.["."] } },
      "more",
    ],
    [
      "conditions in another order",
      {
        exports: {
          ".": {
            default: "./dist/index.js",
            types: "./dist/index.d.ts",
            "@arcwise/source": "./src/index.ts",
          },
        },
      },
      'exports["."]',
    ],
  ])("%s", (_what, fields, named) => {
    const found = manifestViolations(
      [sound("packages/core", "export {};"), withFields(fields)],
      rootManifest,
    );
    expect(found.length).toBeGreaterThan(0);
    expect(found.join("\n")).toContain(named);
    expect(found.every((line) => line.startsWith("packages/learn/package.json: "))).toBe(true);
  });

  test("fields in another order", () => {
    const pkg = sound();
    const reversed = Object.fromEntries(Object.entries(pkg.manifest).reverse());
    expect(manifestViolations([{ ...pkg, manifest: reversed }], rootManifest)).toEqual([
      expect.stringContaining("fields must come in the order"),
    ]);
  });

  test("programs that are not in bin", () => {
    const cli = application();
    const moved = { ...cli, manifest: { ...cli.manifest, bin: { arcwise: "./dist/main.js" } } };
    expect(manifestViolations([moved], rootManifest)).toEqual([expect.stringContaining("bin.arcwise")]);
  });
});

describe("text rules reject", () => {
  test("a package without a README", () => {
    expect(textViolations([{ ...sound(), others: ["tsconfig.json"] }])).toEqual([
      "packages/learn: has no README.md",
    ]);
  });
  test("a file of 451 lines", () => {
    expect(textViolations([withFile("packages/learn", "src/x.ts", "\n".repeat(450))])).toEqual([
      expect.stringContaining("more than 450 lines"),
    ]);
  });
  test("a note of unfinished work", () => {
    const note = `export {};\n// ${["TO", "DO"].join("")}: the rest\n`;
    expect(textViolations([withFile("packages/learn", "src/x.ts", note)])).toEqual([
      expect.stringContaining("line 2"),
    ]);
  });
  test.each([
    'if (decoder.name === "mst") f();',
    'const isSearch = name !== "hillclimb";',
    'return "projective-sibling" == name;',
    '    case "ad3":',
  ])("a comparison with the name of a decoder: %s", (line) => {
    expect(decoderNameViolations([withFile("packages/parser", "src/x.ts", `f();\n${line}\n`)])).toEqual([
      expect.stringContaining("packages/parser/src/x.ts: line 2"),
    ]);
    expect(decoderNameViolations([withFile("packages/decode-mst", "src/x.ts", line)])).toEqual([]);
  });
  test.each([
    'const decoder = trees === "projective" ? eisnerDecoder() : mstDecoder();',
    'const DECODER_OF_ORDER = { 1: "mst" };',
  ])("no choice by what a decoder is: %s", (line) => {
    expect(decoderNameViolations([withFile("packages/parser", "src/x.ts", line)])).toEqual([]);
  });
  test.each([
    ["separate versions", { fixed: [] }],
    ["private access", { access: "restricted" }],
    ["another branch", { baseBranch: "master" }],
  ])("changesets with %s", (_what, fields) => {
    const config = { fixed: [["@arcwise/*"]], access: "public", baseBranch: "main", ...fields };
    expect(changesetsViolations(config)).toHaveLength(1);
  });
});

describe("wording rules", () => {
  const found = (line: string, path = "docs/x.md") => wordingViolations([{ path, text: `\n${line}` }]);
  test.each([
    ["a line of 111 characters", `${"x ".repeat(55)}y`],
    ["the gradient by another name", "The slope of the loss."],
    ["a constant of another name", "const MOST_WORDS = 3;"],
    ["a callback that is told", "/** Told of progress. */"],
  ])("reject %s", (_what, line) => {
    expect(found(line)).toEqual([expect.stringMatching(/^docs\/x\.md:2: /)]);
  });
  test.each([
    ["a line of 110 characters", `${"x ".repeat(54)}yy`],
    ["characters of two code units", `${"\u{1D518} ".repeat(54)}yy`],
    ["a long address", `https://example.org/${"x".repeat(100)}`],
    ["a row of a table", `| ${"x ".repeat(60)} |`],
    ["words that contain one", "Indeed, a landslope, the folder."],
  ])("accept %s", (_what, line) => {
    expect(found(line)).toEqual([]);
  });
  test("reject a wide row of a table outside of Markdown", () => {
    expect(found(`| ${"x ".repeat(60)} |`, "src/x.ts")).toHaveLength(1);
  });
});
