import { ConlluError, parseConllu, READ_LIMITS, readConllu, type Source, writeConllu } from "@arcwise/conllu";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collected } from "../../../tools/test-helpers.ts";
import { EXAMPLE, SMALL } from "./example.ts";
import { sentence } from "./generators.ts";

async function failure(source: Source, options = {}): Promise<unknown> {
  return collected(readConllu(source, options)).then(
    () => undefined,
    (error: unknown) => error,
  );
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** Bytes of UTF-32LE. */
const utf32 = (text: string) =>
  new Uint8Array(Uint32Array.from(text, (character) => character.codePointAt(0)!).buffer);

function chunked(whole: Uint8Array, size: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < whole.length; at += size) chunks.push(whole.slice(at, at + size));
  return chunks;
}

describe("readConllu", () => {
  const text = EXAMPLE + SMALL;
  const expected = parseConllu(text);

  it.each([1, 2, 3, 7, 64, 100_000])("reads chunks of %i bytes", async (size) => {
    expect(await collected(readConllu(chunked(bytes(text), size)))).toEqual(expected);
  });

  it("reads text, bytes, iterables, web streams, and streams that are not iterable", async () => {
    const web = () => new Blob([text]).stream();
    const safari = { getReader: web().getReader.bind(web()) } as unknown as ReadableStream<Uint8Array>;
    for (const source of [text, bytes(text), [text], [...text], web(), safari]) {
      expect(await collected(readConllu(source))).toEqual(expected);
    }
  });

  it("reads a text, and the bytes of a file, at once", () => {
    for (const source of [text, bytes(text)]) expect([...readConllu(source)]).toEqual(expected);
  });

  it("reads a source that mixes bytes and text", async () => {
    const whole = bytes(text);
    const source = [whole.slice(0, 100), new TextDecoder().decode(whole.slice(100))];
    expect(await collected(readConllu(source))).toEqual(expected);
  });

  it("reads correctly when the producer reuses its buffer", async () => {
    const buffer = new Uint8Array(10);
    async function* reuse() {
      for (const chunk of chunked(bytes(text), 10)) {
        buffer.set(chunk);
        yield buffer.subarray(0, chunk.length);
      }
    }
    expect(await collected(readConllu(reuse()))).toEqual(expected);
  });

  it("returns the sentences of parseConllu for any division into chunks", async () => {
    const cuts = fc.array(fc.nat(400), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { maxLength: 3 }), cuts, async (sentences, places) => {
        const whole = bytes(writeConllu(sentences));
        const ends = [...places.filter((at) => at < whole.length), whole.length].sort((a, b) => a - b);
        const chunks = ends.map((end, i) => whole.slice(ends[i - 1] ?? 0, end));
        expect(await collected(readConllu(chunks))).toEqual(
          parseConllu(new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole)),
        );
      }),
      { numRuns: 60 },
    );
  });

  it("yields sentences before the source ends, and closes it when the iteration is left", async () => {
    let given = 0;
    let closed = false;
    async function* endless() {
      try {
        for (;;) {
          given++;
          yield SMALL;
        }
      } finally {
        closed = true;
      }
    }
    for await (const read of readConllu(endless())) if (read.line > 20) break;
    expect(given).toBeLessThan(10);
    expect(closed).toBe(true);
  });

  it("cancels a web stream when the iteration is left", async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes(SMALL)),
      cancel: () => {
        cancelled = true;
      },
    });
    const bare = { getReader: () => stream.getReader() } as unknown as ReadableStream<Uint8Array>;
    for await (const _ of readConllu(bare)) break;
    expect(cancelled).toBe(true);
  });

  it.each([1, 5, 1000])("reports the line of bytes that are not UTF-8, in chunks of %i", async (size) => {
    const broken = bytes(text);
    broken[bytes(EXAMPLE).length + 20] = 0xff;
    const error = await failure(chunked(broken, size), { file: "f" });
    expect(error).toMatchObject({ name: "ConlluError", file: "f", rule: "encoding", line: 19 });
  });

  it.each([
    ["UTF-16LE", (text: string) => Uint8Array.from(Buffer.from(text, "utf16le"))],
    ["UTF-16BE", (text: string) => Uint8Array.from(Buffer.from(text, "utf16le").swap16())],
    ["UTF-32LE", utf32],
    ["UTF-32BE", (text: string) => Uint8Array.from(Buffer.from(utf32(text)).swap32())],
  ])("refuses %s without a byte-order mark", async (name, encode) => {
    const error = await failure(chunked(encode(text), 1000), { file: "f" });
    expect(error).toMatchObject({ rule: "encoding", line: 1, message: expect.stringContaining(name) });
    expect(await failure(chunked(encode("Łódź és Pécs 😀\n"), 1))).toMatchObject({
      rule: "encoding",
      line: 1,
    });
  });

  it("refuses a character that is cut off at the end", async () => {
    expect(await failure([bytes(`${SMALL}# é`).slice(0, -1)])).toMatchObject({ rule: "encoding", line: 6 });
  });

  it.each([
    ["bytes", new Uint8Array(65_536).fill(97)],
    ["text", "a".repeat(65_536)],
  ])("refuses an endless line of %s before it fills memory", async (_, chunk) => {
    let given = 0;
    function* endless() {
      for (;;) {
        given++;
        yield chunk;
      }
    }
    expect(await failure(endless())).toMatchObject({ rule: "line-length", line: 1 });
    expect(given).toBeLessThan(60);
  });

  it("applies the limit to each line when lines arrive in pieces", async () => {
    const pieces = (length: number) => [..."#x".repeat(length / 2).match(/.{1,65536}/g)!, `\n${text}`];
    expect(await collected(readConllu(pieces(READ_LIMITS.lineLength)))).toHaveLength(expected.length);
    expect(await failure(pieces(READ_LIMITS.lineLength + 2))).toMatchObject({ rule: "line-length" });
  });

  it("rethrows errors of the source", async () => {
    async function* failing() {
      yield SMALL;
      throw new Error("disk");
    }
    expect(await failure(failing())).toEqual(new Error("disk"));
    expect(await failure(["1\tx\n"])).toBeInstanceOf(ConlluError);
  });
});
