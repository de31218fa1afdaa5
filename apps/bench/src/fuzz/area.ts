import type { Random } from "@arcwise/core";

/** The outcome of an input: refused with a message, or used without a fault. */
export type Outcome = "refused" | "survived";

/** Thrown when an input violates a requirement of its area. */
export class Fault extends Error {
  override readonly name = "Fault";
  /** The input that shows the fault, if there is one. */
  readonly input: Uint8Array | undefined;

  constructor(message: string, input?: Uint8Array, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.input = input;
  }
}

/** The environment of an area. */
export interface FuzzContext {
  /** A temporary folder of the area, removed afterwards. */
  readonly folder: string;
  /** The program that runs `arcwise` as a process; undefined: nothing is run as a process. */
  readonly program: string | undefined;
}

/** Tries inputs of one kind. */
export interface Fuzzer {
  /**
   * Tries an input that is a function of the stream.
   *
   * @throws Fault when it shows a fault; any other error counts as a fault too
   */
  try(stream: Random): Outcome | Promise<Outcome>;
  /** Returns the last fault of this fuzzer with a smaller input. */
  shrink?(fault: Fault): Promise<Fault>;
  /** Returns details of the trials in one line. */
  notes?(): string;
  /** Frees the resources of `prepare`. */
  close?(): Promise<void>;
}

/** A kind of inputs with the requirements on them. */
export interface Area {
  readonly name: string;
  readonly description: string;
  /** Weight of the area in the division of the time. */
  readonly share: number;
  /** Whether it needs the built program. */
  readonly needsProgram?: boolean | undefined;
  /** Prepares to try inputs: trains models, writes files. */
  prepare(context: FuzzContext): Promise<Fuzzer>;
}

/** Draws one of the items. */
export function pick<T>(stream: Random, items: readonly T[]): T {
  return items[stream.int(items.length)]!;
}

/** Maximal processor time of a trial in milliseconds. */
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
