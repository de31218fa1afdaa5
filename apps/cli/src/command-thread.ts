/*
 * Runs a command in a thread of its own, with the streams of the main thread. See supervisor.ts.
 */
import { Readable, Writable } from "node:stream";
import { parentPort, workerData } from "node:worker_threads";
import type { Io } from "./files/io.ts";
import { run } from "./run.ts";
import {
  type CommandData,
  FROM_COMMAND,
  type FromCommand,
  type StreamError,
  type StreamName,
  TO_COMMAND,
  transferable,
} from "./threads/thread-messages.ts";

const { argv, terminals } = workerData as CommandData;
const port = parentPort!;
const send = (message: FromCommand, bytes?: Uint8Array<ArrayBuffer>) =>
  port.postMessage(FROM_COMMAND.seal(message), bytes === undefined ? [] : [bytes.buffer]);

const controller = new AbortController();
const written = new Map<StreamName, (error?: Error | null) => void>();

const stdin = new Readable({ read: () => send({ kind: "read" }) });
const stdout = output("stdout");
const stderr = output("stderr");

TO_COMMAND.listen(port, (message) => {
  if (message.kind === "stop") controller.abort();
  else if (message.kind === "written") finishWrite(message.stream, message.error);
  else if (message.error !== undefined) stdin.destroy(errorOf(message.error));
  else stdin.push(message.bytes ?? null);
});

const io: Io = {
  stdin,
  stdout,
  stderr,
  env: process.env,
  signal: controller.signal,
  onOutputs: (unfinished) => send({ kind: "outputs", unfinished }),
};
const code = await run(argv, io);
await Promise.all([flushed(stdout), flushed(stderr)]);
send({ kind: "done", code });

function output(stream: StreamName) {
  const write = (bytes: Uint8Array<ArrayBuffer>, done: (error?: Error | null) => void) => {
    written.set(stream, done);
    send({ kind: "write", stream, bytes }, bytes);
  };
  const made = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => write(transferable(chunk), done),
    writev: (chunks, done) =>
      write(transferable(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer))), done),
  });
  // Writers check their own results; a closed stderr is not an error.
  made.on("error", () => {});
  return Object.assign(made, terminals[stream]);
}

function finishWrite(stream: StreamName, error: StreamError | undefined): void {
  const done = written.get(stream);
  written.delete(stream);
  done?.(error && errorOf(error));
}

function errorOf({ message, code }: StreamError): NodeJS.ErrnoException {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

/** Resolves when everything was written, or cannot be. */
function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) return resolve();
    stream.once("close", () => resolve());
    stream.end();
  });
}
