import { rm } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { Worker } from "node:worker_threads";
import { type Channel, openChannel } from "@arcwise/jobs";
import { EXIT, explain, interruption } from "../errors.ts";
import { printLine, TYPED, type Unfinished } from "../files/io.ts";
import type { CommandCalls, MainCalls, StreamName } from "./thread-calls.ts";

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
  readonly #channel: Channel<CommandCalls>;
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
    this.#worker = new Worker(thread);
    const calls: MainCalls = {
      read: () => this.#read(),
      write: ({ stream, bytes }) => this.#write(stream, bytes),
      outputs: (unfinished) => this.#keepInMind(unfinished),
    };
    this.#channel = openChannel<CommandCalls>(this.#worker, calls, { lost: endOfThread });
    const terminals = { stdout: terminalOf(streams.stdout), stderr: terminalOf(streams.stderr) };
    this.#channel.call("run", { argv, terminals }).then(
      (code) => this.#finish(code),
      (error) => this.#fail(error),
    );
    // Writers check their own results.
    for (const stream of [streams.stdout, streams.stderr]) stream.on("error", () => {});
  }

  stop(): void {
    if (this.#stopping) {
      void this.#kill();
      return;
    }
    this.#stopping = true;
    this.#channel.call("stop").catch(() => {});
    setTimeout(() => void this.#kill(), GRACE).unref();
  }

  /**
   * Reads a chunk of the standard input: not before it is asked for, so that a command without input takes
   * none.
   */
  async #read(): Promise<Uint8Array | undefined> {
    const { stdin } = this.#streams;
    if (this.#input === undefined && stdin.isTTY === true) this.#say(TYPED);
    this.#input ??= stdin[Symbol.asyncIterator]();
    const { done, value } = await this.#input.next();
    return done ? undefined : Uint8Array.from(typeof value === "string" ? Buffer.from(value) : value);
  }

  #write(stream: StreamName, bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#streams[stream].write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the command wherever it is. A step that was stopped may have been writing a checkpoint. */
  async #finish(code: number, explanation?: () => string | Promise<string>): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#worker.terminate();
    await Promise.all(this.#temporaries.map((path) => rm(path, { force: true }).catch(() => {})));
    if (explanation !== undefined) this.#say(await explanation());
    this.#end(code);
  }

  #kill(): Promise<void> {
    return this.#finish(EXIT.interrupted, () => interruption(this.#checkpoint));
  }

  /** The thread has ended by an error that the command did not catch, such as a lack of memory. */
  #fail(error: unknown): Promise<void> {
    const { code, message } = explain(error);
    return this.#finish(code, () => message);
  }

  #say(message: string): void {
    printLine(this.#streams, `arcwise: ${message}`);
  }

  #keepInMind({ temporaries, checkpoint }: Unfinished): void {
    this.#temporaries.push(...temporaries);
    this.#checkpoint = checkpoint ?? this.#checkpoint;
  }
}

function endOfThread(_: string, cause: unknown): Error {
  return cause instanceof Error ? cause : new Error("the thread of the command ended without a result");
}

function terminalOf({ isTTY = false, columns }: Streams["stdout"]) {
  return { isTTY, columns };
}
