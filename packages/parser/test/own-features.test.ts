import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createParser, loadParser, saveParser, testTreeFeatures } from "../src/index.ts";
import { loadTreeFeatures } from "../src/node/index.ts";
import { trainParser } from "./fast-training.ts";
import { sample, TREEBANK } from "./support.ts";

const examples = new URL("../../../docs/examples/", import.meta.url).pathname;

it("a model with features of a module takes that module to parse, and says so", async () => {
  const features = await loadTreeFeatures("./hungarian-features.mjs", examples);
  const words = sample("train").map(({ sentence }) => sentence);
  testTreeFeatures(features, words.slice(0, 20), { changes: 20 });
  const options = { decoder: "hillclimb", prune: false, epochs: 1, global: features } as const;
  const model = loadParser(saveParser(await trainParser(TREEBANK, options)));
  expect(model.description.global).toEqual({ module: "hungarian", specifier: "./hungarian-features.mjs" });
  expect(() => createParser(model)).toThrow("give the module with --global ./hungarian-features.mjs");
  const { heads } = createParser(model, { global: features }).parse(TREEBANK[0]!.sentence);
  expect(heads.length).toBe(4);
});

it.each([
  ["no.mjs", undefined, /^\.\/no\.mjs: no such module: there is no /],
  ["broken.mjs", "export default {", /^\.\/broken\.mjs: the module cannot be loaded: /],
  ["none.mjs", "export const features = 1;", /none\.mjs: expected \{ name: "...", features: .*found nothing/],
])("%s is no module of features", async (name, text, message) => {
  const folder = mkdtempSync(join(tmpdir(), "features-"));
  try {
    if (text !== undefined) writeFileSync(join(folder, name), text);
    await expect(loadTreeFeatures(`./${name}`, folder)).rejects.toThrow(message);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("a package that is not installed is no module of features", async () => {
  await expect(loadTreeFeatures("no-such-features")).rejects.toThrow(
    /^no-such-features: no file in .*, and no package installed there$/,
  );
});
