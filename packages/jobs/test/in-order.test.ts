import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inOrder } from "../src/index.ts";

describe("inOrder", () => {
  async function* numbers(count: number, delays: readonly number[], error?: Error) {
    for (let k = 0; k < count; k++) {
      if (delays[k % delays.length]! > 0) await setTimeout(delays[k % delays.length]);
      yield k;
    }
    if (error !== undefined) throw error;
  }

  test("yields results in the order of the items, few at a time, and the error of the source at its end", async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(12),
        fc.integer({ min: 1, max: 4 }),
        delays,
        delays,
        async (count, width, arrive, take) => {
          let running = 0;
          let most = 0;
          const made = inOrder(numbers(count, arrive, new Error("end")), width, async (k) => {
            most = Math.max(most, ++running);
            await setTimeout(take[k % take.length]);
            running--;
            return k;
          });
          const found: number[] = [];
          const all = (async () => {
            for await (const k of made) found.push(k);
          })();
          await expect(all).rejects.toThrow("end");
          expect(found).toEqual(Array.from({ length: count }, (_, k) => k));
          expect(most).toBeLessThanOrEqual(width);
        },
      ),
      { numRuns: 30 },
    );
  });

  test("yields a result as soon as it is made, while the source waits", async () => {
    async function* slow() {
      yield 1;
      await new Promise(() => {});
    }
    const made = inOrder(slow(), 4, async (k) => k);
    expect(await made.next()).toEqual({ done: false, value: 1 });
  });

  test("throws the error of an item in its turn", async () => {
    const made = inOrder(numbers(5, [0]), 3, async (k) => {
      if (k === 1) throw new Error("one");
      return k;
    });
    expect((await made.next()).value).toBe(0);
    await expect(made.next()).rejects.toThrow("one");
  });
});
