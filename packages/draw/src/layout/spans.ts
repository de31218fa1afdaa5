import type { DiagramArc } from "../diagram.ts";

/** A line of words: those from `first` to `last`, positions of the diagram. */
export interface WordRange {
  readonly first: number;
  readonly last: number;
}

/**
 * An arc, or its part, over the places of a line: places 1..k are words, 0 and k + 1 are the margins, where
 * parts of arcs to other lines end. An arc from the root has `from` = `to` = its modifier; so has an arc from
 * a word to itself.
 */
export interface Span {
  /** Index of the arc in the diagram. */
  readonly arc: number;
  readonly shape: "arc" | "root" | "loop";
  readonly part: "whole" | "start" | "middle" | "end";
  readonly from: number;
  readonly to: number;
  /** Whether the modifier is at `to`, or beyond it. */
  readonly isRightward: boolean;
  /** Distance of the head and the modifier. */
  readonly length: number;
  /** Height above the words, from 1. */
  readonly level: number;
}

/**
 * Returns the spans of one side of a line with their levels: each is above all shorter ones that it overlaps.
 * O(e²) for e arcs.
 */
export function lineSpans(arcs: readonly DiagramArc[], { first, last }: WordRange, isBelow: boolean): Span[] {
  const spans: Omit<Span, "level">[] = [];
  for (const [arc, { head, modifier, isBelow: below = false }] of arcs.entries()) {
    if (below !== isBelow) continue;
    const [low, high] =
      head === 0 ? [modifier, modifier] : [Math.min(head, modifier), Math.max(head, modifier)];
    if (high < first || low > last) continue;
    spans.push({
      arc,
      shape: head === 0 ? "root" : head === modifier ? "loop" : "arc",
      part: partOf(head === 0 ? modifier : head, modifier, { first, last }),
      from: Math.max(low, first - 1) - first + 1,
      to: Math.min(high, last + 1) - first + 1,
      isRightward: head < modifier,
      length: high - low,
    });
  }
  return withLevels(spans);
}

function partOf(head: number, modifier: number, { first, last }: WordRange): Span["part"] {
  const isIn = (position: number): boolean => position >= first && position <= last;
  if (isIn(head)) return isIn(modifier) ? "whole" : "start";
  return isIn(modifier) ? "end" : "middle";
}

const SHAPE_ORDER = { loop: 0, arc: 1, root: 2 } as const;

function withLevels(spans: readonly Omit<Span, "level">[]): Span[] {
  const ordered = [...spans].sort(
    (a, b) =>
      SHAPE_ORDER[a.shape] - SHAPE_ORDER[b.shape] ||
      a.to - a.from - (b.to - b.from) ||
      a.length - b.length ||
      a.from - b.from ||
      a.arc - b.arc,
  );
  const placed: Span[] = [];
  for (const span of ordered) {
    let level = 1;
    for (const other of placed) if (overlaps(span, other)) level = Math.max(level, other.level + 1);
    placed.push({ ...span, level });
  }
  return placed;
}

function overlaps(a: Omit<Span, "level">, b: Span): boolean {
  // A root arc is above all arcs that touch or span its word.
  if (a.shape === "root" || b.shape === "root") return a.from <= b.to && b.from <= a.to;
  if (a.shape === "loop" && b.shape === "loop") return a.from === b.from;
  // A loop is at the right of its word, below the arcs that leave to the right.
  if (b.shape === "loop") return a.from <= b.from && b.from < a.to;
  return a.from < b.to && b.from < a.to;
}
