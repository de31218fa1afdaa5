import { UnsupportedPart } from "./errors.ts";
import { type BlockKind, blockMembers, isBlockKind, matchBlocks } from "./parts/part-blocks.ts";
import { type ArcsByHead, arcsByHead, partLayout } from "./parts/parts.ts";
import {
  type Arcs,
  MEMBERS,
  PART_KINDS,
  type ParsingProblem,
  type PartKind,
  type PartTable,
} from "./problem.ts";

/**
 * Checks that a problem is what the contract says: sizes that fit each other, arcs grouped by modifier with
 * ascending heads, no score that is NaN or +Infinity, at most one table a kind, and every table complete and in
 * its canonical order (see `PartTable`).
 *
 * Cost: O(n + arcs + parts), without allocation when there are no parts.
 *
 * @throws RangeError that says what was expected, where, and what was found
 */
export function validateProblem(problem: ParsingProblem): void {
  const { arcs, arcScores, parts } = problem;
  validateArcs(arcs);
  expectSize("arcScores", arcScores.length, arcs.head.length);
  const wrong = firstNotScore(arcScores);
  if (wrong >= 0) {
    const arc = `${arcs.head[wrong]} -> ${arcs.modifier[wrong]}`;
    fail(`arcScores[${wrong}] (${arc})`, "finite or -Infinity", arcScores[wrong]!);
  }
  if (parts.length === 0) return;
  const byHead = arcsByHead(arcs);
  const seen = new Set<PartKind>();
  for (const table of parts) {
    if (!PART_KINDS.includes(table.kind)) fail("kind of a part table", PART_KINDS.join(", "), table.kind);
    if (seen.has(table.kind)) fail("part tables", "at most one a kind", `two of kind "${table.kind}"`);
    seen.add(table.kind);
    validateTable(table, arcs, byHead);
  }
}

/**
 * Checks candidate arcs alone: n, sizes, grouping by modifier, ascending heads from 0 to n. O(n + arcs).
 *
 * @throws RangeError that says what was expected, where, and what was found
 */
export function validateArcs(arcs: Arcs): void {
  const { n, start, head, modifier } = arcs;
  if (!Number.isInteger(n) || n < 0) fail("n", "an integer >= 0", n);
  expectSize("arcs.start", start.length, n + 2);
  expectSize("arcs.modifier", modifier.length, head.length);
  if (start[0] !== 0) fail("arcs.start[0]", 0, start[0]!);
  if (start[1] !== 0) fail("arcs.start[1]", 0, start[1]!);
  for (let m = 1; m <= n; m++) {
    if (start[m + 1]! < start[m]!) fail(`arcs.start[${m + 1}]`, `at least ${start[m]}`, start[m + 1]!);
  }
  if (start[n + 1] !== head.length) fail(`arcs.start[${n + 1}]`, head.length, start[n + 1]!);
  for (let m = 1; m <= n; m++) {
    const end = start[m + 1]!;
    let last = -1;
    for (let a = start[m]!; a < end; a++) {
      const h = head[a]!;
      // One test, and the messages elsewhere: with them in the loop it takes ten times as long.
      if (modifier[a] !== m || h <= last || h > n || h === m) failArc(arcs, m, a, last);
      last = h;
    }
  }
}

function failArc({ n, head, modifier }: Arcs, m: number, a: number, last: number): never {
  const h = head[a]!;
  if (modifier[a] !== m) fail(`arcs.modifier[${a}]`, m, modifier[a]!);
  if (h <= last) fail(`arcs.head[${a}]`, `more than ${last} (heads ascend within a modifier)`, h);
  fail(`arcs.head[${a}]`, `a position from 0 to ${n} other than ${m}`, h);
}

/**
 * Refuses what a decoder cannot score: a part table of a kind that is not in `handles`, even an empty one, or a
 * global scorer unless `handlesGlobal`.
 *
 * @throws UnsupportedPart
 */
export function requireHandled(
  problem: ParsingProblem,
  decoder: string,
  handles: ReadonlySet<PartKind>,
  handlesGlobal = false,
): void {
  for (const { kind } of problem.parts) {
    if (!handles.has(kind)) throw new UnsupportedPart(decoder, kind, handles);
  }
  if (problem.global !== undefined && !handlesGlobal) throw new UnsupportedPart(decoder, "global", handles);
}

function validateTable(table: PartTable, arcs: Arcs, byHead: ArcsByHead): void {
  const { kind, start, members, scores } = table;
  const count = arcs.head.length;
  const width = MEMBERS[kind];
  const name = `${kind} table`;
  expectSize(`(start of the ${name})`, start.length, count + 1);
  if (start[0] !== 0) fail(`start[0] of the ${name}`, 0, start[0]!);
  const blocks = isBlockKind(kind) ? blockMembers(kind, arcs, byHead) : undefined;
  let at = 0;
  let parts = 0;
  for (let a = 0; a < count; a++) {
    const end =
      blocks === undefined
        ? matchOwner(kind as Exclude<PartKind, BlockKind>, arcs, byHead, a, members, at)
        : matchBlocks(members, at, blocks, arcs.head[a]!);
    if (end < 0) failMember(kind, arcs, byHead, members, ~end);
    parts += width > 0 ? (end - at) / width : 1;
    at = end;
    if (start[a + 1] !== parts) failStart(name, a + 1, parts, start[a + 1]!);
  }
  expectSize(`(members of the ${name})`, members.length, at);
  expectSize(`(scores of the ${name})`, scores.length, parts);
  const wrong = firstNotScore(scores);
  if (wrong >= 0) fail(`scores[${wrong}] of the ${name}`, "finite or -Infinity", scores[wrong]!);
}

function failStart(name: string, place: number, expected: number, found: number): never {
  fail(`start[${place}] of the ${name}`, expected, found);
}

function failMember(kind: PartKind, arcs: Arcs, byHead: ArcsByHead, members: Int32Array, at: number): never {
  const expected = partLayout(kind, arcs, byHead).members[at]!;
  fail(`members[${at}] of the ${kind} table`, expected, members[at] ?? "nothing");
}

/** Index of the first number that is NaN or +Infinity, or -1. */
function firstNotScore(scores: Float64Array): number {
  for (let i = 0; i < scores.length; i++) {
    // One comparison a score: NaN is less than nothing.
    if (!(scores[i]! < Infinity)) return i;
  }
  return -1;
}

/**
 * Compares the members of the parts that arc `a` owns, from place `at` on, with what the table of positions in
 * `PartTable` puts there. The place after them, or ~place of the first that differs.
 */
function matchOwner(
  kind: Exclude<PartKind, BlockKind>,
  arcs: Arcs,
  byHead: ArcsByHead,
  a: number,
  members: Int32Array,
  at: number,
): number {
  const h = arcs.head[a]!;
  const m = arcs.modifier[a]!;
  const side = byHead.start[2 * h + (m > h ? 1 : 0)]!;
  const r = byHead.rank[a]!;
  switch (kind) {
    case "grandparent":
      return matchRun(members, at, arcs.start[h]!, arcs.start[h + 1]!);
    case "headBigram":
      return matchRun(members, at, arcs.start[m - 1]!, arcs.start[m]!);
    case "nextSibling":
      if (members[at] !== -1) return ~at;
      return matchSiblings(members, at + 1, byHead.arcs, side, r);
    case "sibling":
      return matchSiblings(members, at, byHead.arcs, side, r);
    case "lastSibling":
      return at;
    case "grandSibling":
      return matchGrandSiblings(members, at, arcs.start[h]!, arcs.start[h + 1]!, byHead.arcs, side, r);
    case "triSibling":
      return matchTriSiblings(members, at, byHead.arcs, side, r);
  }
}

/** The arcs from `from` to before `to`. */
function matchRun(members: Int32Array, at: number, from: number, to: number): number {
  let place = at;
  for (let arc = from; arc < to; arc++, place++) if (members[place] !== arc) return ~place;
  return place;
}

/** The `r` nearest siblings. */
function matchSiblings(
  members: Int32Array,
  at: number,
  grouped: Int32Array,
  side: number,
  r: number,
): number {
  let place = at;
  for (let s = 0; s < r; s++, place++) if (members[place] !== grouped[side + s]) return ~place;
  return place;
}

/** For each grandparent from `from` to before `to`: no sibling, then the `r` nearest. */
function matchGrandSiblings(
  members: Int32Array,
  at: number,
  from: number,
  to: number,
  grouped: Int32Array,
  side: number,
  r: number,
): number {
  let place = at;
  for (let g = from; g < to; g++) {
    for (let s = -1; s < r; s++, place += 2) {
      if (members[place] !== g) return ~place;
      if (members[place + 1] !== (s < 0 ? -1 : grouped[side + s]!)) return ~(place + 1);
    }
  }
  return place;
}

/** For each of the `r` nearest siblings: no other, then the ones nearer than it. */
function matchTriSiblings(
  members: Int32Array,
  at: number,
  grouped: Int32Array,
  side: number,
  r: number,
): number {
  let place = at;
  for (let s = 0; s < r; s++) {
    for (let t = -1; t < s; t++, place += 2) {
      if (members[place] !== grouped[side + s]) return ~place;
      if (members[place + 1] !== (t < 0 ? -1 : grouped[side + t]!)) return ~(place + 1);
    }
  }
  return place;
}

function expectSize(what: string, found: number, expected: number): void {
  if (found !== expected) fail(`${what}.length`, expected, found);
}

function fail(what: string, expected: string | number, found: string | number): never {
  throw new RangeError(`${what}: expected ${expected}, got ${found}`);
}
