import { type Arcs, arcsByHead, type Decoder, MEMBERS, type PartKind, partCount } from "@arcwise/core";
import { power } from "@arcwise/core/arithmetic";
import { plainEisnerDecoder, plainMstDecoder } from "@arcwise/decode-mst";
import type { ScoredArcs } from "../arcs/arc-scorer.ts";

/**
 * Maximum number of parts of a sentence, all kinds together. The parts of a head grow with the square or the
 * cube of its candidate modifiers, so that a sentence that repeats one word may have as many as n³. The
 * largest sentence of the test splits of four treebanks has a sixth of the limit. A part takes 20 bytes, and
 * some more in decoders.
 */
export const MAX_PARTS = 1_000_000;

/** Maximum numbers of candidate heads per word, tried in turn if a sentence has too many parts. */
const FEWER_HEADS = [8, 4, 2] as const;

/** The candidates and kinds of parts that were omitted from a sentence because it has too many parts. */
export interface PartReduction {
  /** Maximum number of candidate heads of a word; undefined: all that the pruner keeps. */
  readonly heads: number | undefined;
  /** Kinds of parts that are not scored, largest first. */
  readonly leftOut: readonly PartKind[];
}

/** Candidate arcs with their scores. */
export interface ScoredCandidates extends ScoredArcs {
  readonly arcs: Arcs;
}

/** The candidates and kinds of parts of a sentence within the limit. */
export interface LimitedParts<Kind extends PartKind> extends ScoredCandidates {
  readonly kinds: readonly Kind[];
  /** Undefined where everything is within the limit. */
  readonly reduction: PartReduction | undefined;
}

/**
 * Returns candidates and kinds of parts with at most `MAX_PARTS` parts. If all candidates have more, each
 * word keeps fewer heads, the heads of the highest scores and the heads of the best tree by these scores; if that is not
 * enough, the kinds with the most parts are omitted. O(arcs log n + n) a trial, O(n³) where trees are
 * projective.
 */
export function limitParts<Kind extends PartKind>(
  given: ScoredCandidates,
  kinds: readonly Kind[],
  trees: Decoder["trees"],
): LimitedParts<Kind> {
  if (isWithinLimit(given.arcs, kinds)) {
    const { arcs, scores, labels } = given;
    return { arcs, scores, labels, kinds, reduction: undefined };
  }
  const heads = bestTree(given, trees);
  let fewest = given;
  for (const most of FEWER_HEADS) {
    fewest = keepHeads(given, heads, most);
    if (isWithinLimit(fewest.arcs, kinds)) {
      return { ...fewest, kinds, reduction: { heads: most, leftOut: [] } };
    }
  }
  const most = FEWER_HEADS.at(-1)!;
  const byHead = arcsByHead(fewest.arcs);
  const counts = new Map(kinds.map((kind) => [kind, partCount(kind, fewest.arcs, byHead)]));
  const leftOut = [...kinds].sort((a, b) => counts.get(b)! - counts.get(a)!);
  let total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let out = 0;
  while (total > MAX_PARTS) total -= counts.get(leftOut[out++])!;
  leftOut.length = out;
  const left = kinds.filter((kind) => !leftOut.includes(kind));
  return { ...fewest, kinds: left, reduction: { heads: most, leftOut } };
}

/**
 * Whether the number of parts is within the limit. Parts are counted only where an upper bound, n + 1 choices
 * of each member, exceeds it.
 */
function isWithinLimit(arcs: Arcs, kinds: readonly PartKind[]): boolean {
  let bound = 0;
  for (const kind of kinds) bound += arcs.head.length * power(arcs.n + 1, MEMBERS[kind]);
  if (bound <= MAX_PARTS) return true;
  const byHead = arcsByHead(arcs);
  return kinds.reduce((sum, kind) => sum + partCount(kind, arcs, byHead), 0) <= MAX_PARTS;
}

function bestTree({ arcs, scores }: ScoredCandidates, trees: Decoder["trees"]): Int32Array {
  const decoder = trees === "projective" ? plainEisnerDecoder() : plainMstDecoder();
  return decoder.decode({ arcs, arcScores: scores, parts: [] }).heads;
}

/** Returns the candidates of the `most` highest scores of each word, and the arcs of a tree. O(arcs · most). */
function keepHeads(
  { arcs, scores, labels }: ScoredCandidates,
  heads: Int32Array,
  most: number,
): ScoredCandidates {
  const { n, start, head, modifier } = arcs;
  const kept: number[] = [];
  const newStart = new Int32Array(n + 2);
  for (let m = 1; m <= n; m++) {
    const order = Array.from({ length: start[m + 1] - start[m] }, (_, k) => start[m] + k);
    order.sort((a, b) => scores[b] - scores[a] || a - b);
    const chosen = order.filter((a, k) => k < most || head[a] === heads[m]);
    kept.push(...chosen.sort((a, b) => a - b));
    newStart[m + 1] = kept.length;
  }
  const pick = (column: Int32Array) => Int32Array.from(kept, (a) => column[a]);
  return {
    arcs: { n, start: newStart, head: pick(head), modifier: pick(modifier) },
    scores: Float64Array.from(kept, (a) => scores[a]),
    labels: labels.length === 0 ? labels : pick(labels),
  };
}
