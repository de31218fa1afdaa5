import { expect, test } from "vitest";
import { trainPipelineOnThreads } from "../src/node/index.ts";
import { TREEBANK } from "./treebank.ts";

test.each([0, 1.5, Number.NaN])("refuses %d threads", async (threads) => {
  await expect(trainPipelineOnThreads(TREEBANK, { threads })).rejects.toMatchObject({
    code: "invalid-argument",
  });
});

test("starts no thread for a training that is stopped before", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(trainPipelineOnThreads(TREEBANK, { threads: 2, signal })).rejects.toThrow("enough");
});
