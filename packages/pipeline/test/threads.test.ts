import { describe, expect, test } from "vitest";
import { trainPipelineOnThreads } from "../src/node/index.ts";
import { atMost } from "../src/node/step-threads.ts";
import { TREEBANK } from "./treebank.ts";

describe("tasks of which few run at a time", () => {
  test.each([1, 2, 3, 9])("are at most %d, begin in order, and all end, failed ones too", async (limit) => {
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    const run = atMost(limit);
    const results = await Promise.allSettled(
      Array.from({ length: 7 }, (_, k) =>
        run(async () => {
          begun.push(k);
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, (k % 3) * 5));
          running--;
          if (k % 2 === 1) throw new Error(`task ${k}`);
          return k;
        }),
      ),
    );
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(most).toBe(Math.min(limit, 7));
    expect(results.map((result) => (result.status === "fulfilled" ? result.value : undefined))).toEqual([
      ...[0, undefined, 2, undefined, 4, undefined, 6],
    ]);
  });
});

test.each([0, 1.5, Number.NaN])("refuses %d threads", async (threads) => {
  await expect(trainPipelineOnThreads(TREEBANK, { threads })).rejects.toMatchObject({
    code: "invalid-argument",
  });
});

test("starts no thread for a training that is stopped before", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(trainPipelineOnThreads(TREEBANK, { threads: 2, signal })).rejects.toThrow("enough");
});
