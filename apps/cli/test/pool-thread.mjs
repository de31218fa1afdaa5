// A thread of the pool that does what the bytes of its block say.
import { appendFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";

parentPort.on("message", ({ settings, input }) => {
  const text = input === undefined ? "load" : Buffer.from(input.bytes).toString();
  appendFileSync(settings.model, `${text}\n`);
  if (text === "die") process.exit(9);
  if (text === "die once") {
    const dies = settings.marker[0] === 0;
    settings.marker[0] = 1;
    if (dies) throw new Error("once");
  }
  if (text === "fill memory") {
    const rows = [];
    for (;;) rows.push(new Array(1000).fill(rows.length));
  }
  const answer = {
    parsed: { bytes: input?.bytes ?? new Uint8Array(0), sentences: 1, words: 1, lost: [] },
    columns: {},
  };
  setTimeout(() => parentPort.postMessage(answer), text === "slow" ? 300 : 0);
});
