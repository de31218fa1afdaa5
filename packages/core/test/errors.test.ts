import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { ModelError } from "../src/container/index.ts";
import { describeValue } from "../src/errors/describe.ts";
import {
  ArcwiseError,
  counted,
  ERROR_CODES,
  errorFromData,
  errorKind,
  errorToData,
  hasCode,
} from "../src/errors/index.ts";
import { NoTree, UnsupportedPart } from "../src/index.ts";

test("docs/reference/errors.md lists all codes with kinds and meanings", () => {
  const page = readFileSync(new URL("../../../docs/reference/errors.md", import.meta.url), "utf8");
  const rows = page
    .split("\n")
    .filter((line) => /^\| `[a-z-]+` \|/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")))
    .map(([, code, kind, meaning]) => [code, { kind }, /^[A-Z].*\.$/.test(meaning!)]);
  expect(rows).toEqual(Object.entries(ERROR_CODES).map((row) => [...row, true]));
});

describe("errors", () => {
  test.each([
    [new UnsupportedPart("mst", "sibling", []), "unsupported-part", "usage"],
    [new NoTree("mst", "word 1 has no head"), "no-tree", "data"],
    [new ModelError("expected a model"), "invalid-model", "data"],
    [new ArcwiseError("interrupted", "stopped"), "interrupted", "interrupted"],
  ])("%s have a code and a kind", (error, code, kind) => {
    expect(error).toBeInstanceOf(ArcwiseError);
    expect([error.code, errorKind(error)]).toEqual([code, kind]);
  });
  test("of another copy of the module are recognised, subclasses only of their own", async () => {
    vi.resetModules();
    const copy = await import("../src/index.ts");
    const error = new copy.NoTree("mst", "word 1 has no head");
    expect(Object.getPrototypeOf(copy.NoTree)).not.toBe(ArcwiseError);
    expect(error instanceof ArcwiseError).toBe(true);
    expect(error instanceof NoTree).toBe(false);
    expect(hasCode(error, "no-tree")).toBe(true);
  });
  test.each([undefined, null, "text", {}, new Error("native"), Object.create(ArcwiseError.prototype)])(
    "are not: %s",
    (value) => {
      expect(value instanceof ArcwiseError).toBe(false);
    },
  );
  test.each([new RangeError("NaN"), "text", undefined, Object.assign(new Error("file"), { code: "ENOENT" })])(
    "of others are faults: %s",
    (error) => {
      expect(errorKind(error)).toBe("fault");
    },
  );
  test("have no members for details that they were not given", () => {
    expect(Object.keys(new ArcwiseError("no-tree", "none", { line: 3 })).sort()).toEqual([
      "code",
      "line",
      "name",
    ]);
  });
});

test("counts have their nouns", () => {
  expect([0, 1, 2, "1", "1,234"].map((count) => counted(count, "word"))).toEqual([
    "0 words",
    "1 word",
    "2 words",
    "1 word",
    "1,234 words",
  ]);
  for (const wrong of [Symbol("s"), Object.create(null), null] as never[]) {
    const invalid = expect.objectContaining({ code: "invalid-argument" });
    expect(() => counted(wrong, "word")).toThrow(invalid);
    expect(() => counted(1, wrong)).toThrow(invalid);
  }
});

describe("errors as data", () => {
  const sent = (error: unknown) => errorFromData(structuredClone(errorToData(error)));

  test.each(["constructor", "__proto__", "toString"])("are errors by the name %s", (name) => {
    const error = errorFromData({ name, message: "text", members: {} });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name, message: "text" });
  });

  test("keep code, name, members, stack and causes", () => {
    const cause = Object.assign(new RangeError("out of range"), { list: [1, { a: 2 }] });
    const error = new ArcwiseError("invalid-data", "text", { file: "a.conllu", line: 7, cause });
    const copy = sent(error);
    expect(copy).toBeInstanceOf(ArcwiseError);
    expect(copy).toMatchObject({ code: "invalid-data", message: "text", file: "a.conllu", line: 7 });
    expect(copy.stack).toBe(error.stack);
    expect(copy.cause).toBeInstanceOf(RangeError);
    expect(copy.cause).toMatchObject({ message: "out of range", list: [1, { a: 2 }] });
  });
  test("keep the name of a subclass, and the code decides the class", () => {
    const copy = sent(new UnsupportedPart("mst", "sibling", []));
    expect(copy).toBeInstanceOf(ArcwiseError);
    expect(copy).toMatchObject({ name: "UnsupportedPart", code: "unsupported-part", kind: "sibling" });
  });
  test("keep what a system error says, and leave out what cannot be cloned", () => {
    const error = Object.assign(new Error("no file"), { code: "ENOENT", path: "a", close: () => {} });
    const copy = sent(error);
    expect(copy).not.toBeInstanceOf(ArcwiseError);
    expect({ ...copy }).toEqual({ code: "ENOENT", path: "a" });
  });
  test.each([TypeError, RangeError, SyntaxError, Error])("are of the native class", (Native) => {
    expect(sent(new Native("no")).constructor).toBe(Native);
  });
  test("end a chain of causes that refers to itself", () => {
    const error = new Error("a");
    error.cause = error;
    expect(sent(error)).toMatchObject({ cause: { message: "a" } });
  });
  test("take a thrown value that is no error", () => {
    expect(sent("gone")).toMatchObject({ name: "Error", message: "gone" });
  });
});

describe("descriptions of values", () => {
  test.each([
    [undefined, "nothing"],
    [null, "null"],
    ["a\n", '"a\\n"'],
    [Number.NaN, "NaN"],
    [5n, "5"],
    [[1, 2], "a list of 2"],
    [{}, "an object"],
    [new Uint8Array(3), "a Uint8Array of 3 bytes"],
    [new ArrayBuffer(3), "an ArrayBuffer"],
    [new Map(), "a Map"],
    [() => {}, "a function"],
    [Promise.resolve(), "a Promise: await it first"],
  ])("%o is %s", (value, text) => {
    expect(describeValue(value)).toBe(text);
  });
  test("are short whatever the value", () => {
    fc.assert(fc.property(fc.anything(), (value) => describeValue(value).length <= 70));
    expect(describeValue("x".repeat(1e6)).length).toBeLessThan(70);
  });
});
