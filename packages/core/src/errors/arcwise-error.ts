import { ERROR_CODES, type ErrorCode, type ErrorKind } from "./codes.ts";

/** The details that an error may state in addition to its message. Each member is absent where it does not apply. */
export interface ErrorDetails {
  /** Name of the file as the caller gave it. */
  readonly file?: string | undefined;
  /** Line of the file, from 1. */
  readonly line?: number | undefined;
  /** Name of the option or argument, or the path inside of a document, such as `parser.order`. */
  readonly at?: string | undefined;
  readonly expected?: string | undefined;
  readonly found?: string | undefined;
}

/** Options of the constructor of `ArcwiseError`. */
export interface ArcwiseErrorOptions extends ErrorDetails {
  readonly cause?: unknown;
}

/** Marks errors of every copy of this module: `arcwise` contains one, and each decoder package loads another. */
const BRAND = Symbol.for("arcwise/error");

/**
 * The base class of all errors that users can meet. `code` is stable, messages are not. Arrays that break the
 * documented layout (NaN, lengths that do not match) are a native RangeError instead. `instanceof` also recognises
 * errors of another copy of this module, such as those of a decoder package next to the bundled `arcwise`.
 *
 * @example
 * try {
 *   createPipeline(model, { decoder: "mst" } as object);
 * } catch (error) {
 *   if (!(error instanceof ArcwiseError)) throw error;
 *   console.log(error.code, error.message); // unknown-option …
 * }
 */
export class ArcwiseError extends Error implements ErrorDetails {
  override readonly name: string = "ArcwiseError";
  readonly code: ErrorCode;
  declare readonly file?: string | undefined;
  declare readonly line?: number | undefined;
  declare readonly at?: string | undefined;
  declare readonly expected?: string | undefined;
  declare readonly found?: string | undefined;

  constructor(code: ErrorCode, message: string, options: ArcwiseErrorOptions = {}) {
    const { cause, ...details } = options;
    super(message, "cause" in options ? { cause } : undefined);
    Object.defineProperty(this, BRAND, { value: true });
    this.code = code;
    Object.assign(this, details);
  }
}

Object.defineProperty(ArcwiseError, Symbol.hasInstance, {
  value(this: typeof ArcwiseError, error: unknown): boolean {
    if (this === ArcwiseError) return typeof error === "object" && error !== null && BRAND in error;
    return Function.prototype[Symbol.hasInstance].call(this, error);
  },
});

/** Returns the kind of an error by its code; a "fault" when it has no code of `ERROR_CODES`. */
export function errorKind(error: unknown): ErrorKind {
  const code = error instanceof Error ? (error as Partial<ArcwiseError>).code : undefined;
  return code !== undefined && Object.hasOwn(ERROR_CODES, code) ? ERROR_CODES[code].kind : "fault";
}

/** Whether an error has one of the given codes. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is ArcwiseError {
  return error instanceof ArcwiseError && codes.includes(error.code);
}

/** Returns the error of an argument. @param at the function, and what part of the argument is wrong */
export function invalidArgument(at: string, expected: string, found: string): ArcwiseError {
  if ([at, expected, found].some((text) => typeof text !== "string"))
    return invalidArgument("invalidArgument", "texts", `${typeof at}, ${typeof expected}, ${typeof found}`);
  return new ArcwiseError("invalid-argument", `${at}: expected ${expected}, found ${found}`, {
    at,
    expected,
    found,
  });
}
