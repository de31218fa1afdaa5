import { CAPABILITIES } from "./capabilities.ts";
import type { Decoder, Scored } from "./decoder.ts";
import { InvalidDecoder } from "./errors/decoder-errors.ts";
import type { GraphDecoder } from "./graphs/graph-decoder.ts";
import { GRAPH_PART_KINDS, type GraphHandled } from "./graphs/graph-problem.ts";
import { GRAPH_CONSTRAINTS } from "./graphs/validate-graph.ts";
import { PART_KINDS } from "./parts/kinds.ts";

/** A member of a decoder: its name, what it is, and whether a value is that. */
type Member<D> = readonly [name: keyof D & string, what: string, isSound: (member: unknown) => boolean];

/**
 * Checks that a value from a module has the members of a decoder.
 *
 * @param source the module, for the message
 * @throws ArcwiseError `invalid-decoder` that names the first member that is missing or wrong
 */
export function requireDecoder(value: unknown, source: string): Decoder {
  return withMembers<Decoder>(value, `${source}: expected a decoder`, [
    NAME,
    ["trees", '"any" or "projective"', (trees) => trees === "any" || trees === "projective"],
    ["singleRoot", "a boolean", (single) => typeof single === "boolean"],
    ["handles", "a Set of kinds of parts", setOf<Scored>([...PART_KINDS, "global"])],
    DECODE,
  ]);
}

/**
 * Checks that a value from a module has the members of a decoder of graphs.
 *
 * @param source the module, for the message
 * @throws ArcwiseError `invalid-decoder` that names the first member that is missing or wrong
 */
export function requireGraphDecoder(value: unknown, source: string): GraphDecoder {
  const handled = setOf<GraphHandled>([...GRAPH_PART_KINDS, ...GRAPH_CONSTRAINTS, "unique"]);
  return withMembers<GraphDecoder>(value, `${source}: expected a decoder of graphs`, [
    NAME,
    ["handles", "a Set of kinds of parts, constraints or unique", handled],
    DECODE,
  ]);
}

const NAME = [
  "name",
  "a string that is not empty",
  (name: unknown) => typeof name === "string" && name !== "",
] as const;
const DECODE = ["decode", "a function", (decode: unknown) => typeof decode === "function"] as const;

function setOf<T>(known: readonly T[]): (value: unknown) => boolean {
  const all: ReadonlySet<unknown> = new Set(known);
  return (value) => value instanceof Set && [...value].every((one) => all.has(one));
}

/** Returns a value as a decoder. @throws ArcwiseError `invalid-decoder`, whose message begins with what was expected */
function withMembers<D>(value: unknown, expected: string, members: readonly Member<D>[]): D {
  const fail = (what: string): never => {
    throw new InvalidDecoder(`${expected}, but ${what}`);
  };
  if (typeof value !== "object" || value === null) fail(`got ${value === null ? "null" : typeof value}`);
  const found = value as Record<string, unknown>;
  for (const [name, what, isSound] of members) {
    if (found[name] === undefined) fail(`"${name}" is missing (${what})`);
    if (!isSound(found[name])) fail(`"${name}" is not ${what}`);
  }
  for (const name of Object.keys(CAPABILITIES)) {
    const member = found[name];
    if (member !== undefined && typeof member !== "function") fail(`"${name}" is not a function`);
  }
  return value as D;
}
