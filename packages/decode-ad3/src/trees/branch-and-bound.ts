import type { Arcs } from "@arcwise/core";
import type { DualAscent } from "./dual-ascent.ts";
import type { Progress } from "./progress.ts";
import type { Relaxation } from "./relaxation.ts";

/** When to give up. */
export interface SearchLimits {
  /** Parts of the search space that are visited, at most; 100,000 by default. */
  readonly nodes?: number;
  /** Milliseconds for a sentence; no limit by default. With one, answers depend on the machine. */
  readonly milliseconds?: number;
  /**
   * The clock, in milliseconds; `performance.now` unless said otherwise. It is read only where there is a
   * limit.
   */
  readonly now?: () => number;
}

/** What a search found out. */
export interface SearchResult {
  /** No tree is better than this, or than the best one seen. */
  readonly bound: number;
  readonly nodes: number;
}

interface Node {
  /** The potentials of all factors, in which the decisions so far are contained. */
  readonly potentials: Float64Array;
  readonly bound: number;
}

/** The problem that a search goes on with, and the best tree that it knows. */
export interface SearchState {
  readonly relaxation: Relaxation;
  readonly arcs: Arcs;
  readonly ascent: DualAscent;
  readonly progress: Progress;
  /** Bounds above the best score by no more than this are equal to it. */
  readonly tolerance: number;
}

/** Iterations of the dual ascent for each part of the search space. */
const ITERATIONS = 60;
const MAX_NODES = 100_000;

/**
 * Searches for the best tree, depth first: a part of the search space whose bound is not above the best tree
 * seen is left out, others are divided in two by an arc that is in the tree or not. The bound of a part is
 * that of its dual, which goes on from where that of the whole was.
 *
 * `firstOnly`: stop at any tree that is allowed.
 */
export function branchAndBound(
  { relaxation, arcs, ascent, progress, tolerance }: SearchState,
  limits: SearchLimits,
  firstOnly = false,
): SearchResult {
  const maxNodes = limits.nodes ?? MAX_NODES;
  const isLate = deadline(limits);
  const marks = new Uint8Array(arcs.head.length);
  const open: Node[] = [{ potentials: relaxation.save(), bound: Infinity }];
  let nodes = 0;
  let closed = -Infinity;
  while (open.length > 0) {
    if (nodes >= maxNodes || isLate()) break;
    if (firstOnly && progress.score > -Infinity) break;
    const node = open.pop()!;
    if (node.bound <= progress.score + tolerance) continue;
    nodes++;
    relaxation.restore(node.potentials);
    const bound = Math.min(node.bound, ascent.run(relaxation, arcs, ITERATIONS, tolerance, progress));
    if (bound <= progress.score + tolerance || bound === -Infinity) continue;
    const arc = branchingArc(relaxation, arcs, ascent, marks);
    // A single tree is left, and was seen.
    if (arc < 0) continue;
    const here = relaxation.save();
    relaxation.forbid(arc);
    open.push({ potentials: relaxation.save(), bound });
    relaxation.restore(here);
    relaxation.enforce(arcs, arc);
    open.push({ potentials: relaxation.save(), bound });
  }
  for (const { bound } of open) closed = Math.max(closed, bound);
  return { bound: closed, nodes };
}

/** Whether the time of a search that begins now is over. */
function deadline({ milliseconds, now = () => performance.now() }: SearchLimits): () => boolean {
  if (milliseconds === undefined) return () => false;
  const end = now() + milliseconds;
  return () => now() > end;
}

/**
 * Of a word whose head is still open, the head that it has most often: of the word whose trees are least of
 * one mind, those first about whose arcs the factors disagree. -1 when all heads are decided.
 */
function branchingArc(
  relaxation: Relaxation,
  { n, start }: Arcs,
  ascent: DualAscent,
  marks: Uint8Array,
): number {
  const { potentials } = relaxation.tree;
  const { counts } = ascent;
  marks.fill(0);
  ascent.markDisagreements(relaxation, marks);
  let found = -1;
  let least = Infinity;
  for (let m = 1; m <= n; m++) {
    let candidates = 0;
    let best = -1;
    let total = 0;
    let disputed = 0;
    for (let arc = start[m]!; arc < start[m + 1]!; arc++) {
      total += counts[arc]!;
      if (potentials[arc] === -Infinity) continue;
      candidates++;
      disputed |= marks[arc]!;
      if (best < 0 || counts[arc]! > counts[best]!) best = arc;
    }
    if (candidates < 2) continue;
    const share = counts[best]! / Math.max(1, total) - disputed;
    if (share < least) {
      least = share;
      found = best;
    }
  }
  return found;
}
