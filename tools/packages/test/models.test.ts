import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { chromium } from "playwright-core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build } from "vite";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { CHROMIUM, chromiumOptions } from "../chromium.ts";
import { compilerOf, ROOT, run, runSound } from "../project.ts";
import { serveFolder } from "../serve.ts";

const project = inject("project");
/** An empty folder in which `arcwise` and the package of a model are installed. */
const folder = join(project.folder, "named");
const arcwise = (...args: string[]) =>
  runSound(process.execPath, [join(folder, "node_modules/arcwise/bin/arcwise.js"), ...args], folder);
let tarball: string;

/** Settings of a training that takes seconds. */
const SETTINGS = '{ "jackknife": 2, "parser": { "epochs": 2, "terms": ["features"] } }';

/** Writes a treebank of a few sentences, without a development split. */
function writeTreebank(): void {
  const sample = readFileSync(join(ROOT, "apps/bench/sample/train.conllu"), "utf8").split("\n\n");
  const at = join(folder, "UD_English-Small");
  mkdirSync(at);
  for (const [split, begin, end] of [
    ["train", 0, 60],
    ["test", 60, 80],
  ] as const)
    writeFileSync(join(at, `en_small-ud-${split}.conllu`), `${sample.slice(begin, end).join("\n\n")}\n\n`);
  writeFileSync(join(at, "README.md"), "* v2.16\nLicense: CC0\nContributors: Nobody\n");
  writeFileSync(join(at, "LICENSE.txt"), "Do as you like.");
}

beforeAll(() => {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  const tarballs = project.packages.map((one) => one.tarball);
  runSound("npm", [...install, ...tarballs], folder);
  writeTreebank();
  const options = ["--treebank", join(folder, "UD_English-Small"), "--license", "CC0-1.0", "--threads", "1"];
  const made = [...options, "--settings", SETTINGS, "--out", join(folder, "small")];
  runSound(process.execPath, [join(ROOT, "tools/model.mjs"), "@me/small", ...made], folder);
  const [packed] = JSON.parse(runSound("npm", ["pack", "--json", "./small"], folder)) as [
    { filename: string },
  ];
  tarball = join(folder, packed.filename);
  runSound("npm", [...install, ...tarballs, tarball], folder);
});

describe("a package of a treebank that has no recipe", () => {
  it("has a card with the facts of its folder, figures and the licence of the treebank", () => {
    const card = readFileSync(join(folder, "small/README.md"), "utf8");
    for (const fact of ["UD_English-Small) 2.16: 80 sentences", "Nobody, CC0", "last 6 sentences", "| LAS |"])
      expect(card).toContain(fact);
    expect(readFileSync(join(folder, "small/LICENSE"), "utf8")).toBe("Do as you like.");
    const { treebanks } = JSON.parse(readFileSync(join(folder, "small/figures.json"), "utf8"));
    expect(treebanks[0]).toMatchObject({ isHeldOut: true, sentences: { train: 54, dev: 6, test: 20 } });
    expect(treebanks[0].figures[0].LAS).toBeGreaterThan(10);
  });

  it("has no finding of publint, and types that agree with its modules", async () => {
    const data = readFileSync(tarball);
    const buffer = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
    const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    const result = await checkPackage(createPackageFromTarballData(data), {
      // A model is data, which has no types.
      excludeEntrypoints: [/\.model$/],
    });
    if (result.types === false) throw new Error("expected types, found none");
    const modern = (problem: object) =>
      !("resolutionKind" in problem && ["node10", "node16-cjs"].includes(String(problem.resolutionKind)));
    expect(result.problems.filter(modern)).toEqual([]);
  });

  it("is a model for the command, by its name", () => {
    expect(arcwise("parse", "@me/small", "Dogs bark.", "--output-format", "tree")).toMatch(/─ bark/);
  });

  it("parses in Node, with types", () => {
    const code = `import { load, readModel } from "@me/small";
import { createPipeline } from "arcwise";
const nlp = createPipeline(await load(), { parser: { decoder: "eisner" } });
console.log((await readModel()).length > 0, nlp.run("Dogs bark.")[0]!.words.length);
`;
    writeFileSync(join(folder, "use.ts"), code);
    const compilerOptions = {
      target: "ES2022",
      module: "nodenext",
      strict: true,
      lib: ["ES2023", "DOM"],
      types: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
    const compiled = run(process.execPath, [compilerOf("typescript").program, "-p", "tsconfig.json"], folder);
    expect(compiled.output).toBe("");
    expect(runSound(process.execPath, ["use.js"], folder)).toBe("true 3\n");
  });

  it("passes its own test", () => {
    const at = join(folder, "node_modules/@me/small");
    cpSync(join(folder, "small/test"), join(at, "test"), { recursive: true });
    expect(run(process.execPath, ["--test"], at)).toMatchObject({ status: 0 });
  });

  it.skipIf(CHROMIUM === undefined)("parses in a page, and is fetched once", async () => {
    const page = join(folder, "page");
    mkdirSync(page);
    cpSync(join(ROOT, "tools/packages/page/named.ts"), join(page, "named.ts"));
    const html =
      '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="./named.ts"></script>';
    writeFileSync(join(page, "index.html"), html);
    await build({ root: page, configFile: false, logLevel: "error", build: { target: "es2022" } });
    const server = await serveFolder(join(page, "dist"), () => ({ "cache-control": "no-store" }));
    const browser = await chromium.launch(chromiumOptions());
    try {
      const tab = await browser.newPage();
      for (let visit = 0; visit < 2; visit++) {
        await tab.goto(`${server.origin}/`);
        await tab.waitForSelector("[data-result]", { state: "attached", timeout: 60_000 });
        expect(await tab.getAttribute("body", "data-result")).toMatch(/^Dogs \w+, bark \w+, \. \w+$/);
        await tab.waitForFunction(async () => (await (await caches.open("@me/small")).keys()).length > 0);
      }
      expect(server.requested.filter((path) => path.endsWith(".model"))).toHaveLength(1);
    } finally {
      await browser.close();
      server.close();
    }
  });
});
