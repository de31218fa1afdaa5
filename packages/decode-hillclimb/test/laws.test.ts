import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { laws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";

describe.each([true, false])("single root: %s", (singleRoot) => {
  const checks = laws(() => hillclimbDecoder({ singleRoot }), { exact: false });
  for (const { name, check } of checks) test(name, check);
});
