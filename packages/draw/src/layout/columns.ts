import { SIZES } from "./layout.ts";
import type { Span } from "./spans.ts";

/** A vertical end of an arc: at `offset` pixels from the centre of the word at `place`. */
interface Leg {
  readonly place: number;
  readonly offset: number;
  readonly level: number;
}

/** What a line is made of. `halves[i]` is half the width of word i (from 1) with its tags. */
export interface LineContents {
  readonly halves: readonly number[];
  readonly sides: readonly (readonly Span[])[];
  readonly labelWidth: (arc: number) => number;
}

/** The x of everything in a line. */
export interface Columns {
  /** Place 0 is the left margin, k + 1 the right margin. */
  readonly x: readonly number[];
  /** For each side and span: the x of both ends, and of the centre of the label. */
  readonly spans: readonly (readonly SpanColumns[])[];
}

/** The x of a span. */
export interface SpanColumns {
  readonly left: number;
  readonly right: number;
  readonly label: number;
}

/** Distance of labels to the ends of their arc, to other arcs that cross it, and to the margin. */
const LABEL_PAD = 11;
const CROSSING_PAD = 5;
const OPEN_PAD = 6;
/** Tolerance of sums of floats, in pixels. */
const EPSILON = 1e-6;

/**
 * Returns the x of words and arcs, so that words do not overlap, every arc is wide enough for its label, and
 * no label lies on an arc that crosses its own. O(e² + e r) for e arcs, r of which need room between arcs that
 * cross them.
 */
export function solveColumns({ halves, sides, labelWidth }: LineContents): Columns {
  const k = halves.length - 1;
  const ports = sides.map((spans) => portsOf(spans, k, labelWidth));
  const wide = halves.map((half, i) => Math.max(half, ...ports.map(({ extents }) => extents[i]!)));
  const distances = new Distances(k + 2);
  distances.add(0, 1, SIZES.margin + (k > 0 ? wide[1]! : 0));
  for (let i = 1; i <= k; i++) {
    distances.add(i, i + 1, wide[i]! + (i < k ? SIZES.gap + wide[i + 1]! : SIZES.margin));
  }
  const gaps = sides.map((spans, side) => spans.map((span) => gapsOf(span, spans, ports[side]!)));
  const need = (span: Span): number => labelWidth(span.arc);
  for (let isSolved = false; !isSolved; ) {
    isSolved = true;
    const x = distances.solve();
    for (const [side, spans] of sides.entries()) {
      for (const [i, span] of spans.entries()) {
        if (span.shape !== "arc" || widest(gaps[side]![i]!, x).room >= need(span) - EPSILON) continue;
        const { gap } = widest(
          gaps[side]![i]!.filter((one) => one.from.place !== one.to.place),
          x,
        );
        const inner = gap.from.offset + gap.fromPad + need(span) + gap.toPad - gap.to.offset;
        distances.add(gap.from.place, gap.to.place, inner);
        isSolved = false;
      }
    }
  }
  const x = distances.solve();
  return {
    x,
    spans: sides.map((spans, side) =>
      spans.map((span, i) => spanColumns(span, gaps[side]![i]!, need(span), x)),
    ),
  };
}

/** Lower bounds of distances between places, and their least solution. */
class Distances {
  readonly #bounds: Map<number, number>[];

  constructor(places: number) {
    this.#bounds = Array.from({ length: places }, () => new Map());
  }

  add(from: number, to: number, distance: number): void {
    const bounds = this.#bounds[to]!;
    bounds.set(from, Math.max(distance, bounds.get(from) ?? 0));
  }

  /** Returns the least x of each place; place 0 is at 0. O(bounds). */
  solve(): number[] {
    const x: number[] = [];
    for (const bounds of this.#bounds) {
      let least = 0;
      for (const [from, distance] of bounds) least = Math.max(least, x[from]! + distance);
      x.push(least);
    }
    return x;
  }
}

interface Ports {
  /** The ends of each span; at a margin the offset is 0. */
  readonly left: readonly Leg[];
  readonly right: readonly Leg[];
  /** For each place, the distance of its outermost end from its centre. */
  readonly extents: readonly number[];
}

/**
 * Returns where the ends of arcs are: the ends at a word are side by side around its centre, longer arcs nearer
 * to the centre, so that arcs of one word do not cross.
 */
function portsOf(spans: readonly Span[], k: number, labelWidth: (arc: number) => number): Ports {
  const margin = (place: number, { level }: Span): Leg => ({ place, offset: 0, level });
  const left = spans.map((span) => margin(span.from, span));
  const right = spans.map((span) => margin(span.to, span));
  const extents = new Array<number>(k + 2).fill(0);
  for (let place = 1; place <= k; place++) {
    const ends = endsAt(spans, place);
    const widths = ends.map(({ span, isLoopEnd, isArrow }, i) => {
      if (i === 0) return 0;
      if (isLoopEnd) return labelWidth(span.arc) + 2 * LABEL_PAD;
      const before = ends[i - 1]!.span;
      // Labels of arcs from the root are centred on them.
      if (span.shape === "root" && before.shape === "root") {
        return (labelWidth(span.arc) + labelWidth(before.arc)) / 2 + CROSSING_PAD;
      }
      return isArrow || ends[i - 1]!.isArrow ? SIZES.arrowPort : SIZES.port;
    });
    let offset = -widths.reduce((sum, width) => sum + width, 0) / 2;
    for (const [i, { index, span, isLeft }] of ends.entries()) {
      offset += widths[i]!;
      const leg = { place, offset, level: span.level };
      if (isLeft) left[index] = leg;
      if (!isLeft || span.shape === "root") right[index] = leg;
      const room = span.shape === "root" ? labelWidth(span.arc) / 2 : SIZES.arrowHalf;
      extents[place] = Math.max(extents[place]!, Math.abs(offset) + room);
    }
  }
  return { left, right, extents };
}

interface End {
  readonly index: number;
  readonly span: Span;
  /** Whether it is the left end of its span. */
  readonly isLeft: boolean;
  /** Whether it is the end at the modifier. */
  readonly isArrow: boolean;
  /** Whether it is the second end of an arc from a word to itself. */
  readonly isLoopEnd: boolean;
}

/** Returns the ends at a word from left to right. */
function endsAt(spans: readonly Span[], place: number): End[] {
  const ends = { left: [] as End[], root: [] as End[], right: [] as End[], loop: [] as End[] };
  for (const [index, span] of spans.entries()) {
    const end = { index, span, isLoopEnd: false, isArrow: true };
    if (span.shape !== "arc") {
      if (span.from !== place) continue;
      ends[span.shape].push({ ...end, isLeft: true });
      if (span.shape === "loop") ends.loop.push({ ...end, isLeft: false, isLoopEnd: true });
    } else if (span.to === place) ends.left.push({ ...end, isLeft: false, isArrow: span.isRightward });
    else if (span.from === place) ends.right.push({ ...end, isLeft: true, isArrow: !span.isRightward });
  }
  ends.left.sort((a, b) => a.span.level - b.span.level);
  ends.right.sort((a, b) => b.span.level - a.span.level);
  return [...ends.left, ...ends.root, ...ends.right, ...ends.loop];
}

/** A part of an arc between ends of other arcs that cross it. */
interface Gap {
  readonly from: Leg;
  readonly to: Leg;
  readonly fromPad: number;
  readonly toPad: number;
}

function gapsOf(span: Span, spans: readonly Span[], { left, right, extents }: Ports): Gap[] {
  const index = spans.indexOf(span);
  const crossing = spans.flatMap((other, i) => {
    if (other.level <= span.level) return [];
    const legs = other.shape === "root" ? [left[i]!] : [left[i]!, right[i]!];
    return legs.filter(({ place }) => place > span.from && place < span.to);
  });
  crossing.sort((a, b) => a.place - b.place || a.offset - b.offset);
  const stops = [left[index]!, ...crossing, right[index]!];
  const isOpen = { left: span.from === 0, right: span.to === extents.length - 1 };
  return stops.slice(1).map((to, i) => ({
    from: stops[i]!,
    to,
    fromPad: i > 0 ? CROSSING_PAD : isOpen.left ? OPEN_PAD : LABEL_PAD,
    toPad: i + 2 < stops.length ? CROSSING_PAD : isOpen.right ? OPEN_PAD : LABEL_PAD,
  }));
}

/** Returns the free part of a gap. */
function freePart({ from, to, fromPad, toPad }: Gap, x: readonly number[]): readonly [number, number] {
  return [x[from.place]! + from.offset + fromPad, x[to.place]! + to.offset - toPad];
}

function widest(gaps: readonly Gap[], x: readonly number[]): { readonly gap: Gap; readonly room: number } {
  let best = { gap: gaps[0]!, room: Number.NEGATIVE_INFINITY };
  for (const gap of gaps) {
    const [start, end] = freePart(gap, x);
    if (end - start > best.room) best = { gap, room: end - start };
  }
  return best;
}

function spanColumns(span: Span, gaps: readonly Gap[], width: number, x: readonly number[]): SpanColumns {
  const { from, to } = { from: gaps[0]!.from, to: gaps.at(-1)!.to };
  const [left, right] = [x[from.place]! + from.offset, x[to.place]! + to.offset];
  const middle = (left + right) / 2;
  if (span.shape !== "arc") return { left, right, label: middle };
  // The free position that is nearest to the middle.
  const positions = gaps.flatMap((gap) => {
    const [start, end] = freePart(gap, x);
    if (end - start < width - EPSILON) return [];
    return Math.min(Math.max(middle, start + width / 2), Math.max(start + width / 2, end - width / 2));
  });
  positions.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  return { left, right, label: positions[0]! };
}
