import type { Diagram } from "../diagram.ts";
import { SIZES } from "./layout.ts";
import type { WordRange } from "./spans.ts";

/** Lines end after at least this part of the words that fit, where fewer arcs are cut. */
const MIN_FILL = 0.6;
/** Cost of a line that begins with punctuation, in arcs that are cut. */
const PUNCTUATION_COST = 4;
/** Cost of each word that would still fit. */
const UNUSED_COST = 0.3;

/** Number of breaks that are tried: a shorter line is seldom wider, by the labels of arcs that it cuts. */
const MAX_TRIED = 8;

/**
 * Cuts words into lines of at most `width` pixels, where few arcs are cut. A line has one word at least.
 *
 * @param widthOf returns the width of a line of words
 */
export function breakLines(
  diagram: Diagram,
  width: number,
  widthOf: (range: WordRange) => number,
): WordRange[] {
  const n = diagram.words.length;
  if (n === 0) return [];
  const cuts = cutArcs(diagram);
  const lines: WordRange[] = [];
  for (let first = 1; first <= n; ) {
    const fitting = lastFitting(first, n, width, widthOf);
    const last =
      fitting === n
        ? n
        : bestBreak(diagram, cuts, first, fitting, (to) => widthOf({ first, last: to }) <= width);
    lines.push({ first, last });
    first = last + 1;
  }
  return lines;
}

/** Returns for each position the number of arcs that a break after it cuts. */
function cutArcs({ words, arcs }: Diagram): number[] {
  const change = new Array<number>(words.length + 2).fill(0);
  for (const { head, modifier } of arcs) {
    if (head === 0) continue;
    change[Math.min(head, modifier)]!++;
    change[Math.max(head, modifier)]!--;
  }
  let open = 0;
  return change.map((by) => (open += by));
}

/** Returns the last word of the longest line that fits, found by doubling and halving. */
function lastFitting(first: number, n: number, width: number, widthOf: (range: WordRange) => number): number {
  const fits = (last: number): boolean => widthOf({ first, last }) <= width;
  let low = first;
  let step = 8;
  while (low + step <= n && fits(low + step)) {
    low += step;
    step *= 2;
  }
  for (; step >= 1; step = Math.floor(step / 2)) if (low + step <= n && fits(low + step)) low += step;
  return low;
}

function bestBreak(
  { words }: Diagram,
  cuts: readonly number[],
  first: number,
  fitting: number,
  fits: (last: number) => boolean,
): number {
  const earliest = first + Math.ceil(MIN_FILL * (fitting - first));
  const breaks = Array.from({ length: fitting - earliest + 1 }, (_, i) => {
    const last = fitting - i;
    const startsBadly = /^[\p{Pe}\p{Pf}\p{Po}]+$/u.test(words[last]?.form ?? "");
    return { last, cost: cuts[last]! + (startsBadly ? PUNCTUATION_COST : 0) + UNUSED_COST * i };
  });
  breaks.sort((a, b) => a.cost - b.cost || b.last - a.last);
  return breaks.slice(0, MAX_TRIED).find(({ last }) => fits(last))?.last ?? fitting;
}

/** The height of the row of words of a line, with its tags and tokens. */
export function rowHeight(tags: number, hasTokens: boolean): number {
  return SIZES.formRow + SIZES.tagRow * tags + (hasTokens ? SIZES.tagRow + 6 : 0);
}
