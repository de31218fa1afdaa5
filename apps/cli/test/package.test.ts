import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { arcwise, folderWith, inFolder, settings, trainedModel } from "./support.ts";

let model: Uint8Array;
let tagged: Uint8Array;

beforeAll(async () => {
  const files = ["--train", "@treebank", "--dev", "@treebank", "--threads", "1"];
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
    const { run, text } = inFolder({ model });
    const { code, err } = await run("package @model --name cats --out @out", ...options);
    expect([code, err.includes("warning")]).toEqual([0, isWarning]);
    expect(JSON.parse(text("out/package.json"))).toMatchObject({ license });
  });

  test("writes a package that has its model, card, types and test", async () => {
    const contents = { model, license: "Do as you like.", card: JSON.stringify(card) };
    const { words, path, bytes, text } = inFolder(contents);
    const scoped = (line: string) => arcwise([...words(line), "--name", "@me/cats", "--out", path("out")]);
    const { code, err } = await scoped(
      "package @model --release 1.2.3 --license CC0-1.0 --license-file @license --treebank UD_Cats --card @card",
    );
    expect([code, err]).toEqual([0, expect.stringContaining("@me/cats 1.2.3")]);
    const manifest = JSON.parse(text("out/package.json"));
    expect(manifest).toMatchObject({
      ...{ name: "@me/cats", version: "1.2.3", license: "CC0-1.0", arcwise: { model: "./cats.model" } },
      dependencies: { arcwise: expect.stringMatching(/^\^\d/) },
    });
    for (const file of manifest.files) expect(readdirSync(path("out"))).toContain(file);
    expect(bytes("out/cats.model").equals(model)).toBe(true);
    const readme = text("out/README.md");
    const parts = ["UD_Cats", "| cats \\| dogs | 12.5 |", "- Long sentences.", "    arcwise train", " las |"];
    for (const part of parts) expect(readme).toContain(part);
    // It may be written again, as a whole.
    expect((await scoped("package @model")).code).toBe(0);
    // Its own model and licence are copied to themselves; another file would be lost.
    expect((await scoped("package @out/cats.model --license-file @out/LICENSE")).code).toBe(0);
    expect(await scoped("package @out/cats.model --license-file @out/README.md")).toMatchObject({
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
      const inNode = await import("./node.js");
      for (const options of [{ url: "https://a.example/x" }, { url: "file://host/x" }, { url: "a\\0b" }, { signal: 5 }, { cache: "x" }])
        await inNode.load(options).catch(other);
      await inNode.load({ signal: AbortSignal.abort("the reason") }).catch(console.log);
      await inNode.load({ url: "package.json" }).catch((e) => console.log(e.code, e.file));
      await (await import("./node.js")).load({ url: ${JSON.stringify(join(folder, "elsewhere.model"))} });`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", given], {
      cwd: out,
      encoding: "utf8",
    });
    expect(stdout).toMatch(
      /^invalid-model https:.*status 200, text\/html, 15 bytes\ninvalid-option\nunknown-option\n(?:invalid-option\n){5}the reason\ninvalid-model package\.json\n$/,
    );
  });

  test("is written as a whole or not at all", async () => {
    const { run, path, text } = inFolder({ model });
    // A folder has the name of the file that is written last.
    mkdirSync(path("out/cats.model"), { recursive: true });
    writeFileSync(path("out/package.json"), '{ "name": "cats", "version": "0.0.1" }');
    const { code, err } = await run("package @model --name cats --out @out");
    const message = `${path("out/cats.model")}: is a directory`;
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(readdirSync(path("out")).sort()).toEqual(["cats.model", "package.json"]);
    expect(text("out/package.json")).toContain("0.0.1");
  });

  test.each([
    ["without a name", "", 2, "--name"],
    ["with a name that npm refuses", "--name 'My Cats'", 2, "expected a name of npm"],
    ["with a version that npm refuses", "--name cats --release one", 2, "expected a version"],
    ["with a card of another shape", "--name cats --card @card", 1, "the card.data: expected a list"],
    ["with a card that is no JSON", "--name cats --card @model", 1, "model: "],
    ["with a licence that is not there", "--name cats --license-file none", 1, "none: no such file"],
    ["into a folder with other files", "--name cats --out @.", 1, "expected an empty folder"],
    ["into a folder whose manifest is no JSON", "--name cats --out @odd", 1, "expected an empty folder"],
    ["for a parser alone", "--name cats", 1, "expected a model of train --for text"],
  ])("is refused %s", async (what, flags, code, message) => {
    const given = what === "for a parser alone" ? tagged : model;
    const { run, path } = inFolder({ model: given, card: '{ "data": "all" }' });
    mkdirSync(path("odd"));
    writeFileSync(path("odd/package.json"), "mine");
    const found = await run(`package @model ${flags.includes("--out") ? "" : "--out @out"} ${flags}`);
    expect([found.code, found.err]).toEqual([code, expect.stringContaining(message)]);
  });
});
