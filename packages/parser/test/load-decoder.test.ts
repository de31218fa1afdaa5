import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { mstDecoder } from "@arcwise/decode-mst";
import { createParser, loadParser, saveParser } from "@arcwise/parser";
import { loadDecoder } from "@arcwise/parser/node";
import { beforeAll, describe, expect, test } from "vitest";
import { MissingDecoder } from "../src/decoding/decoders.ts";
import { ModuleError } from "../src/modules/factories.ts";
import { trainedParser, trainParser } from "./fast-training.ts";

let folder: string;
const MAKES = "export default () => ({ name: 'nothing' });\n";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "arcwise-decoder-"));
  const installed = join(folder, "node_modules/decode-nothing");
  mkdirSync(installed, { recursive: true });
  writeFileSync(
    join(installed, "package.json"),
    '{ "type": "module", "exports": { "import": "./own.mjs" } }\n',
  );
  writeFileSync(join(installed, "own.mjs"), MAKES);
  writeFileSync(join(folder, "nothing.mjs"), MAKES);
  writeFileSync(join(folder, "named.mjs"), "export const make = () => ({});\n");
  writeFileSync(join(folder, "value.mjs"), "export default 7;\n");
  writeFileSync(join(folder, "lacking.mjs"), "export { x as default } from '@arcwise/absent/of';\n");
  writeFileSync(join(folder, "broken.mjs"), "throw new Error('out of order');\n");
});

describe("loadDecoder", () => {
  test.each(["./nothing.mjs", "nothing.mjs", "decode-nothing"])("finds %s", async (specifier) => {
    const { make, url, specifier: name } = await loadDecoder(specifier, folder);
    expect(make({ purpose: "parsing", order: 1 }).name).toBe("nothing");
    expect(url).toMatch(/^file:.*\.mjs$/);
    expect(name).toBe(specifier);
  });

  test("finds a file by its URL", async () => {
    const url = pathToFileURL(join(folder, "nothing.mjs")).href;
    expect((await loadDecoder(url)).url).toBe(url);
  });

  test.each([
    ["./absent.mjs", "./absent.mjs: no such module: there is no "],
    ["decode-absent", "decode-absent: no file in "],
    ["./named.mjs", "expected a default export that is a function which makes a decoder, found none"],
    [
      "./value.mjs",
      "expected a default export that is a function which makes a decoder, found one of type number",
    ],
    ["./broken.mjs", "./broken.mjs: the module cannot be loaded: out of order"],
    ["./lacking.mjs", "install it next to the module: npm install --prefix "],
  ])("refuses %s", async (specifier, message) => {
    const loading = loadDecoder(specifier, folder);
    await expect(loading).rejects.toThrow(ModuleError);
    await expect(loading).rejects.toThrow(message);
  });
});

describe("a model of a decoder that was given", () => {
  const sentence = [{ form: "a" }, { form: "b" }];
  const tree = { heads: Int32Array.of(-1, 0, 1), labels: ["", "root", "x"] };
  const examples = [{ sentence, tree }];
  const short = { order: 1, epochs: 1, prune: false } as const;

  test.each([
    ["without a head", [-1, 0, -1]],
    ["with a cycle", [-1, 2, 1]],
    ["with two roots", [-1, 0, 0]],
  ])("is refused when it returns heads %s", async (_, heads) => {
    const broken = { ...mstDecoder(), decode: () => ({ heads: Int32Array.from(heads), score: 0, bound: 0 }) };
    const parser = createParser(await trainedParser(examples, short), { decoder: broken });
    expect(() => parser.parse(sentence)).toThrow(expect.objectContaining({ code: "invalid-sentence" }));
  });

  test.each(["mst", "mine"])("named %s asks for it", async (name) => {
    const own = { ...mstDecoder(), name };
    const model = loadParser(saveParser(await trainParser(examples, { ...short, decoder: own })));
    const which = name === "mst" ? "is not the built-in one of that name" : "is not built in";
    expect(() => createParser(model)).toThrow(MissingDecoder);
    expect(() => createParser(model)).toThrow(`trained with the decoder "${name}", which ${which}`);
    const { heads } = createParser(model, { decoder: own }).parse(sentence);
    expect(heads).toHaveLength(3);
  });

  test("by its name needs nothing", async () => {
    const model = await trainedParser(examples, { ...short, decoder: "mst" });
    expect(createParser(model).parse(sentence).heads).toHaveLength(3);
  });

  test("by a module whose factory makes none names the member that is missing", async () => {
    const decoder = await loadDecoder("./nothing.mjs", folder);
    const training = trainParser(examples, { ...short, decoder });
    await expect(training).rejects.toMatchObject({ name: "InvalidDecoder", code: "invalid-decoder" });
    await expect(training).rejects.toThrow('./nothing.mjs: expected a decoder, but "trees" is missing');
  });
});
