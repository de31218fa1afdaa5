import { chmodSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ArcwiseError } from "@arcwise/core/errors";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import { folderStore } from "../src/blobs/folder-store.ts";
import { hashOf } from "../src/blobs/hash.ts";
import { openStore } from "../src/blobs/open-store.ts";
import { decodeData, encodeData, readData, writeData } from "../src/blobs/plain-data.ts";
import { readBlob } from "../src/blobs/store.ts";
import { type S3Server, s3Server } from "./s3-server.ts";
import { freshFolder } from "./support.ts";

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

  it("removes a blob, also one that is not there, and keeps the next of its name", async () => {
    const store = await folderStore(freshFolder());
    await store.remove(NAME);
    await store.write(NAME, bytes("first"), { isDurable: false });
    await store.remove(NAME);
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
    await expect(store.write(NAME, bytes("x"))).rejects.toMatchObject({ code: "EACCES" });
    expect(await store.has(NAME)).toBe(false);
  });

  it("is read again when a blob is late", async () => {
    const store = await folderStore(freshFolder());
    const reading = readBlob(store, NAME, "a blob");
    setTimeout(() => store.write(NAME, bytes("late")), 60);
    expect(Buffer.from(await reading).toString()).toBe("late");
  });

  it("names the blob that never comes", async () => {
    const store = await folderStore(freshFolder());
    const error = await readBlob(store, NAME, "a mixture", { patience: 10 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ArcwiseError);
    expect(error).toMatchObject({ code: "missing-blob", expected: "a mixture" });
  });
});

describe("a bucket", () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await s3Server();
    vi.stubEnv("AWS_ENDPOINT_URL_S3", server.url);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "user");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "hidden");
    vi.stubEnv("AWS_REGION", "eu-west-1");
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.close();
  });

  it("keeps the first blob of a name, under its prefix", async () => {
    const [one, two] = [await openStore("s3://bucket/a/b/"), await openStore("s3://bucket/a/b")];
    expect(await one.has(NAME)).toBe(false);
    expect(await one.read(NAME)).toBeUndefined();
    await one.write(NAME, bytes("first"));
    await two.write(NAME, bytes("second"));
    expect(await two.has(NAME)).toBe(true);
    expect(Buffer.from((await two.read(NAME))!).toString()).toBe("first");
    expect([...server.objects.keys()]).toEqual([`/bucket/a/b/${NAME}`]);
    await one.remove(NAME);
    await two.remove(NAME);
    expect(await two.has(NAME)).toBe(false);
  });

  it("is asked again when the server fails, and names itself when it goes on to fail", async () => {
    const store = await openStore("s3://other");
    server.failures = 2;
    await store.write(NAME, bytes("x"));
    expect(await store.has(NAME)).toBe(true);
    server.failures = 10;
    const error = await store.read(NAME).catch((thrown: unknown) => thrown);
    server.failures = 0;
    expect(error).toMatchObject({ code: "invalid-data", file: "s3://other" });
    expect((error as Error).message).not.toContain("hidden");
  });

  it("has a name", async () => {
    await expect(openStore("s3://")).rejects.toMatchObject({ code: "invalid-argument" });
  });
});

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

  it("is found under the hash of its contents, and checked", async () => {
    const store = await folderStore(freshFolder());
    const data = { words: ["a", "b"], codes: Int32Array.of(1, 2, 3) };
    const name = await writeData(store, data);
    expect(name).toBe(await writeData(store, { ...data }));
    expect(await readData(store, name, "words")).toEqual(data);
    const other = await folderStore(freshFolder());
    await other.write(name, (await store.read(await writeData(store, { words: [] })))!);
    await expect(readData(other, name, "words")).rejects.toMatchObject({ code: "invalid-data" });
  });
});
