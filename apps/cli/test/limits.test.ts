import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { READ_LIMITS } from "@arcwise/conllu";
import { describe, expect, test } from "vitest";
import { readAnnotated } from "../src/convert/read.ts";
import { runningText, type TextInput, textLines, verticalSentences } from "../src/files/input.ts";
import type { Io } from "../src/files/io.ts";
import { linesOf } from "../src/training/vectors.ts";
import { arcwise, folderWith, sink } from "./support.ts";

const CHUNK = 2 ** 16;
const { lineLength, sentenceLines } = READ_LIMITS;

/** Yields `beginning`, and then a chunk without end; counts the chunks. */
function endless(beginning: string, text: string) {
  const chunk = Buffer.from(text.repeat(CHUNK / text.length));
  const count = { chunks: 0 };
  function* chunks() {
    yield Buffer.from(beginning);
    for (;;) {
      count.chunks++;
      yield chunk;
    }
  }
  return { count, stream: () => Readable.from(chunks()) };
}

const input = (stream: Readable): TextInput => ({ bytes: stream, file: "f" });
const io = (stdin: Readable): Io => ({
  ...{ stdin, stdout: sink(), stderr: sink(), env: {} },
  signal: new AbortController().signal,
});

const READERS: Readonly<Record<string, (stream: Readable) => AsyncGenerator<unknown>>> = {
  lines: (stream) => textLines(input(stream)),
  "vertical input": (stream) => verticalSentences(input(stream), () => 1),
  "running text": (stream) => runningText(input(stream)),
  JSON: (stream) => readAnnotated({ format: "json", bytes: stream }, "f"),
  brackets: (stream) => readAnnotated({ format: "brackets", bytes: stream }, "f"),
  "lines of vectors": (stream) => linesOf(io(stream), "-"),
};

async function failure(items: AsyncGenerator<unknown>): Promise<unknown> {
  try {
    for await (const _ of items);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("an endless input", () => {
  test.each(Object.keys(READERS))("of one line is refused as %s, with its line", async (name) => {
    const first = { JSON: '{ "words": [{ "id": 1, "form": "a" }] }', brackets: "(root a)" }[name] ?? "a b";
    const { count, stream } = endless(`${first}\n\n`, "x");
    const error = await failure(READERS[name]!(stream()));
    expect(error).toMatchObject({
      code: "invalid-data",
      message: expect.stringMatching(/^(f|standard input):3: /),
    });
    expect(count.chunks).toBeLessThan(lineLength / CHUNK + 3);
  });

  test("of words without a blank line is refused as a sentence", async () => {
    const { count, stream } = endless("a\n\n", "x\n");
    const error = await failure(verticalSentences(input(stream()), () => 1));
    expect(error).toMatchObject({ message: expect.stringMatching(`^f:${sentenceLines + 3}: `) });
    expect(count.chunks).toBeLessThan((2 * sentenceLines) / CHUNK + 3);
  });
});

test("endless comments before a tree in brackets are refused as a sentence", async () => {
  const { stream } = endless("(root a)\n", "# x\n");
  const error = await failure(READERS.brackets!(stream()));
  expect(error).toMatchObject({ message: expect.stringMatching(`^f:${sentenceLines + 2}: `) });
});

test.each(["json", "brackets", "conllu"])(
  "a file of one line that begins as %s is refused by name and line",
  async (format) => {
    const beginning = { json: "{", brackets: "(", conllu: "1\t" }[format]!;
    const packed = gzipSync(beginning + "x".repeat(2 * lineLength));
    const file = join(folderWith({ "bomb.gz": packed }), "bomb.gz");
    const { code, err } = await arcwise(["convert", "--to", "conllu", file]);
    expect([code, err]).toEqual([1, expect.stringContaining(`${file}:1: `)]);
  },
);

test("a line may have any length where white space is in it, for running text alone", async () => {
  const long = `${"word ".repeat(lineLength / 2)}\n`;
  const stream = () =>
    Readable.from([long.slice(0, 1000), long.slice(1000)].map((part) => Buffer.from(part)));
  expect(await failure(runningText(input(stream())))).toBeUndefined();
  expect(await failure(textLines(input(stream())))).toMatchObject({ code: "invalid-data" });
});

test.each([
  ["UTF-16", Buffer.from("\ufeffa b", "utf16le")],
  ["UTF-16", Buffer.from("\ufeffa b", "utf16le").swap16()],
  ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 97, 0, 0, 0])],
  ["UTF-16LE, by its zero bytes: convert it to UTF-8", Buffer.from("a b\n", "utf16le")],
  ["UTF-16BE, by its zero bytes: convert it to UTF-8", Buffer.from("Az út", "utf16le").swap16()],
  ["UTF-16LE, by its zero bytes: convert it to UTF-8", Buffer.from("Łódź i Kraków", "utf16le")],
  ["other bytes", Buffer.from([97, 0xff])],
])("text in %s is named as that", async (name, bytes) => {
  const error = await failure(textLines(input(Readable.from([bytes]))));
  expect(error).toMatchObject({ code: "invalid-data", message: expect.stringContaining(name) });
});

test.each(["\0a b", "a\0b\0\0", "a\0\0b c"])("a text with NULs is no UTF-16: %j", async (text) => {
  expect(await failure(textLines(input(Readable.from([Buffer.from(text)]))))).toBeUndefined();
});
