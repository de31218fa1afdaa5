// @module-tag slow
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../bundle-sizes.mjs", import.meta.url));

function sizes(...args: string[]) {
  return spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
}

it("the sizes of bundles in the READMEs are within 5 % of the measured ones", () => {
  const { status, stderr, stdout } = sizes();
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(Number(/^(\d+) bundles/.exec(stdout)?.[1])).toBeGreaterThan(10);
});

describe("in another document", () => {
  let root: string;
  let readme: string;
  const table = (row: string) =>
    `# Sizes\n\n| imports | minified | gzipped |\n|---|---:|---:|\n${row}\n\nAfter.\n`;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "arcwise-sizes-"));
    mkdirSync(join(root, "packages"));
    mkdirSync(join(root, "apps"));
    readme = join(root, "README.md");
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it("a figure that is too far away is reported with the measured one, and replaced by --write", () => {
    writeFileSync(readme, table("| `heads` of `@arcwise/core` | 1.0 kB | 99.0 kB |"));
    const { status, stderr } = sizes("--root", root);
    expect(status).toBe(1);
    expect(stderr).toMatch(/README\.md: stated {3}.* 99\.0 kB \|\nREADME\.md: measured .* 0\.\d kB \|\n/);
    expect(sizes("--root", root, "--write").status).toBe(0);
    expect(sizes("--root", root).status).toBe(0);
    expect(readFileSync(readme, "utf8")).toMatch(
      /\| `heads` of `@arcwise\/core` \| \d\.\d kB \| 0\.\d kB \|/,
    );
  });

  it("files that are built count with what they import", () => {
    const folder = join(root, "dist/assets");
    mkdirSync(folder, { recursive: true });
    for (const [name, imported] of [
      ["page-A1.js", 'import"./part-B2.js";'],
      ["part-B2.js", ""],
      ["other-C3.js", ""],
    ])
      writeFileSync(join(folder, name!), `${imported}${"x".repeat(10_000)}`);
    writeFileSync(
      readme,
      table("| `page` of `dist/assets` | 20.0 kB | 0.1 kB |\n| `*` of `dist/assets` | 20.0 kB | 0.1 kB |"),
    );
    const { status, stderr } = sizes("--root", root);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^README\.md: stated .*\*.*\nREADME\.md: measured \| `\*` of .* \| 30\.0 kB \| 0\.\d kB \|\n$/,
    );
  });

  it.each([
    ["| `no-such-page` of `dist/assets` | 1.0 kB | 1.0 kB |", 'expected a file "no-such-page" in '],
    ["| `heads` | 1.0 kB | 1.0 kB |", 'expected "`name` of `module`" in a table of bundles, found "`heads`"'],
    ["| `heads` of `@arcwise/core` | small |", 'expected "| imports | N kB | N kB |", found'],
  ])("the row %s is refused", (row, message) => {
    writeFileSync(readme, table(row));
    const { status, stderr } = sizes("--root", root);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});
