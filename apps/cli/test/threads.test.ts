import { availableParallelism } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isResponsive } from "../src/threads/main-thread.ts";
import { arcwise, temporaryFolder } from "./support.ts";

const cores = availableParallelism();

describe("parse", () => {
  const run = async (threads: number, ...more: string[]) => {
    const model = join(temporaryFolder(), "none");
    const { err } = await arcwise(["parse", "--model", model, "--threads", String(threads), ...more]);
    return err.split("\n").filter((line) => line.includes("cores"));
  };

  test("uses at most one thread per core, and says so", async () => {
    expect(await run(cores + 5)).toEqual([
      `this machine has ${cores} cores: parsing on ${cores} threads, not ${cores + 5} (--force-threads)`,
    ]);
    expect(await run(cores)).toEqual([]);
  });

  test("uses more threads when that is forced", async () => {
    expect(await run(cores + 5, "--force-threads")).toEqual([]);
  });
});

test.each<[string, boolean]>([
  ["parse --model m", true],
  ["graph parse --model m", true],
  ["graph train --model parse", false],
  ["graph", false],
  ["train --train parse", false],
  ["", false],
])("the main thread runs the commands that compute in others: %s", (line, expected) => {
  expect(isResponsive(line.split(" "))).toBe(expected);
});
