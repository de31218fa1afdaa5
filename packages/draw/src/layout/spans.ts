import type { Diagram, DiagramArc } from "../diagram.ts";
import { RangeMax } from "./range-max.ts";

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
  /** Indices of all arcs that share this start; undefined if it is the start of one arc. */
  readonly shared?: readonly number[] | undefined;
  readonly shape: "arc" | "root" | "loop";
  readonly part: "whole" | "start" | "end";
  readonly from: number;
  readonly to: number;
  /** Whether the modifier is at `to`, or beyond it. */
  readonly isRightward: boolean;
  /** Distance of the head and the modifier. */
  readonly length: number;
  /** Height above the words, from 1. */
  readonly level: number;
}

type FlatSpan = Omit<Span, "level">;

/** Returns for each word the indices of the arcs that enter or leave it. */
export function arcsOfWords({ words, arcs }: Diagram): number[][] {
  const byWord = Array.from({ length: words.length + 1 }, (): number[] => []);
  for (const [arc, { head, modifier }] of arcs.entries()) {
    byWord[modifier]!.push(arc);
    if (head > 0 && head !== modifier) byWord[head]!.push(arc);
  }
  return byWord;
}

/**
 * Returns the spans of one side of a line with their levels: each is above all shorter ones that it overlaps.
 * Arcs that only pass over the line are left out. O(e log e) for e arcs of the words of the line.
 *
 * @param byWord `arcsOfWords`
 */
export function lineSpans(
  arcs: readonly DiagramArc[],
  byWord: readonly (readonly number[])[],
  range: WordRange,
  isBelow: boolean,
): Span[] {
  const spans: FlatSpan[] = [];
  const starts = new Map<string, number[]>();
  for (let word = range.first; word <= range.last; word++) {
    for (const arc of byWord[word]!) {
      const of = arcs[arc]!;
      if ((of.isBelow ?? false) !== isBelow) continue;
      if (of.modifier === word) spans.push(spanOf(arc, of, range));
      else if (of.modifier < range.first || of.modifier > range.last) {
        const key = startKey(of);
        const sharing = starts.get(key);
        if (sharing === undefined) starts.set(key, [arc]);
        else sharing.push(arc);
      }
    }
  }
  for (const shared of starts.values()) {
    const lengths = shared.map((arc) => Math.abs(arcs[arc]!.head - arcs[arc]!.modifier));
    const length = lengths.reduce((a, b) => Math.max(a, b));
    const arc = shared[lengths.indexOf(length)]!;
    const span = { ...spanOf(arc, arcs[arc]!, range), length };
    spans.push(shared.length === 1 ? span : { ...span, shared });
  }
  return withLevels(spans, range.last - range.first + 1);
}

/** Arcs of a head to other lines share their start if they are drawn alike: on one side, with one label. */
function startKey({ head, modifier, kind = "plain", label, goldLabel }: DiagramArc): string {
  return JSON.stringify([head, modifier > head, kind, label, goldLabel]);
}

function spanOf(arc: number, { head, modifier }: DiagramArc, { first, last }: WordRange): FlatSpan {
  const [low, high] =
    head === 0 ? [modifier, modifier] : [Math.min(head, modifier), Math.max(head, modifier)];
  const isWhole = low >= first && high <= last;
  return {
    arc,
    shape: head === 0 ? "root" : head === modifier ? "loop" : "arc",
    part: isWhole ? "whole" : modifier >= first && modifier <= last ? "end" : "start",
    from: Math.max(low, first - 1) - first + 1,
    to: Math.min(high, last + 1) - first + 1,
    isRightward: head < modifier,
    length: high - low,
  };
}

const SHAPE_ORDER = { loop: 0, arc: 1, root: 2 } as const;

/**
 * Sets the level of each span: one more than the highest shorter span that it overlaps. A place p has three
 * entries: 3p is for arcs from the root, 3p + 1 for loops, which are at the right of their word, and 3p + 2 is
 * the space before the next place.
 */
function withLevels(spans: readonly FlatSpan[], k: number): Span[] {
  const ordered = [...spans].sort(
    (a, b) =>
      SHAPE_ORDER[a.shape] - SHAPE_ORDER[b.shape] ||
      a.to - a.from - (b.to - b.from) ||
      a.length - b.length ||
      a.from - b.from ||
      a.arc - b.arc,
  );
  const heights = new RangeMax(3 * (k + 2));
  return ordered.map((span) => {
    const [from, to] = coveredBy(span);
    // An arc from the root is above all arcs that touch or span its word.
    const level = 1 + (span.shape === "root" ? heights.max(from - 1, to + 1) : heights.max(from, to));
    heights.raise(from, to, level);
    return { ...span, level };
  });
}

function coveredBy({ shape, from, to }: FlatSpan): readonly [number, number] {
  if (shape === "root") return [3 * from, 3 * from];
  return shape === "loop" ? [3 * from + 1, 3 * from + 1] : [3 * from + 1, 3 * to - 1];
}
