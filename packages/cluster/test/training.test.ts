import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderStore } from "@arcwise/jobs/node";
import type { TrainOptions } from "@arcwise/parser";
import { describe, expect, it, test } from "vitest";
import { OrderCarrier, type OrderOutcome } from "../src/order-jobs.ts";
import { type Carry, placeOf, workers } from "./carriers.ts";
import { blobsOf, freshFolder, TRAINING, trainedAt, trainedHere, treebank } from "./support.ts";

const EXAMPLES = treebank(40, { labelled: false });
const open = () => folderStore(freshFolder());

describe("training by workers gives the bytes of trainParser", () => {
  test.each<TrainOptions>([
    {},
    { epochs: 1, shards: { count: 2, mixes: 8 } },
    { epochs: 2, learner: "perceptron", shards: { count: 4, mixes: 1 } },
    { epochs: 1, learner: "crf", shards: { count: 2 } },
    { epochs: 1, network: { units: 8, embeddingUnits: 8, members: 2, epochs: 2 } },
  ])("%j", async (changes) => {
    const options = { ...TRAINING, ...changes };
    const store = await open();
    const found = await trainedAt(placeOf(store, workers(store, 2)), EXAMPLES, options);
    expect(found.equals(await trainedHere(EXAMPLES, options))).toBe(true);
  });
});

describe("a training that is repeated", async () => {
  const alone = await trainedHere(EXAMPLES, TRAINING);

  /** Counts orders by what became of them. */
  function noted(carry: Carry) {
    const outcomes: OrderOutcome[] = [];
    const count = (outcome: OrderOutcome) => outcomes.filter((other) => other === outcome).length;
    const noting: Carry = async (order) => {
      const outcome = await carry(order);
      outcomes.push(outcome);
      return outcome;
    };
    return { count, carry: noting };
  }

  it("does no job again, whatever the number of epochs before", async () => {
    const store = await open();
    const { count, carry } = noted(workers(store, 1));
    await trainedAt(placeOf(store, carry), EXAMPLES, { ...TRAINING, epochs: 3 });
    expect([count("done"), count("present")]).toEqual([3 * 2 * 3, 0]);
    for (let time = 0; time < 2; time++)
      expect((await trainedAt(placeOf(store, carry), EXAMPLES, TRAINING)).equals(alone)).toBe(true);
    expect(count("done")).toBe(4 * 2 * 3);
  });

  it("makes results and inputs again that a loss of power has damaged", async () => {
    const folder = freshFolder();
    const store = await folderStore(folder);
    const damages = ["", "arcwise:", "no blob at all"];
    let damaged = 0;
    let orders = 0;
    // Each order by a worker that knows nothing. Each fourth time, the newest blobs are damaged before or after it.
    const failing: Carry = async (order) => {
      const damage = () => {
        for (const path of newest(folder, 2)) writeFileSync(path, damages[damaged++ % damages.length]!);
      };
      const kind = orders++ % 8;
      if (kind === 3) damage();
      const outcome = await new OrderCarrier(store, 0).carryOut(order);
      if (kind === 7) damage();
      return outcome;
    };
    const options = { ...TRAINING, epochs: 2 };
    const found = await trainedAt(placeOf(store, failing), EXAMPLES, options);
    expect(found.equals(await trainedHere(EXAMPLES, options))).toBe(true);
    expect(damaged).toBeGreaterThan(4);
    expect(readdirSync(join(folder, "damaged")).length).toBeGreaterThan(0);
  });

  it("gives the same when each order is carried out twice at a time", async () => {
    const store = await open();
    const [one, other] = [workers(store, 1), workers(store, 1)];
    const twice: Carry = async (order) => {
      const [outcome] = await Promise.all([one(order), other(order)]);
      return outcome;
    };
    expect((await trainedAt(placeOf(store, twice), EXAMPLES, TRAINING)).equals(alone)).toBe(true);
  });
});

/** Returns the paths of the newest blobs of a folder store. */
function newest(folder: string, count: number): string[] {
  const time = (path: string) => statSync(path).mtimeMs;
  return blobsOf(folder)
    .sort((a, b) => time(b) - time(a))
    .slice(0, count);
}
