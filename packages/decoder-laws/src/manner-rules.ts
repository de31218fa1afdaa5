import {
  completeArcs,
  MEMBERS,
  PART_KINDS,
  type ParsingProblem,
  type PartKind,
  partLayout,
  requireDecoder,
  UnsupportedPart,
} from "@arcwise/core";
import { plantedProblem } from "./problems.ts";
import { expectThat, forProblems, type Rule, type Subject, thrownBy } from "./subject.ts";
import { copyProblem } from "./transform.ts";

const description: Rule = {
  name: "description",
  says: "the decoder has all members of the contract; handles lists known kinds, including those claimed",
  check({ make, kinds }) {
    const { name, handles } = requireDecoder(make(), "the decoder under test");
    expectThat(make().name === name, () => `expected the name "${name}" again, got "${make().name}"`);
    for (const kind of kinds) {
      expectThat(
        handles.has(kind),
        () => `expected handles to list "${kind}", got ${[...handles].join(", ")}`,
      );
    }
  },
};

const untouched: Rule = {
  name: "untouched",
  says: "the arrays of the problem are not changed",
  check(subject) {
    forProblems(subject, {}, (problem) => {
      const before = copyProblem(problem);
      subject.make().decode(problem);
      expectUntouched(problem, before);
    });
  },
};

/** @throws when an entry of an array of the problem differs from the copy */
export function expectUntouched(problem: ParsingProblem, copy: ParsingProblem): void {
  const before = arraysOf(copy);
  arraysOf(problem).forEach(([name, values], i) => {
    const changed = values.findIndex((value, at) => !Object.is(value, before[i][1][at]));
    expectThat(changed < 0, () => {
      const was = before[i][1][changed];
      return `${name}[${changed}] was ${was} and is ${values[changed]}`;
    });
  });
}

function arraysOf(problem: ParsingProblem): (readonly [string, Int32Array | Float64Array])[] {
  const { arcs, arcScores, parts } = problem;
  return [
    ["arcs.start", arcs.start],
    ["arcs.head", arcs.head],
    ["arcs.modifier", arcs.modifier],
    ["arcScores", arcScores],
    ...parts.flatMap(({ kind, start, members, scores }): (readonly [string, Int32Array | Float64Array])[] => [
      [`${kind}.start`, start],
      [`${kind}.members`, members],
      [`${kind}.scores`, scores],
    ]),
  ];
}

const aliased: Rule = {
  name: "aliased",
  says: "the caller owns a result: later problems do not change it, and changing it has no effect",
  check(subject) {
    const others: ParsingProblem[] = [];
    forProblems(subject, {}, (problem) => {
      if (others.length < 20) others.push(problem);
    });
    forProblems(subject, {}, (problem, extra) => {
      const decoder = subject.make();
      const input = copyProblem(problem);
      const { heads } = decoder.decode(input);
      const copy = heads.join(" ");
      const other = others[extra % others.length];
      const second = decoder.decode(copyProblem(other)).heads;
      expectThat(heads.join(" ") === copy, () => `heads were ${copy} and became ${heads.join(" ")}`);
      const expected = second.join(" ");
      second.fill(-7);
      const again = decoder.decode(copyProblem(other)).heads.join(" ");
      expectThat(again === expected, () => `after its heads were overwritten, ${expected} became ${again}`);
      for (const [name, values] of arraysOf(input)) {
        expectThat(values.buffer !== heads.buffer, () => `the heads share their memory with ${name}`);
      }
    });
  },
};

const refusal: Rule = {
  name: "refusal",
  says: "parts of a kind that is not in handles, and a global score that is not, throw an UnsupportedPart",
  check(subject) {
    const { handles } = subject.make();
    const { problem } = plantedProblem(3, subject.seed, subject.kinds, subject);
    for (const kind of PART_KINDS) {
      if (handles.has(kind)) continue;
      const foreign = partLayout(kind, problem.arcs);
      expectRefusal(subject, { ...problem, parts: [foreign] }, kind);
      expectRefusal(subject, { ...problem, parts: [...problem.parts, foreign] }, kind);
    }
    if (subject.global) return;
    expectRefusal(subject, { ...problem, global: { name: "nothing", score: () => 0 } }, "global");
  },
};

function expectRefusal(subject: Subject, problem: ParsingProblem, kind: PartKind | "global"): void {
  const decoder = subject.make();
  const thrown = thrownBy(() => decoder.decode(problem));
  expectThat(thrown instanceof UnsupportedPart, () => `expected UnsupportedPart for ${kind}, got ${thrown}`);
  const error = thrown as UnsupportedPart;
  expectThat(
    error.kind === kind && error.decoder === decoder.name,
    () =>
      `expected ${decoder.name} to refuse ${kind}, but the error names ${error.decoder} and ${error.kind}`,
  );
}

const malformed: Rule = {
  name: "malformed",
  says: "NaN, +Infinity and arrays of inconsistent sizes throw a RangeError",
  check(subject) {
    for (const [what, problem] of malformedProblems(subject.kinds)) {
      const thrown = thrownBy(() => subject.make().decode(problem));
      expectThat(thrown instanceof RangeError, () => `expected a RangeError for ${what}, got ${thrown}`);
    }
  },
};

/** Returns problems of three words, each with one fault. */
export function malformedProblems(kinds: readonly PartKind[]): (readonly [string, ParsingProblem])[] {
  const arcs = completeArcs(3);
  const arcScores = Float64Array.from(arcs.head, (h, a) => h - arcs.modifier[a]);
  const sound: ParsingProblem = { arcs, arcScores, parts: [] };
  const changed = <T extends Int32Array | Float64Array>(values: T, at: number, value: number): T => {
    const copy = values.slice() as T;
    copy[at] = value;
    return copy;
  };
  const list: (readonly [string, ParsingProblem])[] = [
    ["a NaN arc score", { ...sound, arcScores: changed(arcScores, 4, Number.NaN) }],
    ["a last arc score that is NaN", { ...sound, arcScores: changed(arcScores, 8, Number.NaN) }],
    ["an infinite arc score", { ...sound, arcScores: changed(arcScores, 0, Infinity) }],
    ["an arc score too few", { ...sound, arcScores: arcScores.slice(0, -1) }],
    ["an arc score too many", { ...sound, arcScores: Float64Array.of(...arcScores, 0) }],
    ["a start too few", { ...sound, arcs: { ...arcs, start: arcs.start.slice(0, -1) } }],
    ["a modifier in a wrong group", { ...sound, arcs: { ...arcs, modifier: changed(arcs.modifier, 0, 2) } }],
    ["a head out of range", { ...sound, arcs: { ...arcs, head: changed(arcs.head, 2, 4) } }],
    ["heads out of order", { ...sound, arcs: { ...arcs, head: changed(arcs.head, 2, 0) } }],
    ["a word as its own head", { ...sound, arcs: { ...arcs, head: changed(arcs.head, 0, 1) } }],
  ];
  for (const kind of kinds) {
    const table = partLayout(kind, arcs);
    const withTable = (part: Partial<typeof table>) => ({ ...sound, parts: [{ ...table, ...part }] });
    list.push([`a NaN ${kind} score`, withTable({ scores: changed(table.scores, 0, Number.NaN) })]);
    list.push([`a ${kind} score too few`, withTable({ scores: table.scores.slice(0, -1) })]);
    if (MEMBERS[kind] > 0)
      list.push([`a ${kind} member too few`, withTable({ members: table.members.slice(0, -1) })]);
    list.push([`two ${kind} tables`, { ...sound, parts: [table, table] }]);
  }
  return list;
}

/** Laws of side effects, refusals and errors. */
export const MANNER_RULES: readonly Rule[] = [description, untouched, aliased, refusal, malformed];
