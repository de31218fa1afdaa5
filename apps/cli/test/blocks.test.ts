import fc from "fast-check";
import { expect, test } from "vitest";
import { type Block, sentenceBlocks } from "../src/blocks.ts";

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (let i = 0; from < bytes.length; i++) {
    const size = sizes[i % sizes.length]!;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

async function blocks(text: string, size: number, sizes: readonly number[] = [1]): Promise<Block[]> {
  const found: Block[] = [];
  for await (const block of sentenceBlocks(chunksOf(Buffer.from(text), sizes), size)) found.push(block);
  return found;
}

const texts = (found: readonly Block[]) => found.map(({ bytes }) => Buffer.from(bytes).toString());

test.each([
  ["an empty file", "", 1, [], []],
  ["a sentence a block", "a\n\nb\n\n", 1, ["a\n\n", "b\n\n"], [1, 3]],
  ["blocks of at least the size", "a\n\nb\n\nc\n\n", 6, ["a\n\nb\n\n", "c\n\n"], [1, 5]],
  ["carriage returns", "a\r\n\r\nb\r\n\r\n", 1, ["a\r\n\r\n", "b\r\n\r\n"], [1, 3]],
  ["no blank line at the end", "a\n\nb", 1, ["a\n\n", "b"], [1, 3]],
  ["no blank line at all", "a\nb\nc\n", 1, ["a\nb\nc\n"], [1]],
])("%s", async (_what, text, size, expected, lines) => {
  const found = await blocks(text, size);
  expect(texts(found)).toEqual(expected);
  expect(found.map(({ line }) => line)).toEqual(lines);
});

test("blocks are the file, cut after blank lines, whatever chunks it comes in", async () => {
  const text = fc.array(fc.constantFrom("a", "\n", "\n\n", "\r\n", "é", "long line"), { maxLength: 60 });
  const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), sizes, async (parts, size, chunks) => {
      const whole = parts.join("");
      const found = await blocks(whole, size, chunks);
      expect(Buffer.concat(found.map(({ bytes }) => bytes)).toString()).toBe(whole);
      let line = 1;
      for (const [i, block] of texts(found).entries()) {
        expect(found[i]!.line).toBe(line);
        line += block.split("\n").length - 1;
        if (i < found.length - 1) {
          expect(block).toMatch(/\n\r?\n$/);
          expect(found[i]!.bytes.length).toBeGreaterThanOrEqual(1);
        }
      }
    }),
  );
});

test("a block has memory of its own, so that it can be given away", async () => {
  for (const { bytes } of await blocks("a\n\nb\n\nc", 1, [3])) {
    expect(bytes.byteLength).toBe(bytes.buffer.byteLength);
  }
});
