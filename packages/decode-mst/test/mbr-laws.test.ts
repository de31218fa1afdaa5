import { laws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";
import { mbrDecoder } from "../src/index.ts";

/** Problems per law: more in continuous integration. */
const RUNS = process.env.CI === undefined ? 10 : 30;

describe.each([true, false])("single root: %s", (singleRoot) => {
  describe.each([true, false])("projective: %s", (projective) => {
    const except = { scale: "scores times a constant are another distribution, with other marginals" };
    const claims = { exact: false, except, runs: RUNS };
    for (const { name, says, check } of laws(() => mbrDecoder({ singleRoot, projective }), claims)) {
      test(`${name}: ${says}`, check);
    }
  });
});
