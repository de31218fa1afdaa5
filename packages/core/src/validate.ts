import { UnsupportedPart } from "./errors.ts";
import { type ArcsByHead, arcsByHead } from "./parts.ts";
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
  for (let a = 0; a < arcScores.length; a++) {
    // One comparison a score: NaN is less than nothing.
    if (!(arcScores[a]! < Infinity)) {
      fail(`arcScores[${a}] (${arcs.head[a]} -> ${arcs.modifier[a]})`, "finite or -Infinity", arcScores[a]!);
    }
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
  const name = `${kind} table`;
  expectSize(`(start of the ${name})`, start.length, count + 1);
  if (start[0] !== 0) fail(`start[0] of the ${name}`, 0, start[0]!);
  const expected = new Cursor(kind, members, name);
  for (let a = 0; a < count; a++) {
    expectOwner(kind, expected, arcs, byHead, a);
    if (start[a + 1] !== expected.part) {
      fail(`start[${a + 1}] of the ${name}`, expected.part, start[a + 1]!);
    }
  }
  expectSize(`(members of the ${name})`, members.length, expected.part * MEMBERS[kind]);
  expectSize(`(scores of the ${name})`, scores.length, expected.part);
  for (let part = 0; part < scores.length; part++) {
    if (!(scores[part]! < Infinity)) {
      fail(`scores[${part}] of the ${name}`, "finite or -Infinity", scores[part]!);
    }
  }
}

/** Walks along the members of a table and compares each with what the layout puts there. */
class Cursor {
  /** Number of parts walked over. */
  part = 0;
  private at = 0;
  private readonly width: number;
  private readonly members: Int32Array;
  private readonly name: string;

  constructor(kind: PartKind, members: Int32Array, name: string) {
    this.width = MEMBERS[kind];
    this.members = members;
    this.name = name;
  }

  /** The next part has these members, as many of them as the kind has. */
  expect(first: number, second: number): void {
    if (this.width > 0) this.member(first);
    if (this.width > 1) this.member(second);
    this.part++;
  }

  private member(arc: number): void {
    const found = this.members[this.at];
    if (found !== arc) fail(`members[${this.at}] of the ${this.name}`, arc, found ?? "nothing");
    this.at++;
  }
}

/** The parts that arc `a` owns, in the order that the table of positions in `PartTable` gives. */
function expectOwner(kind: PartKind, expected: Cursor, arcs: Arcs, byHead: ArcsByHead, a: number): void {
  const h = arcs.head[a]!;
  const m = arcs.modifier[a]!;
  const side = byHead.start[2 * h + (m > h ? 1 : 0)]!;
  const r = byHead.rank[a]!;
  const sibling = (rank: number) => (rank < 0 ? -1 : byHead.arcs[side + rank]!);
  switch (kind) {
    case "grandparent":
      for (let g = arcs.start[h]!; g < arcs.start[h + 1]!; g++) expected.expect(g, -1);
      break;
    case "headBigram":
      for (let g = arcs.start[m - 1]!; g < arcs.start[m]!; g++) expected.expect(g, -1);
      break;
    case "nextSibling":
      for (let s = -1; s < r; s++) expected.expect(sibling(s), -1);
      break;
    case "sibling":
      for (let s = 0; s < r; s++) expected.expect(sibling(s), -1);
      break;
    case "lastSibling":
      expected.expect(-1, -1);
      break;
    case "grandSibling":
      for (let g = arcs.start[h]!; g < arcs.start[h + 1]!; g++) {
        for (let s = -1; s < r; s++) expected.expect(g, sibling(s));
      }
      break;
    case "triSibling":
      for (let s = 0; s < r; s++) {
        for (let t = -1; t < s; t++) expected.expect(sibling(s), sibling(t));
      }
      break;
  }
}

function expectSize(what: string, found: number, expected: number): void {
  if (found !== expected) fail(`${what}.length`, expected, found);
}

function fail(what: string, expected: string | number, found: string | number): never {
  throw new RangeError(`${what}: expected ${expected}, got ${found}`);
}
