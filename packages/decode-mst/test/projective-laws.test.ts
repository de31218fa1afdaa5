import { laws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";
import { PROJECTIVE_KINDS, projectiveDecoder } from "../src/index.ts";

/** Problems per law: more in continuous integration. */
const RUNS = process.env.CI === undefined ? 15 : 50;

describe.each([
  ["all kinds", PROJECTIVE_KINDS],
  ["siblings", ["nextSibling", "lastSibling"]],
  ["grand-siblings", ["grandparent", "nextSibling", "lastSibling", "grandSibling"]],
] as const)("projective decoder, %s", (_, kinds) => {
  describe.each([true, false])("single root: %s", (singleRoot) => {
    const make = () => projectiveDecoder({ kinds, singleRoot });
    for (const { name, says, check } of laws(make, { exact: true, runs: RUNS })) {
      test(`${name}: ${says}`, check);
    }
  });
});
