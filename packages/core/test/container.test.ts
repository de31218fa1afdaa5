import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeVector, encodeVector } from "../src/container/codings.ts";
import { decodeEntropy, encodeEntropy } from "../src/container/entropy.ts";
import {
  firstContainer,
  joinPieces,
  ModelError,
  readBundle,
  readContainer,
  readContainerHeader,
  type Vector,
  writeContainer,
} from "../src/container/index.ts";
import { decodeRuns, encodeRuns } from "../src/container/runs.ts";
import { sectionsByName } from "../src/container/sections.ts";
import { random } from "../src/index.ts";
import { thrownBy } from "./support.ts";

const byte = fc.integer({ min: -128, max: 127 });
const rare = fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: byte });
const VECTOR = fc.oneof(
  fc.array(byte).map((entries) => Int8Array.from(entries)),
  fc.array(rare, { maxLength: 500 }).map((entries) => Int8Array.from(entries)),
  fc.int32Array({ maxLength: 200 }),
  fc.int32Array({ maxLength: 200 }).map((entries) => entries.sort()),
  fc.float32Array({ noNaN: true, noDefaultInfinity: true }),
  fc.float64Array({ noNaN: true, noDefaultInfinity: true }),
);

/** Weights of lines of 24 columns, which differ in how often they are not 0. */
function table(lines: number): Int8Array {
  const stream = random(7);
  return Int8Array.from({ length: 24 * lines }, (_, i) =>
    stream.int(24) > i % 24 ? Math.trunc(3 * stream.normal()) : 0,
  );
}

describe("a vector of a container", () => {
  test("is read as it was written, whatever its type", () => {
    fc.assert(
      fc.property(VECTOR, (vector) => {
        const none = new Int8Array();
        const file = writeContainer({ kind: "test", header: "äö 🙂", vectors: { vector, none } });
        // Files may lie in a larger buffer, at any offset.
        const within = Uint8Array.of(255, ...file, 255).subarray(1, file.length + 1);
        const { header, vectors } = readContainer(within, "test");
        expect([header, Object.keys(vectors)]).toEqual(["äö 🙂", ["vector", "none"]]);
        // The sign of a zero is not kept.
        const expected = (vector as Int8Array).map((entry) => (entry === 0 ? 0 : entry)) as Vector;
        expect(vectors.vector).toEqual(expected);
        expect(vectors.none).toEqual(none);
      }),
    );
  });

  test("may have gaps of every length", () => {
    const vector = new Float32Array(3_000_000);
    for (const [k, at] of [0, 127, 256, 16641, 2200000, 2999999].entries()) vector[at] = k - 1.5;
    const file = writeContainer({ kind: "test", header: null, vectors: { vector } });
    expect(file.length).toBeLessThan(300);
    expect(readContainer(file, "test").vectors.vector).toEqual(vector);
  });

  test.each([Number.NaN, Infinity, -Infinity])("is refused with an entry %s", (value) => {
    for (const vector of [Float32Array.of(1, value), Float64Array.of(value)]) {
      const file = writeContainer({ kind: "test", header: null, vectors: { vector } });
      expect(() => readContainer(file, "test")).toThrow(ModelError);
    }
  });

  test("takes the coding with the fewest bytes", () => {
    expect(encodeVector(table(2000)).coding).toBe("runs");
    expect(encodeVector(table(2000).map((value) => value || 1)).coding).toBe("entropy");
    expect(encodeVector(Int32Array.of(3, 900, 901)).coding).toBe("ascending");
    expect(encodeVector(Float32Array.of(1, 2, 3)).coding).toBe("plain");
    expect(encodeVector(Float32Array.of(1, 0, 0, 0, 3)).coding).toBe("sparse");
    expect(encodeVector(new Int8Array(1000)).coding).toBe("sparse");
  });

  test("is refused with a ModelError, or read as another one, when its bytes are others", () => {
    const sections = [
      table(20),
      table(20).map((value) => value || 1),
      Int32Array.of(1, 5, 70_000),
      Float32Array.of(1, 2, 3),
    ].map(encodeVector);
    fc.assert(
      fc.property(fc.constantFrom(...sections), fc.nat(), byte, fc.nat(3), (encoded, at, value, cut) => {
        const { pieces: _, ...section } = encoded;
        const body = joinPieces(encoded);
        const bytes = body.slice(0, body.length - cut);
        bytes[at % bytes.length] = value;
        try {
          const read = decodeVector(bytes, { ...section, name: "x", bytes: bytes.length }, "test");
          expect(read.length).toBe(section.entries);
        } catch (error) {
          expect(error).toBeInstanceOf(ModelError);
        }
      }),
    );
  });
});

describe("coding of runs of zeros", () => {
  test.each([
    ["nothing", []],
    ["no zero", [1, -2, 3]],
    ["only zeros", new Array(600).fill(0)],
    ["as many zeros as one number stands for", [...new Array(255).fill(0), 7]],
    ["one more", [5, ...new Array(256).fill(0), 7]],
    ["twice as many, at the end", [7, ...new Array(510).fill(0)]],
    ["many zeros before a value", [...new Array(5000).fill(0), -128]],
  ])("reads %s as it was written", (_, entries) => {
    const vector = Int8Array.from(entries);
    const into = new Int8Array(vector.length);
    expect(decodeRuns(encodeRuns(vector), into)).toBe(true);
    expect(into).toEqual(vector);
  });

  test("takes no more than the entropy of numbers of zeros by column, of values, the table and a hundredth", () => {
    const vector = table(4000);
    const counts = new Map<string, Map<number, number>>();
    const count = (context: string, symbol: number) => {
      const symbols = counts.get(context) ?? new Map<number, number>();
      counts.set(context, symbols.set(symbol, (symbols.get(symbol) ?? 0) + 1));
    };
    for (let i = 0, from = 0; i < vector.length; i++) {
      if (vector[i] === 0) continue;
      count(`after column ${from % 24}`, i - from);
      count("values", vector[i]);
      from = i + 1;
    }
    let bits = 0;
    let symbols = 0;
    for (const context of counts.values()) {
      const sum = [...context.values()].reduce((a, b) => a + b, 0);
      for (const times of context.values()) bits -= times * Math.log2(times / sum);
      symbols += context.size;
    }
    expect(encodeRuns(vector).length).toBeLessThan((1.01 * bits) / 8 + 3 * symbols + 100);
  });

  test("decodes nothing but what was encoded, to its end", () => {
    const vector = table(10);
    const bytes = encodeRuns(vector);
    expect(decodeRuns(bytes.subarray(0, bytes.length - 1), new Int8Array(vector.length))).toBe(false);
    expect(decodeRuns(Uint8Array.of(...bytes, 0), new Int8Array(vector.length))).toBe(false);
    expect(decodeRuns(new Uint8Array(), new Int8Array(vector.length))).toBe(false);
    expect(decodeRuns(bytes, new Int8Array(vector.length - 1))).toBe(false);
    expect(decodeRuns(bytes, new Int8Array(vector.length + 1))).toBe(false);
  });
});

describe("entropy coding", () => {
  test("takes no more than the entropy of the columns, the table and a hundredth", () => {
    const vector = table(4000);
    let bits = 0;
    for (let column = 0; column < 24; column++) {
      const counts = new Map<number, number>();
      for (let i = column; i < vector.length; i += 24) {
        counts.set(vector[i], (counts.get(vector[i]) ?? 0) + 1);
      }
      for (const count of counts.values()) bits -= count * Math.log2(count / 4000);
    }
    expect(encodeEntropy(vector).length).toBeLessThan((1.01 * bits) / 8 + 24 * 60);
  });

  test("decodes nothing but what was encoded, to its end", () => {
    const vector = table(10);
    const bytes = encodeEntropy(vector);
    const into = new Int8Array(vector.length);
    expect(decodeEntropy(bytes, into)).toBe(true);
    expect(into).toEqual(vector);
    expect(decodeEntropy(bytes.subarray(0, bytes.length - 1), into)).toBe(false);
    expect(decodeEntropy(Uint8Array.of(...bytes, 0), into)).toBe(false);
    expect(decodeEntropy(new Uint8Array(), into)).toBe(false);
    expect(decodeEntropy(bytes, new Int8Array(vector.length - 1))).toBe(false);
  });
});

test("a file of version 1 is read: its sections are sparse", () => {
  const json = new TextEncoder().encode(
    JSON.stringify({
      kind: "old",
      sections: [{ name: "x", type: "int8", entries: 5, bytes: 4 }],
      header: null,
    }),
  );
  const file = new Uint8Array([
    ...new TextEncoder().encode("ARCWISE\0"),
    ...[1, 0, 0, 0],
    ...[24 + json.length + 4, 0, 0, 0],
    ...[json.length, 0, 0, 0],
    ...json,
    ...[1, 7, 2, 255],
    ...[0, 0, 0, 0],
  ]);
  new DataView(file.buffer).setUint32(file.length - 4, crc32(file.subarray(0, -4)), true);
  expect(readContainer(file, "old").vectors.x).toEqual(Int8Array.of(0, 7, 0, 0, -1));
});

describe("a file with a right checksum is refused", () => {
  const file = writeContainer({ kind: "model", header: null, vectors: { x: Int8Array.of(1, 2, 3) } });

  test.each<[string, number, (view: DataView) => void]>([
    ["of a newer version", 0, (view) => view.setUint32(8, 4, true)],
    ["of version 0", 0, (view) => view.setUint32(8, 0, true)],
    ["with a header longer than the file", 0, (view) => view.setUint32(16, 2 ** 31, true)],
    ["with bytes after its sections", 1, (view) => view.setUint32(12, view.byteLength, true)],
  ])("%s", (_, more, change) => {
    const bytes = new Uint8Array([...file, ...new Uint8Array(more)]);
    const view = new DataView(bytes.buffer);
    change(view);
    view.setUint32(bytes.length - 4, crc32(bytes.subarray(0, -4)), true);
    expect(() => readContainer(bytes, "model")).toThrow(ModelError);
  });
});

test("a section that comes twice after many others is found in one pass", () => {
  const names = Array.from({ length: 60_000 }, (_, i) => `s${i}`);
  const sections = [...names, "s59999"].map((name) => ({
    name,
    type: "int8" as const,
    entries: 0,
    bytes: 0,
  }));
  const start = performance.now();
  expect(() => sectionsByName(sections, "model")).toThrow(/"s59999" comes twice/);
  expect(performance.now() - start).toBeLessThan(1000);
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byteOf of bytes) {
    crc ^= byteOf;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

describe("what is no container", () => {
  const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

  test.each([
    ["", "an empty file"],
    ["\x1f\x8b\x08", "gzip data: decompress it first"],
    ["PK\x03\x04\x14", "a zip file: unpack it first"],
    ["version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS: fetch the file itself"],
    ["\xef\xbb\xbf\n<!DOCTYPE html><html>", "an HTML page: check the address that it was loaded from"],
    ["<html><head>", "an HTML page: check the address that it was loaded from"],
    ['{"error": "not found"}', "JSON"],
    ["# sent_id = 1\n", "CoNLL-U"],
    ["Not found", "text"],
    ["\x00\x01ARCWISE", "other binary data"],
  ])("%j is refused as %s", (text, found) => {
    const expected = "an Arcwise tagger file";
    const read = () => readContainer(bytesOf(text), "tagger");
    expect(thrownBy(read)).toMatchObject({ code: "invalid-model", expected, found });
  });

  test.each<[unknown, string]>([
    ["my.model", '"my.model"'],
    [new ArrayBuffer(8), "an ArrayBuffer"],
    [Promise.resolve(new Uint8Array(8)), "a Promise: await it first"],
    [undefined, "nothing"],
    [[1, 2], "a list of 2"],
  ])("%o is refused as an argument", (bytes, found) => {
    for (const read of [readContainer, readContainerHeader, readBundle, firstContainer]) {
      const error = thrownBy(() => read(bytes as Uint8Array, "tagger", () => ({})));
      expect(error).toMatchObject({ code: "invalid-argument", found });
    }
  });
});
