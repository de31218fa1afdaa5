import { availableParallelism } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isResponsive } from "../src/main-thread.ts";
import { arcwise, temporaryFolder } from "./support.ts";

const cores = availableParallelism();

/** Command lines that fail once the number of threads is known. */
const FAILING: readonly (readonly [string, string, (folder: string) => string[]])[] = [
  ["parse", "parsing", (folder) => ["parse", "--model", join(folder, "none")]],
  [
    "train",
    "training",
    (folder) => ["train", "--train", join(folder, "none"), "--model", join(folder, "m"), "--shards", "4"],
  ],
];

describe.each(FAILING)("%s", (_name, doing, failing) => {
  const run = async (threads: number, ...more: string[]) => {
    const argv = [...failing(temporaryFolder()), "--threads", String(threads), ...more];
    const { err } = await arcwise(argv);
    return err.split("\n").filter((line) => line.includes("cores"));
  };

  test("uses at most a thread a core, and says so", async () => {
    expect(await run(cores + 5)).toEqual([
      `this machine has ${cores} cores: ${doing} on ${cores} threads, not ${cores + 5} (--force-threads)`,
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
