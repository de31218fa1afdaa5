import { describe, expect, test } from "vitest";
import {
  firstContainer,
  ModelError,
  readBundle,
  readContainer,
  writeBundle,
  writeContainer,
} from "../src/container/index.ts";
import { integer, record } from "../src/container/schema.ts";

const one = writeContainer({ kind: "one", header: 1, vectors: { x: Int32Array.of(0, 5) } });
const two = writeContainer({ kind: "two", header: null, vectors: {} });
const bundle = writeBundle({ kind: "both", header: { n: 7 }, parts: { one, two } });
const HEADER = record<{ readonly n: number }>({ n: integer(0, 9) });

describe("a bundle", () => {
  test("has its header and its parts, each of which is a file", () => {
    const { kind, header, parts } = readBundle(bundle, "both", HEADER);
    expect([kind, header]).toEqual(["both", { n: 7 }]);
    expect(Object.keys(parts)).toEqual(["one", "two"]);
    expect(parts.one).toEqual(one);
    expect(readContainer(parts.two!, "two", () => ({})).header).toBe(null);
  });

  test("may be empty, and lie at an offset of a buffer", () => {
    const empty = writeBundle({ kind: "none", header: {}, parts: {} });
    const shifted = new Uint8Array(empty.length + 3);
    shifted.set(empty, 3);
    expect(readBundle(shifted.subarray(3), "none", () => {}).parts).toEqual({});
  });

  test("begins with a container of its own; another file is one", () => {
    expect(firstContainer(bundle).length).toBe(bundle.length - one.length - two.length);
    expect(firstContainer(one)).toBe(one);
    for (const bytes of [new Uint8Array(), new Uint8Array(40), one.subarray(0, 30)]) {
      expect(firstContainer(bytes).length).toBeLessThanOrEqual(bytes.length);
    }
  });

  test("is refused when it is cut short, too long, of another kind, or its list is changed", () => {
    for (let end = 0; end < bundle.length; end++) {
      expect(() => readBundle(bundle.subarray(0, end), "both", HEADER)).toThrow(ModelError);
    }
    const long = new Uint8Array(bundle.length + 1);
    long.set(bundle);
    expect(() => readBundle(long, "both", HEADER)).toThrow(
      `expected ${bundle.length} bytes, found ${bundle.length + 1}`,
    );
    expect(() => readBundle(bundle, "other", HEADER)).toThrow("expected a other file, found a both file");
    expect(() => readBundle(one, "one", HEADER)).toThrow(ModelError);
    expect(() => readContainer(bundle, "one")).toThrow("expected a one file, found a both file");
    expect(() => readContainer(bundle, "both")).toThrow("both file is cut short or damaged");
    const listLength = firstContainer(bundle).length;
    for (let at = 0; at < listLength; at++) {
      const damaged = bundle.slice();
      damaged[at] ^= 1;
      expect(() => readBundle(damaged, "both", HEADER)).toThrow(ModelError);
    }
  });

  test("is refused when its header is not as expected, or a name comes twice", () => {
    expect(() => readBundle(writeBundle({ kind: "b", header: { n: 10 }, parts: {} }), "b", HEADER)).toThrow(
      "header.n: expected an integer from 0 to 9, found 10",
    );
    const listed = { name: "x", bytes: 0 };
    const twice = writeContainer({
      kind: "b",
      header: { header: { n: 1 }, parts: [listed, listed] },
      vectors: {},
    });
    expect(() => readBundle(twice, "b", HEADER)).toThrow('expected each name once, found "x"');
  });
});
