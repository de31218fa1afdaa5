import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { here } from "@arcwise/jobs";
import { amongProcesses, folderStore, stored } from "@arcwise/jobs/node";
import type { TrainOptions } from "@arcwise/parser";
import { describe, expect, it, test } from "vitest";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import { OrderCarrier, type OrderOutcome } from "../src/order-jobs.ts";
import { type Carry, placeOf, workers } from "./carriers.ts";
import { freshFolder, TRAINING, trainedAt, trainedHere, treebank } from "./support.ts";

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

  it("goes on with what is there after it was stopped in the middle", async () => {
    const store = await open();
    const carry = workers(store, 2);
    let left = 5;
    const stopped: Carry = async (order) => {
      if (left-- <= 0) throw new Error("killed");
      return carry(order);
    };
    await expect(trainedAt(placeOf(store, stopped), EXAMPLES, TRAINING)).rejects.toThrow("killed");
    const second = noted(workers(store, 1));
    expect((await trainedAt(placeOf(store, second.carry), EXAMPLES, TRAINING)).equals(alone)).toBe(true);
    expect(second.count("present")).toBe(5);
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

  it("resumes from a checkpoint, with other workers", async () => {
    const checkpoint = new MemoryCheckpoint();
    await trainedAt(stored(here(), await open()), EXAMPLES, { ...TRAINING, epochs: 2, checkpoint });
    const store = await open();
    const place = placeOf(store, workers(store, 2));
    const resumed = await trainedAt(place, EXAMPLES, { ...TRAINING, checkpoint });
    expect(resumed.equals(alone)).toBe(true);
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

  it("is shared by processes that run it with one store", async () => {
    const folder = freshFolder();
    const models = await Promise.all(
      [2, 0, 1].map(async (index) => {
        const place = amongProcesses(here(), await folderStore(folder), { index, count: 3 });
        return trainedAt(place, EXAMPLES, TRAINING);
      }),
    );
    for (const model of models) expect(model.equals(alone)).toBe(true);
  });
});

/** Returns the paths of the newest blobs of a folder store. */
function newest(folder: string, count: number): string[] {
  const groups = readdirSync(folder).filter((name) => name.length === 2);
  const blobs = groups.flatMap((group) => {
    return readdirSync(join(folder, group)).map((name) => join(folder, group, name));
  });
  const time = (path: string) => statSync(path).mtimeMs;
  return blobs.sort((a, b) => time(b) - time(a)).slice(0, count);
}
