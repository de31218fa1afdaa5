import { bruteForceDecoder, laws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";
import type { TreeFamily } from "../src/oracle.ts";

const FAMILIES: readonly TreeFamily[] = [
  { projective: false, singleRoot: true },
  { projective: false, singleRoot: false },
  { projective: true, singleRoot: true },
  { projective: true, singleRoot: false },
];

/** Problems per law: more in continuous integration. */
const RUNS = process.env.CI === undefined ? 15 : 50;

describe.each(FAMILIES)("brute force over %j", (family) => {
  for (const { name, check } of laws(() => bruteForceDecoder(family), {
    exact: true,
    large: 6,
    runs: RUNS,
  })) {
    test(name, check);
  }
});
