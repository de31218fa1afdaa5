import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pathSuggestion } from "../src/node/index.ts";

describe("a path that does not exist", () => {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), "arcwise-"));
  beforeAll(() => {
    mkdirSync(join(folder, "texts"));
    for (const name of ["input.txt", ".input.txt", "texts/one.conllu"]) writeFileSync(join(folder, name), "");
    process.chdir(folder);
  });
  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ["inptu.txt", "input.txt"],
    ["./Input.text", "input.txt"],
    ["texts/one.conlu", join("texts", "one.conllu")],
    ["text/one.conllu", "texts"],
    [join(folder, "input.tx"), join(folder, "input.txt")],
  ])("%s has a near one", (path, near) => {
    expect(pathSuggestion(path)).toBe(` (did you mean "${near}"?)`);
  });

  test.each(["other", "texts/input.txt", "", "/nowhere/at/all", "input.txt/a"])("%j has none", (path) => {
    expect(pathSuggestion(path)).toBe("");
  });
});
