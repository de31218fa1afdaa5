import {
  arcIndex,
  checkTree,
  completeArcs,
  type Decoder,
  type Decoding,
  isProjective,
  isTree,
  MEMBERS,
  type ParsingProblem,
  type PartKind,
  partLayout,
  requireDecoder,
  scoreTree,
} from "@arcwise/core";
import { type Family, type RuleOf, type SubjectOf, toolsOf, type Values } from "./contract.ts";
import { bestTree } from "./oracle.ts";
import { type ProblemOptions, plantedProblem, problems } from "./problems.ts";
import { copyProblem, raiseArc, scaleScores } from "./transform.ts";

export { expectClose, expectThat, thrownBy } from "./contract.ts";

/** A decoder of trees under test, with the claims about it. */
export interface Subject extends SubjectOf<Decoder> {
  readonly projective: boolean;
  readonly singleRoot: boolean;
  readonly kinds: readonly PartKind[];
  readonly global: boolean;
  /** Maximal number of words of the problems that are compared with brute force. */
  readonly words: number;
  /** Number of words of the problems with a planted tree. */
  readonly large: number;
}

/** One rule of the contract of trees. */
export type Rule = RuleOf<Subject>;

/** Returns an arbitrary of problems that the subject can decode. */
function problemsOf(subject: Subject, options: ProblemOptions) {
  return problems({ ...subject, most: subject.words, ...options });
}

/** The definitions of trees that the rules shared with graphs need. */
export const TREES: Family<Subject, Decoder, ParsingProblem, Decoding> = {
  thing: "tree",
  scorer: "scoreTree",
  problems: problemsOf,
  harder: (subject) => problemsOf(subject, { forbidden: true }),
  planted(subject) {
    const { problem, heads } = plantedProblem(subject.large, subject.seed, subject.kinds, subject);
    return { problem, best: scoreTree(problem, heads) };
  },
  copy: copyProblem,
  copyResult: ({ heads, score, bound }) => ({ heads: Int32Array.from(heads), score, bound }),
  arraysOf: ({ arcs, arcScores, parts }) => [
    ["arcs.start", arcs.start],
    ["arcs.head", arcs.head],
    ["arcs.modifier", arcs.modifier],
    ["arcScores", arcScores],
    ...parts.flatMap(({ kind, start, members, scores }): (readonly [string, Values])[] => [
      [`${kind}.start`, start],
      [`${kind}.members`, members],
      [`${kind}.scores`, scores],
    ]),
  ],
  arraysOfResult: ({ heads }) => [heads],
  measure: (subject, problem, { heads }) => measure(subject, problem, heads),
  best: (subject, problem) => bestTree(problem, subject),
  terms({ arcs, parts, global }) {
    const other = global?.score(new Int32Array(arcs.n + 1).fill(-1)) ?? 0;
    return [arcs.n * (1 + parts.length + arcs.n), Math.abs(other)];
  },
  scale: scaleScores,
  raise(problem, { heads }, draw, by) {
    const m = 1 + (draw % problem.arcs.n);
    return raiseArc(problem, arcIndex(problem.arcs, heads[m], m), by);
  },
  checked: (decoder) => requireDecoder(decoder, "the decoder under test"),
  malformed: ({ kinds }) => malformedProblems(kinds),
};

export const { answer, attempt, slack, forAll, expectOptimal, expectRelated } = toolsOf(TREES);

/** Runs a check on problems that the subject can decode. `extra` is a random integer from 0 to 2^31 - 1. */
export function forProblems(
  subject: Subject,
  options: ProblemOptions,
  check: (problem: ParsingProblem, extra: number) => void,
): void {
  forAll(subject, problemsOf(subject, options), check);
}

/**
 * Returns the score of a result by `scoreTree`, or `undefined` when its heads are not a tree of the family or
 * use a pruned arc, which only the laws `tree` and `pruned` check.
 */
export function measure(subject: Subject, problem: ParsingProblem, heads: Int32Array): number | undefined {
  if (heads.length !== problem.arcs.n + 1 || faultOf(subject, heads) !== undefined) return undefined;
  const score = scoreTree(problem, heads);
  return score === -Infinity ? undefined : score;
}

/** Returns why heads are not a tree of the subject's family; `undefined` when they are one. */
export function faultOf(subject: Subject, heads: Int32Array): string | undefined {
  const fault = checkTree(heads, subject);
  if (fault !== undefined) return fault;
  return subject.projective && !isProjective(heads) ? "the tree is not projective" : undefined;
}

/** Returns whether heads are a tree, of the family or not. */
export function isAnyTree(problem: ParsingProblem, heads: Int32Array): boolean {
  return heads.length === problem.arcs.n + 1 && isTree(heads, { singleRoot: false });
}

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
