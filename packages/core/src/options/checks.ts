/* Checks of values that no file can contain; checks of headers are in (`container/schema.ts`). */
import { type Check, integer, pathOf, record, refuse, string } from "../container/schema.ts";
import { areParts, type EncoderIdentity, MAX_ENCODER_WIDTH } from "../encoder-identity.ts";
import type { DependencyGraph } from "../graphs/graph.ts";
import type { DependencyTree, Sentence, Word } from "../sentence.ts";

/** Returns a check with the type of the values that it accepts, if it does not look at all of their members. */
export function accepting<Value>(check: Check): Check<Value> {
  return check as Check<Value>;
}

/** Accepts what a predicate is true of. @param expected what that is, for messages */
export function satisfying<Value>(expected: string, test: (value: unknown) => boolean): Check<Value> {
  return (value, at) => {
    if (!test(value)) refuse(at, expected, value);
  };
}

/** Accepts numbers of worker threads. */
export const threadCount: Check<number> = integer(1, 1024);

/** Accepts finite numbers above 0. */
export const positive: Check<number> = satisfying(
  "a number above 0",
  (value) => typeof value === "number" && value > 0 && value < Infinity,
);

/** Accepts finite numbers of at least 0. */
export const notNegative: Check<number> = satisfying(
  "a number of at least 0",
  (value) => typeof value === "number" && value >= 0 && value < Infinity,
);

/** Accepts everything. */
export const anything: Check = () => {};

/** Accepts functions. */
export const callback: Check = satisfying("a function", (value) => typeof value === "function");

/** Accepts paths of files. */
export const path: Check<string> = satisfying(
  "a path",
  (value) => typeof value === "string" && value !== "" && !value.includes("\0"),
);

/** Accepts iterables and async iterables other than strings. @param of what they contain, for messages */
export function series<Item>(of: string): Check<AsyncIterable<Item> | Iterable<Item>> {
  return satisfying(
    `an iterable of ${of}`,
    (value) => isObject(value) && (Symbol.asyncIterator in value || Symbol.iterator in value),
  );
}

/** Accepts iterables other than strings. @param of what they contain, for messages */
export function iterable<Item>(of: string): Check<Iterable<Item>> {
  return satisfying(`an iterable of ${of}`, (value) => isObject(value) && Symbol.iterator in value);
}

/** The columns that a word may have. */
const COLUMNS = ["lemma", "upos", "xpos", "feats"] as const;

/** Accepts a word of a sentence: an object with a form, whose columns are texts. */
export const word: Check<Word> = (value, at) => {
  if (!isObject(value) || typeof value.form !== "string") refuse(at, "a word with a form", value);
  for (const column of COLUMNS) {
    const text = value[column];
    if (text !== undefined && typeof text !== "string") refuse(`${at}.${column}`, "a text", text);
  }
  if (value.vector !== undefined && !isVector(value.vector))
    refuse(`${at}.vector`, "an encoder and as many 16-bit floats as its width", value.vector);
};

function isVector(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.encoder)) return false;
  return value.values instanceof Uint16Array && value.values.length === value.encoder.width;
}

/** Accepts identities of encoders. */
export const encoderIdentity: Check<EncoderIdentity> = record<EncoderIdentity>({
  name: string,
  width: integer(1, MAX_ENCODER_WIDTH),
  fingerprint: string,
  parts: satisfying("strings by their names", areParts),
});

/** Accepts words of a sentence: a list of objects with a form, whose columns are texts. */
export const words: Check<Sentence> = (value, at) => {
  if (!Array.isArray(value)) refuse(at, "a list of words", value);
  // Paths are made for messages alone: the check is run on each word several times.
  for (let i = 0; i < value.length; i++) if (!isTextual(value[i])) word(value[i], `${at}[${i}]`);
};

/** Returns whether a value is a word whose columns are all there, and nothing else is. */
function isTextual(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.form === "string" &&
    typeof value.lemma === "string" &&
    typeof value.upos === "string" &&
    typeof value.xpos === "string" &&
    typeof value.feats === "string" &&
    value.vector === undefined
  );
}

function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Accepts objects with methods of the given names. @param expected what has them, for messages */
export function having<Value>(expected: string, ...methods: readonly string[]): Check<Value> {
  return satisfying(
    expected,
    (value) => isObject(value) && methods.every((name) => typeof value[name] === "function"),
  );
}

/** Accepts objects with members of the given names, such as models. @param expected what has them */
export function withMembers<Value>(expected: string, ...names: readonly string[]): Check<Value> {
  return satisfying(expected, (value) => isObject(value) && names.every((name) => name in value));
}

/** Accepts `AbortSignal`s. */
export const signal: Check<AbortSignal> = having("an AbortSignal", "addEventListener", "throwIfAborted");

/** Accepts bytes. */
export const bytes: Check<Uint8Array> = satisfying(
  "bytes (Uint8Array)",
  (value) => Object.prototype.toString.call(value) === "[object Uint8Array]",
);

/** Accepts what one of several checks accepts; the last one decides the message. */
export function anyOf<Values extends readonly [unknown, ...unknown[]]>(
  ...checks: { readonly [I in keyof Values]: Check<Values[I]> }
): Check<Values[number]> {
  return (value, at) => {
    for (const [i, check] of checks.entries()) {
      try {
        return check(value, at);
      } catch (error) {
        if (i === checks.length - 1) throw error;
      }
    }
  };
}

/** Whether a value is an array or a typed array. */
export function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);
}

/** Accepts trees over words: a list of heads that are integers, and a list of labels that are texts. O(words). */
export const tree: Check<DependencyTree> = (value, at) => {
  if (!isObject(value) || !isList(value.heads) || !Array.isArray(value.labels))
    refuse(at, "a tree with heads and labels", value);
  const { heads, labels } = value as { readonly heads: ArrayLike<unknown>; readonly labels: unknown[] };
  for (let m = 0; m < heads.length; m++)
    if (!Number.isInteger(heads[m])) refuse(pathOf(at, `heads[${m}]`), "an integer", heads[m]);
  for (let m = 0; m < labels.length; m++)
    if (typeof labels[m] !== "string") refuse(pathOf(at, `labels[${m}]`), "a text", labels[m]);
};

const isEdge = (edge: unknown): boolean =>
  isObject(edge) &&
  Number.isInteger(edge.head) &&
  Number.isInteger(edge.modifier) &&
  typeof edge.label === "string";
const isPredicate = (word: unknown): boolean =>
  isObject(word) && Number.isInteger(word.position) && typeof word.sense === "string";

/** Accepts dependency graphs over words. O(words + edges). */
export const graph: Check<DependencyGraph> = (value, at) => {
  if (!isObject(value) || !Number.isSafeInteger(value.n)) refuse(at, "a dependency graph", value);
  const lists = [
    ["edges", "an edge with head, modifier and label", isEdge],
    ["tops", "a position", Number.isInteger],
    ["predicates", "a predicate with position and sense", isPredicate],
  ] as const;
  for (const [name, expected, test] of lists) {
    const items = value[name];
    const path = pathOf(at, name);
    if (!Array.isArray(items)) refuse(path, "a list", items);
    for (let i = 0; i < items.length; i++) if (!test(items[i])) refuse(`${path}[${i}]`, expected, items[i]);
  }
};
