import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { joinPieces, readContainer, writeContainer } from "../src/container/index.ts";
import { checkpointFolder } from "../src/node/index.ts";
import type { StateFormat } from "../src/training/checkpoint.ts";
import { type Checkpoint, CheckpointState } from "../src/training/index.ts";

/** A checkpoint in memory. */
const inMemory = (states = new Map<string, Uint8Array>()): Checkpoint => ({
  read: async (name) => states.get(name),
  write: async (name, state) => void states.set(name, joinPieces(state)),
});

const FORMAT: StateFormat = { name: "weights", run: "7", check: () => {}, maxEntries: 3 };
const stateIn = (bytes: Uint8Array, format: Partial<StateFormat> = {}) =>
  new CheckpointState(inMemory(new Map([["weights", bytes]])), { ...FORMAT, ...format }).read();

async function bytesOf(state: object): Promise<Uint8Array> {
  const checkpoint = inMemory();
  await new CheckpointState(checkpoint, FORMAT).write(() => state);
  return (await checkpoint.read("weights"))!;
}

describe("a state of a checkpoint", () => {
  test.each<[string, object]>([
    ["of 32-bit vectors", { epoch: 2, vectors: { values: Float32Array.of(0, 1.5, 0) } }],
    [
      "of other vectors, whose lengths are not those of weights",
      {
        numbers: { primal: 1.25, dual: 1 / 3 },
        vectors: {
          weights: Float64Array.of(0, Math.PI, 0),
          indices: Int32Array.of(5, 7, 9, 11, 2 ** 30),
          shares: Float64Array.of(0.1, 0.2, 0.7, 1, 1e-300),
        },
      },
    ],
    ["of vectors of equal names", { values: Float32Array.of(1), best: { values: Float32Array.of(2) } }],
    ["of names of members of objects", { vectors: { constructor: Float32Array.of(1) }, toString: 1 }],
    ["of lists and texts", { sentences: [[{ form: "a" }], []], file: Int8Array.of(1, -2, 3) }],
  ])("is read as it was written: %s", async (_, state) => {
    expect(await stateIn(await bytesOf(state))).toEqual(state);
  });

  test("is there after it was written, and is not made without a checkpoint", async () => {
    const checkpoint = inMemory();
    const state = new CheckpointState<{ epoch: number }>(checkpoint, FORMAT);
    expect([await state.read(), state.isResumed]).toEqual([undefined, false]);
    await state.write(() => ({ epoch: 1 }));
    expect([await state.read(), state.isResumed]).toEqual([{ epoch: 1 }, true]);
    const none = new CheckpointState<{ epoch: number }>(undefined, FORMAT);
    await none.write(() => expect.unreachable());
    expect(await none.read()).toBeUndefined();
  });

  const header = (run: unknown, state: unknown) =>
    writeContainer({ kind: "checkpoint", header: { run, state }, vectors: { v: Float32Array.of(1) } });

  test.each<[string, () => Uint8Array | Promise<Uint8Array>, Partial<StateFormat>]>([
    ["of another training", () => bytesOf({ epoch: 1 }), { run: "8" }],
    ["of an earlier version", () => header(7, {}), {}],
    ["of more weights", () => bytesOf({ v: new Float32Array(3) }), { maxEntries: 2 }],
    ["with far more entries than bytes", () => bytesOf({ v: new Float64Array(100) }), {}],
    ["cut short", async () => (await bytesOf({ epoch: 1 })).subarray(1), {}],
    ["of another kind", () => writeContainer({ kind: "model", header: { run: "7" }, vectors: {} }), {}],
    ["that names a section that is not there", () => header("7", { v: { $vector: "w" } }), {}],
    ["that names no section", () => header("7", { v: { $vector: { toString: 1 } } }), {}],
    [
      "with another member",
      () => writeContainer({ kind: "checkpoint", header: { run: "7", state: {}, x: 1 }, vectors: {} }),
      {},
    ],
  ])("is refused: %s", async (_, bytes, format) => {
    await expect(stateIn(await bytes(), format)).rejects.toMatchObject({ code: "invalid-model" });
  });

  test("names its sections by the paths of vectors", async () => {
    const bytes = await bytesOf({ best: { values: Float32Array.of(2) } });
    expect(Object.keys(readContainer(bytes, "checkpoint").vectors)).toEqual(["best.values"]);
  });
});

describe("a checkpoint in a folder", () => {
  const state = (...bytes: number[]) => ({ bytes: bytes.length, pieces: () => [Uint8Array.from(bytes)] });
  const fresh = () => join(mkdtempSync(join(tmpdir(), "arcwise-checkpoint-")), "model.checkpoint");

  test("keeps the last state of each name", async () => {
    const folder = checkpointFolder(fresh());
    expect([await folder.read("weights"), await folder.names()]).toEqual([undefined, []]);
    await folder.write("weights", state(1));
    await folder.write("network", state(2));
    await folder.write("weights", state(3, 4));
    const again = checkpointFolder(folder.path);
    expect([...(await again.read("weights"))!]).toEqual([3, 4]);
    expect((await again.names()).sort()).toEqual(["network", "weights"]);
    expect(readdirSync(folder.path).sort()).toEqual(["network.state", "weights.state"]);
  });

  test("is removed with leftovers of processes that ended, but not with files of others", async () => {
    const folder = checkpointFolder(fresh());
    await folder.tidy();
    await folder.remove();
    await folder.write("weights", state(1));
    const leftover = join(folder.path, ".network.state.12345.0123456789abcdef.tmp");
    writeFileSync(leftover, "half");
    await folder.tidy();
    expect(readdirSync(folder.path)).toEqual(["weights.state"]);
    writeFileSync(leftover, "half");
    await folder.remove();
    expect(await folder.names()).toEqual([]);
    expect(() => readdirSync(folder.path)).toThrow("ENOENT");
    await folder.write("weights", state(1));
    const other = join(folder.path, "notes.tmp");
    writeFileSync(other, "mine");
    await folder.remove();
    expect([readdirSync(folder.path), readFileSync(other, "utf8")]).toEqual([["notes.tmp"], "mine"]);
  });

  test("is refused if there is a file, as earlier versions wrote", async () => {
    const folder = checkpointFolder(fresh());
    writeFileSync(folder.path, "state");
    const refused = { code: "invalid-model", file: folder.path };
    await expect(folder.read("weights")).rejects.toMatchObject(refused);
    await expect(folder.names()).rejects.toMatchObject(refused);
    await expect(folder.write("weights", state(1))).rejects.toMatchObject({ code: "EEXIST" });
    expect(readFileSync(folder.path, "utf8")).toBe("state");
  });

  test("may be a link", async () => {
    const folder = checkpointFolder(fresh());
    mkdirSync(`${folder.path}.elsewhere`);
    symlinkSync(`${folder.path}.elsewhere`, folder.path);
    await folder.write("weights", state(5));
    expect(readdirSync(`${folder.path}.elsewhere`)).toEqual(["weights.state"]);
    await folder.remove();
    expect(readdirSync(`${folder.path}.elsewhere`)).toEqual([]);
  });
});
