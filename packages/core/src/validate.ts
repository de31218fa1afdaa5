import type { Scored } from "./decoder.ts";
import { UnsupportedPart } from "./errors/decoder-errors.ts";
import { arcsByHead } from "./parts/arcs-by-head.ts";
import type { ArcsByHead } from "./parts/candidate-lists.ts";
import { MEMBERS, PART_KINDS, type PartKind } from "./parts/kinds.ts";
import { partLayout } from "./parts/part-layout.ts";
import { PartRuns } from "./parts/part-runs.ts";
import type { Arcs, ParsingProblem, PartTable } from "./problem.ts";

/**
 * Checks a problem: sizes that match, arcs grouped by modifier with ascending heads, no score that is NaN or
 * +Infinity, at most one table a kind, and every table complete and in its canonical order (see `PartTable`).
 *
 * Cost: O(n + arcs + parts), without allocation when there are no parts.
 *
 * @throws RangeError that says what was expected, where, and what was found
 */
export function validateProblem(problem: ParsingProblem): void {
  if (problem.parts.length > 0) new ProblemValidator().validate(problem);
  else validateScores(problem);
}

/** Checks problems as `validateProblem` does, in memory that it reuses: a decoder keeps one. */
export class ProblemValidator {
  #byHead: ArcsByHead | undefined;
  readonly #runs = new Map<PartKind, PartRuns>();
  readonly #seen = new Set<PartKind>();

  /**
   * Checks a problem. Returns its candidate arcs by head, which the next call overwrites; their arrays may be
   * longer than the results of `arcsByHead`.
   *
   * Cost: O(n + arcs + parts), without allocation unless the problem is larger than all before.
   *
   * @throws the errors of `validateProblem`
   */
  validate(problem: ParsingProblem): ArcsByHead {
    const { arcs, parts } = problem;
    validateScores(problem);
    const byHead = arcsByHead(arcs, this.#byHead);
    this.#byHead = byHead;
    this.#seen.clear();
    for (const table of parts) {
      const { kind } = table;
      if (!PART_KINDS.includes(kind)) fail("kind of a part table", PART_KINDS.join(", "), kind);
      if (this.#seen.has(kind)) fail("part tables", "at most one a kind", `two of kind "${kind}"`);
      this.#seen.add(kind);
      const runs = this.#runs.get(kind) ?? new PartRuns(kind);
      this.#runs.set(kind, runs);
      validateTable(table, arcs, byHead, runs.prepare(arcs, byHead));
    }
    return byHead;
  }
}

/** Checks the arcs of a problem and their scores. */
function validateScores({ arcs, arcScores }: ParsingProblem): void {
  validateArcs(arcs);
  expectSize("arcScores", arcScores.length, arcs.head.length);
  const wrong = firstNotScore(arcScores);
  if (wrong < 0) return;
  const arc = `${arcs.head[wrong]} -> ${arcs.modifier[wrong]}`;
  fail(`arcScores[${wrong}] (${arc})`, "finite or -Infinity", arcScores[wrong]);
}

/** Checks candidate arcs alone: n, sizes, grouping by modifier, ascending heads from 0 to n. O(n + arcs). */
export function validateArcs(arcs: Arcs): void {
  const { n, start, head, modifier } = arcs;
  if (!Number.isInteger(n) || n < 0) fail("n", "an integer >= 0", n);
  expectSize("arcs.start", start.length, n + 2);
  expectSize("arcs.modifier", modifier.length, head.length);
  if (start[0] !== 0) fail("arcs.start[0]", 0, start[0]);
  if (start[1] !== 0) fail("arcs.start[1]", 0, start[1]);
  for (let m = 1; m <= n; m++) {
    if (start[m + 1] < start[m]) fail(`arcs.start[${m + 1}]`, `at least ${start[m]}`, start[m + 1]);
  }
  if (start[n + 1] !== head.length) fail(`arcs.start[${n + 1}]`, head.length, start[n + 1]);
  for (let m = 1; m <= n; m++) {
    const end = start[m + 1];
    let last = -1;
    for (let a = start[m]; a < end; a++) {
      const h = head[a];
      // One test; the messages are elsewhere, since the loop takes ten times as long with them in it.
      if (modifier[a] !== m || h <= last || h > n || h === m) failArc(arcs, m, a, last);
      last = h;
    }
  }
}

function failArc({ n, head, modifier }: Arcs, m: number, a: number, last: number): never {
  const h = head[a];
  if (modifier[a] !== m) fail(`arcs.modifier[${a}]`, m, modifier[a]);
  if (h <= last) fail(`arcs.head[${a}]`, `more than ${last} (heads ascend within a modifier)`, h);
  fail(`arcs.head[${a}]`, `a position from 0 to ${n} other than ${m}`, h);
}

/**
 * Refuses problems that a decoder cannot score: a part table of a kind that is not in `handles`, even an
 * empty one, or a global scorer unless `handles` has `"global"`.
 *
 * @throws UnsupportedPart
 */
export function requireHandled(problem: ParsingProblem, decoder: string, handles: ReadonlySet<Scored>): void {
  for (const { kind } of problem.parts) {
    if (!handles.has(kind)) throw new UnsupportedPart(decoder, kind, handles);
  }
  if (problem.global !== undefined && !handles.has("global"))
    throw new UnsupportedPart(decoder, "global", handles);
}

function validateTable(table: PartTable, arcs: Arcs, byHead: ArcsByHead, runs: PartRuns): void {
  const { kind, start, members, scores } = table;
  const count = arcs.head.length;
  const width = MEMBERS[kind];
  const name = `${kind} table`;
  expectSize(`(start of the ${name})`, start.length, count + 1);
  if (start[0] !== 0) fail(`start[0] of the ${name}`, 0, start[0]);
  let at = 0;
  let parts = 0;
  for (let a = 0; a < count; a++) {
    const end = runs.match(a, members, at);
    if (end < 0) failMember(kind, arcs, byHead, members, ~end);
    parts += width > 0 ? (end - at) / width : 1;
    at = end;
    if (start[a + 1] !== parts) failStart(name, a + 1, parts, start[a + 1]);
  }
  expectSize(`(members of the ${name})`, members.length, at);
  expectSize(`(scores of the ${name})`, scores.length, parts);
  const wrong = firstNotScore(scores);
  if (wrong >= 0) fail(`scores[${wrong}] of the ${name}`, "finite or -Infinity", scores[wrong]);
}

function failStart(name: string, place: number, expected: number, found: number): never {
  fail(`start[${place}] of the ${name}`, expected, found);
}

function failMember(kind: PartKind, arcs: Arcs, byHead: ArcsByHead, members: Int32Array, at: number): never {
  const expected = partLayout(kind, arcs, byHead).members[at];
  fail(`members[${at}] of the ${kind} table`, expected, members[at] ?? "nothing");
}

/** Returns the index of the first number that is NaN or +Infinity, or -1. */
function firstNotScore(scores: Float64Array): number {
  for (let i = 0; i < scores.length; i++) {
    // A single comparison a score, which is false for NaN as well.
    if (!(scores[i] < Infinity)) return i;
  }
  return -1;
}

function expectSize(what: string, found: number, expected: number): void {
  if (found !== expected) fail(`${what}.length`, expected, found);
}

function fail(what: string, expected: string | number, found: string | number): never {
  throw new RangeError(`${what}: expected ${expected}, got ${found}`);
}
