import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, inject, it } from "vitest";
import { writeTinyEncoder } from "../../../packages/encoder-onnx/test/tiny-encoder.ts";
import { examplesOf, type Logged, misstatements } from "../../src/examples.ts";
import { compilerOf, ROOT, run, runSound } from "../project.ts";

const { folder, packages } = inject("project");
const examples = join(folder, "examples");
const sample = join(ROOT, "apps/bench/sample");

/** Returns whether a package is a model, whose example its own test runs. */
const isModel = (name: string) => {
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
  return manifest.dependencies?.arcwise !== undefined;
};

/** Returns the name of a package without its scope. */
const nameOf = (name: string) => name.replace(/^@arcwise\//, "");

const all = [
  ...examplesOf("workspace", readFileSync(join(ROOT, "README.md"), "utf8")),
  ...packages.flatMap(({ name }) => {
    const readme = join(folder, "node_modules", name, "README.md");
    return examplesOf(nameOf(name), readFileSync(readme, "utf8"));
  }),
];

/** A module to load before an example: prints the values of each `console.log` as a line of JSON. */
const RECORDER = `console.log = (...values) => {
  const text = values.map(String).join(" ");
  process.stdout.write("log:" + JSON.stringify({ text, values }) + "\\n");
};
`;

beforeAll(() => {
  mkdirSync(examples);
  for (const { name, code } of all) writeFileSync(join(examples, `${name}.ts`), `${code}\nexport {};\n`);
  writeFileSync(join(examples, "recorder.mjs"), RECORDER);
  for (const [from, to] of [
    ["train.conllu", "train.conllu"],
    ["test.conllu", "input.conllu"],
  ] as const) {
    cpSync(join(sample, from), join(examples, to));
  }
  writeTinyEncoder(join(examples, "minilm-en"), { width: 384 });
});

it("every package has an example", () => {
  const found = new Set(all.map(({ name }) => name.replace(/-\d+$/, "")));
  // Their own tests run the examples of models and of the server.
  for (const { name } of packages)
    if (!isModel(name) && name !== "@arcwise/server") expect(found).toContain(nameOf(name));
});

it("the examples compile with strict and noUncheckedIndexedAccess", () => {
  const compilerOptions = {
    target: "ES2022",
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    types: ["node"],
  };
  writeFileSync(join(examples, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const { program } = compilerOf("typescript");
  expect(run(process.execPath, [program, "-p", "tsconfig.json"], examples).output).toBe("");
});

it.each(all)("$name runs and prints what its README says", (example) => {
  const args = ["--import", "./recorder.mjs", `${example.name}.js`];
  const { status, stdout, output } = run(process.execPath, args, examples);
  expect(status, output).toBe(0);
  const printed = [...stdout.matchAll(/^log:(.*)$/gm)].map(([, values]) => JSON.parse(values!) as Logged);
  expect(misstatements(example, printed)).toEqual([]);
});

it.each([[[]], [["--for", "tagged"]]])("the command trains, parses and evaluates: train %j", (more) => {
  const arcwise = join(folder, "node_modules/arcwise/bin/arcwise.js");
  const command = (...args: string[]) => runSound(process.execPath, [arcwise, ...args], examples);
  command("train", ...more, "--train", "train.conllu", "--model", "command.model", "--preset", "linear");
  command("parse", "--model", "command.model", "input.conllu", "-o", "parsed.conllu", "--threads", "2");
  expect(command("evaluate", "input.conllu", "parsed.conllu")).toContain("LAS");
});
