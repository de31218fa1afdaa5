import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readyItems } from "../src/ready-items.ts";

/** Yields numbers; before those of `waits` comes something from outside. */
async function* numbers(count: number, waits: readonly number[], fails = false): AsyncGenerator<number> {
  for (let k = 0; k < count; k++) {
    if (waits.includes(k)) await new Promise((resolve) => setTimeout(resolve, 1));
    yield k;
  }
  if (fails) throw new Error("torn cable");
}

async function all(items: AsyncGenerator<number>, most: number): Promise<number[][]> {
  const found: number[][] = [];
  for await (const ready of readyItems(items, most)) found.push(ready);
  return found;
}

describe("readyItems", () => {
  test.each<[string, number, number[], number, number[][]]>([
    ["all that wait for nothing", 4, [], 64, [[0, 1, 2, 3]]],
    ["no more than the maximum", 5, [], 2, [[0, 1], [2, 3], [4]]],
    [
      "those before and after something from outside",
      5,
      [3],
      64,
      [
        [0, 1, 2],
        [3, 4],
      ],
    ],
    ["none", 0, [], 64, []],
  ])("yields together %s", async (_what, count, waits, most, expected) => {
    expect(await all(numbers(count, waits), most)).toEqual(expected);
  });

  test("keeps all items in order", async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 12 }),
      fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 3 }),
      fc.integer({ min: 1, max: 5 }),
      async (count, waits, most) => {
        const found = await all(numbers(count, waits), most);
        expect(found.flat()).toEqual(Array.from({ length: count }, (_, k) => k));
        for (const ready of found) expect(ready.length).toBeLessThanOrEqual(most);
      },
    );
    await fc.assert(property, { numRuns: 50 });
  });

  test("yields the items before an error", async () => {
    const found: number[] = [];
    const read = async () => {
      for await (const ready of readyItems(numbers(3, [], true), 64)) found.push(...ready);
    };
    await expect(read()).rejects.toThrow("torn cable");
    expect(found).toEqual([0, 1, 2]);
  });

  test("ends its source when it is left, and does not wait for input that never comes", async () => {
    let isEnded = false;
    async function* source() {
      try {
        yield 1;
        yield 2;
      } finally {
        isEnded = true;
      }
    }
    for await (const ready of readyItems(source(), 1)) {
      expect(ready).toEqual([1]);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(isEnded).toBe(true);
    async function* silent() {
      yield 1;
      await new Promise(() => {});
    }
    for await (const ready of readyItems(silent(), 64)) {
      expect(ready).toEqual([1]);
      break;
    }
  });
});
