import { describe, expect, expectTypeOf, test } from "vitest";
import { ArcwiseError } from "../src/errors/index.ts";
import {
  accepting,
  anyOf,
  bytes,
  callback,
  checkArgument,
  checkOptions,
  defineOptions,
  flag,
  integer,
  mergeOptions,
  number,
  type OptionsOf,
  oneOf,
  satisfying,
  signal,
  suggestion,
} from "../src/options/index.ts";
import { thrownBy } from "./support.ts";

const INNER = defineOptions({ rate: { check: number(0), help: "the learning rate" } });
const OUTER = defineOptions({
  order: { check: oneOf(1, 2, 3), help: "the order", default: 2 },
  singleRoot: { check: flag, help: "one root", default: true },
  seed: { check: integer(0), help: "the seed", required: true },
  learner: { options: INNER, help: "the learner" },
  onProgress: { check: accepting<() => void>(callback), help: "progress" },
});

describe("options", () => {
  test("have the types of the values that their checks accept", () => {
    expectTypeOf<OptionsOf<typeof OUTER>["order"]>().toEqualTypeOf<1 | 2 | 3 | undefined>();
    expectTypeOf<OptionsOf<typeof OUTER>["seed"]>().toEqualTypeOf<number>();
    expectTypeOf<OptionsOf<typeof OUTER>["learner"]>().toEqualTypeOf<OptionsOf<typeof INNER> | undefined>();
    expectTypeOf<OptionsOf<typeof OUTER>["onProgress"]>().toEqualTypeOf<(() => void) | undefined>();
    expectTypeOf<{ readonly seed: number }>().toExtend<OptionsOf<typeof OUTER>>();
    expectTypeOf<object>().not.toExtend<OptionsOf<typeof OUTER>>();
  });

  test("are complete after the check", () => {
    const options = checkOptions(OUTER, { seed: 1, order: undefined, learner: { rate: 1 } }, "train");
    const order: 1 | 2 | 3 = options.order;
    expect([order, options]).toEqual([
      2,
      { order: 2, singleRoot: true, seed: 1, learner: { rate: 1 }, onProgress: undefined },
    ]);
  });
  test("may be left out", () => {
    expect(checkOptions(INNER, undefined, "learner")).toEqual({ rate: undefined });
  });
  test("keep the order of their definition", () => {
    expect(OUTER.map(({ name }) => name)).toEqual(["order", "singleRoot", "seed", "learner", "onProgress"]);
  });
  test.each([
    [{ seed: 1, ordr: 1 }, "unknown-option", { at: "ordr" }],
    [{ seed: 1, learner: { rat: 1 } }, "unknown-option", { at: "learner.rat" }],
    [{ seed: 1, order: 4 }, "invalid-option", { at: "order", expected: "1 or 2 or 3", found: "4" }],
    [{ seed: 1, singleRoot: "no" }, "invalid-option", { at: "singleRoot", found: '"no"' }],
    [{ seed: 1, learner: { rate: -1 } }, "invalid-option", { at: "learner.rate", found: "-1" }],
    [{ seed: 1, learner: 5 }, "invalid-option", { at: "learner", expected: "options", found: "5" }],
    [{ seed: 1, onProgress: {} }, "invalid-option", { at: "onProgress", expected: "a function" }],
    [{}, "invalid-option", { at: "seed", expected: "an integer of at least 0", found: "nothing" }],
    [5, "invalid-option", { at: "", expected: "options", found: "5" }],
    [[], "invalid-option", { at: "", expected: "options", found: "a list of 0" }],
    [null, "invalid-option", { at: "", expected: "options", found: "null" }],
  ])("%j is refused: %s", (value, code, details) => {
    const error = thrownBy(() => checkOptions(OUTER, value, "train"));
    expect(error).toBeInstanceOf(ArcwiseError);
    expect(error).toMatchObject({ code, ...details });
  });
  test("that are unknown are refused with the function, the path and a suggestion", () => {
    expect(() => checkOptions(OUTER, { ordr: 1 }, "trainParser")).toThrow(
      'trainParser: unknown option "ordr" (did you mean "order"?)',
    );
  });
  test.each([
    ["single", ' (did you mean "singleRoot"?)'],
    ["progress", ' (did you mean "onProgress"?)'],
    ["on", ""],
    ["root", ' (did you mean "singleRoot"?)'],
  ])("a part of a name stands for it: %s", (written, expected) => {
    expect(
      suggestion(
        written,
        OUTER.map(({ name }) => name),
      ),
    ).toBe(expected);
  });
  test("that have a wrong value are refused with the function, the path, and both sides", () => {
    expect(() => checkOptions(OUTER, { seed: "x" }, "trainParser")).toThrow(
      'trainParser: seed: expected an integer of at least 0, found "x"',
    );
  });
  test("of two tables are merged with those of their groups", () => {
    const table = defineOptions({ inner: { options: OUTER, help: "options within options" } });
    const merged = mergeOptions<object>(table, { inner: { seed: 1, order: 1 } }, { inner: { order: 3 } });
    expect(merged).toEqual({ inner: { seed: 1, order: 3 } });
  });
  test("have checks that may throw errors of their own", () => {
    const table = defineOptions({
      rate: {
        help: "",
        check: () => {
          throw new TypeError("a fault of the check");
        },
      },
    });
    expect(() => checkOptions(table, { rate: 1 }, "f")).toThrow(TypeError);
  });
});

describe("arguments", () => {
  test("are refused with the expected and the found value", () => {
    const error = thrownBy(() => checkArgument(bytes, "text", "loadParser: bytes"));
    expect(error).toMatchObject({
      code: "invalid-argument",
      expected: "bytes (Uint8Array)",
      found: '"text"',
      message: 'loadParser: bytes: expected bytes (Uint8Array), found "text"',
    });
  });
  const text = satisfying("a text", (value) => typeof value === "string");
  test.each([
    [bytes, new Uint8Array(1), new Int8Array(1)],
    [bytes, Buffer.from("a"), new ArrayBuffer(1)],
    [signal, new AbortController().signal, new AbortController()],
    [callback, () => {}, "f"],
    [anyOf(text, bytes), "text", 5],
    [anyOf(text, bytes), new Uint8Array(1), null],
  ])("%# pass their check, others do not", (check, good, bad) => {
    expect(() => checkArgument(check, good, "f")).not.toThrow();
    expect(() => checkArgument(check, bad, "f")).toThrow(ArcwiseError);
  });
});
