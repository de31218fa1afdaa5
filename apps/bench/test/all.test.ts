import { expect, test } from "vitest";
import { allSteps } from "../src/commands/all.ts";
import type { Io } from "../src/io.ts";

const io: Io = {
  stdout: { write: () => true },
  stderr: { write: () => true },
  env: { ARCWISE_DATA: "/nonexistent" },
  argv: [],
  runParser: () => Promise.reject(new Error("not here")),
};

test.each([true, false])("the steps of all (quick: %s) have options that their commands know", (quick) => {
  const steps = allSteps(io, ["/data/UD_One"], { models: "/models", quick, seed: 7 });
  expect(steps.length).toBeGreaterThanOrEqual(6);
  for (const { name, command, argv } of steps) {
    const { unknown, operands } = command(io).parseOptions([...argv]);
    expect([name, unknown, operands]).toEqual([name, [], []]);
    expect(argv.slice(-2)).toEqual(["--seed", "7"]);
  }
});

test("decoders are compared on the models that parsers keep", () => {
  const steps = allSteps(io, ["/data/UD_One"], { models: "/models", quick: true, seed: 1 });
  const { argv } = steps.find(({ name }) => name === "Decoders on the same scores")!;
  expect(argv.slice(0, 3)).toEqual([
    "--model",
    "/models/sample-arcwise-ad3-order-3.model",
    "/models/ud-one-arcwise-ad3-order-3.model",
  ]);
});
