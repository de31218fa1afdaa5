import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { saveParser, type TrainOptions, trainParser } from "@arcwise/parser";
import fc from "fast-check";
import { beforeAll, describe, expect, it, test } from "vitest";
import { blobFile, folderStore } from "../src/blobs/folder-store.ts";
import { type Hash, hashOf } from "../src/blobs/hash.ts";
import { sealed, unsealed } from "../src/blobs/outputs.ts";
import type { Store } from "../src/blobs/store.ts";
import { type ChunkOutput, parseChunks } from "../src/parse-chunks.ts";
import { localRunner } from "../src/runners/local.ts";
import type { StepRunner } from "../src/runners/runner.ts";
import { StepExecutor } from "../src/steps/executor.ts";
import { stepOrder } from "../src/steps/order.ts";
import { trainParserInSteps } from "../src/train-parser.ts";
import { freshFolder, TRAINING, trainedHere, treebank } from "./support.ts";

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

/** Returns the paths of all blobs of a folder. */
function blobsOf(folder: string): string[] {
  const groups = readdirSync(folder).filter((name) => name.length === 2);
  return groups.flatMap((group) => readdirSync(join(folder, group)).map((name) => join(folder, group, name)));
}

describe("the bytes of an output", () => {
  it("are read under their own name alone, and with every bit as it was", () => {
    const name = hashOf("a");
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(), fc.nat({ max: 7 }), (contents, at, bit) => {
        const bytes = sealed(name, contents);
        expect([...unsealed(name, bytes)]).toEqual([...contents]);
        expect(() => unsealed(hashOf("b"), bytes)).toThrow();
        expect(() => unsealed(name, bytes.subarray(0, at % bytes.length))).toThrow();
        // The four bytes after the checksum are zeros that nobody reads.
        const changed = bytes.slice();
        const place = at % bytes.length;
        changed[place]! ^= 1 << bit;
        if (place < 12 || place >= 16) expect(() => unsealed(name, changed)).toThrow();
      }),
    );
  });
});

describe("a training whose blobs were damaged", { tags: "slow" }, () => {
  const examples = treebank(12, { labelled: false });
  const options: TrainOptions = {
    ...TRAINING,
    epochs: 2,
    shards: { count: 2, mixes: 2 },
    network: { units: 4, embeddingUnits: 4, members: 1, epochs: 2, shards: { count: 2, mixes: 2 } },
  };
  const folder = freshFolder();
  let here: Buffer;
  const trained = async (more: TrainOptions = {}) => {
    const store = await folderStore(folder);
    const run = { ...options, ...more, store, runner: localRunner(store) };
    return Buffer.from(saveParser(await trainParserInSteps(examples, run)));
  };
  beforeAll(async () => {
    here = await trainedHere(examples, options);
    expect((await trained()).equals(here)).toBe(true);
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
      expect((await trained()).equals(here), blob).toBe(true);
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
      [1, 2].map(async (seed) =>
        saveParser(
          await trainParser(treebank(8, { labelled: false, seed }), {
            preset: "fast",
            epochs: 1,
            prune: false,
            seed,
          }),
        ),
      ),
    );
  });

  async function parsed(store: Store, runner: StepRunner = localRunner(store)): Promise<ChunkOutput> {
    for await (const output of parseChunks([text], { store, runner, model: models[0]! })) return output;
    throw new Error("no output");
  }
  const swapped = (folder: string, name: Hash, bytes: Uint8Array) =>
    writeFileSync(blobFile(folder, name), bytes);

  test("uses what the hash says, not what was put in its place", async () => {
    const folder = freshFolder();
    const store = await folderStore(folder);
    const clean = await parsed(store);
    expect(clean.text).toContain("Dogs");
    for (const blob of blobsOf(folder)) rmSync(blob);
    await parsed(store);
    const [model, chunk] = [hashOf(models[0]!), clean.chunk];
    for (const blob of blobsOf(folder))
      if (!blob.includes(model.slice(2)) && !blob.includes(chunk.slice(2))) rmSync(blob);
    swapped(folder, model, models[1]!);
    swapped(folder, chunk, gzipSync(text.replace("Dogs", "EVIL")));
    expect(await parsed(store)).toEqual(clean);
    expect(
      readdirSync(join(folder, "damaged"))
        .map((name) => name.slice(0, 64))
        .sort(),
    ).toEqual([model, chunk].sort());
  });

  test("writes an input again that was swapped while a worker waited", async () => {
    const folder = freshFolder();
    const store = await folderStore(folder);
    let runs = 0;
    const late: StepRunner = {
      async run({ last }) {
        const { chunk } = last.settings as { readonly chunk: Hash };
        if (++runs === 1) swapped(folder, chunk, gzipSync(text.replace("Dogs", "EVIL")));
        await new StepExecutor(store).run(last);
      },
      close: async () => {},
    };
    const output = await parsed(store, late);
    expect([output.error, output.text.includes("Dogs")]).toEqual([undefined, true]);
    expect(runs).toBe(2);
  });

  test("makes a damaged result again, also where it is a link", async () => {
    const folder = freshFolder();
    const store = await folderStore(folder);
    const clean = await parsed(store);
    const inputs = [hashOf(models[0]!), clean.chunk];
    const result = blobsOf(folder).find((blob) => !inputs.some((name) => blob.endsWith(name.slice(2))))!;
    for (const damage of [...Object.values(DAMAGES), undefined]) {
      const was = readFileSync(result);
      rmSync(result);
      if (damage === undefined) symlinkSync("/etc/passwd", result);
      else writeFileSync(result, damage(Buffer.from(was), readFileSync(blobFile(folder, clean.chunk))));
      expect(await parsed(store)).toEqual(clean);
    }
  });

  test("names the file of an input that nobody writes again", async () => {
    const folder = freshFolder();
    const store = await folderStore(folder);
    const { chunk } = await parsed(store);
    const model = hashOf(models[0]!);
    swapped(folder, model, models[1]!);
    const settings = { model, chunk, format: "conllu", tags: "predicted" } as const;
    const running = new StepExecutor(store).run(stepOrder("parse-chunk", settings));
    const error = await running.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "DamagedBlob", code: "invalid-data", expected: "a model" });
    const { file } = error as { readonly file: string };
    expect(readFileSync(file).equals(models[1]!)).toBe(true);
  });
});
