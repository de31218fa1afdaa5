import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { explain } from "../src/errors.ts";
import { planFiles } from "../src/files/file-plan.ts";
import { readBytes } from "../src/files/input.ts";
import type { Io } from "../src/files/io.ts";
import { type Output, openOutput } from "../src/files/output.ts";
import { inFolder, sink } from "./support.ts";

function io(settings: Partial<Io> = {}): Io {
  const signal = new AbortController().signal;
  return { stdin: Readable.from([]), stdout: sink(), stderr: sink(), env: {}, signal, ...settings };
}

/** Opens a planned output. */
async function open(at: Io, path: string): Promise<Output> {
  return openOutput(at, (await planFiles(at, { inputs: [], outputs: { out: path } })).out);
}

async function read(path: string, from: Io = io()): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readBytes(from, path)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The message about a failure. */
async function failure(work: Promise<unknown>): Promise<{ code: number; message: string }> {
  return work.then(
    () => expect.unreachable("it should fail"),
    (error: unknown) => explain(error),
  );
}

describe("input", () => {
  const text = "# é\n".repeat(40_000);

  test("is a file, a packed file or the standard input", async () => {
    const { path } = inFolder({ a: text, "a.gz": gzipSync(text) });
    for (const name of ["a", "a.gz"]) expect(await read(path(name))).toBe(text);
    expect(await read("-", io({ stdin: Readable.from([text]) }))).toBe(text);
    for (const short of ["", "#", "ab"]) {
      expect(await read("-", io({ stdin: Readable.from([...short].map((c) => Buffer.from(c))) }))).toBe(
        short,
      );
    }
  });

  test.each([
    [true, "-", /Ctrl-/],
    [false, "-", /^$/],
    [true, "file", /^$/],
  ])("says that it waits: for a terminal %j, reading %s", async (isTTY, path, expected) => {
    const own = inFolder({ file: text }).path("file");
    const stderr = sink();
    const stdin = Object.assign(Readable.from([text]), { isTTY });
    await read(path === "-" ? "-" : own, io({ stdin, stderr }));
    expect(stderr.text()).toMatch(expected);
  });

  test("is unpacked when gzip data has another name (regression: reported as not UTF-8)", async () => {
    const packed = gzipSync(text);
    const bytes = [packed.subarray(0, 1), packed.subarray(1, 2), packed.subarray(2)];
    expect(await read("-", io({ stdin: Readable.from(bytes) }))).toBe(text);
    expect(await read(inFolder({ "packed.conllu": packed }).path("packed.conllu"))).toBe(text);
    const cut = io({ stdin: Readable.from([packed.subarray(0, 100)]) });
    expect(await failure(read("-", cut))).toEqual({
      code: 1,
      message: "standard input: not a complete gzip file: it ends early",
    });
  });

  test.each([
    ["missing", "no such file or directory"],
    ["missing.gz", "no such file or directory"],
    [".", "is a directory, expected a file"],
    ["plain.gz", "not a valid gzip file"],
    ["cut.gz", "not a complete gzip file: it ends early"],
  ])("that cannot be read is named, with the reason: %s", async (name, reason) => {
    const { path } = inFolder({ "plain.gz": "not packed", "cut.gz": gzipSync(text).subarray(0, 100) });
    expect(await failure(read(path(name)))).toEqual({ code: 1, message: `${path(name)}: ${reason}` });
  });

  test("that is waited for does not hold up a user who wants to stop", async () => {
    const controller = new AbortController();
    const silent = new Readable({ read() {} });
    const reading = failure(read("-", io({ stdin: silent, signal: controller.signal })));
    controller.abort();
    expect(await reading).toEqual({ code: 130, message: "stopped" });
  });
});

describe("output", () => {
  const text = "é\n".repeat(100_000);

  test.each(["out", "out.gz"])("appears as %s when it is complete and not before", async (name) => {
    const { path, bytes, text: textOf, names } = inFolder({ [name]: "old" });
    const output = await open(io(), path(name));
    await output.write(text);
    expect(textOf(name)).toBe("old");
    await output.close();
    expect((name.endsWith(".gz") ? gunzipSync(bytes(name)) : bytes(name)).toString()).toBe(text);
    expect(names()).toEqual([name]);
  });

  test.each(["out", "out.gz"])("that is abandoned leaves no trace of %s", async (name) => {
    const { path, names } = inFolder({});
    const output = await open(io(), path(name));
    await output.write(text);
    await output.abandon();
    expect(names()).toEqual([]);
  });

  test("to a link replaces the file that it points to", async () => {
    const { path, text: textOf, names } = inFolder({ real: "old" });
    symlinkSync(path("real"), path("link"));
    const output = await open(io(), path("link"));
    await output.write("new");
    await output.close();
    expect(textOf("real")).toBe("new");
    expect(names()).toEqual(["link", "real"]);
  });

  test.skipIf(!existsSync("/dev/null"))("to a device does not replace it", async () => {
    const output = await open(io(), "/dev/null");
    await output.write(text);
    await output.close();
    expect(readFileSync("/dev/null", "utf8")).toBe("");
  });

  test.each([
    ["no/out", "no such file or directory"],
    ["sub", "is a directory, expected a file to write"],
  ])("to a place that does not exist, or a folder, is refused at once: %s", async (name, reason) => {
    const { path } = inFolder({});
    mkdirSync(path("sub"));
    const message = `${path(name)}: ${reason}`;
    expect(await failure(open(io(), path(name)))).toEqual({ code: 1, message });
  });

  test("waits for a slow reader", async () => {
    let taken = 0;
    const slow = new Writable({
      highWaterMark: 10,
      write(chunk: Buffer, _encoding, done) {
        setTimeout(() => {
          taken += chunk.length;
          done();
        }, 5);
      },
    });
    const output = await open(io({ stdout: slow }), "-");
    for (let i = 0; i < 5; i++) {
      await output.write("0123456789");
      expect(taken).toBe(10 * (i + 1));
    }
  });

  test("that fails after the last write is noticed", async () => {
    const full = new Writable({
      write: (_chunk, _encoding, done) =>
        setTimeout(() => done(Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" })), 5),
    });
    const output = await open(io({ stdout: full }), "-");
    await output.write("x");
    expect(await failure(output.close())).toEqual({
      code: 1,
      message: "standard output: no space left on the device",
    });
  });

  test("that nobody reads any more is noticed", async () => {
    const closed = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
    });
    const output = await open(io({ stdout: closed }), "-");
    const writing = (async () => {
      for (let i = 0; i < 10; i++) {
        await output.write("x");
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await expect(writing).rejects.toMatchObject({ name: "OutputClosed" });
  });
});
