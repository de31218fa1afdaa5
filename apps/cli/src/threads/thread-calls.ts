import type { Unfinished } from "../files/io.ts";

/** The streams that a command writes to. */
export type StreamName = "stdout" | "stderr";

/** The arguments and terminals of a command. */
export interface CommandData {
  readonly argv: readonly string[];
  readonly terminals: Readonly<
    Record<StreamName, { readonly isTTY: boolean; readonly columns: number | undefined }>
  >;
}

/**
 * The calls that the main thread offers to the thread of a command. Bytes are in a buffer of their own: a message
 * carries the whole buffer.
 */
export type MainCalls = {
  /** Returns a chunk of the standard input; undefined at its end. */
  read(): Promise<Uint8Array | undefined>;
  /** Resolves when the bytes were written. */
  write(output: { readonly stream: StreamName; readonly bytes: Uint8Array }): Promise<void>;
  /** Takes the files to handle when the command is ended before it is done. */
  outputs(unfinished: Unfinished): void;
};

/** The calls that the thread of a command offers. */
export type CommandCalls = {
  /** Runs the command. Returns its exit code. */
  run(data: CommandData): Promise<number>;
  /** Asks the command to stop. */
  stop(): void;
};
