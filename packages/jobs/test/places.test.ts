import { afterAll, describe, expect, test } from "vitest";
import { onThreads as threadsOf } from "../dist/node/index.js";
import { doAll, here, type Job, share } from "../src/index.ts";
import type { ThreadOptions, ThreadPlace } from "../src/node/index.ts";
import type { LostThread } from "../src/node/threads.ts";
import * as jobs from "./test-jobs.mjs";

const { square, where, fail, fragile, report, sum, unread, wait, gate } = jobs as unknown as Record<
  keyof typeof jobs,
  Job<object, unknown>
>;

/** Threads run what is built, not the sources. */
const onThreads = (count: number, options?: ThreadOptions) =>
  threadsOf(count, { ...options, execArgv: [] }) as unknown as ThreadPlace;

const threads = onThreads(2);
afterAll(() => threads.close());

const counter = () => new Int32Array(new SharedArrayBuffer(8));

describe.each([
  ["here", here()],
  ["on threads", threads],
])("a place: %s", (_, place) => {
  test("does jobs, and returns their outputs by call", async () => {
    const outputs = [1, 2, 3, 4, 5].map((x) => place.do(square, { x }));
    expect(await Promise.all(outputs)).toEqual([1, 4, 9, 16, 25]);
  });

  test("throws what a job throws, and does the next one", async () => {
    const failing = place.do(fail, { code: "invalid-data" });
    await expect(failing).rejects.toMatchObject({ message: "it fails", code: "invalid-data" });
    expect(await place.do(square, { x: 3 })).toBe(9);
  });

  test("gives shared data to jobs, and keeps what they make of it", async () => {
    const numbers = share([1, 2, 3]);
    const outputs = [];
    for (const times of [1, 2, 3])
      outputs.push((await place.do(sum, { numbers, times })) as { sum: number; uses: number });
    expect(outputs.map((output) => output.sum)).toEqual([6, 12, 18]);
    expect(outputs.at(-1)!.uses).toBe(3);
  });

  test("gives lists of shared data as handles, the same ones again", async () => {
    const place = _ === "here" ? here() : onThreads(1);
    const base = share([]);
    const lists = [share([1]), share([2, 3]), share([4])];
    const outputs = [];
    for (const count of [2, 2, 3])
      outputs.push(await place.do(unread, { base, lists: lists.slice(0, count) }));
    expect(outputs).toEqual([
      { read: 2, total: 6 },
      { read: 0, total: 6 },
      { read: 1, total: 10 },
    ]);
    await place.close();
  });

  test("reports progress, the ends of epochs always", async () => {
    const ends: number[] = [];
    const onProgress = ({ k, epochDone }: { k: number; epochDone: boolean }) => {
      if (epochDone) ends.push(k);
    };
    await place.do(report, { reports: 40 }, { onProgress });
    expect(ends).toEqual([10, 20, 30, 40]);
  });

  test("throws what a callback throws, and does the next job", async () => {
    const onProgress = () => {
      throw new Error("cannot report");
    };
    await expect(place.do(report, { reports: 40 }, { onProgress })).rejects.toThrow("cannot report");
    expect(await place.do(square, { x: 3 })).toBe(9);
  });

  test.each([
    [Promise.resolve({ x: 3 }), {}],
    [{ x: 3 }, { completes: "soon" }],
    [{ x: 3 }, { completes: -1 }],
  ])("refuses %s with %s", async (input, run) => {
    await expect(place.do(square, input, run as object)).rejects.toMatchObject({ code: "invalid-argument" });
  });

  test("does a job for several inputs, in their order, and reports them by index", async () => {
    const inputs = [10, 20, 30].map((reports) => ({ reports }));
    const ends: number[][] = [[], [], []];
    await doAll(place, report, inputs, {
      onProgress: (k, at: { k: number; epochDone: boolean }) => {
        if (at.epochDone) ends[k]!.push(at.k);
      },
    });
    expect(ends).toEqual([[10], [10, 20], [10, 20, 30]]);
    expect(await doAll(place, square, [{ x: 2 }, { x: 3 }])).toEqual([4, 9]);
    expect(await doAll(place, square, [])).toEqual([]);
  });

  test("does no job whose signal is aborted", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(place.do(square, { x: 1 }, { signal })).rejects.toThrow("enough");
  });
});

describe("threads", () => {
  test("are not this one, and start as they are needed", async () => {
    const place = onThreads(3);
    expect(place.size).toBe(0);
    expect(await place.do(where, {})).not.toBe(0);
    expect(place.size).toBe(1);
    await place.close();
    await expect(place.do(where, {})).rejects.toMatchObject({ code: "interrupted" });
  });

  test("do several jobs at a time", async () => {
    const doors = counter();
    const both = [1, 2].map(() => threads.do(gate, { doors, own: 2 }));
    expect(await Promise.all(both)).toEqual([true, true]);
  });

  test.each([
    [false, "exit code 7"],
    [true, "nobody catches this"],
  ])("that end early have their job done again, by an error: %j", async (throws, message) => {
    const lost: LostThread[] = [];
    const place = onThreads(1, { onLost: (thread) => lost.push(thread) });
    expect(await place.do(fragile, { counter: counter(), until: 2, throws })).toBe("done");
    expect(lost.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(lost[0]!.error.message).toContain(message);
    const failing = place.do(fragile, { counter: counter(), until: 9, throws });
    await expect(failing).rejects.toMatchObject({ code: "thread-lost" });
    expect(await place.do(square, { x: 4 })).toBe(16);
    await place.close();
  });

  test("that end early reject their job with what onLost throws", async () => {
    const onLost = () => {
      throw new Error("cannot log");
    };
    const place = onThreads(1, { onLost });
    const failing = place.do(fragile, { counter: counter(), until: 9 });
    await expect(failing).rejects.toThrow("cannot log");
    expect(await place.do(square, { x: 4 })).toBe(16);
    await place.close();
  });

  test("end when the signal of their job is aborted, and others go on", async () => {
    const stop = new AbortController();
    const waiting = threads.do(wait, {}, { signal: stop.signal });
    const other = threads.do(square, { x: 5 });
    setTimeout(() => stop.abort(new Error("enough")), 50);
    await expect(waiting).rejects.toThrow("enough");
    expect(await other).toBe(25);
    expect(await threads.do(square, { x: 6 })).toBe(36);
  });

  test("complete a job whose signal is aborted if it says so, and keep what they have loaded", async () => {
    const place = onThreads(1);
    const thread = await place.do(where, {});
    const doors = counter();
    const stop = new AbortController();
    const run = { signal: stop.signal, completes: true };
    const begun = place.do(gate, { doors, own: 2 }, run);
    const waiting = place.do(square, { x: 1 }, run);
    const next = place.do(where, {});
    while (Atomics.load(doors, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort(new Error("enough"));
    for (const job of [begun, waiting]) await expect(job).rejects.toThrow("enough");
    Atomics.add(doors, 0, 1);
    Atomics.notify(doors, 0);
    expect(await next).toBe(thread);
    await place.close();
  });

  test("end when a job whose signal is aborted does not complete in time", async () => {
    const place = onThreads(1);
    const thread = await place.do(where, {});
    const stop = new AbortController();
    const begun = place.do(wait, {}, { signal: stop.signal, completes: 50 });
    const next = place.do(where, {});
    stop.abort(new Error("enough"));
    await expect(begun).rejects.toThrow("enough");
    expect(await next).not.toBe(thread);
    const late = new AbortController();
    const done = place.do(square, { x: 3 }, { signal: late.signal, completes: 50 });
    expect(await done).toBe(9);
    late.abort();
    await place.close();
  });

  test.each([
    [undefined, 1],
    [6, 2],
  ])("keep shared data: %j", async (keeps, uses) => {
    const place = onThreads(1, { keeps });
    const lists = Array.from({ length: 6 }, (_, k) => share([k]));
    for (const numbers of lists) await place.do(sum, { numbers, times: 1 });
    expect(await place.do(sum, { numbers: lists[0]!, times: 1 })).toEqual({ sum: 0, uses });
    await place.close();
  });

  test("stop the jobs of other inputs when one fails", async () => {
    const failing = doAll(threads, gate, [{ doors: counter(), own: 1 }, {}]);
    await expect(failing).rejects.toMatchObject({ name: "TypeError" });
    expect(await threads.do(square, { x: 6 })).toBe(36);
  });

  test("do not do a job that waited when its signal was aborted", async () => {
    const place = onThreads(1);
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = place.do(wait, {}, { signal: first.signal });
    const next = place.do(square, { x: 5 }, { signal: second.signal });
    second.abort(new Error("not this one"));
    await expect(next).rejects.toThrow("not this one");
    first.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await place.close();
  });

  test("refuse inputs that cannot be copied, and a module without the job", async () => {
    const refused = { code: "invalid-argument" };
    await expect(threads.do(square, { x: () => 1 })).rejects.toMatchObject(refused);
    // A job that waits for the thread of one that is refused is done.
    const uncopied = threads.do(sum, { numbers: share([() => 1]), times: 1 });
    const later = Array.from({ length: threads.width + 1 }, (_, x) => threads.do(square, { x }));
    await expect(uncopied).rejects.toMatchObject(refused);
    expect(await Promise.all(later)).toEqual(later.map((_, x) => x * x));
    await expect(threads.do(square, { x: { arcwiseShared: 99 } })).rejects.toMatchObject(refused);
    const other = { ...square, name: "cube" };
    await expect(threads.do(other, { x: 1 })).rejects.toMatchObject({ code: "invalid-module" });
    expect(await threads.do(square, { x: 7 })).toBe(49);
  });

  test("refuse what no thread could do, also in this thread", async () => {
    const wrong: readonly (readonly [unknown, unknown, unknown?])[] = [
      [{ ...square, module: undefined }, { x: 1 }],
      [{ ...square, name: undefined }, { x: 1 }],
      [square, null],
      [square, 5],
      [null, { x: 1 }],
      [square, { x: 1 }, { signal: 5 }],
    ];
    for (const given of wrong)
      await expect(threads.do(...(given as [typeof square, { x: number }]))).rejects.toMatchObject({
        code: "invalid-argument",
      });
    for (const given of wrong.slice(1))
      await expect(here().do(...(given as [typeof square, { x: number }]))).rejects.toMatchObject({
        code: "invalid-argument",
      });
    expect(await threads.do(square, { x: 7 })).toBe(49);
  });

  test("have a table of options", () => {
    expect(() => onThreads(4, { limit: 5 } as object)).toThrow(
      expect.objectContaining({ code: "unknown-option", message: expect.stringContaining('"limits"') }),
    );
    expect(() => onThreads(4, { attempts: 0 })).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });

  test.each([0, 1.5, Number.NaN])("are not %d", (count) => {
    expect(() => onThreads(count)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
  });
});
