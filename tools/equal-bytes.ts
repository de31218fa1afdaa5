import { expect } from "vitest";

/** Compares typed arrays of the same bytes at once: element by element, a megabyte takes two seconds. */
function equalBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return undefined;
  if (a.constructor !== b.constructor || a.byteLength !== b.byteLength) return undefined;
  const [one, other] = [a, b].map((view) => Buffer.from(view.buffer, view.byteOffset, view.byteLength));
  // Others may be equal: zeros of both signs, and what a test expects of an element.
  return one!.equals(other!) || undefined;
}

// Files of tests that share a process share their matchers.
const ADDED = Symbol.for("arcwise.equal-bytes");
if (!Object.hasOwn(globalThis, ADDED)) {
  Object.assign(globalThis, { [ADDED]: true });
  expect.addEqualityTesters([equalBytes]);
}
