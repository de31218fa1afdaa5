import { bruteForceDecoder, laws, type TreeFamily } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";

const FAMILIES: readonly TreeFamily[] = [
  { projective: false, singleRoot: true },
  { projective: false, singleRoot: false },
  { projective: true, singleRoot: true },
  { projective: true, singleRoot: false },
];

describe.each(FAMILIES)("brute force over %j", (family) => {
  for (const { name, check } of laws(() => bruteForceDecoder(family), { exact: true, large: 6 })) {
    test(name, check);
  }
});
