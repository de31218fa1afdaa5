import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Example, examplesOf, type Logged, misstatements } from "../src/examples.ts";
import { readWorkspace } from "../src/workspace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bench = join(root, "apps/bench");
const workspace = readWorkspace(root);
const readmes = ["", ...workspace.map(({ folder }) => folder)].map((folder) => ({
  name: basename(folder) || "workspace",
  path: join(folder, "README.md"),
}));
const pages = ["", "guide", "explanation", "reference"].flatMap((folder) =>
  readdirSync(join(root, "docs", folder))
    .filter((file) => file.endsWith(".md"))
    .map((file) => ({
      name: `${folder || "docs"}-${basename(file, ".md")}`,
      path: join("docs", folder, file),
    })),
);
const references = workspace
  .map(({ folder }) => ({ name: `${basename(folder)}-reference`, path: join(folder, "REFERENCE.md") }))
  .filter(({ path }) => existsSync(join(root, path)));
const examples = [...readmes, ...references, ...pages].flatMap(({ name, path }) =>
  examplesOf(name, readFileSync(join(root, path), "utf8")),
);
const before = process.cwd();
let folder: string;

beforeAll(() => {
  // The benchmark depends on all packages: examples find them there.
  folder = mkdtempSync(join(bench, ".examples-"));
  for (const { name, code } of examples) writeFileSync(join(folder, `${name}.ts`), `${code}export {};\n`);
  cpSync(join(bench, "sample/train.conllu"), join(folder, "train.conllu"));
  cpSync(join(bench, "sample/test.conllu"), join(folder, "input.conllu"));
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

it("the examples of READMEs and pages compile", () => {
  const config = { extends: join(root, "tsconfig.json"), include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
});

it.each(examples)("$name runs and prints what its document says", async (example) => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await import(join(folder, `${example.name}.ts`));
    expect(misstatements(example, log.mock.calls.map(logged))).toEqual([]);
  } finally {
    log.mockRestore();
  }
});

function logged(values: readonly unknown[]): Logged {
  return { text: values.map(String).join(" "), values };
}

describe("misstatements", () => {
  const document = (code: string, after = "") => `# X\n\n\`\`\`ts\n${code}\n\`\`\`\n${after}`;
  const only = (markdown: string): Example => examplesOf("x", markdown)[0]!;

  it.each([
    ["another line than stated", "console.log(1); // 2", [1], ["2", "1"]],
    ["nothing", "console.log(1); // 1", [], ["1"]],
    ["a line that is not stated", "for (const a of b) console.log(a);\n// 1", [1, 2], ["2"]],
    ["lines in another order", "for (const a of b) console.log(a);\n// 1\n// 2", [2, 1], ["1"]],
    ["the stated line", "console.log(1); // 1", [1], []],
    ["the stated value", "console.log(a); // [1,2]", [[1, 2]], []],
    ["the stated lines", "for (const a of b) console.log(a);\n// 1\n// 2", [1, 2], []],
    ["several lines at once", "console.log(tree);\n//  a\n// b", [" a\nb\n"], []],
    ["several lines, one of them not stated", "console.log(tree);\n// a", ["a\nb\n"], ["b"]],
    ["the content of a file", 'console.log(await readFile("a"));', ["a"], []],
  ])("an example that prints %s", (_, code, values, found) => {
    const printed = values.map((value) => logged([value]));
    expect(misstatements(only(document(code)), printed)).toEqual(found);
  });

  it("the output may be stated in the text after the block", () => {
    const example = only(document("log();", "It prints\n\n    a b\n"));
    expect(misstatements(example, [logged(["a", "b"])])).toEqual([]);
  });
});
