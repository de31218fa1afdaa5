import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderStore, type Store } from "@arcwise/jobs/node";
import type { TrainOptions } from "@arcwise/parser";
import { beforeAll, describe, expect, it, test } from "vitest";
import { collected } from "../../../tools/test-helpers.ts";
import { OrderCarrier } from "../src/order-jobs.ts";
import { parseChunks } from "../src/parsing/parse-chunks.ts";
import type { ParsedChunk } from "../src/parsing/parse-jobs.ts";
import { type Carry, placeOf, workers } from "./carriers.ts";
import { blobsOf, freshFolder, TRAINING, trainedAt, trainedHere, treebank } from "./support.ts";

/** How a blob may be damaged. `other` is another blob of the store. */
const DAMAGES: Readonly<Record<string, (bytes: Buffer, other: Buffer) => Buffer>> = {
  "a bit that flipped": (bytes) => {
    bytes[bytes.length >> 1]! ^= 1;
    return bytes;
  },
  "a cut": (bytes) => bytes.subarray(0, bytes.length >> 1),
  nothing: () => Buffer.alloc(0),
  "another blob": (_, other) => other,
  "a byte more": (bytes) => Buffer.concat([bytes, Buffer.from("x")]),
};

describe("a training whose blobs were damaged", { tags: "slow" }, () => {
  const examples = treebank(12, { labelled: false });
  const options: TrainOptions = {
    ...TRAINING,
    epochs: 2,
    shards: { count: 2, mixes: 2 },
    network: { units: 4, embeddingUnits: 4, members: 1, epochs: 2 },
  };
  const folder = freshFolder();
  let alone: Buffer;
  const trained = async (more: TrainOptions = {}) => {
    const store = await folderStore(folder);
    return trainedAt(placeOf(store, workers(store, 1)), examples, { ...options, ...more });
  };
  beforeAll(async () => {
    alone = await trainedHere(examples, options);
    expect((await trained()).equals(alone)).toBe(true);
  });

  const damages = Object.entries(DAMAGES).map(([name, damage], d) => [name, d, damage] as const);
  // Each blob is damaged in one way, each fifth in the same.
  it.each(damages)("gives the same bytes when run again: %s", async (_, d, damage) => {
    const blobs = blobsOf(folder);
    expect(blobs.length).toBeGreaterThan(12);
    for (const [k, blob] of blobs.entries()) {
      if (k % damages.length !== d) continue;
      const was = readFileSync(blob);
      writeFileSync(blob, damage(Buffer.from(was), readFileSync(blobs[(k + 1) % blobs.length]!)));
      expect((await trained()).equals(alone), blob).toBe(true);
      writeFileSync(blob, was);
    }
    expect(readdirSync(join(folder, "damaged")).length).toBeGreaterThan(0);
  });

  it("gives the bytes of more epochs, with all blobs damaged at once", async () => {
    for (const blob of blobsOf(folder)) writeFileSync(blob, "damaged");
    const network = { ...(options.network as object), epochs: 3 };
    const longer = { epochs: 3, network } as TrainOptions;
    expect((await trained(longer)).equals(await trainedHere(examples, { ...options, ...longer }))).toBe(true);
  });
});

describe("parsing with blobs that were swapped or damaged", () => {
  const text = "1\tDogs\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\tbark\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n";
  let models: readonly Uint8Array[];
  beforeAll(async () => {
    models = await Promise.all(
      [1, 2].map((seed) =>
        trainedHere(treebank(8, { labelled: false, seed }), {
          preset: "linear",
          epochs: 1,
          prune: false,
          seed,
        }),
      ),
    );
  });

  async function parsed(
    store: Store,
    carry: Carry = workers(store, 1),
    model = models[0]!,
  ): Promise<ParsedChunk> {
    const [output] = await collected(parseChunks([text], { place: placeOf(store, carry), model }));
    return output!;
  }

  /** Returns a blob of a folder that has some bytes in it. */
  const blobWith = (folder: string, bytes: Uint8Array) =>
    blobsOf(folder).find((blob) => readFileSync(blob).includes(Buffer.from(bytes)))!;

  test("uses what the hash says, not what was put in its place", async () => {
    const folder = freshFolder();
    const clean = await parsed(await folderStore(folder));
    expect(clean.text).toContain("Dogs");
    // A sound model of another training, with the name of this one.
    const [own, other] = models as [Uint8Array, Uint8Array];
    const elsewhere = freshFolder();
    const otherStore = await folderStore(elsewhere);
    await parsed(otherStore, workers(otherStore, 1), other);
    const blob = blobWith(folder, own);
    writeFileSync(blob, readFileSync(blobWith(elsewhere, other)));
    for (const rest of blobsOf(folder)) if (rest !== blob) rmSync(rest);
    expect(await parsed(await folderStore(folder))).toEqual(clean);
    expect(readdirSync(join(folder, "damaged"))).toHaveLength(1);
  });

  test("writes an input again that was damaged while a worker waited", async () => {
    const folder = freshFolder();
    const store = await folderStore(folder);
    let runs = 0;
    const late: Carry = async (order) => {
      if (++runs === 1) for (const blob of blobsOf(folder)) writeFileSync(blob, "damaged");
      return new OrderCarrier(store, 0).carryOut(order);
    };
    const output = await parsed(store, late);
    expect([output.error, output.text.includes("Dogs")]).toEqual([undefined, true]);
    expect(runs).toBeGreaterThan(1);
  });

  test("names the file of an input that nobody writes again", async () => {
    const folder = freshFolder();
    const store = await folderStore(folder);
    const orders: Parameters<Carry>[0][] = [];
    const carry = workers(store, 1);
    let outputs: string[] = [];
    await parsed(store, async (order) => {
      orders.push(order);
      const inputs = blobsOf(folder);
      const outcome = await carry(order);
      outputs = blobsOf(folder).filter((blob) => !inputs.includes(blob));
      return outcome;
    });
    for (const output of outputs) rmSync(output);
    for (const blob of blobsOf(folder)) {
      const isModel = readFileSync(blob).includes(Buffer.from(models[0]!));
      if (isModel) writeFileSync(blob, "damaged");
    }
    const carrier = new OrderCarrier(await folderStore(folder), 0);
    const error = await carrier.carryOut(orders[0]!).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "DamagedBlob", code: "invalid-data" });
    expect(readFileSync((error as { readonly file: string }).file, "utf8")).toBe("damaged");
  });
});
