import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { bench, smallTreebank, temporaryFolder, trainWhatIsKept } from "./support.ts";

const source = (name: string) =>
  JSON.stringify(fileURLToPath(new URL(`../../../packages/${name}/src/index.ts`, import.meta.url)));

/** A module with a decoder of arcs, all of whose trees are chains: word 1 is the root, i hangs off i - 1. */
const CHAIN = `import { scoreTree } from ${source("core")};
export default () => ({
  name: "chain", trees: "projective", singleRoot: true, handles: new Set(),
  decode(problem) {
    const heads = Int32Array.from({ length: problem.arcs.n + 1 }, (_, i) => i - 1);
    return { heads, score: scoreTree(problem, heads), bound: Infinity };
  },
});
`;

function moduleOf(text: string): string {
  const path = join(temporaryFolder(), "chain.mjs");
  writeFileSync(path, text);
  return path;
}

const results = (path: string) => JSON.parse(readFileSync(path, "utf8")).results;

describe("--with adds the decoder of a module", () => {
  test("to the times", async () => {
    const json = join(temporaryFolder(), "times.json");
    const argv = ["--decoder", "mst", "--set", "dense", "--length", "10", "--no-operations", "--time", "1"];
    const { code, out } = await bench(["decoders", ...argv, "--with", moduleOf(CHAIN), "--json", json]);
    expect(code).toBe(0);
    expect(out).toContain("chain");
    const { decoders } = results(json);
    expect(decoders.map(({ name }: { name: string }) => name)).toEqual(["mst", "chain"]);
    // Nothing is certified by a decoder that claims no bound.
    expect(decoders.map(({ cells }: { cells: { certified: number }[] }) => cells[0]!.certified)).toEqual([
      1, 0,
    ]);
  });

  test("to the comparison of accuracy on the scores of a model, and of trained parsers", async () => {
    const treebank = smallTreebank(8);
    const [json, module] = [join(temporaryFolder(), "parsers.json"), moduleOf(CHAIN)];
    const training = ["--order", "1", "--epochs", "1", "--decoder", "mst", "--quick"];
    const argv = ["parsers", "--treebank", treebank, ...training, "--with", module, "--json", json];
    const { code, err } = await bench(argv, {
      runParser: (job, tell) => trainWhatIsKept({ ...job, modelFile: join(treebank, "m") }, tell),
    });
    expect(err).toContain("chain order 1");
    expect(code).toBe(0);
    const { parsers } = results(json);
    expect(parsers.map(({ parser }: { parser: string }) => parser)).toEqual([
      "Arcwise mst order 1",
      "Arcwise chain order 1",
    ]);
    for (const { scores } of parsers) expect(scores.uas).toBeGreaterThan(0);
  });
});

describe("--with refuses", () => {
  test.each([
    ["a module that is missing", undefined, "no such module: there is no "],
    ["no default export", "export const make = 1;\n", "expected a default export that is a function"],
    ["no decoder", "export default () => ({});\n", 'expected a decoder, but "name" is missing'],
  ])("%s", async (_what, text, message) => {
    const path = text === undefined ? "./absent.mjs" : moduleOf(text);
    for (const command of [["decoders"], ["start"], ["parsers", "--treebank", "absent"]]) {
      const { code, out, err } = await bench([...command, "--with", path]);
      expect(err).toContain(`${path}: ${message}`);
      expect(out).toBe("");
      expect(code).not.toBe(0);
    }
  });

  test("a package that is not installed", async () => {
    const { code, err } = await bench(["decoders", "--with", "no-such-decoder"]);
    expect(err).toContain("no-such-decoder: no file in ");
    expect(err).not.toContain("    at ");
    expect(code).toBe(2);
  });
});
