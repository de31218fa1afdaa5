import { join } from "node:path";
import { expect, test } from "vitest";
import { allSteps, kept } from "../src/commands/all.ts";
import type { BenchIo } from "../src/commands/parsers.ts";
import { planResults } from "../src/data/files.ts";
import { Journal } from "../src/results/journal.ts";
import { temporaryFolder } from "./support.ts";

const io: BenchIo = {
  stdout: { write: () => true },
  stderr: { write: () => true },
  env: { ARCWISE_DATA: "/nonexistent" },
  argv: [],
  runParser: () => Promise.reject(new Error("not here")),
};

test.each([true, false])("the steps of all (quick: %s) have options that their commands know", (quick) => {
  const steps = allSteps(["/data/UD_One"], { models: "/models", quick, seed: 7 });
  expect(steps).toHaveLength(5);
  for (const { name, command, argv } of steps) {
    const { unknown, operands } = command(io).parseOptions([...argv]);
    expect([name, unknown, operands]).toEqual([name, [], []]);
    expect(argv.slice(-2)).toEqual(["--seed", "7"]);
  }
});

test("decoders are compared on the models that parsers keep", () => {
  const steps = allSteps(["/data/UD_One"], { models: "/models", quick: true, seed: 1 });
  const { argv } = steps.find(({ name }) => name === "Decoders on the same scores")!;
  expect(argv.slice(0, 3)).toEqual([
    "--model",
    "/models/sample-arcwise-ad3-order-3.model",
    "/models/ud-one-arcwise-ad3-order-3.model",
  ]);
});

test("sections with figures are kept for the next run, as the page shows them", async () => {
  const json = join(temporaryFolder(), "all.json");
  const figure = { title: "f", drawing: "<svg></svg>" };
  const sections = [{ title: "s", figures: [figure], tables: [] }];
  const content = { title: "t", sections, seed: 1, results: { bound: Number.POSITIVE_INFINITY } };
  const { json: file } = await planResults([], { json });
  const measured = await new Journal(file, {}).once("step", () => kept(content));
  const again = await new Journal(file, {}).once("step", () => Promise.reject(new Error("measured again")));
  expect(again).toEqual(measured);
  expect(measured.results).toEqual(content.results);
  expect(JSON.stringify(measured.sections)).toBe(JSON.stringify(sections));
});
