import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { importCircles, readRooms, roomViolations } from "../src/room-rules.ts";
import { readWorkspace, type WorkspacePackage } from "../src/workspace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const workspace = readWorkspace(root);
const rooms = readRooms(readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8"));

/** A package with the given files under `src`, and the specifiers that each imports. */
function house(files: Readonly<Record<string, readonly string[]>>): WorkspacePackage {
  const sources = Object.entries(files).map(([path, imports]) => ({
    path: `src/${path}`,
    text: imports.map((specifier) => `import "${specifier}";\n`).join(""),
  }));
  return { folder: "packages/house", manifest: {}, files: sources, others: [] };
}

describe("this repository", () => {
  test("has the folders and the imports between them that docs/architecture.md lists", () => {
    expect(roomViolations(workspace, rooms)).toEqual([]);
  });
  test("has no import cycle between files", () => {
    expect(importCircles(workspace)).toEqual([]);
  });
});

describe("folders", () => {
  const pkg = house({ "index.ts": ["./attic/a.ts"], "attic/a.ts": ["../cellar/b.ts"], "cellar/b.ts": [] });
  const table = [
    "| `packages/house/src` | the entry | `attic` |",
    "| `packages/house/src/attic` | what is above | `cellar` |",
    "| `packages/house/src/cellar` | what is below | |",
  ];

  test("as listed break no rule", () => {
    expect(roomViolations([pkg], readRooms(table.join("\n")))).toEqual([]);
  });
  test("in a list break no rule, and its imports are checked", () => {
    const items = table.map((row) =>
      row.replace(/^\| (.*) \| (.*) \| (`.*`)? ?\|$/, "- $1: $2;\n  imports $3"),
    );
    expect(roomViolations([pkg], readRooms(items.join("\n")))).toEqual([]);
    const others = items.map((item) => item.replace("`cellar`", "`barn`"));
    expect(roomViolations([pkg], readRooms(others.join("\n")))).toHaveLength(2);
  });
  test.each([
    ["a folder that is not listed", table.slice(0, 2), "packages/house/src/cellar: is not in docs"],
    [
      "a folder that is not there",
      [...table, "| `packages/house/src/barn` | hay | |"],
      "packages/house/src/barn: is in docs/architecture.md and not in the tree",
    ],
    [
      "an import that is not listed",
      table.map((row) => row.replace("`cellar`", "")),
      "packages/house/src/attic: imports cellar; listed: nothing",
    ],
    [
      "an import that is listed and not there",
      table.map((row) => row.replace("below | ", "below | `attic` ")),
      "packages/house/src/cellar: is listed with attic, which it does not import",
    ],
  ])("%s", (_what, rows, violation) => {
    expect(roomViolations([pkg], readRooms(rows.join("\n")))).toEqual([expect.stringContaining(violation)]);
  });
  test("a package without folders under src needs no row", () => {
    expect(roomViolations([house({ "index.ts": ["./a.ts"], "a.ts": [] })], [])).toEqual([]);
  });
});

describe("circles", () => {
  test.each([
    ["two files", { "a.ts": ["./b.ts"], "b.ts": ["./a.ts"], "c.ts": ["./a.ts"] }, "src/a.ts, src/b.ts"],
    ["a file and itself", { "a.ts": ["./a.ts"] }, "src/a.ts"],
    [
      "three files in two folders",
      { "x/a.ts": ["../b.ts"], "b.ts": ["./x/c.ts"], "x/c.ts": ["./a.ts"] },
      "src/b.ts, src/x/a.ts, src/x/c.ts",
    ],
  ])("%s", (_what, files, circle) => {
    expect(importCircles([house(files as Record<string, string[]>)])).toEqual([
      `packages/house: files import each other in a circle: ${circle}`,
    ]);
  });
  test("of types count", () => {
    const typed = house({ "a.ts": [], "b.ts": ["./a.ts"] });
    const files = typed.files.map((file) =>
      file.path === "src/a.ts"
        ? { ...file, text: 'import type { B } from "./b.ts";\nexport type A = B;\n' }
        : file,
    );
    expect(importCircles([{ ...typed, files }])).toHaveLength(1);
  });
  test("are not reported where there are none", () => {
    expect(importCircles([house({ "a.ts": ["./b.ts", "./c.ts"], "b.ts": ["./c.ts"], "c.ts": [] })])).toEqual(
      [],
    );
  });
});
