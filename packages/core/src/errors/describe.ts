import { escapeInvisible } from "./escape.ts";

/** Maximum number of characters of a value that a message quotes. */
const MAX_QUOTED = 60;

/** Describes a value for messages: scalars and short texts as JSON, others by what they are. O(1). */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "string":
      return quoted(value);
    case "function":
      return "a function";
    case "object":
      return value === null ? "null" : describeObject(value);
    default:
      return String(value);
  }
}

function quoted(text: string): string {
  const json = escapeInvisible(JSON.stringify(text.slice(0, MAX_QUOTED)));
  return text.length <= MAX_QUOTED && json.length <= MAX_QUOTED ? json : `${json.slice(0, MAX_QUOTED)}...`;
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value instanceof Promise) return "a Promise: await it first";
  const name = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (ArrayBuffer.isView(value)) return `${article(name)} of ${value.byteLength} bytes`;
  return name === "Object" ? "an object" : article(name);
}

function article(name: string): string {
  return `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
}
