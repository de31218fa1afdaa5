import { arcText, checkDiagram, type Diagram, type DiagramWord } from "../diagram.ts";
import { type ArcLayoutOptions, optionsFor } from "../options.ts";
import { textWidth } from "../text/width.ts";
import { type Columns, type SpanColumns, solveColumns } from "./columns.ts";
import {
  type ArcLayout,
  type Layout,
  mirrored,
  type Point,
  SIZES,
  type TokenLayout,
  type WordLayout,
} from "./layout.ts";
import { breakLines, rowHeight } from "./lines.ts";
import { lineSpans, type Span, type WordRange } from "./spans.ts";

/**
 * Returns the layout of an arc diagram: words in lines, arcs above and below them. An arc is above all that it
 * spans, and wide enough for its label; ends of arcs at a word are side by side. Labels never touch words,
 * other labels or other arcs, provided that texts are not wider than estimated. O(n + e²) for e arcs.
 *
 * @throws ArcwiseError `unknown-option`, `invalid-option`; `invalid-argument` when an arc or token names a word that
 *   does not exist, or a probability is not from 0 to 1
 */
export function layoutArcs(diagram: Diagram, options?: ArcLayoutOptions): Layout {
  const { width } = optionsFor("layoutArcs", options);
  checkDiagram(diagram);
  const measures = measured(diagram);
  const columnsOf = (range: WordRange): LineColumns => lineColumns(diagram, range, measures);
  const ranges =
    width === undefined
      ? [{ first: 1, last: diagram.words.length }]
      : breakLines(diagram, width, (range) => columnsOf(range).columns.x.at(-1)!);
  const lines = ranges.map(columnsOf);
  const total = Math.max(2 * SIZES.margin, ...lines.map(({ columns }) => Math.ceil(columns.x.at(-1)!)));
  const parts: LinePositions[] = [];
  let y = SIZES.margin;
  for (const [line, contents] of lines.entries()) {
    const part = positions(diagram, contents, { y, line, width: total, measures });
    parts.push(part);
    y = part.bottom + SIZES.line;
  }
  const layout: Layout = {
    kind: "arcs",
    diagram,
    width: total,
    height: (parts.at(-1)?.bottom ?? 0) + SIZES.margin,
    words: parts.flatMap(({ words }) => words),
    tokens: parts.flatMap(({ tokens }) => tokens),
    arcs: parts.flatMap(({ arcs }) => arcs),
  };
  return diagram.direction === "rtl" ? mirrored(layout) : layout;
}

/** Widths of texts. */
interface Measures {
  /** For each word, the widths of its form and tags. */
  readonly words: readonly { readonly form: number; readonly tags: readonly number[] }[];
  readonly labels: readonly number[];
}

/** Returns the widths of the texts of a word. */
export function measuredWord({ form, tags }: DiagramWord): Measures["words"][number] {
  return {
    form: textWidth(form, SIZES.form),
    tags: tags.map(({ text }) => textWidth(text, SIZES.tag)),
  };
}

function measured({ words, arcs }: Diagram): Measures {
  return {
    words: words.map(measuredWord),
    labels: arcs.map((arc) => textWidth(arcText(arc), SIZES.label)),
  };
}

interface LineColumns {
  readonly range: WordRange;
  readonly sides: readonly (readonly Span[])[];
  readonly columns: Columns;
}

function lineColumns(diagram: Diagram, range: WordRange, { words, labels }: Measures): LineColumns {
  const sides = [false, true].map((isBelow) => lineSpans(diagram.arcs, range, isBelow));
  const halves = words
    .slice(range.first - 1, range.last)
    .map(({ form, tags }) => Math.max(form, ...tags) / 2);
  const columns = solveColumns({ halves: [0, ...halves], sides, labelWidth: (arc) => labels[arc]! });
  return { range, sides, columns };
}

interface LinePositions {
  readonly words: readonly WordLayout[];
  readonly tokens: readonly TokenLayout[];
  readonly arcs: readonly ArcLayout[];
  readonly bottom: number;
}

interface LineFrame {
  /** Top of the line. */
  readonly y: number;
  readonly line: number;
  /** Width of the drawing. */
  readonly width: number;
  readonly measures: Measures;
}

function positions(diagram: Diagram, contents: LineColumns, frame: LineFrame): LinePositions {
  const { range, sides, columns } = contents;
  const [above, below] = sides.map(heightOf);
  const top = frame.y + above!;
  const inLine = diagram.words.slice(range.first - 1, range.last);
  const tagRows = Math.max(0, ...inLine.map(({ tags }) => tags.length));
  const tokens = lineTokens(diagram, range, columns, top + SIZES.formRow + SIZES.tagRow * tagRows, frame);
  const bottom = top + rowHeight(tagRows, tokens.length > 0);
  const words = inLine.map((_, i): WordLayout => {
    const { form, tags } = frame.measures.words[range.first - 1 + i]!;
    const x = columns.x[i + 1]!;
    const baseline = top + SIZES.form + 2;
    return {
      ...{ x, y: baseline, width: form, line: frame.line },
      tags: tags.map((width, t) => ({ x, y: baseline + SIZES.tagRow * (t + 1), width })),
    };
  });
  const arcs = sides.flatMap((spans, side) =>
    spans.map((span, i) => {
      const edge = side === 0 ? { y: top, up: -1 as const } : { y: bottom, up: 1 as const };
      const at = openEnds(span, columns, side, i, frame.width);
      return arcLayout(span, at, edge, frame.measures.labels[span.arc]!);
    }),
  );
  return { words, tokens, arcs, bottom: bottom + below! };
}

/** Returns the height of arcs. */
function heightOf(spans: readonly Span[]): number {
  const level = Math.max(0, ...spans.map((span) => span.level));
  return level === 0 ? 0 : SIZES.base + SIZES.level * (level - 1) + SIZES.label;
}

/** Returns the x of a span; one that is open to the right ends at the right side of the drawing. */
function openEnds(span: Span, { x, spans }: Columns, side: number, i: number, width: number): SpanColumns {
  const columns = spans[side]![i]!;
  return span.to === x.length - 1 ? { ...columns, right: width } : columns;
}

function arcLayout(
  span: Span,
  { left, right, label }: SpanColumns,
  { y, up }: { readonly y: number; readonly up: 1 | -1 },
  labelWidth: number,
): ArcLayout {
  const { arc, part, shape, isRightward } = span;
  const foot = y + up * 1;
  const peak = y + up * (SIZES.base + SIZES.level * (span.level - 1));
  const text = { x: label, y: peak + 0.36 * SIZES.label, width: labelWidth };
  const [from, to] = isRightward ? [left, right] : [right, left];
  const arrow = { x: to, y: foot, down: up === -1 ? (1 as const) : (-1 as const) };
  const tip = foot + up * SIZES.arrow;
  if (shape === "root") {
    const start = peak - up * (SIZES.label * 0.5 + 2);
    return {
      arc,
      part,
      points: [
        [to, start],
        [to, tip],
      ],
      arrow,
      label: text,
    };
  }
  const points: Point[] = [];
  if (part === "whole" || part === "start") points.push([from, foot]);
  points.push([from, peak], [to, peak]);
  if (part === "whole" || part === "end") points.push([to, tip]);
  return { arc, part, points, arrow: part === "whole" || part === "end" ? arrow : undefined, label: text };
}

function lineTokens(
  { tokens }: Diagram,
  { first, last }: WordRange,
  { x }: Columns,
  top: number,
  { measures }: LineFrame,
): TokenLayout[] {
  return tokens.flatMap((one, token): TokenLayout[] => {
    const [from, to] = [Math.max(one.first, first), Math.min(one.last, last)];
    if (from > to) return [];
    const left = x[from - first + 1]! - measures.words[from - 1]!.form / 2;
    const right = x[to - first + 1]! + measures.words[to - 1]!.form / 2;
    const width = textWidth(one.form, SIZES.tag);
    return [{ token, left, right, top: top + 3, x: (left + right) / 2, y: top + SIZES.tagRow + 2, width }];
  });
}
