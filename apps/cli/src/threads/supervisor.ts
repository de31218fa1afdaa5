import { rm } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { Worker } from "node:worker_threads";
import { EXIT, explain } from "../command/errors.ts";
import { TYPED } from "../files/input.ts";
import type { Unfinished } from "../files/io.ts";
import { printLine } from "../files/printable.ts";
import { interruption } from "./interruption.ts";
import {
  type CommandData,
  FROM_COMMAND,
  type FromCommand,
  type StreamName,
  streamError,
  TO_COMMAND,
  type ToCommand,
  transferable,
} from "./thread-messages.ts";

/** The streams of the process. */
export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };
}

/** A command that runs and can be stopped. */
export interface RunningCommand {
  /** The exit code, once the command has ended or was ended. */
  readonly code: Promise<number>;
  /** Asks the command to stop, and ends it when it does not in time; the second call ends it at once. */
  stop(): void;
  /** Does what SIGHUP asks for. Without it, SIGHUP asks to stop. */
  readonly hangUp?: (() => void) | undefined;
}

/** Milliseconds that a command has for putting its files in order after it was asked to stop. */
export const GRACE = 500;

/**
 * Runs a command in a thread while this one only moves bytes. A command computes for seconds without giving
 * way to events, as on a long sentence: its own thread could not even notice Ctrl-C. This one does, and ends
 * the other wherever it is. What that has not completed is removed, so that only whole files are left.
 *
 * @param thread the module that runs the command
 */
export function superviseCommand(argv: readonly string[], streams: Streams, thread: URL): RunningCommand {
  const command = new Supervisor(argv, streams, thread);
  return { code: command.code, stop: () => command.stop() };
}

class Supervisor {
  readonly code: Promise<number>;
  readonly #worker: Worker;
  readonly #streams: Streams;
  readonly #temporaries: string[] = [];
  #checkpoint: string | undefined;
  #input: AsyncIterator<Uint8Array | string> | undefined;
  #end: (code: number) => void = () => {};
  #ended = false;
  #stopping = false;

  constructor(argv: readonly string[], streams: Streams, thread: URL) {
    this.#streams = streams;
    this.code = new Promise((resolve) => {
      this.#end = resolve;
    });
    const terminals = { stdout: terminalOf(streams.stdout), stderr: terminalOf(streams.stderr) };
    const workerData: CommandData = { argv, terminals };
    this.#worker = new Worker(thread, { workerData });
    FROM_COMMAND.listen(this.#worker, (message) => this.#answer(message));
    this.#worker.on("error", (error: Error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the thread of the command ended without a result")));
    // Writers check their own results.
    for (const stream of [streams.stdout, streams.stderr]) stream.on("error", () => {});
  }

  stop(): void {
    if (this.#stopping) {
      void this.#kill();
      return;
    }
    this.#stopping = true;
    this.#send({ kind: "stop" });
    setTimeout(() => void this.#kill(), GRACE).unref();
  }

  #send(message: ToCommand, bytes?: Uint8Array<ArrayBuffer>): void {
    this.#worker.postMessage(TO_COMMAND.seal(message), bytes === undefined ? [] : [bytes.buffer]);
  }

  #answer(message: FromCommand): void {
    if (message.kind === "read") void this.#read();
    else if (message.kind === "write") this.#write(message.stream, message.bytes);
    else if (message.kind === "outputs") this.#keepInMind(message.unfinished);
    else void this.#finish(message.code);
  }

  /**
   * Reads a chunk of the standard input: not before it is asked for, so that a command without input takes
   * none.
   */
  async #read(): Promise<void> {
    const { stdin } = this.#streams;
    try {
      if (this.#input === undefined && stdin.isTTY === true) this.#say(TYPED);
      this.#input ??= stdin[Symbol.asyncIterator]();
      const { done, value } = await this.#input.next();
      if (this.#ended) return;
      const bytes = done ? undefined : transferable(typeof value === "string" ? Buffer.from(value) : value);
      this.#send({ kind: "input", bytes }, bytes);
    } catch (error) {
      if (!this.#ended) this.#send({ kind: "input", bytes: undefined, error: streamError(error as Error) });
    }
  }

  #write(stream: StreamName, bytes: Uint8Array): void {
    this.#streams[stream].write(bytes, (error) => {
      if (this.#ended) return;
      this.#send({ kind: "written", stream, error: error ? streamError(error) : undefined });
    });
  }

  async #finish(code: number): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#worker.terminate();
    // A step that was stopped may have been writing a checkpoint.
    await this.#removeTemporaries();
    this.#end(code);
  }

  /** Ends the command wherever it is. */
  async #kill(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#worker.terminate();
    await this.#removeTemporaries();
    this.#say(await interruption(this.#checkpoint));
    this.#end(EXIT.interrupted);
  }

  /** The thread has ended by an error that the command did not catch, such as a lack of memory. */
  async #fail(error: Error): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#removeTemporaries();
    const { code, message } = explain(error);
    this.#say(message);
    this.#end(code);
  }

  #say(message: string): void {
    printLine(this.#streams, `arcwise: ${message}`);
  }

  #keepInMind({ temporaries, checkpoint }: Unfinished): void {
    this.#temporaries.push(...temporaries);
    this.#checkpoint = checkpoint ?? this.#checkpoint;
  }

  async #removeTemporaries(): Promise<void> {
    await Promise.all(this.#temporaries.map((path) => rm(path, { force: true }).catch(() => {})));
  }
}

function terminalOf({ isTTY = false, columns }: Streams["stdout"]) {
  return { isTTY, columns };
}
