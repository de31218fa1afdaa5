// @module-tag slow
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { examplesOf, misstatements } from "../src/examples.ts";
import { importViolations } from "../src/import-rules.ts";
import { readWorkspace } from "../src/workspace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const scaffold = join(root, "tools/new-decoder.mjs");
const folder = "packages/decode-best-head";
const sample = join(root, "apps/bench/sample");
/** The files outside of the new package that the scaffold changes. */
const CHANGED = ["apps/bench/src/registry/decoders.ts", "apps/bench/package.json", "README.md"];
const built = ["cli/dist/main.js", "bench/dist/main.js"].every((file) =>
  existsSync(join(root, "apps", file)),
);
let workspace: string;

function run(program: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  return { status, stdout, output: stdout + stderr };
}

function newDecoder(...args: string[]) {
  return run(process.execPath, [scaffold, ...args, "--root", workspace], root);
}

function npm(args: readonly string[], cwd: string) {
  return run(process.platform === "win32" ? "npm.cmd" : "npm", args, cwd);
}

/** The command of the guide, with the pnpm that package.json pins. */
const PACK = "npm run pnpm -- --dir packages/decode-beam-search pack";

/** Packs a package by the command of the guide. */
function pack(source: string, destination: string): string {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    packageManager: string;
  };
  const words = PACK.split(" ").slice(4);
  const given = words.map((word) => (word.startsWith("packages/") ? source : word));
  const command = ["pnpm", ...given, "--json", "--pack-destination", destination];
  const exec = ["exec", "--yes", "--prefer-offline", `--package=${packageManager}`, "--", ...command];
  const { status, stdout, output } = npm(exec, source);
  expect(status, output).toBe(0);
  return (JSON.parse(stdout) as { filename: string }).filename;
}

/** Returns the share of words with equal heads in two CoNLL-U files. */
function shareOfHeads(gold: string, found: string): number {
  const headsIn = (text: string) =>
    [...text.matchAll(/^\d+\t(?:[^\t]*\t){5}(\d+)\t/gm)].map(([, head]) => head);
  const expected = headsIn(gold);
  const heads = headsIn(found);
  expect(heads).toHaveLength(expected.length);
  return heads.filter((head, i) => head === expected[i]).length / expected.length;
}

/** Returns UAS by decoder from the output of `compare` or `parsers`. */
function accuracies(json: string): Readonly<Record<string, number>> {
  const { results } = JSON.parse(json) as {
    results:
      | readonly { decoders: readonly { decoder: string; uas: number }[] }[]
      | { parsers: readonly { parser: string; scores: { uas: number } }[] };
  };
  if ("parsers" in results) {
    // "Arcwise mst order 1"
    const named = results.parsers.map(({ parser, scores }) => [parser.split(" ")[1]!, scores.uas]);
    return Object.fromEntries(named);
  }
  const rows = results[0]!.decoders.map(({ decoder, uas }) => [decoder, uas] as const);
  const { "maximum spanning arborescence": mst = Number.NaN, ...rest } = Object.fromEntries(rows);
  return { mst, ...rest };
}

/** Creates a workspace of links to the real packages, in which the new package is written. */
beforeAll(() => {
  workspace = mkdtempSync(join(tmpdir(), "arcwise-scaffold-"));
  mkdirSync(join(workspace, "packages"));
  mkdirSync(join(workspace, "apps/bench/src/registry"), { recursive: true });
  for (const file of CHANGED) {
    cpSync(join(root, file), join(workspace, file));
  }
  mkdirSync(join(workspace, "node_modules/@arcwise"), { recursive: true });
  for (const file of [
    "package.json",
    "pnpm-workspace.yaml",
    "tsconfig.base.json",
    "tsconfig.json",
    "vitest.config.ts",
    "tools/property-seed.ts",
    "tools/temporary-files.ts",
    "tools/kept-models.ts",
    "tools/equal-bytes.ts",
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
  it("writes a package and its tests", () => {
    const { status, stdout } = newDecoder("best-head");
    expect(status).toBe(0);
    const written = [...stdout.matchAll(/^wrote (.*)$/gm)].map((match) => match[1]);
    expect(written.toSorted()).toEqual([
      `${folder}/README.md`,
      `${folder}/package.json`,
      `${folder}/src/best-head-decoder.ts`,
      `${folder}/src/index.ts`,
      `${folder}/test/laws.test.ts`,
      `${folder}/tsconfig.json`,
    ]);
    const changed = [...stdout.matchAll(/^changed (.*)$/gm)].map((match) => match[1]);
    expect(changed).toEqual(CHANGED);
  });

  it("adds the decoder to the registry of the benchmark, to its dependencies and to the README", () => {
    const added = (file: string) => {
      const before = readFileSync(join(root, file), "utf8").split("\n");
      const after = readFileSync(join(workspace, file), "utf8").split("\n");
      expect(after.filter((line) => before.includes(line))).toEqual(before);
      return after.filter((line) => !before.includes(line));
    };
    expect(added("apps/bench/src/registry/decoders.ts")).toEqual([
      'import { bestHeadDecoder } from "@arcwise/decode-best-head";',
      "  decoderEntry(bestHeadDecoder, { exact: true }),",
    ]);
    expect(added("apps/bench/package.json")).toEqual(['    "@arcwise/decode-best-head": "workspace:*",']);
    expect(added("README.md")).toEqual([
      "- [@arcwise/decode-best-head](packages/decode-best-head/README.md): the best-head decoder",
    ]);
    const biome = join(root, "node_modules/.bin/biome");
    const { status, output } = run(biome, ["check", "--vcs-enabled=false", "apps/bench/src"], workspace);
    expect(status, output).toBe(0);
  });

  it("imports what a decoder may", () => {
    const pkg = readWorkspace(workspace).filter((other) => other.folder === folder);
    expect(pkg).toHaveLength(1);
    expect(importViolations(pkg)).toEqual([]);
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
    const args = [vitest, "run", "--root", workspace, "decode-best-head", "--reporter", "json"];
    const { status, stdout, output } = run(process.execPath, args, workspace);
    expect(status, output).toBe(0);
    const report = JSON.parse(stdout.slice(stdout.indexOf("{"))) as { numPassedTests: number };
    expect(report.numPassedTests).toBeGreaterThan(40);
  });

  describe.skipIf(!built)("outside of the workspace (skipped before npm run build)", () => {
    const outside = mkdtempSync(join(tmpdir(), "arcwise-outside-"));
    const model = join(outside, "best-head.model");
    const module = "@arcwise/decode-best-head";
    afterAll(() => rmSync(outside, { recursive: true }));

    it("is packed and installed", { timeout: 120_000 }, () => {
      const tsc = join(root, "node_modules/.bin/tsc");
      const compiled = run(tsc, ["-p", join(workspace, folder)], workspace);
      expect(compiled.status, compiled.output).toBe(0);
      expect(readFileSync(join(root, "docs/guide/decoder.md"), "utf8")).toContain(`\`${PACK}\``);
      // What `pnpm install` does, which the guide runs before.
      const installed = join(workspace, folder, "node_modules/@arcwise");
      mkdirSync(installed, { recursive: true });
      for (const name of ["core", "decode-mst", "decoder-laws"])
        symlinkSync(join(root, "packages", name), join(installed, name), "dir");
      const packed = [
        join(root, "packages/core"),
        join(root, "packages/decode-mst"),
        join(workspace, folder),
      ];
      const tarballs = packed.map((one) => pack(one, outside));
      writeFileSync(join(outside, "package.json"), '{ "private": true }\n');
      const install = ["install", "--offline", "--no-audit", "--no-fund", ...tarballs];
      const { status, output } = npm(install, outside);
      expect(status, output).toBe(0);
    });

    it("the example of its README prints what it says", () => {
      const [example] = examplesOf("new", readFileSync(join(workspace, folder, "README.md"), "utf8"));
      writeFileSync(join(outside, "example.mjs"), example!.code);
      const { stdout } = run(process.execPath, ["example.mjs"], outside);
      const printed = stdout.trimEnd().split("\n");
      expect(
        misstatements(
          example!,
          printed.map((text) => ({ text, values: [] })),
        ),
      ).toEqual([]);
    });

    const guide = readFileSync(join(root, "docs/guide/decoder.md"), "utf8").replaceAll(/ \\\n +/g, " ");
    const commands = [...guide.matchAll(/^ {4}(npx arcwise|npm run bench --) (.*beam-search.*)$/gm)]
      .map(([, program, args]) => ({ program: program!, args: args! }))
      .filter(({ args }) => args.includes("dist/index.js"));

    it("the guide trains, parses and compares", () => {
      expect(commands.map(({ args }) => args.split(" ")[0])).toEqual([
        "train",
        "parse",
        "compare",
        "parsers",
      ]);
    });

    test.each(commands)("$program $args", { timeout: 120_000 }, ({ program, args }) => {
      const values: Readonly<Record<string, string>> = {
        "T.conllu": join(sample, "train.conllu"),
        "IN.conllu": join(sample, "test.conllu"),
        DIR: sample,
        M: model,
        "./packages/decode-beam-search/dist/index.js": module,
      };
      const given = args.split(" ").map((word) => values[word] ?? word);
      const command = given[0]!;
      const json = join(outside, `${command}.json`);
      const quick: Readonly<Record<string, readonly string[]>> = {
        train: ["--epochs", "2"],
        compare: ["--decoder", "mst", "--quick", "--json", json],
        parsers: ["--decoder", "mst", "--epochs", "1", "--quick", "--json", json],
      };
      const bin = program === "npx arcwise" ? "cli/bin/arcwise.js" : "bench/bin/arcwise-bench.js";
      const argv = [join(root, "apps", bin), ...given, ...(quick[command] ?? [])];
      const { status, stdout, output } = run(process.execPath, argv, outside);
      expect(status, output).toBe(0);
      if (command === "parse") {
        const gold = readFileSync(join(sample, "test.conllu"), "utf8");
        expect(shareOfHeads(gold, stdout)).toBeGreaterThan(0.5);
      }
      if (command === "compare" || command === "parsers") {
        const rows = accuracies(readFileSync(json, "utf8"));
        expect(rows["best-head"]).toBeGreaterThan(0.5);
        // Both are exact: their accuracies are equal.
        expect(rows["best-head"]).toBe(rows.mst);
      }
    });

    it("a model whose decoder is missing reports its module", () => {
      const cli = join(root, "apps/cli/bin/arcwise.js");
      const argv = [cli, "parse", "--model", model, join(sample, "test.conllu")];
      const { status, output } = run(process.execPath, argv, outside);
      expect(status).toBe(2);
      expect(output).toContain(`trained with the decoder "best-head" (${module})`);
    });
  });

  it("does not overwrite existing files", () => {
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
