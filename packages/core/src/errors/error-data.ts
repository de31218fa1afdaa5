import { ArcwiseError, invalidArgument } from "./arcwise-error.ts";
import { ERROR_CODES, type ErrorCode } from "./codes.ts";
import { describeValue } from "./describe.ts";

/** An error as plain data, which `postMessage` can send. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** All other members that can be cloned, `code` among them. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly cause?: ErrorData | undefined;
}

/** Maximum length of a chain of causes. */
const MAX_CAUSES = 8;

/** Returns an error as plain data; a thrown value that is not an error has its text as the message. */
export function errorToData(error: unknown): ErrorData {
  return toData(error, MAX_CAUSES);
}

function toData(error: unknown, causes: number): ErrorData {
  if (!(error instanceof Error)) return { name: "Error", message: textOf(error), members: {} };
  const { name, message, stack, cause, ...others } = error;
  const members = Object.fromEntries(Object.entries(others).filter(([, value]) => isCloneable(value)));
  return {
    name,
    message,
    stack,
    members,
    ...(cause !== undefined && causes > 0 && { cause: toData(cause, causes - 1) }),
  };
}

/** Returns a thrown value as a text; an object without a text of its own by what it is. */
function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return describeValue(value);
  }
}

function isCloneable(value: unknown): boolean {
  if (typeof value === "function" || typeof value === "symbol") return false;
  if (typeof value !== "object" || value === null) return true;
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

const NATIVE: ReadonlyMap<string, new (message: string) => Error> = new Map(
  [RangeError, TypeError, SyntaxError].map((native) => [native.name, native]),
);

/**
 * Returns the error of `errorToData`: an `ArcwiseError` when its code is one of `ERROR_CODES`, a native error
 * otherwise. Name, code, members, stack and causes are kept; its subclass is lost.
 */
export function errorFromData(data: ErrorData): Error {
  if (typeof data?.message !== "string" || typeof data.members !== "object" || data.members === null)
    throw invalidArgument("errorFromData", "an error as plain data", describeValue(data));
  const { name, message, stack, members, cause } = data;
  const { code } = members;
  const isCoded = typeof code === "string" && Object.hasOwn(ERROR_CODES, code);
  const error = isCoded
    ? new ArcwiseError(code as ErrorCode, message)
    : new (NATIVE.get(name) ?? Error)(message);
  Object.assign(error, members);
  if (error.name !== name) hidden(error, "name", name);
  if (stack !== undefined) hidden(error, "stack", stack);
  if (cause !== undefined) hidden(error, "cause", errorFromData(cause));
  return error;
}

/** Defines a member as constructors of errors do: not enumerable. */
function hidden(error: Error, member: string, value: unknown): void {
  Object.defineProperty(error, member, { value, configurable: true, writable: true, enumerable: false });
}
