import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nestingFaults, outsideReferences, temporaryFolder } from "@arcwise/bench/testing";
import { describe, expect, test } from "vitest";
import { chunkingData, readColumns, readTagged } from "../src/sequences/data.ts";
import type { SequenceResult } from "../src/sequences/experiments.ts";
import { trainHmmTagger } from "../src/sequences/hmm-tagger.ts";
import { experiments } from "./support.ts";

/** A folder with small data of every task. */
function smallData(): string {
  const folder = temporaryFolder();
  const chunks = "The DT B-NP\ncats NNS I-NP\nsleep VBP B-VP\n\nDogs NNS B-NP\nbark VBP B-VP\n\n";
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("sequence/conll2000/train.txt", chunks.repeat(20));
  write("sequence/conll2000/test.txt", chunks);
  write("sequence/brown.tagged.txt", "The/at cats/nns sleep/vb\nand\\/or/cc Dogs/nns bark/vb ./.\n");
  return folder;
}

const resultsOf = (json: string) =>
  JSON.parse(readFileSync(json, "utf8")) as { results: { sequences: SequenceResult[] } };

test("trains, chooses, measures and reports", async () => {
  const folder = temporaryFolder();
  const [json, html] = [join(folder, "s.json"), join(folder, "s.html")];
  const argv = ["sequences", "--task", "chunking", "--data", smallData(), "--epochs", "2"];
  const { code, out, err } = await experiments([...argv, "--json", json, "--html", html]);
  expect(err).toContain("chunking: averaged perceptron, epoch 2/2: dev 100.00");
  expect(code).toBe(0);
  expect(out).toContain("maximum-entropy Markov model");
  const { results } = resultsOf(json);
  expect(results.sequences).toHaveLength(12);
  for (const { model, test: score, dev, epochs, labellingWordsPerSecond, course } of results.sequences) {
    // Networks start from small random numbers: two epochs are not enough for them.
    if (!model.endsWith("network")) expect(score).toBe(1);
    expect(labellingWordsPerSecond).toBeGreaterThan(0);
    expect(course.map(({ epoch }) => epoch)).toEqual([1, 2]);
    expect(course[1]!.seconds).toBeGreaterThan(course[0]!.seconds);
    expect(course[epochs - 1]!.score).toBe(dev);
    expect(Math.max(...course.map((point) => point.score))).toBe(dev);
  }
  const page = readFileSync(html, "utf8");
  expect(page.match(/class="plot"/g)).toHaveLength(2);
  expect(page).toContain("development F1 (%)");
  expect(nestingFaults(page)).toEqual([]);
  expect(outsideReferences(page)).toEqual([]);
});

test("learns names with labels for their ends, and measures them without", async () => {
  const folder = temporaryFolder();
  const json = join(folder, "n.json");
  mkdirSync(join(folder, "sequence/conll2002"), { recursive: true });
  const lines = "Ana NC B-PER\nRuiz NC I-PER\nva VMI O\na SP O\nRoma NC B-LOC\n. Fp O\n\n";
  for (const name of ["esp.train", "esp.testa", "esp.testb"]) {
    writeFileSync(join(folder, "sequence/conll2002", name), lines.repeat(5));
  }
  const argv = ["sequences", "--task", "names", "--model", "BIOES", "--data", folder, "--epochs", "3"];
  const { code } = await experiments([...argv, "--json", json]);
  expect(code).toBe(0);
  const { results } = resultsOf(json);
  expect(results.sequences.map(({ test: score }) => score)).toEqual([1, 1, 1, 1, 1, 1]);
});

test("tags with a hidden Markov model: words that are known, and rare ones by their spelling", () => {
  const sentence = (text: string) => text.split(" ").map((form) => ({ form }));
  const examples = [
    { sentence: sentence("the cats sleep"), labels: ["D", "N", "V"] },
    { sentence: sentence("the walking dogs bark"), labels: ["D", "A", "N", "V"] },
    { sentence: sentence("the talking cats bark"), labels: ["D", "A", "N", "V"] },
    { sentence: sentence("dogs sleep"), labels: ["N", "V"] },
  ];
  for (const order of [2, 3] as const) {
    const tagger = trainHmmTagger(examples, order);
    expect(tagger.label(sentence("the jumping cows sleep"))).toEqual(["D", "A", "N", "V"]);
    expect(tagger.label(sentence("the Xq17"))).toHaveLength(2);
    expect(tagger.label([])).toEqual([]);
    expect(tagger.weights).toBeGreaterThan(20);
  }
});

test("exports the events of maximum entropy models in the format of other programs", async () => {
  const folder = temporaryFolder();
  const data = smallData();
  const argv = ["maxent", "--corpus", "conll2000", "--sentences", "1", "--export", folder];
  const { code } = await experiments(argv, { data });
  expect(code).toBe(0);
  const lines = readFileSync(join(folder, "conll2000.svm"), "utf8").trim().split("\n");
  expect(lines.map((line) => line.split(" ")[0])).toEqual(["0", "1", "2"]);
  for (const line of lines) {
    const numbers = Array.from(line.matchAll(/ (\d+):/g), ([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(20);
    for (const [k, number] of numbers.entries()) expect(number).toBeGreaterThan(numbers[k - 1] ?? 0);
  }
});

describe("data", () => {
  test("of columns and of words with slashes", () => {
    const folder = smallData();
    expect(readColumns(folder, "sequence/conll2000/test.txt")[1]).toEqual({
      sentence: [
        { form: "Dogs", xpos: "NNS" },
        { form: "bark", xpos: "VBP" },
      ],
      labels: ["B-NP", "B-VP"],
    });
    expect(readTagged(folder, "sequence/brown.tagged.txt")[1]).toMatchObject({
      sentence: [{ form: "and\\/or" }, { form: "Dogs" }, { form: "bark" }, { form: "." }],
      labels: ["cc", "nns", "vb", "."],
    });
  });
  test("is split: the last tenth is held out", () => {
    const { train, dev } = chunkingData(smallData());
    expect([train.length, dev.length]).toEqual([36, 4]);
  });
  test("that is missing or malformed is a DataError", async () => {
    const missing = await experiments(["sequences", "--task", "names", "--data", smallData()]);
    expect(missing.code).toBe(1);
    expect(missing.err).toContain("esp.train: no such file");
    const folder = smallData();
    writeFileSync(join(folder, "sequence/conll2000/train.txt"), "a b c\na b\n");
    const wrong = await experiments(["sequences", "--task", "chunking", "--data", folder]);
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringContaining('train.txt:2: expected a word, a tag and a label, found "a b"'),
    ]);
  });
});
