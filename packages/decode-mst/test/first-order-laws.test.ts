import { laws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";
import { eisnerDecoder, mstDecoder } from "../src/index.ts";

describe.each([
  ["mstDecoder", mstDecoder, false],
  ["eisnerDecoder", eisnerDecoder, true],
] as const)("%s", (_, make, projective) => {
  describe.each([true, false])("single root: %s", (singleRoot) => {
    const claims = { exact: true, projective, singleRoot };
    for (const { name, says, check } of laws(() => make({ singleRoot }), claims)) {
      test(`${name}: ${says}`, check);
    }
  });
});
