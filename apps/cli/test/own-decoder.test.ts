import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { arcwise, folderWith, settings, TRAIN_PARSER, treebank, UNPRUNED } from "./support.ts";

const packages = fileURLToPath(new URL("../../../packages", import.meta.url));
const guide = readFileSync(new URL("../../../docs/guide/decoder.md", import.meta.url), "utf8");

/** The module of the guide; its imports name source files, since a temporary folder has no packages. */
function example(): string {
  const [, text] = /```js\n(\/\/ short-arcs\.mjs\n[\s\S]*?)```/.exec(guide)!;
  return text!.replaceAll(/"@arcwise\/([a-z-]+)"/g, (_, name) => `"${join(packages, name, "src/index.ts")}"`);
}

/** A module whose default export is one expression. */
const exporting = (expression: string): string => `export default ${expression};\n`;

const SHORT = ["--preset", "linear", "--order", "1", "--epochs", "2", ...UNPRUNED];

test("the decoder of the guide trains and parses, and the model asks for it", async () => {
  const folder = folderWith({
    train: treebank,
    "short-arcs.mjs": example(),
    "other.mjs": example().replace('name: "short-arcs"', 'name: "long-arcs"'),
  });
  const [model, module, input] = ["model", "short-arcs.mjs", "train"].map((name) => join(folder, name));
  const trained = await arcwise([
    ...TRAIN_PARSER,
    ...["--train", input!, "--model", model!, "--decoder", module!, ...SHORT],
  ]);
  expect(trained.err).toContain("weights");
  expect(trained.code).toBe(0);

  const parse = (...options: string[]) => arcwise(["parse", "--model", model!, ...options, input!]);
  const own = await parse("--decoder", module!);
  expect(own.code).toBe(0);
  expect(own.out).toBe(treebank);

  const missing = await parse();
  expect(missing.code).toBe(2);
  expect(missing.err).toContain(`${model}: trained with the decoder "short-arcs" (${module})`);
  // A model parses with any decoder that scores its parts: the name is only needed to find the module.
  expect((await parse("--decoder", join(folder, "other.mjs"))).code).toBe(0);
  expect((await parse("--decoder", "mst")).code).toBe(0);

  const info = await arcwise(["info", model!]);
  expect(info.out).toContain("decoder: short-arcs");
});

const FEATURES = `
const features = (tree, h) => (tree.word(h).upos === "VERB" ? [String(tree.modifiers(h).length)] : []);
export default { name: "valency", features: { valency: { scope: "modifiers", features } } };
`;

test.each([
  ["a decoder", example(), "--decoder", /short-arcs.*: give --decoder/],
  ["features of whole trees", FEATURES, "--global", /give the module with --glo/],
])(
  "a pipeline with %s of one's own is measured from raw text, and runs",
  { tags: "slow" },
  async (...row) => {
    const [, text, option, message] = row;
    const folder = folderWith({ train: treebank, "mine.mjs": text });
    const [model, module, train] = ["model", "mine.mjs", "train"].map((name) => join(folder, name));
    const files = ["--train", train!, "--dev", train!, "--model", model!];
    const parser = option === "--decoder" ? { decoder: module } : { decoder: "hillclimb", global: module };
    const argv = ["train", ...files, "--threads", "1", ...SHORT, ...settings({ jackknife: 2, parser })];
    const trained = await arcwise(argv);
    expect([trained.code, trained.err]).toEqual([0, expect.stringMatching(/^dev, from raw text: .*las \d/m)]);
    const stdin = "Cats sleep";
    expect(await arcwise(["run", model!, option, module!], { stdin })).toMatchObject({ code: 0 });
    const missing = await arcwise(["run", model!], { stdin });
    expect(missing.code).not.toBe(0);
    expect(missing.err).toMatch(message);
  },
);

describe("train and parse refuse", () => {
  const complete = 'trees: "any", singleRoot: true, handles: new Set()';
  test.each([
    ["a file that is missing", undefined, "no such module: there is no "],
    ["a module that throws", 'throw new Error("out of order");', "the module cannot be loaded: out of order"],
    [
      "a module without a default export",
      "export const make = () => ({});\n",
      "expected a default export that is a function which makes a decoder, found none",
    ],
    [
      "a default export that makes nothing",
      exporting("7"),
      "expected a default export that is a function which makes a decoder, found one of type number",
    ],
    [
      "a decoder without trees",
      exporting('() => ({ name: "mine" })'),
      'expected a decoder, but "trees" is missing ("any" or "projective")',
    ],
    [
      "a decoder of an unknown kind of parts",
      exporting('() => ({ name: "mine", trees: "any", singleRoot: true, handles: new Set(["cousin"]) })'),
      'expected a decoder, but "handles" is not a Set of kinds of parts',
    ],
    [
      "a decoder that decodes nothing",
      exporting(`() => ({ name: "mine", ${complete} })`),
      'expected a decoder, but "decode" is missing (a function)',
    ],
  ])("%s", async (_what, text, message) => {
    const folder = folderWith({ train: treebank, ...(text !== undefined && { "mine.mjs": text }) });
    const [module, input, model] = ["mine.mjs", "train", "model"].map((name) => join(folder, name));
    const files = ["--train", input!, "--model", model!];
    const { code, err } = await arcwise([...TRAIN_PARSER, ...files, "--decoder", module!, ...SHORT]);
    expect(err).toContain(`${module}: ${message}`);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(code).toBe(2);
  });
});
