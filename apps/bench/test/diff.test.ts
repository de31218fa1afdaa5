import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { holm } from "../src/measures/decoder-differences.ts";
import { diffResults } from "../src/measures/diff-results.ts";
import { environment } from "../src/results/environment.ts";
import { type Contestant, type Measure, type ResultFile, readResultFile } from "../src/results/results.ts";
import { bench, pretendToParse, smallTreebank, temporaryFolder } from "./support.ts";

const schema = JSON.parse(readFileSync(new URL("../schema/results.schema.json", import.meta.url), "utf8"));
const validate = new Ajv2020({ allErrors: true }).compile(schema);

/** Expects a file of results to follow the schema. */
function expectValid(path: string): ResultFile {
  const content = JSON.parse(readFileSync(path, "utf8")) as ResultFile;
  validate(content);
  expect(validate.errors).toBeNull();
  return content;
}

test.each([
  { ps: [], expected: [] },
  { ps: [0.03], expected: [0.03] },
  { ps: [0.01, 0.04, 0.03], expected: [0.03, 0.06, 0.06] },
  { ps: [0.5, 0.6, 0.9], expected: [1, 1, 1] },
])("Holm corrects $ps to $expected", ({ ps, expected }) => {
  const corrected = holm(ps);
  expect(corrected).toHaveLength(expected.length);
  for (const [i, p] of corrected.entries()) expect(p).toBeCloseTo(expected[i]!, 12);
});

test("Holm keeps the order of p-values, and is between p and Bonferroni", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (ps) => {
      const corrected = holm(ps);
      for (const [i, p] of ps.entries()) {
        expect(corrected[i]).toBeGreaterThanOrEqual(p);
        expect(corrected[i]).toBeLessThanOrEqual(Math.min(1, ps.length * p) + 1e-12);
        for (const [j, q] of ps.entries()) if (p < q) expect(corrected[i]).toBeLessThanOrEqual(corrected[j]!);
      }
    }),
  );
});

const file = (contestants: readonly Contestant[]): ResultFile => ({
  ...{ format: "arcwise-bench", version: 1, kind: "compare", title: "", command: "", seed: 1 },
  ...{ environment: environment(), contestants, results: {} },
});

/** A contestant of 200 sentences of 10 words, which has one head wrong in so many of them. */
function parser(wrong: number, speed: number, data = "0".repeat(64)): Contestant {
  const words = Array.from({ length: 200 }, () => 10);
  const heads = words.map((n, i) => (i < wrong ? n - 1 : n));
  const value = heads.reduce((sum, n) => sum + n, 0) / 2000;
  const range = { low: 0.95 * speed, high: 1.05 * speed, samples: 5 };
  const speeds: Measure = { value: speed, ...range, unit: "words/s", better: "higher" };
  return {
    group: "UD_X, test",
    name: "mst",
    measures: { UAS: { value, unit: "share", better: "higher" }, "words/s": speeds },
    sentences: { data, words, heads, arcs: heads },
  };
}

describe("diff", () => {
  const verdicts = (a: Contestant, b: Contestant) =>
    Object.fromEntries(
      diffResults(file([a]), file([b]), 1).rows.map(({ measure, verdict, test: by }) => [
        measure,
        `${verdict}, ${by}`,
      ]),
    );

  test.each([
    ["equal results", parser(50, 100), parser(50, 100), "same", "same"],
    ["more errors, and slower", parser(50, 100), parser(90, 80), "worse", "worse"],
    ["fewer errors, and faster", parser(90, 100), parser(50, 150), "better", "better"],
    ["differences that are noise", parser(50, 100), parser(51, 103), "same", "same"],
  ] as const)("%s", (_what, a, b, uas, speed) => {
    expect(verdicts(a, b)).toEqual({ UAS: `${uas}, paired bootstrap`, "words/s": `${speed}, ranges` });
  });

  test("does not pair sentences of other data", () => {
    const other = parser(90, 100, "1".repeat(64));
    expect(verdicts(parser(50, 100), other).UAS).toBe("unknown, none");
  });

  test("reports ratios, and contestants of one file only", () => {
    const [a, b] = [parser(50, 100), { ...parser(50, 100), name: "eisner" }];
    const { rows, onlyFirst, onlySecond } = diffResults(file([a, b]), file([parser(50, 150)]), 1);
    expect(rows.map(({ ratio }) => ratio)).toEqual([1, 1.5]);
    expect([onlyFirst, onlySecond]).toEqual([["UD_X, test: eisner"], []]);
  });
});

test("results of parsers follow the schema, and diff compares two of them", async () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const [a, b, out] = [at("a.json"), at("b.json"), at("diff.json")];
  const treebank = smallTreebank(30);
  for (const [path, order] of [
    [a, "1"],
    [b, "2"],
  ] as const) {
    const argv = ["parsers", "--treebank", treebank, "--decoder", "eisner", "--order", order, "--json", path];
    expect((await bench(argv, { runParser: pretendToParse })).code).toBe(0);
  }
  const { contestants } = expectValid(a);
  expect(contestants[0]).toMatchObject({ group: "UD_Small, test", name: "Arcwise eisner order 1" });
  expect(contestants[0]!.sentences!.words).toHaveLength(30);
  // The second parser by the name of the first, whose sentences are the same.
  writeFileSync(b, readFileSync(b, "utf8").replaceAll("eisner order 2", "eisner order 1"));
  const { code, out: shown } = await bench(["diff", a, b, "--json", out]);
  expect(code).toBe(0);
  expect(shown).toMatch(/UAS.*better/);
  const { kind, results } = expectValid(out);
  expect(kind).toBe("diff");
  const uas = (results as { rows: { measure: string; test: string }[] }).rows.find(
    ({ measure }) => measure === "UAS",
  );
  expect(uas).toMatchObject({ test: "paired bootstrap", verdict: "better" });
});

test("results of decoders follow the schema", async () => {
  const json = join(temporaryFolder(), "times.json");
  const argv = ["--decoder", "mst", "--set", "dense", "--length", "10", "--no-operations", "--time", "1"];
  expect((await bench(["decoders", ...argv, "--json", json])).code).toBe(0);
  expect(expectValid(json).contestants[0]).toMatchObject({ group: "dense, 10 words" });
});

test.each([
  ["a missing file", undefined, "no such file"],
  ["no JSON", "x", "expected JSON"],
  ["other JSON", "{}", "expected results of the benchmark (--json), found another file"],
  ["another version", '{"format":"arcwise-bench","version":0,"contestants":[]}', "expected version 1"],
])("diff refuses %s in one line, with exit code 1", async (_what, text, says) => {
  const path = join(temporaryFolder(), "results.json");
  if (text !== undefined) writeFileSync(path, text);
  const { code, err } = await bench(["diff", path, path]);
  expect(err).toContain(`${path}: ${says}`);
  expect([code, err.trim().split("\n").length]).toEqual([1, 1]);
  expect(() => readResultFile(path)).toThrow(says);
});
