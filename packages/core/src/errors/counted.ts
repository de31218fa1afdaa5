import { invalidArgument } from "./arcwise-error.ts";
import { describeValue } from "./describe.ts";

/**
 * Returns a count with its noun, which gets an s unless the count is 1. A count may be written already, as "1,234".
 *
 * @throws ArcwiseError `invalid-argument` unless they are a number or a text, and a text
 */
export function counted(count: number | string, noun: string): string {
  if (typeof count !== "number" && typeof count !== "string")
    throw invalidArgument("counted: count", "a number or a text", describeValue(count));
  if (typeof noun !== "string") throw invalidArgument("counted: noun", "a text", describeValue(noun));
  return `${count} ${noun}${String(count) === "1" ? "" : "s"}`;
}
