// @module-tag slow
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { trainSettings } from "@arcwise/cli/command";
import { createParser, loadParser, saveParser, trainParser } from "@arcwise/parser";
import { expect, onTestFinished, test } from "vitest";
import { readSplit, SAMPLE } from "../src/data/treebanks.ts";
import { bench, smallTreebank, temporaryFolder } from "./support.ts";

const benchmark = fileURLToPath(new URL("..", import.meta.url));
const guide = readFileSync(join(benchmark, "../../docs/guide/learner.md"), "utf8");

/** Writes a module where it finds the packages that it imports: the benchmark depends on all of them. */
function moduleOf(text: string): string {
  const folder = mkdtempSync(join(benchmark, ".learner-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "falling.mjs");
  writeFileSync(path, text);
  return path;
}

const guideModule = (): string => moduleOf(/^```js\n(.*?)^```$/ms.exec(guide)![1]!);

test("the module of the guide trains a parser, of whose learner the model has the name alone", async () => {
  const module = guideModule();
  const settings = await trainSettings(["--preset", "linear", "--learner", module, "--epochs", "2"]);
  const examples = readSplit(SAMPLE, "train").slice(0, 30);
  const bytes = saveParser(await trainParser(examples, settings));
  const model = loadParser(bytes);
  expect(model.description.learner).toBe("falling");
  expect(Buffer.from(bytes).includes(module)).toBe(false);
  const parser = createParser(model);
  const right = examples.flatMap(({ sentence, tree }) => {
    const { heads } = parser.parse(sentence);
    return sentence.map((_, i) => Number(heads[i + 1] === tree.heads[i + 1]));
  });
  expect(right.reduce((sum, one) => sum + one, 0) / right.length).toBeGreaterThan(0.9);
});

test("the benchmark compares parsers by the learner of a module with others", async () => {
  const json = join(temporaryFolder(), "parsers.json");
  const module = guideModule();
  const { code, err } = await bench([
    ...["parsers", "--treebank", smallTreebank(8), "--decoder", "mst", "--order", "1", "--epochs", "1"],
    ...["--learner", "mira", module, "--quick", "--json", json],
  ]);
  expect({ code, err }).toMatchObject({ code: 0 });
  const { results } = JSON.parse(readFileSync(json, "utf8"));
  expect(results.parsers.map(({ parser }: { parser: string }) => parser)).toEqual([
    "Arcwise mst order 1",
    `Arcwise mst order 1, ${module}`,
  ]);
});

test("a learner that cannot be loaded is an error of the comparison of parsers", async () => {
  const json = join(temporaryFolder(), "parsers.json");
  const broken = moduleOf('import "@arcwise/nowhere";');
  const { code, out, err } = await bench([
    ...["parsers", "--treebank", smallTreebank(8), "--decoder", "mst", "--order", "1", "--epochs", "1"],
    ...["--learner", "mira", broken, "--quick", "--json", json],
  ]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("Cannot find package '@arcwise/nowhere'");
  expect(err).not.toContain("\\u000a");
});

test("the benchmark adds the learner of a module to the comparison of learners", async () => {
  const json = join(temporaryFolder(), "learners.json");
  const few = ["--sentences", "6", "--seconds", "1", "--epochs", "1"];
  const { code, err } = await bench(["learners", ...few, "--learner", guideModule(), "--json", json]);
  expect({ code, err }).toMatchObject({ code: 0 });
  const { courses } = JSON.parse(readFileSync(json, "utf8")).results;
  expect(courses.at(-1)).toMatchObject({ name: "falling", family: "mistakes" });
  expect(courses.at(-1).points[0].accuracy).toBeGreaterThan(0.3);
});

test("a learner that reports no epochs has one point, of the weights that it returns", async () => {
  const json = join(temporaryFolder(), "learners.json");
  const silent = moduleOf(
    `export default () => ({ name: "silent", needs: new Set(), unit: "none", batch: false, sparse: false,
       train: async (task) => new Float32Array(task.dimension) });`,
  );
  const few = ["--sentences", "2", "--seconds", "1", "--epochs", "1"];
  expect(await bench(["learners", ...few, "--learner", silent, "--json", json])).toMatchObject({ code: 0 });
  const { courses } = JSON.parse(readFileSync(json, "utf8")).results;
  expect(courses.at(-1)).toMatchObject({ name: "silent", points: [{ epoch: 1 }] });
});

test.each([
  ["no default export", "export const make = 1;\n", "expected a default export that is a function"],
  ["no learner", "export default () => ({});\n", 'expected a learner, but "name" is missing'],
  ["no module", undefined, "no such module: there is no "],
])("%s is refused before training", async (_, text, message) => {
  const path = text === undefined ? "./absent.mjs" : moduleOf(text);
  for (const command of [["learners"], ["parsers", "--treebank", smallTreebank(2), "--decoder", "mst"]]) {
    const { code, out, err } = await bench([...command, "--learner", path]);
    expect(err).toContain(`${path}: ${message}`);
    expect({ code, out }).toEqual({ code: 2, out: "" });
  }
});

test("weights of another length are refused", async () => {
  const path = moduleOf(
    `export default () => ({ name: "short", needs: new Set(), unit: "none", batch: false, sparse: false,
       train: async () => new Float32Array(3) });`,
  );
  const settings = await trainSettings(["--preset", "linear", "--learner", path]);
  const training = trainParser(readSplit(SAMPLE, "train").slice(0, 4), settings);
  await expect(training).rejects.toMatchObject({ code: "invalid-learner" });
});
