import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openStore } from "../src/stores/open-store.ts";
import { type S3Server, s3Server } from "./s3-server.ts";
import { freshFolder, safeError } from "./support.ts";

const NAME = "0123456789abcdef".repeat(4);
const bytes = (text: string) => new TextEncoder().encode(text);

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
    const place = (await one.setAside(NAME))!;
    expect(Buffer.from(server.objects.get(place.replace("s3:/", ""))!).toString()).toBe("first");
    expect(await two.setAside(NAME)).toBeUndefined();
    expect(await two.has(NAME)).toBe(false);
  });

  it("is asked again when the server fails, and names itself when it goes on to fail", async () => {
    const store = await openStore("s3://other");
    server.failures = 2;
    await store.write(NAME, bytes("x"));
    expect(await store.has(NAME)).toBe(true);
    server.failures = 10;
    await expect(store.read(NAME)).rejects.toEqual(safeError("invalid-data", "s3://other"));
    server.failures = 0;
  });

  it("that does not answer, or not to the end, is given up", async () => {
    for (const reply of ["", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"]) {
      const silent = createServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", () => socket.write(reply));
      });
      await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
      vi.stubEnv("AWS_ENDPOINT_URL_S3", `http://127.0.0.1:${(silent.address() as { port: number }).port}`);
      const store = await openStore("s3://bucket", { timeout: 100 });
      const calls = [store.read(NAME), store.write(NAME, new Uint8Array(3_000_000)), store.setAside(NAME)];
      if (reply === "") calls.push(store.has(NAME) as never);
      for (const outcome of await Promise.allSettled(calls)) {
        if (reply !== "" && outcome.status === "fulfilled") continue;
        expect(outcome).toMatchObject({ reason: { code: "lost-connection", file: "s3://bucket" } });
      }
      silent.close();
    }
    vi.stubEnv("AWS_ENDPOINT_URL_S3", server.url);
  });

  it("that is not there is named, without credentials", async () => {
    vi.stubEnv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1");
    const store = await openStore("s3://bucket", { timeout: 200 });
    await expect(store.has(NAME)).rejects.toEqual(safeError("lost-connection", "s3://bucket"));
    vi.stubEnv("AWS_ENDPOINT_URL_S3", server.url);
  });

  it("is not written to where it is read-only", async () => {
    const store = await openStore("s3://bucket/only", { isReadOnly: true });
    for (const call of [store.write(NAME, bytes("x")), store.setAside(NAME)])
      await expect(call).rejects.toMatchObject({ code: "invalid-argument" });
    expect(await store.has(NAME)).toBe(false);
    expect([...server.objects.keys()].filter((key) => key.includes("only"))).toEqual([]);
  });

  it("has a name", async () => {
    for (const odd of ["s3://user:hidden@bucket/x", "s3://BUCKET", "s3://"])
      await expect(openStore(odd)).rejects.toEqual(safeError("invalid-argument"));
  });
});

it("the address of a store is a text, and its options are checked", async () => {
  await expect(openStore(5 as never)).rejects.toMatchObject({ code: "invalid-argument" });
  const options = { readOnly: true } as never;
  await expect(openStore(freshFolder(), options)).rejects.toMatchObject({ code: "unknown-option" });
});
