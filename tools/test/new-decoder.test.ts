import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { importViolations } from "../src/import-rules.ts";
import { manifestViolations } from "../src/manifest-rules.ts";
import { textViolations } from "../src/text-rules.ts";
import { type Manifest, readWorkspace } from "../src/workspace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const scaffold = join(root, "tools/new-decoder.mjs");
const folder = "packages/decode-best-head";
let workspace: string;

function run(program: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  return { status, stdout, output: stdout + stderr };
}

function newDecoder(...args: string[]) {
  return run(process.execPath, [scaffold, ...args, "--root", workspace], root);
}

/** A workspace of links to the real packages, where the new package is on its own. */
beforeAll(() => {
  workspace = mkdtempSync(join(tmpdir(), "arcwise-scaffold-"));
  mkdirSync(join(workspace, "packages"));
  mkdirSync(join(workspace, "apps"));
  mkdirSync(join(workspace, "node_modules/@arcwise"), { recursive: true });
  for (const file of [
    "package.json",
    "tsconfig.base.json",
    "tsconfig.json",
    "vitest.config.ts",
    "biome.json",
  ]) {
    cpSync(join(root, file), join(workspace, file));
  }
  for (const name of ["core", "decode-mst", "decoder-laws"]) {
    symlinkSync(join(root, "packages", name), join(workspace, "packages", name), "dir");
    symlinkSync(join(root, "packages", name), join(workspace, "node_modules/@arcwise", name), "dir");
  }
  for (const name of ["vitest", "@types", "fast-check"]) {
    symlinkSync(join(root, "node_modules", name), join(workspace, "node_modules", name), "dir");
  }
  symlinkSync(join(workspace, folder), join(workspace, "node_modules/@arcwise/decode-best-head"), "dir");
});

afterAll(() => rmSync(workspace, { recursive: true }));

describe("tools/new-decoder.mjs", () => {
  it("writes a package, its tests and a changeset", () => {
    const { status, stdout } = newDecoder("best-head");
    expect(status).toBe(0);
    const written = [...stdout.matchAll(/^wrote (.*)$/gm)].map((match) => match[1]);
    expect(written.toSorted()).toEqual([
      ".changeset/decode-best-head.md",
      `${folder}/README.md`,
      `${folder}/package.json`,
      `${folder}/src/best-head-decoder.ts`,
      `${folder}/src/index.ts`,
      `${folder}/test/laws.test.ts`,
      `${folder}/test/readme-example.ts`,
      `${folder}/test/readme.test.ts`,
      `${folder}/tsconfig.json`,
    ]);
    expect(readdirSync(join(workspace, ".changeset"))).toEqual(["decode-best-head.md"]);
  });

  it("keeps the rules of the workspace", () => {
    const pkg = readWorkspace(workspace).filter((other) => other.folder === folder);
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
    expect([...importViolations(pkg), ...manifestViolations(pkg, manifest), ...textViolations(pkg)]).toEqual(
      [],
    );
  });

  it("compiles", () => {
    const config = { extends: "./tsconfig.json", include: [`${folder}/src`, `${folder}/test`] };
    writeFileSync(join(workspace, "tsconfig.new.json"), JSON.stringify(config));
    const tsc = join(root, "node_modules/.bin/tsc");
    const { status, output } = run(tsc, ["-p", "tsconfig.new.json"], workspace);
    expect(output).toBe("");
    expect(status).toBe(0);
  });

  it("is formatted and linted", () => {
    const biome = join(root, "node_modules/.bin/biome");
    const { status, output } = run(biome, ["check", "--vcs-enabled=false", folder], workspace);
    expect(status, output).toBe(0);
  });

  it("passes the laws and its own tests", () => {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const args = [vitest, "run", "--root", workspace, "--project", "decode-best-head", "--reporter", "json"];
    const { status, stdout, output } = run(process.execPath, args, workspace);
    expect(status, output).toBe(0);
    const report = JSON.parse(stdout.slice(stdout.indexOf("{"))) as { numPassedTests: number };
    expect(report.numPassedTests).toBeGreaterThan(40);
  });

  it("does not write over what exists", () => {
    writeFileSync(join(workspace, folder, "README.md"), "mine\n");
    const { status, output } = newDecoder("best-head");
    expect(status).toBe(1);
    expect(output).toContain(`${folder} exists already`);
    expect(readFileSync(join(workspace, folder, "README.md"), "utf8")).toBe("mine\n");
  });

  test.each([[[]], [["Best"]], [["a--b"]], [["../evil"]], [["two", "names"]]])("refuses %j", (names) => {
    const { status, output } = newDecoder(...names);
    expect(status).toBe(1);
    expect(output).toContain("usage: node tools/new-decoder.mjs NAME");
  });
});
