import type { ResourceLimits } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import type { BatchInput } from "../src/batch.ts";
import { Interrupted } from "../src/errors.ts";
import { Pool } from "../src/pool.ts";

const pools: Pool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

function makePool(threads: number, limits: ResourceLimits = {}, model = "model"): { pool: Pool } {
  const settings = { model, marginals: false };
  const pool = new Pool(settings, threads, new URL("./pool-thread.mjs", import.meta.url), limits);
  pools.push(pool);
  return { pool };
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

test("a thread that dies takes its block with it, and no other one", async () => {
  const { pool } = makePool(2);
  const blocks = ["a", "die", "b", "c"].map((text) => pool.parse(block(text)));
  const [a, died, b, c] = await Promise.allSettled(blocks);
  expect(died).toMatchObject({
    status: "rejected",
    reason: { name: "ThreadDied", message: "its thread ended", sentence: undefined },
  });
  expect([a, b, c].map((one) => one!.status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
});

test("says which sentence of a block was under way in a thread that died", async () => {
  const { pool } = makePool(1);
  await expect(pool.parse(block("die at 3"))).rejects.toMatchObject({ name: "ThreadDied", sentence: 3 });
  // What the next thread reached is its own.
  await expect(pool.parse(block("die"))).rejects.toMatchObject({ sentence: undefined });
});

test("says that memory ran out", async () => {
  const { pool } = makePool(1, { maxOldGenerationSizeMb: 16 });
  await expect(pool.parse(block("fill memory"))).rejects.toMatchObject({
    name: "ThreadDied",
    message: expect.stringMatching(/^its thread ended: out of memory: /),
  });
  expect(textOf(await pool.parse(block("few")))).toBe("few");
});

test("a model that does not fit into memory is an error of the data that names it", async () => {
  const { pool } = makePool(1, { maxOldGenerationSizeMb: 16 }, "fill memory");
  await expect(pool.load()).rejects.toMatchObject({
    name: "DataError",
    message: expect.stringMatching(/fill memory: out of memory: /),
  });
});

test("ends what is under way when it is closed, with the reason", async () => {
  const { pool } = makePool(1);
  const blocks = ["stay", "a"].map((text) => pool.parse(block(text)));
  const settled = Promise.allSettled(blocks);
  await pool.close(new Interrupted("stopped"));
  for (const one of await settled) {
    expect(one).toMatchObject({ status: "rejected", reason: { name: "Interrupted" } });
  }
  await expect(pool.parse(block("b"))).rejects.toThrow("stopped");
});
