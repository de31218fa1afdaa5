import { laws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";
import {
  projectiveDecoder,
  projectiveGrandSiblingDecoder,
  projectiveSiblingDecoder,
  projectiveTriSiblingDecoder,
} from "../src/index.ts";

/** Problems per law: more in continuous integration. */
const RUNS = process.env.CI === undefined ? 15 : 50;

describe.each([
  ["projectiveDecoder", projectiveDecoder],
  ["projectiveSiblingDecoder", projectiveSiblingDecoder],
  ["projectiveGrandSiblingDecoder", projectiveGrandSiblingDecoder],
  ["projectiveTriSiblingDecoder", projectiveTriSiblingDecoder],
] as const)("%s", (_, make) => {
  describe.each([true, false])("single root: %s", (singleRoot) => {
    for (const { name, says, check } of laws(() => make({ singleRoot }), { exact: true, runs: RUNS })) {
      test(`${name}: ${says}`, check);
    }
  });
});
