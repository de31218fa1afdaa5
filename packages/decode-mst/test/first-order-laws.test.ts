import { laws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";
import { eisnerDecoder, mstDecoder, plainEisnerDecoder, plainMstDecoder } from "../src/index.ts";

describe.each([
  ["mstDecoder", mstDecoder],
  ["eisnerDecoder", eisnerDecoder],
  ["plainMstDecoder", plainMstDecoder],
  ["plainEisnerDecoder", plainEisnerDecoder],
] as const)("%s", (_, make) => {
  describe.each([true, false])("single root: %s", (singleRoot) => {
    for (const { name, says, check } of laws(() => make({ singleRoot }), { exact: true })) {
      test(`${name}: ${says}`, check);
    }
  });
});
