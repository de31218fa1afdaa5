import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { here, type Job, type Place } from "../src/index.ts";
import { amongProcesses, folderStore } from "../src/node/index.ts";

const all = mkdtempSync(join(tmpdir(), "arcwise-processes-"));
let folders = 0;

/** A job that says which process has done it. */
const whose = (done: number[], index: number): Job<{ readonly x: number }, number> => ({
  name: "whose",
  module: import.meta.url,
  async run({ x }) {
    done.push(x);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return index;
  },
});

const XS = [0, 1, 2, 3, 4, 5];

describe("several processes", () => {
  const place = async (folder: string, index: number, inner: Place = here()) =>
    amongProcesses(inner, await folderStore(folder), { index, count: 2 });

  test("do each job once, and all have the outputs", async () => {
    const folder = join(all, `${++folders}`);
    const done: number[] = [];
    const outputs = await Promise.all(
      [0, 1].map(async (index) => {
        const own = await place(folder, index);
        return Promise.all(XS.map((x) => own.do(whose(done, index), { x })));
      }),
    );
    expect(done.toSorted()).toEqual(XS);
    expect(outputs[0]).toEqual(outputs[1]);
    expect(new Set(outputs[0])).toEqual(new Set([0, 1]));
  });

  test("wait for one that ended, until it is started again", async () => {
    const folder = join(all, `${++folders}`);
    const done: number[] = [];
    const ending: Place = { ...here(), do: () => Promise.reject(new Error("killed")) };
    const first = await place(folder, 0, ending);
    await expect(first.do(whose(done, 0), { x: 0 })).rejects.toThrow("killed");
    const second = await place(folder, 1);
    const waiting = Promise.all([0, 1].map((x) => second.do(whose(done, 1), { x })));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(done).toEqual([1]);
    const again = await place(folder, 0);
    expect(await again.do(whose(done, 0), { x: 0 })).toBe(0);
    expect(await waiting).toEqual([0, 1]);
  });

  test("stop to wait once the signal is aborted", async () => {
    const folder = join(all, `${++folders}`);
    const ending: Place = { ...here(), do: () => Promise.reject(new Error("killed")) };
    await expect((await place(folder, 0, ending)).do(whose([], 0), { x: 0 })).rejects.toThrow("killed");
    const signal = AbortSignal.timeout(50);
    const waiting = (await place(folder, 1)).do(whose([], 1), { x: 0 }, { signal });
    await expect(waiting).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
