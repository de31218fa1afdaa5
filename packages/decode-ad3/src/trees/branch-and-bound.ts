import type { Arcs } from "@arcwise/core";
import type { DualAscent } from "./dual-ascent.ts";
import type { Progress } from "./progress.ts";
import type { Relaxation } from "./relaxation.ts";

/** Limits of a search. */
export interface SearchLimits {
  /** Maximum number of nodes visited; 100,000 by default. */
  readonly nodes?: number | undefined;
  /** Maximum milliseconds per sentence; no limit by default. With a limit, results depend on the machine. */
  readonly milliseconds?: number | undefined;
  /** Clock in milliseconds; `performance.now` by default. Read only if there is a time limit. */
  readonly now?: (() => number) | undefined;
}

/** Result of a search. */
export interface SearchResult {
  /** Every tree scores at most this, or at most as much as the best one seen. */
  readonly bound: number;
  readonly nodes: number;
}

interface Node {
  /** The potentials of all factors, which contain the decisions made so far. */
  readonly potentials: Float64Array;
  readonly bound: number;
}

/** The problem to search, and the best tree known. */
export interface SearchState {
  readonly relaxation: Relaxation;
  readonly arcs: Arcs;
  readonly ascent: DualAscent;
  readonly progress: Progress;
  /** Bounds above the best score by no more than this count as equal to it. */
  readonly tolerance: number;
}

/** Dual ascent iterations per node. */
const ITERATIONS = 60;
const MAX_NODES = 100_000;

/**
 * Searches for the best tree by depth-first branch and bound. A node whose bound is not above the best tree
 * seen is pruned; others are split by an arc that is in the tree or not. The dual of a node starts from that
 * of its parent.
 *
 * `firstOnly`: stop at the first feasible tree.
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
    // Only one tree is left, and it was seen.
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

/** Returns a function that reports whether the time of a search that begins now is over. */
function deadline({ milliseconds, now = () => performance.now() }: SearchLimits): () => boolean {
  if (milliseconds === undefined) return () => false;
  const end = now() + milliseconds;
  return () => now() > end;
}

/**
 * Returns the arc to branch on: the most frequent head of a word that is still undecided. Words on whose arcs
 * factors disagree come first; of those, the one whose trees agree least. -1 when all heads are decided.
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
    for (let arc = start[m]; arc < start[m + 1]; arc++) {
      total += counts[arc];
      if (potentials[arc] === -Infinity) continue;
      candidates++;
      disputed |= marks[arc];
      if (best < 0 || counts[arc] > counts[best]) best = arc;
    }
    if (candidates < 2) continue;
    const share = counts[best] / Math.max(1, total) - disputed;
    if (share < least) {
      least = share;
      found = best;
    }
  }
  return found;
}
