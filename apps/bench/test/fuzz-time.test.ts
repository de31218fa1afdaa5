// @module-tag slow
import { expect, test } from "vitest";
import { exponentOf, isRefusedAt, type TimeFuzzer, time, timeTrials } from "../src/fuzz/time.ts";

const points = (power: number) =>
  [1, 2, 4, 8, 16].map((k) => ({ length: 1000 * k, milliseconds: 20 * k ** power }));

test.each([0.9, 1, 1.5, 2])("the exponent of times of the power %d", (power) => {
  expect(exponentOf(points(power))).toBeCloseTo(power, 6);
});

test("times that are short have no exponent", () => {
  expect(
    exponentOf(points(2).map(({ length, milliseconds }) => ({ length, milliseconds: milliseconds / 100 }))),
  ).toBe(0);
});

test("all cases are read or refused", async () => {
  const { formats } = (await time.prepare({ folder: "", program: undefined })) as TimeFuzzer;
  for (const trial of timeTrials(formats)) {
    for (const length of [1, 200]) expect(await isRefusedAt(trial, length)).toBeTypeOf("boolean");
  }
}, 60_000);
