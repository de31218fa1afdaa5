import { laws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";
import { eisnerDecoder, mstDecoder, plainEisnerDecoder, plainMstDecoder } from "../src/index.ts";

/** Problems per law: more in continuous integration. */
const RUNS = process.env.CI === undefined ? 15 : 50;

describe.each([
  ["mstDecoder", mstDecoder],
  ["eisnerDecoder", eisnerDecoder],
  ["plainMstDecoder", plainMstDecoder],
  ["plainEisnerDecoder", plainEisnerDecoder],
] as const)("%s", (_, make) => {
  describe.each([true, false])("single root: %s", (singleRoot) => {
    for (const { name, says, check } of laws(() => make({ singleRoot }), { exact: true, runs: RUNS })) {
      test(`${name}: ${says}`, check);
    }
  });
});
