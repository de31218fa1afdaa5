// A thread of the pool that does what the bytes of its block say, or without one the name of the model.
import { parentPort, workerData } from "node:worker_threads";

parentPort.on("message", ({ settings, input }) => {
  const text = input === undefined ? settings.model : Buffer.from(input.bytes).toString();
  if (text === "die") process.exit(9);
  if (text.startsWith("die at ")) {
    Atomics.store(workerData.reached, 0, Number(text.slice("die at ".length)));
    throw new Error("died");
  }
  if (text === "fill memory") {
    const rows = [];
    for (;;) rows.push(new Array(1000).fill(rows.length));
  }
  while (text === "stay");
  const answer = {
    parsed: { bytes: input?.bytes ?? new Uint8Array(0), sentences: 1, words: 1, lost: [] },
    columns: {},
  };
  setTimeout(() => parentPort.postMessage(answer), text === "slow" ? 300 : 0);
});
