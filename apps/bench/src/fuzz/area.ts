import type { Random } from "@arcwise/core";

/** What became of an input: it was refused with a message, or used without harm. */
export type Outcome = "refused" | "survived";

/** Something that must not happen did. */
export class Fault extends Error {
  override readonly name = "Fault";
  /** The input that shows it, if there is one. */
  readonly input: Uint8Array | undefined;

  constructor(message: string, input?: Uint8Array, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.input = input;
  }
}

/** What an area works with. */
export interface FuzzContext {
  /** A folder of its own, which is removed afterwards. */
  readonly folder: string;
  /** The program that runs `arcwise` as a process; undefined: nothing is run as a process. */
  readonly program: string | undefined;
}

/** Tries inputs of one kind. */
export interface Fuzzer {
  /**
   * Tries an input that follows from the stream alone.
   *
   * @throws Fault when it shows a fault; any other error is one, too
   */
  try(stream: Random): Outcome | Promise<Outcome>;
  /** Returns a fault that this fuzzer threw last, with a smaller input that shows it as well. */
  shrink?(fault: Fault): Promise<Fault>;
  /** Says more of what was tried, in one line. */
  notes?(): string;
  /** Frees what `prepare` took. */
  close?(): Promise<void>;
}

/** A kind of inputs, and what must hold of them. */
export interface Area {
  readonly name: string;
  readonly description: string;
  /** Share of the time that the area gets, beside those of the others. */
  readonly share: number;
  /** Whether it needs the program. */
  readonly needsProgram?: boolean;
  /** Prepares to try inputs: trains models, writes files. */
  prepare(context: FuzzContext): Promise<Fuzzer>;
}

/** One of some items. */
export function pick<T>(stream: Random, items: readonly T[]): T {
  return items[stream.int(items.length)]!;
}

/** Refuses a trial that took more processor time than this. */
export const MAX_MILLISECONDS = 30_000;

/** "refused" for an error that refuses. @throws Fault for any other */
export function refusalOf(refusals: ReadonlySet<string>, input: Uint8Array, error: unknown): Outcome {
  const fault = faultOf(refusals, input, error);
  if (fault !== undefined) throw fault;
  return "refused";
}

function faultOf(refusals: ReadonlySet<string>, input: Uint8Array, error: unknown): Fault | undefined {
  if (error instanceof Fault) return error;
  if (!(error instanceof Error)) return new Fault(`threw ${String(error)}`, input);
  if (!refusals.has(error.name)) return new Fault(`${error.name}: ${error.message}`, input, error);
  return /[\n\r]/.test(error.message)
    ? new Fault(`a message of more than one line: ${JSON.stringify(error.message.slice(0, 200))}`, input)
    : undefined;
}
