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
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseHTML } from "linkedom";
import { transformWithOxc } from "vite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { compileScript, parse } from "vue/compiler-sfc";
import { writeTinyEncoder } from "../../packages/encoder-onnx/test/tiny-encoder.ts";
import { documentedNames } from "../src/doc-rules.ts";
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
/** Examples of doc comments that import all that they use: they run as those of documents. */
const declared = workspace.flatMap(({ folder, files }) =>
  files.flatMap(({ path, text }) => {
    const codes = Array.from(text.matchAll(/@example\n((?: \*.*\n)+?) \*\//g), ([, code]) =>
      code!.replace(/^ \* ?/gm, ""),
    );
    const blocks = codes
      .filter((code) => /^import \{[^}]*\} from "@arcwise\//.test(code))
      .map((code) => `\`\`\`ts\n${code}\`\`\`\n`);
    return examplesOf(`${basename(folder)}-${basename(path, ".ts")}`, blocks.join("\n"));
  }),
);
const examples = [...readmes, ...pages]
  .flatMap(({ name, path }) => examplesOf(name, readFileSync(join(root, path), "utf8")))
  .concat(declared);
const documented = documentedNames(workspace, "arcwise");
const modules = examples.filter(({ language }) => language !== "vue");
const before = process.cwd();
let folder: string;

beforeAll(async () => {
  // The benchmark depends on most packages, and examples on all.
  folder = mkdtempSync(join(bench, ".examples-"));
  mkdirSync(join(folder, "node_modules/@arcwise"), { recursive: true });
  for (const { folder: source, manifest } of workspace)
    symlinkSync(join(root, source), join(folder, "node_modules", manifest.name!));
  for (const { name, language, code } of modules)
    writeFileSync(join(folder, `${name}.${language}`), `${code}export {};\n`);
  for (const { name, example } of documented)
    writeFileSync(
      join(folder, `export-${name}.ts`),
      `${commentPrelude}\nexport const example = async () => {\n${example}\n};\n`,
    );
  for (const { language, code } of examples) if (language === "vue") await writeComponent(code);
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: { jsx: "react-jsx", jsxImportSource: "react" },
    include: ["*.ts", "*.tsx"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  cpSync(join(bench, "sample/train.conllu"), join(folder, "train.conllu"));
  cpSync(join(bench, "sample/test.conllu"), join(folder, "input.conllu"));
  writeTinyEncoder(join(folder, "minilm-en"), { width: 384 });
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

/**
 * Writes a component of Vue under the name that its first line gives: compiled, as a plugin of a bundler does, and its
 * TypeScript next to it, whose types are checked.
 */
async function writeComponent(code: string): Promise<void> {
  const [, name] = /^<!-- (\w+\.vue) -->/.exec(code)!;
  const { descriptor } = parse(code, { filename: name! });
  const { content } = compileScript(descriptor, { id: name!, inlineTemplate: true });
  writeFileSync(join(folder, `${name}-script.ts`), content);
  writeFileSync(join(folder, name!), (await transformWithOxc(content, `${name}.ts`)).code);
  writeFileSync(join(folder, "components.d.ts"), COMPONENTS);
}

/** What examples of doc comments know: all that `arcwise` exports, and values of a program. */
const commentPrelude = `${["arcwise", "arcwise/node"].map(importOf).join("\n")}
import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { load } from "@arcwise/english";
declare const nlp: Pipeline;
declare const model: PipelineModel;
declare const [sentence, gold, predicted]: [SentenceView, SentenceView, SentenceView];
declare const word: WordView;
declare const sentences: SentenceView[];
declare const treebank: ConlluSentence[];
declare const pattern: SearchPattern;
declare const text: string;
declare const bytes: Uint8Array;
declare const error: unknown;
declare const worker: Worker;
declare const element: HTMLElement;`;

function importOf(module: string): string {
  const names = documented
    .filter((one) => one.module === module)
    .map(({ name, isType }) => (isType ? `type ${name}` : name));
  return `import { ${names.join(", ")} } from "${module}";`;
}

const COMPONENTS = `declare module "*.vue" {
  import type { Component } from "vue";
  const component: Component;
  export default component;
}
`;

it("the examples of READMEs and pages compile", () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  // Compiled components import types that they no longer use; examples of doc comments use a part of what they know.
  const lines = stdout
    .split("\n")
    .filter((line) => !/^(?:export-\w+|.*-script)\.ts.* TS6(?:133|192|196|198):/.test(line));
  expect(lines.join("\n")).toBe("");
});

/** Examples that load the model of English take a second each. */
const isSlow = ({ code }: Example) => /trainPipeline\(|"@arcwise\/english"/.test(code);
const runs = "$name runs and prints what its document says";
it.each(modules.filter((example) => !isSlow(example)))(runs, expectOutput);
it.each(modules.filter(isSlow))(runs, { tags: "slow" }, expectOutput);

async function expectOutput(example: Example): Promise<void> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  if (example.code.includes("customElements")) {
    const { customElements, document, HTMLElement } = parseHTML("<!doctype html><body></body>");
    for (const [name, value] of Object.entries({ customElements, document, HTMLElement }))
      vi.stubGlobal(name, value);
  }
  try {
    await import(join(folder, `${example.name}.${example.language}`));
    expect(misstatements(example, log.mock.calls.map(logged))).toEqual([]);
  } finally {
    vi.unstubAllGlobals();
    log.mockRestore();
  }
}

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
