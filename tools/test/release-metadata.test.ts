import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";

const program = fileURLToPath(new URL("../release-metadata.mjs", import.meta.url));
let root: string;

function git(...args: string[]) {
  expect(spawnSync("git", args, { cwd: root }).status).toBe(0);
}

function release(...args: string[]) {
  return spawnSync(process.execPath, [program, "--root", root, ...args], { encoding: "utf8" });
}

function write(folder: string, manifest: object): string {
  mkdirSync(join(root, folder), { recursive: true });
  const file = join(root, folder, "package.json");
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  return file;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "arcwise-release-"));
  git("init", "--quiet");
});
afterEach(() => rmSync(root, { recursive: true }));

it.each([
  ["https://git.example/team/parsers.git"],
  ["https://git.example/team/parsers"],
  ["https://user:token@git.example/team/parsers.git"],
  ["ssh://git@git.example:2222/team/parsers.git"],
  ["git@git.example:team/parsers.git"],
])("fills in the address of %s", (url) => {
  const file = write("packages/one", { name: "one", license: "MIT", type: "module" });
  const own = write("apps/own", { name: "own", private: true, license: "MIT" });
  const before = readFileSync(own, "utf8");
  git("remote", "add", "origin", url);
  expect(release().status).toBe(0);
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  expect(manifest).toEqual({
    name: "one",
    license: "MIT",
    homepage: "https://git.example/team/parsers/tree/HEAD/packages/one#readme",
    repository: {
      type: "git",
      url: "git+https://git.example/team/parsers.git",
      directory: "packages/one",
    },
    bugs: { url: "https://git.example/team/parsers/issues" },
    type: "module",
  });
  expect(Object.keys(manifest).at(-1)).toBe("type");
  expect(readFileSync(own, "utf8")).toBe(before);

  const first = readFileSync(file, "utf8");
  expect(release("--remote", "origin").status).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(first);
});

it("fills in the address of models, which are made of their recipes", () => {
  const file = write("reports/models/latin/package", { name: "@arcwise/latin", license: "CC-BY-4.0" });
  mkdirSync(join(root, "reports/models/greek"), { recursive: true });
  git("remote", "add", "origin", "https://git.example/team/parsers");
  expect(release().status).toBe(0);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    homepage: "https://git.example/team/parsers/tree/HEAD/tools/models#readme",
    repository: { directory: "tools/models" },
  });
});

it.each([
  [[], "/srv/parsers.git", "the remote origin: expected an address such as https://HOST/OWNER/NAME, found"],
  [["--remote", "upstream"], "https://git.example/a/b", 'git has no remote "upstream"'],
  [["--other"], "https://git.example/a/b", "Unknown option '--other'"],
])("refuses %j with the remote %s", (args, url, message) => {
  const file = write("packages/one", { name: "one", license: "MIT" });
  const before = readFileSync(file, "utf8");
  git("remote", "add", "origin", url);
  const { status, stderr } = release(...args);
  expect(status).toBe(1);
  expect(stderr).toContain(message);
  expect(readFileSync(file, "utf8")).toBe(before);
});
