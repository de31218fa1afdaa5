import fc from "fast-check";
import { expect, it } from "vitest";
import { ascending } from "../src/online/ascending.ts";

it("sorts as Int32Array does, into a new array", () => {
  const integers = fc.int32Array({ min: 0, maxLength: 300 });
  const small = fc.int32Array({ min: 0, max: 5000, maxLength: 300 });
  fc.assert(
    fc.property(fc.oneof(integers, small), (given) => {
      const before = given.slice();
      expect(ascending(given)).toEqual(given.slice().sort());
      expect(given).toEqual(before);
    }),
  );
});
