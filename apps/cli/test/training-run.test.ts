import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Io } from "../src/files/io.ts";
import { planTraining, trainInto } from "../src/training/training-run.ts";

const folder = mkdtempSync(join(tmpdir(), "arcwise-training-run-"));

test("a checkpoint that is being written when another stage is interrupted is written to its end", async () => {
  const stop = new AbortController();
  const state = new Uint8Array(2 ** 22).fill(7);
  const io = { signal: stop.signal } as Io;
  const training = trainInto(
    io,
    await planTraining(io, join(folder, "model"), []),
    { line: () => {}, stop: () => {} },
    async (keep) => {
      keep!(state).catch(() => {});
      stop.abort();
      throw new Error("aborted");
    },
  );
  await expect(training).rejects.toMatchObject({ code: "interrupted" });
  expect(readdirSync(folder)).toEqual(["model.checkpoint"]);
  expect(readFileSync(join(folder, "model.checkpoint")).equals(state)).toBe(true);
});
