import { SIZES } from "./layout.ts";
import { RangeMax } from "./range-max.ts";
import type { Span } from "./spans.ts";

/** A vertical end of an arc: at `offset` pixels from the centre of the word at `place`. */
interface Leg {
  readonly place: number;
  readonly offset: number;
  readonly level: number;
}

/** The parts of a line. `halves[i]` is half the width of word i (from 1) with its tags. */
export interface LineContents {
  readonly halves: readonly number[];
  readonly sides: readonly (readonly Span[])[];
  readonly labelWidth: (span: Span) => number;
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
 * no label lies on an arc that crosses its own. O((k + e) log (k + e) + c) for k words and e arcs, which cross c
 * times.
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
  const gaps = sides.map((spans, side) => gapsOf(spans, ports[side]!));
  const labels = sides.flatMap((spans, side) =>
    spans.flatMap((span, i): GapLabel[] =>
      span.shape === "arc" ? [{ gaps: gaps[side]![i]!, width: labelWidth(span) }] : [],
    ),
  );
  const x = withRoom(distances, labels);
  return {
    x,
    spans: sides.map((spans, side) =>
      spans.map((span, i) => spanColumns(span, gaps[side]![i]!, labelWidth(span), x)),
    ),
  };
}

/** A label, which needs room in one of the gaps of its arc. */
interface GapLabel {
  readonly gaps: readonly Gap[];
  readonly width: number;
}

/**
 * Returns the least x with which labels have room: an arc that no other crosses is as wide as its label; of the
 * others, the gap that is widest without their labels is widened, and where that moves the words of a gap closer
 * together, the last gap.
 */
function withRoom(distances: Distances, labels: readonly GapLabel[]): number[] {
  for (const { gaps, width } of labels) if (gaps.length === 1) distances.widen(gaps[0]!, width);
  const crossed = labels.filter(({ gaps }) => gaps.length > 1);
  if (crossed.length === 0) return distances.solve();
  const before = distances.solve();
  for (const { gaps, width } of crossed) {
    if (widest(gaps, before).room >= width - EPSILON) continue;
    const between = gaps.filter(({ from, to }) => from.place !== to.place);
    distances.widen(widest(between, before).gap, width);
  }
  const ending: GapLabel[][] = before.map(() => []);
  for (const label of crossed) ending[label.gaps.at(-1)!.to.place]!.push(label);
  return distances.solve((place, x) => {
    for (const { gaps, width } of ending[place]!) {
      if (widest(gaps, x).room >= width - EPSILON) continue;
      const last = gaps.at(-1)!;
      x[place] = Math.max(x[place]!, x[last.from.place]! + distanceOf(last, width));
    }
  });
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

  /** Gives a gap room for a label. */
  widen(gap: Gap, width: number): void {
    this.add(gap.from.place, gap.to.place, distanceOf(gap, width));
  }

  /**
   * Returns the least x of each place; place 0 is at 0. O(bounds).
   *
   * @param move may raise the x of a place when the x of the places before it are known
   */
  solve(move?: (place: number, x: number[]) => void): number[] {
    const x: number[] = [];
    for (const [place, bounds] of this.#bounds.entries()) {
      let least = 0;
      for (const [from, distance] of bounds) least = Math.max(least, x[from]! + distance);
      x.push(least);
      move?.(place, x);
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
function portsOf(spans: readonly Span[], k: number, labelWidth: (span: Span) => number): Ports {
  const margin = (place: number, { level }: Span): Leg => ({ place, offset: 0, level });
  const left = spans.map((span) => margin(span.from, span));
  const right = spans.map((span) => margin(span.to, span));
  const extents = new Array<number>(k + 2).fill(0);
  for (const [place, ends] of endsOf(spans)) {
    if (place === 0 || place > k) continue;
    const widths = ends.map(({ span, isLoopEnd, isArrow }, i) => {
      if (i === 0) return 0;
      if (isLoopEnd) return labelWidth(span) + 2 * LABEL_PAD;
      const before = ends[i - 1]!.span;
      // Labels of arcs from the root are centred on them.
      if (span.shape === "root" && before.shape === "root") {
        return (labelWidth(span) + labelWidth(before)) / 2 + CROSSING_PAD;
      }
      return isArrow || ends[i - 1]!.isArrow ? SIZES.arrowPort : SIZES.port;
    });
    let offset = -widths.reduce((sum, width) => sum + width, 0) / 2;
    for (const [i, { index, span, isLeft }] of ends.entries()) {
      offset += widths[i]!;
      const leg = { place, offset, level: span.level };
      if (isLeft) left[index] = leg;
      if (!isLeft || span.shape === "root") right[index] = leg;
      const room = span.shape === "root" ? labelWidth(span) / 2 : SIZES.arrowHalf;
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

/** Returns the ends at each place from left to right. */
function endsOf(spans: readonly Span[]): Map<number, End[]> {
  const places = new Map<number, Record<"left" | "root" | "right" | "loop", End[]>>();
  const endsAt = (place: number) => {
    const ends = places.get(place) ?? { left: [], root: [], right: [], loop: [] };
    places.set(place, ends);
    return ends;
  };
  for (const [index, span] of spans.entries()) {
    const end = { index, span, isLoopEnd: false, isArrow: true };
    if (span.shape === "root") endsAt(span.from).root.push({ ...end, isLeft: true });
    else if (span.shape === "loop") {
      const { loop } = endsAt(span.from);
      loop.push({ ...end, isLeft: true }, { ...end, isLeft: false, isLoopEnd: true });
    } else {
      endsAt(span.to).left.push({ ...end, isLeft: false, isArrow: span.isRightward });
      endsAt(span.from).right.push({ ...end, isLeft: true, isArrow: !span.isRightward });
    }
  }
  const ordered = [...places].map(([place, { left, root, right, loop }]): [number, End[]] => {
    left.sort((a, b) => a.span.level - b.span.level);
    right.sort((a, b) => b.span.level - a.span.level);
    return [place, [...left, ...root, ...right, ...loop]];
  });
  return new Map(ordered);
}

/** A part of an arc between ends of other arcs that cross it. */
interface Gap {
  readonly from: Leg;
  readonly to: Leg;
  readonly fromPad: number;
  readonly toPad: number;
}

/** Returns the gaps of each span: the legs of higher arcs between its ends cross it. */
function gapsOf(spans: readonly Span[], { left, right, extents }: Ports): Gap[][] {
  const legs = spans
    .flatMap(({ shape }, i) => (shape === "root" ? [left[i]!] : [left[i]!, right[i]!]))
    .sort((a, b) => a.place - b.place || a.offset - b.offset);
  const levels = new RangeMax(legs.length);
  for (const [i, { level }] of legs.entries()) levels.raise(i, i, level);
  // The first leg at each place, or after it.
  const first = new Array<number>(extents.length + 1).fill(legs.length);
  for (let i = legs.length - 1; i >= 0; i--) first[legs[i]!.place] = i;
  for (let place = extents.length - 1; place >= 0; place--) {
    first[place] = Math.min(first[place]!, first[place + 1]!);
  }
  return spans.map(({ from, to, level }, i) => {
    const crossing = from + 1 < to ? levels.above(first[from + 1]!, first[to]! - 1, level) : [];
    const stops = [left[i]!, ...crossing.map((leg) => legs[leg]!), right[i]!];
    const isOpen = { left: from === 0, right: to === extents.length - 1 };
    return stops.slice(1).map((end, s) => ({
      from: stops[s]!,
      to: end,
      fromPad: s > 0 ? CROSSING_PAD : isOpen.left ? OPEN_PAD : LABEL_PAD,
      toPad: s + 2 < stops.length ? CROSSING_PAD : isOpen.right ? OPEN_PAD : LABEL_PAD,
    }));
  });
}

/** Returns the distance of the places of a gap with which a label has room in it. */
function distanceOf({ from, to, fromPad, toPad }: Gap, width: number): number {
  return from.offset + fromPad + width + toPad - to.offset;
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
