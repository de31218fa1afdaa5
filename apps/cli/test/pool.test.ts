import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type BatchInput, lostBlock } from "../src/batch.ts";
import { Pool, threadsToUse } from "../src/pool.ts";
import { conllu, temporaryFolder } from "./support.ts";

const pools: Pool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

function makePool(threads: number): { pool: Pool; attempts(): string[] } {
  const model = join(temporaryFolder(), "log");
  const settings = { model, marginals: false, marker: new Int32Array(new SharedArrayBuffer(4)) };
  const pool = new Pool(settings, threads, new URL("./pool-thread.mjs", import.meta.url));
  pools.push(pool);
  return { pool, attempts: () => readFileSync(model, "utf8").trimEnd().split("\n") };
}

const block = (text: string, line = 1): BatchInput => ({ bytes: Buffer.from(text), file: "in.conllu", line });
const textOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString();

test("starts one thread for one block, however many it may use", async () => {
  const { pool } = makePool(16);
  await pool.load();
  expect(textOf(await pool.parse(block("few")))).toBe("few");
  expect(pool.size).toBe(1);
});

test("starts threads as blocks wait, and gives each block its own result", async () => {
  const { pool } = makePool(3);
  await pool.load();
  const blocks = Array.from({ length: 12 }, (_, i) => pool.parse(block(i < 6 ? "slow" : `block ${i}`)));
  expect(pool.size).toBe(3);
  const texts = (await Promise.all(blocks)).map(textOf);
  expect(texts).toEqual(Array.from({ length: 12 }, (_, i) => (i < 6 ? "slow" : `block ${i}`)));
});

test("tries the block of a thread that died once more", async () => {
  const { pool, attempts } = makePool(2);
  const blocks = await Promise.all(["a", "die once", "b"].map((text) => pool.parse(block(text))));
  expect(blocks.map(textOf)).toEqual(["a", "die once", "b"]);
  expect(attempts().filter((text) => text === "die once")).toHaveLength(2);
});

test("gives up a block of which two threads died, and parses the others", async () => {
  const { pool, attempts } = makePool(2);
  const blocks = ["a", "die", "b", "c"].map((text) => pool.parse(block(text)));
  const [a, died, b, c] = await Promise.allSettled(blocks);
  expect(died).toMatchObject({
    status: "rejected",
    reason: { name: "ThreadDied", message: "its thread ended" },
  });
  expect([a, b, c].map((one) => one!.status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  expect(attempts().filter((text) => text === "die")).toHaveLength(2);
});

test("uses at most a thread a core, unless more are forced", () => {
  const cores = availableParallelism();
  expect(threadsToUse(cores + 5, false)).toBe(cores);
  expect(threadsToUse(cores + 5, true)).toBe(cores + 5);
  expect(threadsToUse(1, false)).toBe(1);
});

test("a lost block is reported by file, lines and sent_ids", () => {
  const text = ["a", "b", "c", "d", "e", "f", "g"].map((id) => conllu(id, "Sleep/VERB/0/root")).join("");
  expect(lostBlock(block(text, 10), "gone")).toEqual({
    place: "in.conllu:10-29: 7 sentences (a, b, c, d, e, ..., g)",
    count: 7,
    reason: "gone",
  });
});
