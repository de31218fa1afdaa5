import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { here, type Job, type Place, share } from "../src/index.ts";
import { folderStore, stored } from "../src/node/index.ts";
import { outputOf } from "../src/node/store/stored.ts";

const all = mkdtempSync(join(tmpdir(), "arcwise-stored-"));
let folders = 0;
const freshFolder = () => join(all, `${++folders}`);

/** A job that counts how often it is done. */
function counted() {
  const counts = { done: 0 };
  const job: Job<{ readonly words: object; readonly times: number }, object> = {
    name: "count",
    module: import.meta.url,
    run({ words, times }, { onProgress }) {
      counts.done++;
      for (let epoch = 1; epoch <= times; epoch++) {
        const reports = [{ epoch }, { epoch, epochDone: true }];
        for (const report of reports) onProgress(report);
      }
      return { lengths: Float64Array.from(words as string[], ({ length }) => length * times), times };
    },
  };
  return { counts, job };
}

const WORDS = ["a", "tree"];
const OUTPUT = { lengths: Float64Array.of(2, 8), times: 2 };

/** Returns all blobs of a folder store. */
const blobsOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("damaged"))
    .map(({ parentPath, name }) => join(parentPath, name));

describe("a place with a store", () => {
  test("does a job once, and reports the ends of its epochs each time", async () => {
    const folder = freshFolder();
    const { counts, job } = counted();
    for (const ends of [4, 2, 2]) {
      const place = stored(here(), await folderStore(folder));
      const reports: object[] = [];
      const onProgress = (report: object) => void reports.push(report);
      // The same data by another handle.
      const input = { words: share([...WORDS]), times: 2 };
      expect(await place.do(job, input as never, { onProgress })).toEqual(OUTPUT);
      expect(reports).toHaveLength(ends);
      expect(reports.at(-1)).toEqual({ epoch: 2, epochDone: true });
    }
    expect(counts.done).toBe(1);
  });

  test.each([
    ["input", { words: WORDS, times: 3 }, "count"],
    ["shared data", { words: share(["another"]), times: 2 }, "count"],
    ["a name of a job", { words: WORDS, times: 2 }, "length"],
  ])("does a job again for another %s", async (_, input, name) => {
    const { counts, job } = counted();
    const place = stored(here(), await folderStore(freshFolder()));
    await place.do(job, { words: WORDS, times: 2 });
    await place.do({ ...job, name }, input);
    expect(counts.done).toBe(2);
  });

  test("makes a damaged output again, also if a link is in its place", async () => {
    const folder = freshFolder();
    const { counts, job } = counted();
    const place = stored(here(), await folderStore(folder));
    const done = () => place.do(job, { words: WORDS, times: 2 });
    await done();
    await place.do(job, { words: WORDS, times: 5 });
    const [blob, other] = blobsOf(folder) as [string, string];
    const damages: ((sound: Buffer) => Buffer | undefined)[] = [
      () => Buffer.alloc(0),
      (sound) => sound.subarray(0, -1),
      (sound) => Buffer.concat([sound, Buffer.from("x")]),
      (sound) => Buffer.from(sound.map((byte, k) => (k === sound.length - 3 ? byte ^ 1 : byte))),
      () => readFileSync(other),
      () => undefined,
    ];
    for (const [k, damage] of damages.entries()) {
      const damaged = damage(readFileSync(blob));
      rmSync(blob);
      if (damaged === undefined) symlinkSync("/etc/passwd", blob);
      else writeFileSync(blob, damaged);
      await done();
      await place.do(job, { words: WORDS, times: 5 });
      expect(counts.done).toBe(3 + k);
      expect(readdirSync(join(folder, "damaged"))).toHaveLength(k + 1);
    }
  });

  test("throws what a job throws, which is done again", async () => {
    const { job } = counted();
    let failures = 0;
    const failing: Place = {
      ...here(),
      do: async () => {
        failures++;
        throw new RangeError("no");
      },
    };
    const place = stored(failing, await folderStore(freshFolder()));
    for (let k = 0; k < 2; k++) await expect(place.do(job, { words: WORDS, times: 1 })).rejects.toThrow("no");
    expect(failures).toBe(2);
  });

  test("refuses what is not plain data", async () => {
    const place = stored(here(), await folderStore(freshFolder()));
    const odd = { name: "odd", module: import.meta.url, run: () => new Map() };
    await expect(place.do(odd, {})).rejects.toThrow(RangeError);
    await expect(place.do(odd, { x: Number.NaN })).rejects.toThrow(RangeError);
  });

  test("does nothing once the signal is aborted", async () => {
    const { counts, job } = counted();
    const place = stored(here(), await folderStore(freshFolder()));
    const signal = AbortSignal.abort(new Error("stopped"));
    await expect(place.do(job, { words: WORDS, times: 1 }, { signal })).rejects.toThrow("stopped");
    expect(counts.done).toBe(0);
  });
});

test("the name of an output counts shared data by its contents, also in lists", () => {
  const { job } = counted();
  const name = (input: object) => outputOf(job as Job<object, object>, input);
  const [one, same, other] = [share([1]), share([1]), share([2])];
  expect(name({ one, k: 1 })).toBe(name({ one: same, k: 1 }));
  expect(name({ one, k: 1 })).not.toBe(name({ one: other, k: 1 }));
  expect(name({ all: [one, other] })).toBe(name({ all: [same, other] }));
  expect(name({ all: [one, other] })).not.toBe(name({ all: [other, one] }));
});
