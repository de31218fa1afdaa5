import {
  type ArcPair,
  type Arcs,
  arcIndex,
  MEMBERS,
  NoTree,
  type ParsingProblem,
  type PartTable,
} from "@arcwise/core";

/** Arcs that trees must and must not contain. */
export interface ArcConstraints {
  /** Arcs that every tree contains: at most one for each modifier. */
  readonly forced?: Iterable<ArcPair> | undefined;
  /** Arcs that no tree contains; they need not be candidates. */
  readonly forbidden?: Iterable<ArcPair> | undefined;
}

/** A problem over fewer arcs, and where they come from. */
export interface CompactProblem {
  readonly problem: ParsingProblem;
  /** For each arc of the new problem, its index in the old one. */
  readonly kept: Int32Array;
}

/**
 * The same problem, restricted to trees that meet the constraints: the score of an arc that is forbidden, or
 * that competes with a forced one, becomes -Infinity. So constrained decoding needs nothing of decoders: all
 * of them leave pruned arcs alone.
 *
 * The candidate arcs and the part tables are shared with the given problem, not copied: arc indices keep
 * their meaning (for what else is kept by arc, such as labels), and a score is a score of both problems.
 * Where many arcs are pruned and parts are many, `dropPrunedArcs` makes the problem smaller as well.
 *
 * O(arcs + constraints · log n).
 *
 * @throws RangeError when a constraint is not an arc of the sentence, or two forced arcs have one modifier
 * @throws NoTree when a forced arc is not a candidate, or is pruned or also forbidden
 */
export function restrictArcs(problem: ParsingProblem, constraints: ArcConstraints): ParsingProblem {
  const { arcs } = problem;
  const arcScores = problem.arcScores.slice();
  for (const [h, m] of constraints.forbidden ?? []) {
    checkArc(arcs, "forbidden", h, m);
    const arc = arcIndex(arcs, h, m);
    if (arc >= 0) arcScores[arc] = -Infinity;
  }
  const forcedHead = new Int32Array(arcs.n + 1).fill(-1);
  for (const [h, m] of constraints.forced ?? []) {
    checkArc(arcs, "forced", h, m);
    const other = forcedHead[m];
    if (other >= 0 && other !== h)
      throw new RangeError(`forced arcs give word ${m} two heads, ${other} and ${h}`);
    forcedHead[m] = h;
    const arc = arcIndex(arcs, h, m);
    if (arc < 0 || arcScores[arc] === -Infinity) {
      const why =
        arc < 0 ? "not a candidate" : problem.arcScores[arc] === -Infinity ? "pruned" : "forbidden as well";
      throw new NoTree("restrictArcs", `the forced arc ${h} -> ${m} is ${why}`);
    }
  }
  for (let a = 0; a < arcScores.length; a++) {
    const forced = forcedHead[arcs.modifier[a]];
    if (forced >= 0 && arcs.head[a] !== forced) arcScores[a] = -Infinity;
  }
  return { ...problem, arcScores };
}

/**
 * The same problem without its pruned arcs: fewer candidate arcs, and part tables with only those parts whose
 * arcs are all left, in the canonical layout. Every tree has the score that it had, and -Infinity if it used
 * a pruned arc. (A tree scorer of the whole problem is passed on as it is.)
 *
 * O(n + arcs + parts).
 */
export function dropPrunedArcs(problem: ParsingProblem): CompactProblem {
  const { arcs, arcScores } = problem;
  const kept = new Int32Array(countFinite(arcScores));
  const renamed = new Int32Array(arcScores.length).fill(-1);
  const start = new Int32Array(arcs.n + 2);
  for (let a = 0, next = 0; a < arcScores.length; a++) {
    if (arcScores[a] === -Infinity) continue;
    kept[next] = a;
    renamed[a] = next++;
    start[arcs.modifier[a] + 1] = next;
  }
  for (let m = 1; m <= arcs.n; m++) start[m + 1] = Math.max(start[m], start[m + 1]);
  return {
    kept,
    problem: {
      ...problem,
      arcs: { n: arcs.n, start, head: gather(arcs.head, kept), modifier: gather(arcs.modifier, kept) },
      arcScores: arcScores.filter((score) => score !== -Infinity),
      parts: problem.parts.map((table) => dropParts(table, kept, renamed)),
    },
  };
}

/**
 * A table without the parts that name a dropped arc. What is left of a canonical table is one again: parts of
 * an owner are in the order of their members, and the order of members does not change by leaving some out.
 */
function dropParts(table: PartTable, kept: Int32Array, renamed: Int32Array): PartTable {
  const { kind, start, members, scores } = table;
  const width = MEMBERS[kind];
  const newStart = new Int32Array(kept.length + 1);
  const newMembers = new Int32Array(members.length);
  const newScores = new Float64Array(scores.length);
  let next = 0;
  for (let a = 0; a < kept.length; a++) {
    const end = start[kept[a] + 1];
    for (let part = start[kept[a]]; part < end; part++) {
      if (!isLeft(members, renamed, part * width, width)) continue;
      for (let i = 0; i < width; i++) {
        const member = members[part * width + i];
        newMembers[next * width + i] = member < 0 ? -1 : renamed[member];
      }
      newScores[next++] = scores[part];
    }
    newStart[a + 1] = next;
  }
  return {
    kind,
    start: newStart,
    members: newMembers.slice(0, next * width),
    scores: newScores.slice(0, next),
  };
}

/** Returns whether no arc is dropped among the `width` members at `from`. */
function isLeft(members: Int32Array, renamed: Int32Array, from: number, width: number): boolean {
  for (let i = from; i < from + width; i++) if (members[i] >= 0 && renamed[members[i]] < 0) return false;
  return true;
}

function countFinite(scores: Float64Array): number {
  let count = 0;
  for (let a = 0; a < scores.length; a++) if (scores[a] !== -Infinity) count++;
  return count;
}

function gather(values: Int32Array, at: Int32Array): Int32Array {
  const result = new Int32Array(at.length);
  for (let i = 0; i < at.length; i++) result[i] = values[at[i]];
  return result;
}

function checkArc({ n }: Arcs, what: string, h: number, m: number): void {
  const isHead = Number.isInteger(h) && h >= 0 && h <= n;
  const isModifier = Number.isInteger(m) && m >= 1 && m <= n;
  if (isHead && isModifier && h !== m) return;
  throw new RangeError(`${what} arc ${h} -> ${m}: expected a head 0..${n} and another word 1..${n}`);
}
