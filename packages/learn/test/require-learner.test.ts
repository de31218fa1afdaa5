import { describe, expect, test } from "vitest";
import { type Learner, miraLearner, requireLearner, requireWeights } from "../src/index.ts";

const SOUND = { ...miraLearner() };

describe("requireLearner", () => {
  test("takes the learners of the package", () => {
    expect(requireLearner(SOUND, "here")).toBe(SOUND);
  });

  test.each<[string, unknown]>([
    ["null", null],
    ["a function", () => SOUND],
    ["no name", { ...SOUND, name: undefined }],
    ["an empty name", { ...SOUND, name: "" }],
    ["a name with a line break", { ...SOUND, name: "a\nb" }],
    ["a name of 201 characters", { ...SOUND, name: "a".repeat(201) }],
    ["a list of needs", { ...SOUND, needs: ["kBest"] }],
    ["an unknown need", { ...SOUND, needs: new Set(["oracle"]) }],
    ["an unknown unit", { ...SOUND, unit: "bits" }],
    ["no batch", { ...SOUND, batch: undefined }],
    ["a number for sparse", { ...SOUND, sparse: 1 }],
    ["no train", { ...SOUND, train: undefined }],
    ["an object for online", { ...SOUND, online: {} }],
    ["online in a batch learner", { ...SOUND, batch: true }],
  ])("refuses %s", (_, value) => {
    expect(() => requireLearner(value, "./mine.mjs")).toThrow(
      expect.objectContaining({ code: "invalid-learner", message: expect.stringMatching(/^.\/mine.mjs: /) }),
    );
  });
});

describe("requireWeights", () => {
  const learner: Learner = miraLearner();

  test.each([new Float32Array(3), Float64Array.of(1, 2, -3)])("takes %s", (weights) => {
    expect(requireWeights(weights, 3, learner)).toBe(weights);
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["an array", [1, 2, 3]],
    ["another length", new Float32Array(4)],
    ["NaN", Float64Array.of(1, Number.NaN, 3)],
    ["infinity", Float32Array.of(1, 2, Number.NEGATIVE_INFINITY)],
  ])("refuses %s", (_, weights) => {
    expect(() => requireWeights(weights, 3, learner)).toThrow(
      expect.objectContaining({ code: "invalid-learner" }),
    );
  });
});
