import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArcwiseError } from "@arcwise/core/errors";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { folderStore } from "../src/node/store/folder-store.ts";
import { hashOf } from "../src/node/store/hash.ts";
import { decodeData, encodeData } from "../src/node/store/plain-data.ts";
import { readInput, sealed, unsealed, writeInput } from "../src/node/store/sealed.ts";
import { readBlob, type Store } from "../src/node/store/store.ts";

const all = mkdtempSync(join(tmpdir(), "arcwise-stores-"));
let folders = 0;
/** Returns the path of a folder that does not exist. */
const freshFolder = () => join(all, `${++folders}`);

const NAME = hashOf("a blob");
const bytes = (text: string) => new TextEncoder().encode(text);

describe("a folder", () => {
  it("keeps the first blob of a name, also for others", async () => {
    const folder = freshFolder();
    const [one, two] = [await folderStore(folder), await folderStore(folder)];
    expect(await one.has(NAME)).toBe(false);
    expect(await one.read(NAME)).toBeUndefined();
    await one.write(NAME, bytes("first"));
    await two.write(NAME, bytes("second"));
    expect(await two.has(NAME)).toBe(true);
    expect(Buffer.from((await two.read(NAME))!).toString()).toBe("first");
  });

  it("sets a blob aside, also one that is not there, and keeps the next of its name", async () => {
    const store = await folderStore(freshFolder());
    expect(await store.setAside(NAME)).toBeUndefined();
    await store.write(NAME, bytes("first"), { isDurable: false });
    const place = (await store.setAside(NAME))!;
    expect(readFileSync(place, "utf8")).toBe("first");
    expect(place).toContain(NAME);
    expect(await store.has(NAME)).toBe(false);
    await store.write(NAME, bytes("second"));
    expect(Buffer.from((await store.read(NAME))!).toString()).toBe("second");
  });

  it("keeps one whole blob of many that are written at the same time", async () => {
    const folder = freshFolder();
    const stores = await Promise.all(Array.from({ length: 8 }, () => folderStore(folder)));
    const blobs = stores.map((_, k) => new Uint8Array(200_000).fill(k));
    await Promise.all(stores.map((store, k) => store.write(NAME, blobs[k]!)));
    const found = await stores[0]!.read(NAME);
    expect(blobs.some((blob) => Buffer.from(blob).equals(found!))).toBe(true);
    expect(readdirSync(join(folder, "tmp"))).toEqual([]);
  });

  it("removes what processes left a day ago, and nothing else", async () => {
    const folder = freshFolder();
    await folderStore(folder);
    const names = ["host.1.00", "host.2.00"];
    for (const name of names) writeFileSync(join(folder, "tmp", name), "cut sho");
    const before = Date.now() / 1000 - 2 * 24 * 3600;
    utimesSync(join(folder, "tmp", names[0]!), before, before);
    await folderStore(folder);
    expect(readdirSync(join(folder, "tmp"))).toEqual([names[1]]);
  });

  it.skipIf(process.getuid?.() === 0)("reports where it cannot write, and leaves nothing", async () => {
    const folder = freshFolder();
    const store = await folderStore(folder);
    chmodSync(folder, 0o500);
    await expect(store.write(NAME, bytes("x"))).rejects.toMatchObject({ code: "invalid-data" });
    expect(await store.has(NAME)).toBe(false);
  });

  it("is read again when a blob is late", async () => {
    const store = await folderStore(freshFolder());
    const reading = readBlob(store, { name: NAME, what: "a blob", decode: (found) => found });
    setTimeout(() => store.write(NAME, bytes("late")), 60);
    expect(Buffer.from(await reading).toString()).toBe("late");
  });

  it("names the blob that never comes", async () => {
    const store = await folderStore(freshFolder());
    const request = { name: NAME, what: "a mixture", patience: 10, decode: (found: Uint8Array) => found };
    const error = await readBlob(store, request).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ArcwiseError);
    expect(error).toMatchObject({ code: "missing-blob", expected: "a mixture" });
  });
});

describe("what is not a plain file", () => {
  const kinds: Record<string, (path: string) => void> = {
    "a link to a file": (path) => symlinkSync("/etc/passwd", path),
    "a link to nothing": (path) => symlinkSync("/nowhere/at/all", path),
    "a folder": (path) => mkdirSync(path),
    "a pipe": (path) => expect(spawnSync("mkfifo", [path]).status).toBe(0),
  };
  it.each(Object.keys(kinds))("has no bytes, is set aside and written again: %s", async (kind) => {
    const folder = freshFolder();
    const store = await folderStore(folder);
    const encoded = encodeData({ a: 1 });
    const name = hashOf(encoded);
    mkdirSync(join(folder, name.slice(0, 2)));
    kinds[kind]!(join(folder, name.slice(0, 2), name.slice(2)));
    expect(await store.has(name)).toBe(true);
    expect(await store.read(name)).toEqual(new Uint8Array(0));
    expect(await writeInput(store, encoded)).toBe(name);
    expect(await readInput(store, { name, what: "contents" })).toEqual({ a: 1 });
    expect(readdirSync(join(folder, "damaged"))).toHaveLength(1);
  });
});

describe("a store that is read-only", () => {
  it("is read, and neither written to nor changed", async () => {
    const folder = freshFolder();
    const name = hashOf("contents");
    await (await folderStore(folder)).write(name, bytes("contents"));
    rmSync(join(folder, "tmp"), { recursive: true });
    const store = await folderStore(folder, { isReadOnly: true });
    expect(Buffer.from((await store.read(name))!).toString()).toBe("contents");
    const calls: ((opened: Store) => Promise<unknown>)[] = [
      (opened) => opened.write(NAME, bytes("x")),
      (opened) => opened.setAside(name),
      (opened) => writeInput(opened, encodeData(1)),
    ];
    for (const call of calls) await expect(call(store)).rejects.toMatchObject({ code: "invalid-argument" });
    expect(readdirSync(folder)).toEqual([name.slice(0, 2)]);
  });

  it("must be there", async () => {
    const folder = freshFolder();
    await expect(folderStore(folder, { isReadOnly: true })).rejects.toMatchObject({
      code: "invalid-data",
      file: folder,
    });
  });

  it("has options that are checked", async () => {
    await expect(folderStore(freshFolder(), { readOnly: true } as never)).rejects.toMatchObject({
      code: "unknown-option",
    });
  });
});

/** Encoded data with an array that its type and number of entries are given of, without any entries. */
function arrayOf(type: string, entries: number): Uint8Array {
  const text = bytes(JSON.stringify({ $array: [type, entries] }));
  return Uint8Array.of(text.length, 0, 0, 0, ...text);
}

/** Any plain data. */
const anyData = fc.letrec<{ data: unknown }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => (x === 0 ? 0 : x)),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.integer()).map((all) => Int32Array.from(all)),
    fc.array(fc.float({ noNaN: true })).map((all) => Float32Array.from(all)),
    fc.array(fc.double()).map((all) => Float64Array.from(all)),
    fc.uint8Array(),
    fc.array(tie("data")),
    fc.dictionary(
      fc.string().filter((key) => key !== "__proto__" && key !== "$array"),
      tie("data"),
      { noNullPrototype: true },
    ),
  ),
}));

describe("plain data", () => {
  it("comes back as it was, from bytes at any offset", () => {
    fc.assert(
      fc.property(anyData.data, fc.integer({ min: 0, max: 9 }), (data, offset) => {
        const encoded = encodeData(data);
        const moved = new Uint8Array(encoded.length + offset);
        moved.set(encoded, offset);
        expect(decodeData(moved.subarray(offset))).toEqual(data);
      }),
    );
  });

  test.each([[new Map()], [{ a: Number.NaN }], [[Infinity]], [{ f: () => 1 }], [new Date(0)]])(
    "is nothing else: %s",
    (data) => {
      expect(() => encodeData(data)).toThrow(RangeError);
    },
  );

  it("is found under the hash of its encoding, and is refused under another", async () => {
    const store = await folderStore(freshFolder());
    const data = { words: ["a", "b"], codes: Int32Array.of(1, 2, 3) };
    const name = await writeInput(store, encodeData(data));
    expect(await writeInput(store, encodeData({ ...data }))).toBe(name);
    const request = { name, what: "words" };
    expect(await readInput(store, request)).toEqual(data);
    const other = await folderStore(freshFolder());
    await other.write(name, (await store.read(await writeInput(store, encodeData({ words: [] }))))!);
    await expect(readInput(other, request)).rejects.toMatchObject({
      code: "invalid-data",
      name: "DamagedBlob",
    });
    expect(await writeInput(other, encodeData(data))).toBe(name);
    expect(await readInput(other, request)).toEqual(data);
  });

  it("of any bytes is refused with a code", () => {
    const header = fc.tuple(fc.jsonValue(), fc.uint8Array()).map(([json, rest]) => {
      const text = new TextEncoder().encode(JSON.stringify({ $array: json }));
      return Uint8Array.of(text.length, 0, 0, 0, ...text, ...rest);
    });
    const oddBytes = fc.oneof(
      fc.uint8Array(),
      header,
      fc.constant(arrayOf("i8", 9)),
      fc.constant(arrayOf("x", 0)),
    );
    fc.assert(
      fc.property(oddBytes, (odd) => {
        try {
          decodeData(odd);
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid-data" });
        }
      }),
    );
    for (const odd of [arrayOf("i8", 9), arrayOf("x", 0), arrayOf("f64", -1)])
      expect(() => decodeData(odd)).toThrow(expect.objectContaining({ code: "invalid-data" }));
  });
});

describe("the bytes of an output", () => {
  it("are read under their own name alone, and with every bit as it was", () => {
    const name = hashOf("a");
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(), fc.nat({ max: 7 }), (contents, at, bit) => {
        const bytes = sealed(name, encodeData(contents));
        expect(decodeData(unsealed(name, bytes))).toEqual(contents);
        expect(() => unsealed(hashOf("b"), bytes)).toThrow();
        expect(() => unsealed(name, bytes.subarray(0, at % bytes.length))).toThrow();
        // Of the four bytes after the checksum, one bit is read.
        const changed = bytes.slice();
        const place = at % bytes.length;
        changed[place]! ^= 1 << bit;
        if (place < 12 || place >= 16) expect(() => unsealed(name, changed)).toThrow();
      }),
    );
  });
});
