import { join } from "node:path";
import { REPOSITORY } from "@arcwise/bench/data";
import type { Arbitrary } from "fast-check";

/** The outcome of an input: refused with a message, or used without a fault. */
export type Outcome = "refused" | "survived";

/** Thrown when an input violates a requirement of its area. */
export class Fault extends Error {
  override readonly name = "Fault";
  /** The file that shows the fault, if the input is one. */
  readonly input: Uint8Array | undefined;

  constructor(message: string, input?: Uint8Array, cause?: unknown) {
    super(message, { cause });
    this.input = input;
  }
}

/** The environment of an area. */
export interface FuzzContext {
  /** A temporary folder of the area, removed afterwards. */
  readonly folder: string;
}

/** Inputs of an area, and what must hold for them. */
export interface Trials<Input> {
  readonly inputs: Arbitrary<Input>;
  /** Inputs that once showed a fault; they are tried first. */
  readonly examples?: readonly Input[] | undefined;
  /**
   * Tries an input.
   *
   * @throws Fault if it shows a fault; any other error counts as a fault too
   */
  try(input: Input): Outcome | Promise<Outcome>;
  /** Returns details of the trials in one line. */
  notes?(): string;
  /** Frees the resources of `prepare`. */
  close?(): Promise<void>;
}

/** A kind of inputs with the requirements on them. */
export interface Area<Input = unknown> {
  readonly name: string;
  readonly description: string;
  /** Weight of the area in the division of the time. */
  readonly share: number;
  /** Whether it starts processes: its trials take seconds, and are not shrunk. */
  readonly isSlow?: boolean | undefined;
  /** Trains models, writes files. */
  prepare(context: FuzzContext): Promise<Trials<Input>>;
}

/** Path of the built program of `arcwise`. */
export const PROGRAM = join(REPOSITORY, "apps", "cli", "bin", "arcwise.js");

/**
 * Returns "refused" for an error that refuses an input.
 *
 * @throws Fault for any other error, and for a message of more than one line
 */
export function refusalOf(refusals: readonly string[], input: Uint8Array, error: unknown): Outcome {
  if (error instanceof Fault) throw error;
  if (!(error instanceof Error)) throw new Fault(`threw ${String(error)}`, input);
  if (!refusals.includes(error.name)) throw new Fault(`${error.name}: ${error.message}`, input, error);
  if (/[\n\r]/.test(error.message))
    throw new Fault(`a message of more than one line: ${JSON.stringify(error.message)}`, input);
  return "refused";
}
