import { describe, expect, test } from "vitest";
import { runStages, type StageTable } from "../src/index.ts";

interface Outputs {
  readonly parts: number[];
  readonly product: number;
  readonly sum: number;
}

/** Notes when stages begin and end. */
function table(events: string[]): StageTable<Outputs> {
  const note = async <Output>(name: string, output: () => Promise<Output>) => {
    events.push(`${name} begins`);
    const made = await output();
    events.push(`${name} ends`);
    return made;
  };
  return {
    parts: () => note("parts", async () => [2, 3, 4]),
    product: ({ parts }) => note("product", async () => (await parts).reduce((a, b) => a * b)),
    sum: ({ parts }) => note("sum", async () => (await parts).reduce((a, b) => a + b)),
  };
}

describe("a table of stages", () => {
  test.each([true, false])("has its outputs, in sequence: %j", async (inSequence) => {
    const events: string[] = [];
    const outputs = await runStages(table(events), { inSequence });
    expect(outputs).toEqual({ parts: [2, 3, 4], product: 24, sum: 9 });
    const order = ["parts", "product", "sum"].flatMap((name) => [`${name} begins`, `${name} ends`]);
    if (inSequence) expect(events).toEqual(order);
    else expect(events.slice(0, 3)).toEqual(["parts begins", "product begins", "sum begins"]);
  });

  test("aborts the other stages when one fails, waits for them, and throws its error", async () => {
    let reason: unknown;
    const failing: StageTable<{ slow: number; bad: number }> = {
      slow: (_, signal) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            ({ reason } = signal);
            setTimeout(() => reject(reason), 20);
          }),
        ),
      bad: () => Promise.reject(new RangeError("bad")),
    };
    await expect(runStages(failing, { inSequence: false })).rejects.toThrow("bad");
    expect(reason).toMatchObject({ message: "bad" });
  });

  test("begins no stage after one that failed, in sequence", async () => {
    const begun: string[] = [];
    const failing: StageTable<{ a: number; b: number }> = {
      a: () => Promise.reject(new Error("a")),
      b: () => begun.push("b"),
    };
    await expect(runStages(failing, { inSequence: true })).rejects.toThrow("a");
    expect(begun).toEqual([]);
  });

  test("ends with the reason of the signal", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(runStages(table([]), { inSequence: true, signal })).rejects.toThrow("enough");
  });
});
