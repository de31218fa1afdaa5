import { UnsupportedPart } from "../errors/decoder-errors.ts";
import { validateArcs } from "../validate.ts";
import { graphChains } from "./chains.ts";
import {
  type ChainTable,
  GRAPH_PART_KINDS,
  type GraphConstraints,
  type GraphHandled,
  type GraphProblem,
  type PairTable,
} from "./graph-problem.ts";
import { isPairTable } from "./score-graph.ts";

/** The constraints that `GraphDecoder.handles` may contain. */
export const GRAPH_CONSTRAINTS = ["headed", "acyclic", "connected", "spanningTree"] as const;

/**
 * Checks a problem: sizes that match, arcs grouped by modifier, labels ascending within an arc, no score that
 * is NaN or +Infinity, finite scores of parts, at most one table a kind, each in order.
 *
 * Cost: O(n + arcs + labelled arcs + parts).
 *
 * @throws RangeError that says what was expected, where, and what was found
 */
export function validateGraphProblem(problem: GraphProblem): void {
  const { arcs, arcScores, predicateScores, labels, unique, parts } = problem;
  validateArcs(arcs);
  const count = arcs.head.length;
  expect("length of arcScores", count, arcScores.length);
  expect("length of predicateScores", arcs.n + 1, predicateScores.length);
  expect("predicateScores[0]", 0, predicateScores[0]);
  expect("length of unique", labels.count, unique.length);
  expectScores("arcScores", arcScores);
  expectScores("predicateScores", predicateScores);
  validateLabels(problem);
  const seen = new Set<string>();
  for (const table of parts) {
    if (!GRAPH_PART_KINDS.includes(table.kind))
      fail("kind of a table", GRAPH_PART_KINDS.join(", "), table.kind);
    if (seen.has(table.kind)) fail("tables", "at most one a kind", `two of kind "${table.kind}"`);
    seen.add(table.kind);
    if (isPairTable(table)) validatePairs(problem, table);
    else validateChains(problem, table);
  }
}

function validateLabels({ arcs, labels }: GraphProblem): void {
  const { count, start, label, scores } = labels;
  expect("length of labels.start", arcs.head.length + 1, start.length);
  expect("length of labels.scores", label.length, scores.length);
  expect("labels.start[0]", 0, start[0]);
  expect("the last of labels.start", label.length, start[arcs.head.length]);
  for (let a = 0; a < arcs.head.length; a++) {
    if (start[a + 1] < start[a]) fail(`labels.start[${a + 1}]`, `at least ${start[a]}`, start[a + 1]);
    let last = -1;
    for (let k = start[a]; k < start[a + 1]; k++) {
      if (label[k] <= last || label[k] >= count) {
        fail(`labels.label[${k}]`, `from ${last + 1} to ${count - 1}, ascending within an arc`, label[k]);
      }
      last = label[k];
    }
  }
  expectScores("labels.scores", scores);
}

function validatePairs({ arcs }: GraphProblem, { kind, first, second, scores }: PairTable): void {
  expect(`length of first of ${kind}`, scores.length, first.length);
  expect(`length of second of ${kind}`, scores.length, second.length);
  const { head, modifier } = arcs;
  for (let p = 0; p < scores.length; p++) {
    const [a, b] = [first[p], second[p]];
    const fits =
      kind === "grandparent"
        ? modifier[a] === head[b]
        : kind === "sibling"
          ? head[a] === head[b] && modifier[a] < modifier[b]
          : modifier[a] === modifier[b] && head[a] < head[b];
    if (a < 0 || b < 0 || a >= head.length || b >= head.length || !fits) {
      fail(`pair ${p} of ${kind}`, `two arcs that are a ${kind} part`, `arcs ${a} and ${b}`);
    }
    if (p > 0 && (first[p - 1] > a || (first[p - 1] === a && second[p - 1] >= b))) {
      fail(`pair ${p} of ${kind}`, "pairs ascending by first and second", `${a}, ${b}`);
    }
    if (!Number.isFinite(scores[p])) fail(`scores[${p}] of ${kind}`, "finite", scores[p]);
  }
}

function validateChains({ arcs }: GraphProblem, { kind, start, scores }: ChainTable): void {
  const { rank, start: chains } = graphChains(kind, arcs);
  expect(`length of start of ${kind}`, arcs.head.length + 1, start.length);
  expect(`start[0] of ${kind}`, 0, start[0]);
  for (let a = 0; a < rank.length; a++) {
    expect(`start[${a + 1}] of ${kind}`, start[a] + rank[a] + 2, start[a + 1]);
  }
  const [owned, all] = [start[rank.length], start[rank.length] + chains.length - 1];
  if (scores.length !== all) expect(`length of scores of ${kind}`, owned, scores.length);
  for (let k = 0; k < scores.length; k++) {
    if (!Number.isFinite(scores[k])) fail(`scores[${k}] of ${kind}`, "finite", scores[k]);
  }
}

/**
 * Refuses problems that a decoder of graphs cannot take: a table of a kind, unique labels or a constraint
 * that `handles` lacks.
 *
 * @throws UnsupportedPart
 */
export function requireGraphHandled(
  { parts, unique, constraints = {} }: GraphProblem,
  decoder: string,
  handles: ReadonlySet<GraphHandled>,
): void {
  const asked: GraphHandled[] = parts.map(({ kind }) => kind);
  if (unique.includes(1)) asked.push("unique");
  for (const name of GRAPH_CONSTRAINTS)
    if (constraints[name satisfies keyof GraphConstraints]) asked.push(name);
  for (const kind of asked) if (!handles.has(kind)) throw new UnsupportedPart(decoder, kind, handles);
}

function expectScores(name: string, scores: Float64Array): void {
  for (let i = 0; i < scores.length; i++) {
    if (!(scores[i] < Infinity)) fail(`${name}[${i}]`, "finite or -Infinity", scores[i]);
  }
}

function expect(what: string, expected: number, found: number): void {
  if (found !== expected) fail(what, expected, found);
}

function fail(what: string, expected: number | string, found: number | string): never {
  throw new RangeError(`${what}: expected ${expected}, got ${found}`);
}
