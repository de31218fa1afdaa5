/* Jobs of the tests, in JavaScript: threads import them as they are. */
import { threadId } from "node:worker_threads";

const module = import.meta.url;

export const square = { name: "square", module, run: ({ x }) => x * x };
export const where = { name: "where", module, run: () => threadId };
export const fail = {
  name: "fail",
  module,
  run: ({ code }) => {
    throw Object.assign(new RangeError("it fails"), { code });
  },
};
/** Ends its thread as long as a shared counter is below a number: by an exit, or by an error that is not caught. */
export const fragile = {
  name: "fragile",
  module,
  run: async ({ counter, until, throws = false }) => {
    if (Atomics.add(counter, 0, 1) >= until) return "done";
    if (!throws) process.exit(7);
    setImmediate(() => {
      throw new Error("nobody catches this");
    });
    return new Promise(() => {});
  },
};
export const report = {
  name: "report",
  module,
  run: ({ reports }, { onProgress }) => {
    for (let k = 1; k <= reports; k++) onProgress({ k, epochDone: k % 10 === 0 });
  },
};
/** Sums shared data; counts how often it was made. */
export const sum = {
  name: "sum",
  module,
  run: ({ numbers, times }, { keep }) => {
    const kept = keep(numbers, () => ({ made: 0, sum: numbers.reduce((a, b) => a + b, 0) }));
    kept.made++;
    return { sum: kept.sum * times, uses: kept.made };
  },
};
/** Waits for ever. */
export const wait = { name: "wait", module, run: () => new Promise(() => setInterval(() => {}, 1000)) };
export const gate = {
  name: "gate",
  module,
  run: ({ doors, own }) => {
    Atomics.add(doors, 0, 1);
    Atomics.notify(doors, 0);
    for (let k = 0; k < 200 && Atomics.load(doors, 0) < own; k++) Atomics.wait(doors, 1, 0, 50);
    return Atomics.load(doors, 0) >= own;
  },
};
/** Reads lists that it has not read before. */
export const unread = {
  name: "unread",
  module,
  async run({ base, lists }, { keep }) {
    const last = keep(base, () => ({ list: undefined, total: 0 }));
    const news = lists.slice(lists.indexOf(last.list) + 1);
    for (const list of news) for (const x of await list.data) last.total += x;
    last.list = lists.at(-1);
    return { read: news.length, total: last.total };
  },
};
