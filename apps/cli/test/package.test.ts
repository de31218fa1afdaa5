import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { arcwise, folderWith, settings, temporaryFolder, trainedModel } from "./support.ts";

let model: Uint8Array;
let tagged: Uint8Array;

beforeAll(async () => {
  const files = ["--train", "treebank", "--dev", "treebank", "--threads", "1"];
  const train = ["train", ...files, "--preset", "linear", "--epochs", "2"];
  model = await trainedModel([...train, ...settings({ jackknife: 2 })]);
  tagged = await trainedModel([...train, "--for", "tagged"]);
});

const card = {
  summary: "A model of short sentences.",
  data: ["Thirty sentences."],
  command: "arcwise train",
  figures: [{ title: "By genre:", columns: ["genre", "LAS"], rows: [["cats | dogs", 12.5]] }],
  limits: ["Long sentences."],
};

describe("package", () => {
  test.each([
    [[], "UNLICENSED", true],
    [["--license", "MIT"], "MIT", false],
  ])("with %j has the licence %s, with a warning: %s", async (options, license, isWarning) => {
    const folder = folderWith({ model });
    const out = join(folder, "out");
    const argv = ["package", join(folder, "model"), "--name", "cats", "--out", out, ...options];
    const { code, err } = await arcwise(argv);
    expect([code, err.includes("warning")]).toEqual([0, isWarning]);
    expect(JSON.parse(readFileSync(join(out, "package.json"), "utf8"))).toMatchObject({ license });
  });

  test("writes a package that has its model, card, types and test", async () => {
    const folder = folderWith({ model, license: "Do as you like.", card: JSON.stringify(card) });
    const out = join(folder, "out");
    const { code, err } = await arcwise([
      ...["package", join(folder, "model"), "--name", "@me/cats", "--release", "1.2.3", "--out", out],
      ...["--license", "CC0-1.0", "--license-file", join(folder, "license")],
      ...["--treebank", "UD_Cats", "--card", join(folder, "card")],
    ]);
    expect([code, err]).toEqual([0, expect.stringContaining("@me/cats 1.2.3")]);
    const manifest = JSON.parse(readFileSync(join(out, "package.json"), "utf8"));
    expect(manifest).toMatchObject({
      ...{ name: "@me/cats", version: "1.2.3", license: "CC0-1.0", arcwise: { model: "./cats.model" } },
      dependencies: { arcwise: expect.stringMatching(/^\^\d/) },
    });
    for (const file of manifest.files) expect(readdirSync(out)).toContain(file);
    expect(readFileSync(join(out, "cats.model")).equals(model)).toBe(true);
    const readme = readFileSync(join(out, "README.md"), "utf8");
    for (const part of [
      "UD_Cats",
      "| cats \\| dogs | 12.5 |",
      "- Long sentences.",
      "    arcwise train",
      "| las |",
    ])
      expect(readme).toContain(part.replace("| las |", " las |"));
    // It may be written again, as a whole.
    const again = ["package", join(folder, "model"), "--name", "@me/cats", "--out", out];
    expect((await arcwise(again)).code).toBe(0);
    // Its own model and licence are copied to themselves; another file would be lost.
    const own = ["package", join(out, "cats.model"), "--name", "@me/cats", "--out", out, "--license-file"];
    expect((await arcwise([...own, join(out, "LICENSE")])).code).toBe(0);
    expect(await arcwise([...own, join(out, "README.md")])).toMatchObject({
      code: 2,
      err: expect.stringContaining("would replace --license-file"),
    });
  });

  test("writes a package whose own test finds what is wrong with its file", { timeout: 60_000 }, async () => {
    const folder = folderWith({ model });
    const out = join(folder, "node_modules/@me/cats");
    mkdirSync(dirname(out), { recursive: true });
    const made = ["package", join(folder, "model"), "--name", "@me/cats", "--out", out];
    expect((await arcwise(made)).code).toBe(0);
    const arcwiseStub = join(folder, "node_modules/arcwise");
    mkdirSync(arcwiseStub, { recursive: true });
    mkdirSync(join(folder, "node_modules/@arcwise"), { recursive: true });
    for (const name of ["core", "pipeline"]) {
      const own = fileURLToPath(new URL(`../node_modules/@arcwise/${name}`, import.meta.url));
      symlinkSync(own, join(folder, "node_modules/@arcwise", name));
    }
    const stub = { name: "arcwise", type: "module", exports: "./index.js" };
    writeFileSync(join(arcwiseStub, "package.json"), JSON.stringify(stub));
    writeFileSync(
      join(arcwiseStub, "index.js"),
      'export { createPipeline, loadPipeline } from "@arcwise/pipeline";\nexport { ArcwiseError } from "@arcwise/core/errors";\n',
    );
    // Workers whose modules have no address import the module, and say what to do when it is loaded.
    const inPages = readFileSync(join(out, "index.js"), "utf8");
    expect(inPages).toContain('new URL("./cats.model", import.meta.url)');
    writeFileSync(join(out, "worker.js"), inPages.replaceAll("import.meta.url", "undefined"));
    const loading =
      'const { load } = await import("./worker.js"); await load().catch((e) => console.log(e.message));';
    const worker = spawnSync(process.execPath, ["--input-type=module", "-e", loading], {
      cwd: out,
      encoding: "utf8",
    });
    expect(worker.stdout).toContain("@me/cats/cats.model");
    const { exports } = JSON.parse(readFileSync(join(out, "package.json"), "utf8"));
    expect(exports["./cats.model"]).toBe("./cats.model");
    rmSync(join(out, "worker.js"));
    const run = () => spawnSync(process.execPath, ["--test"], { cwd: out, encoding: "utf8" });
    const sound = run();
    expect([sound.status, sound.stdout]).toEqual([0, expect.stringMatching(/# pass 2/)]);
    writeFileSync(join(out, "cats.model"), model.subarray(1));
    expect(run().stdout).toMatch(/with the SHA-256/);
    writeFileSync(join(folder, "elsewhere.model"), model);
    const given = `const { load } = await import("./index.js"); const other = (e) => console.log(e.code);
      globalThis.fetch = async (url) => new Response(String(url).endsWith("start") ? "<!doctype html>" : "", { headers: { "content-type": "text/html" } });
      await load({ url: "https://a.example/start" }).catch((e) => console.log(e.code, e.message));
      await load(null).catch(other); await load({ ulr: "x" }).catch(other);
      await (await import("./node.js")).load({ url: "https://a.example/x" }).catch(other);
      await (await import("./node.js")).load({ url: ${JSON.stringify(join(folder, "elsewhere.model"))} });`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", given], {
      cwd: out,
      encoding: "utf8",
    });
    expect(stdout).toMatch(
      /^invalid-model https:.*status 200, text\/html, 15 bytes\ninvalid-option\nunknown-option\ninvalid-option\n$/,
    );
  });

  test("is written as a whole or not at all", async () => {
    const folder = folderWith({ model });
    const out = join(folder, "out");
    const made = ["package", join(folder, "model"), "--name", "cats", "--out", out];
    // A folder has the name of the file that is written last.
    mkdirSync(join(out, "cats.model"), { recursive: true });
    writeFileSync(join(out, "package.json"), '{ "name": "cats", "version": "0.0.1" }');
    const { code, err } = await arcwise(made);
    expect([code, err]).toEqual([1, expect.stringContaining(`${join(out, "cats.model")}: is a directory`)]);
    expect(readdirSync(out).toSorted()).toEqual(["cats.model", "package.json"]);
    expect(readFileSync(join(out, "package.json"), "utf8")).toContain("0.0.1");
  });

  test.each<[string, string[], number, string]>([
    ["without a name", [], 2, "--name"],
    ["with a name that npm refuses", ["--name", "My Cats"], 2, "expected a name of npm"],
    ["with a version that npm refuses", ["--name", "cats", "--release", "one"], 2, "expected a version"],
    [
      "with a card of another shape",
      ["--name", "cats", "--card", "{card}"],
      1,
      "the card.data: expected a list",
    ],
    ["with a card that is no JSON", ["--name", "cats", "--card", "{model}"], 1, "model: "],
    [
      "with a licence that is not there",
      ["--name", "cats", "--license-file", "none"],
      1,
      "none: no such file",
    ],
    [
      "into a folder with other files",
      ["--name", "cats", "--out", "{folder}"],
      1,
      "expected an empty folder",
    ],
    [
      "into a folder whose manifest is no JSON",
      ["--name", "cats", "--out", "{odd}"],
      1,
      "expected an empty folder",
    ],
  ])("is refused %s", async (_, options, code, message) => {
    const folder = folderWith({ model, card: '{ "data": "all" }' });
    mkdirSync(join(folder, "odd"));
    writeFileSync(join(folder, "odd", "package.json"), "mine");
    const named = options.map((word) =>
      word.replace(/^\{(\w+)\}$/, (_all, name) => join(folder, name === "folder" ? "" : name)),
    );
    const out = join(temporaryFolder(), "out");
    const given = options.includes("--out") ? [] : ["--out", out];
    const found = await arcwise(["package", join(folder, "model"), ...given, ...named]);
    expect([found.code, found.err]).toEqual([code, expect.stringContaining(message)]);
  });

  test("is refused for a parser alone", async () => {
    const folder = folderWith({ tagged });
    const { code, err } = await arcwise([
      "package",
      join(folder, "tagged"),
      "--name",
      "cats",
      "--out",
      join(folder, "o"),
    ]);
    expect([code, err]).toEqual([1, expect.stringContaining("expected a model of train --for text")]);
  });
});
