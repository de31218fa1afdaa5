import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { laws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";

/** Problems per law: more in continuous integration. */
const RUNS = process.env.CI === undefined ? 15 : 50;

describe.each([true, false])("single root: %s", (singleRoot) => {
  const checks = laws(() => hillclimbDecoder({ singleRoot }), { exact: false, runs: RUNS });
  for (const { name, check } of checks) test(name, check);
});
