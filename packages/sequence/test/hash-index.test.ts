import fc from "fast-check";
import { expect, test } from "vitest";
import { HashIndex, indexOf } from "../src/features/hash-index.ts";

test("findAll finds what find does, in the order of the keys", () => {
  const keys = fc.array(fc.integer({ min: -60, max: 60 }), { maxLength: 200 });
  const property = fc.property(keys, keys, (known, wanted) => {
    const index = new HashIndex(4);
    for (const key of known) index.add(key);
    const into = new Int32Array(2 * wanted.length);
    const count = index.findAll(Int32Array.from(wanted), wanted.length, into);
    const expected = wanted.flatMap((key, k) => (index.find(key) < 0 ? [] : [k, index.find(key)]));
    expect([...into.subarray(0, 2 * count)]).toEqual(expected);
    expect(wanted.filter((key) => known.includes(key))).toHaveLength(count);
  });
  fc.assert(property, { numRuns: 200 });
});

test("an index of ascending keys finds them and no others", () => {
  const key = fc.oneof(fc.integer({ min: -60, max: 60 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
  const property = fc.property(fc.uniqueArray(key, { maxLength: 200 }), fc.array(key), (known, others) => {
    const keys = Int32Array.from(known).sort();
    const index = indexOf(keys);
    const wanted = [...known, ...others];
    const expected = wanted.map((one) => keys.indexOf(one));
    expect(wanted.map((one) => index.find(one))).toEqual(expected);
    const into = new Int32Array(2 * wanted.length);
    const count = index.findAll(Int32Array.from(wanted), wanted.length, into);
    expect([...into.subarray(0, 2 * count)]).toEqual(expected.flatMap((id, k) => (id < 0 ? [] : [k, id])));
  });
  fc.assert(property, { numRuns: 300 });
});
