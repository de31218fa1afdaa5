import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bench, temporaryFolder } from "./support.ts";

test("compares all learners on the sample", { tags: "slow", timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const json = join(folder, "learners.json");
  const few = "--sentences 12 --seconds 1 --epochs 3".split(" ");
  const { code, out } = await bench(["learners", ...few, "--json", json]);
  expect(code).toBe(0);
  expect(out).toContain("Structured support vector machine");
  const { results } = JSON.parse(readFileSync(json, "utf8"));
  expect(results.courses).toHaveLength(12);
  for (const { name, points } of results.courses) {
    for (const { value, bound } of points) if (bound !== undefined) expect(bound).toBeLessThanOrEqual(value);
    expect(points.length).toBeGreaterThan(0);
    // Learners of the dual begin far from the weights that they will find.
    if (name !== "exponentiated gradient") expect(points.at(-1).accuracy, name).toBeGreaterThan(0.3);
  }
});
