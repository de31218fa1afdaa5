import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { inFolder, settings, treebank, UNPRUNED } from "./support.ts";

const packages = fileURLToPath(new URL("../../../packages", import.meta.url));
const guide = readFileSync(new URL("../../../docs/guide/decoder.md", import.meta.url), "utf8");

/** The module of the guide; its imports name source files, since a temporary folder has no packages. */
function example(): string {
  const [, text] = /```js\n(\/\/ short-arcs\.mjs\n[\s\S]*?)```/.exec(guide)!;
  return text!.replaceAll(/"@arcwise\/([a-z-]+)"/g, (_, name) => `"${join(packages, name, "src/index.ts")}"`);
}

const SHORT = ["--preset", "linear", "--order", "1", "--epochs", "2", ...UNPRUNED];

test("the decoder of the guide trains and parses, and the model asks for it", async () => {
  const { run, path } = inFolder({
    train: treebank,
    "short-arcs.mjs": example(),
    "other.mjs": example().replace('name: "short-arcs"', 'name: "long-arcs"'),
  });
  const learning = "train --for tagged --verbose --train @train --model @model --decoder @short-arcs.mjs";
  const trained = await run(learning, ...SHORT);
  expect(trained.err).toContain("weights");
  expect(trained.code).toBe(0);

  const parse = (...options: string[]) => run("parse --model @model @train", ...options);
  expect(await parse("--decoder", path("short-arcs.mjs"))).toMatchObject({ code: 0, out: treebank });
  const missing = await parse();
  expect(missing.code).toBe(2);
  expect(missing.err).toContain(
    `${path("model")}: trained with the decoder "short-arcs" (${path("short-arcs.mjs")})`,
  );
  // A model parses with any decoder that scores its parts: the name is only needed to find the module.
  expect((await parse("--decoder", path("other.mjs"))).code).toBe(0);
  expect((await parse("--decoder", "mst")).code).toBe(0);
  expect((await run("info @model")).out).toContain("decoder: short-arcs");
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
    const { run, path } = inFolder({ train: treebank, "mine.mjs": text });
    const module = path("mine.mjs");
    const parser = option === "--decoder" ? { decoder: module } : { decoder: "hillclimb", global: module };
    const options = [...SHORT, ...settings({ jackknife: 2, parser })];
    const trained = await run("train --train @train --dev @train --model @model --threads 1", ...options);
    expect([trained.code, trained.err]).toEqual([0, expect.stringMatching(/^dev, from raw text: .*las \d/m)]);
    const stdin = "Cats sleep";
    expect(await run(`run @model ${option} @mine.mjs`, { stdin })).toMatchObject({ code: 0 });
    const missing = await run("run @model", { stdin });
    expect(missing.code).not.toBe(0);
    expect(missing.err).toMatch(message);
  },
);
