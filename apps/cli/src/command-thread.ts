/*
 * Runs a command in a thread of its own, with the streams of the main thread. See supervisor.ts.
 */
import { Readable, Writable } from "node:stream";
import { parentPort } from "node:worker_threads";
import { openChannel } from "@arcwise/jobs";
import { run } from "./run.ts";
import type { CommandData, MainCalls, StreamName } from "./threads/thread-calls.ts";

const controller = new AbortController();

const main = openChannel<MainCalls>(parentPort!, { run: runCommand, stop: () => controller.abort() });

async function runCommand({ argv, terminals }: CommandData): Promise<number> {
  const [stdout, stderr] = [output("stdout"), output("stderr")];
  const code = await run(argv, {
    stdin: new Readable({ read }),
    stdout: Object.assign(stdout, terminals.stdout),
    stderr: Object.assign(stderr, terminals.stderr),
    env: process.env,
    signal: controller.signal,
    onOutputs: (unfinished) => void main.call("outputs", unfinished),
  });
  await Promise.all([flushed(stdout), flushed(stderr)]);
  return code;
}

function read(this: Readable): void {
  main.call("read").then(
    (bytes) => this.push(bytes ?? null),
    (error: Error) => this.destroy(error),
  );
}

function output(stream: StreamName): Writable {
  const write = (bytes: Uint8Array, done: (error?: Error | null) => void) =>
    void main.call("write", { stream, bytes: Uint8Array.from(bytes) }).then(() => done(), done);
  const made = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => write(chunk, done),
    writev: (chunks, done) => write(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), done),
  });
  // Writers check their own results; a closed stderr is not an error.
  made.on("error", () => {});
  return made;
}

/** Resolves when everything was written, or cannot be. */
function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) return resolve();
    stream.once("close", () => resolve());
    stream.end();
  });
}
