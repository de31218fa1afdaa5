import { arcText, checkDiagram, type Diagram, type DiagramWord, formAt } from "../diagram.ts";
import { type OptionsFor, optionsFor } from "../options.ts";
import { textWidth } from "../text/width.ts";
import { type Columns, type SpanColumns, solveColumns } from "./columns.ts";
import {
  type ArcLayout,
  greatest,
  type Layout,
  mirrored,
  type Point,
  SIZES,
  type TokenLayout,
  type WordLayout,
} from "./layout.ts";
import { breakLines, rowHeight } from "./lines.ts";
import { arcsOfWords, lineSpans, type Span, type WordRange } from "./spans.ts";

/**
 * Returns the layout of an arc diagram: words in lines, arcs above and below them. An arc is above all that it
 * spans, and wide enough for its label; ends of arcs at a word are side by side. Labels never touch words,
 * other labels or other arcs, provided that texts are not wider than estimated. O((n + e) log (n + e) + c) for n
 * words and e arcs, which cross c times.
 *
 * @throws ArcwiseError `unknown-option`, `invalid-option`; `invalid-argument` when an arc or token names a word that
 *   does not exist, or a probability is not from 0 to 1
 */
export function layoutArcs(diagram: Diagram, options?: OptionsFor<"layoutArcs">): Layout {
  const { width } = optionsFor("layoutArcs", options);
  checkDiagram(diagram);
  const measures = { words: diagram.words.map(measuredWord), byWord: arcsOfWords(diagram) };
  const columnsOf = (range: WordRange): LineColumns => lineColumns(diagram, range, measures);
  const ranges =
    width === undefined
      ? [{ first: 1, last: diagram.words.length }]
      : breakLines(diagram, width, (range) => columnsOf(range).columns.x.at(-1)!);
  const lines = ranges.map(columnsOf);
  const total = greatest(
    lines.map(({ columns }) => Math.ceil(columns.x.at(-1)!)),
    2 * SIZES.margin,
  );
  const tokens = tokensOfLines(diagram, ranges);
  const parts: LinePositions[] = [];
  let y = SIZES.margin;
  for (const [line, contents] of lines.entries()) {
    const part = positions(diagram, contents, {
      ...{ y, line, measures },
      width: total,
      tokens: tokens[line]!,
    });
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

/** The measured parts of lines. */
interface Measures {
  /** For each word, the widths of its form and tags. */
  readonly words: readonly { readonly form: number; readonly tags: readonly number[] }[];
  /** For each word, the arcs that enter or leave it. */
  readonly byWord: readonly (readonly number[])[];
}

/** Returns the widths of the texts of a word. */
export function measuredWord({ form, tags }: DiagramWord): Measures["words"][number] {
  return {
    form: textWidth(form, SIZES.form),
    tags: tags.map(({ text }) => textWidth(text, SIZES.tag)),
  };
}

interface LineColumns {
  readonly range: WordRange;
  readonly sides: readonly (readonly Span[])[];
  readonly labels: ReadonlyMap<Span, { readonly text: string; readonly width: number }>;
  readonly columns: Columns;
}

function lineColumns(diagram: Diagram, range: WordRange, { words, byWord }: Measures): LineColumns {
  const sides = [false, true].map((isBelow) => lineSpans(diagram.arcs, byWord, range, isBelow));
  const labels = new Map(
    sides.flat().map((span) => {
      const text = labelText(span, diagram);
      return [span, { text, width: textWidth(text, SIZES.label) }];
    }),
  );
  const halves = words
    .slice(range.first - 1, range.last)
    .map(({ form, tags }) => Math.max(form, ...tags) / 2);
  const labelWidth = (span: Span) => labels.get(span)!.width;
  return { range, sides, labels, columns: solveColumns({ halves: [0, ...halves], sides, labelWidth }) };
}

/** Longest form that an arc from another line names, in characters. */
const MAX_FORM = 10;

/** Returns the text of an arc in its line: an end names the head, a shared start the number of its arcs. */
function labelText({ arc, shared, part }: Span, diagram: Diagram): string {
  const of = diagram.arcs[arc]!;
  if (shared !== undefined) {
    const text = arcText({ ...of, probability: undefined });
    return text === "" ? `${shared.length}×` : `${text} ${shared.length}×`;
  }
  const text = arcText(of);
  if (part !== "end") return text;
  const form = [...formAt(diagram, of.head)];
  const head = form.length > MAX_FORM ? `${form.slice(0, MAX_FORM - 1).join("")}…` : form.join("");
  return text === "" ? `← ${head}` : `${text} ← ${head}`;
}

/** Returns the indices of the tokens that have words in each line. */
function tokensOfLines({ words, tokens }: Diagram, ranges: readonly WordRange[]): number[][] {
  const lineOf = new Int32Array(words.length + 1);
  for (const [line, { first, last }] of ranges.entries()) lineOf.fill(line, first, last + 1);
  const found = ranges.map((): number[] => []);
  for (const [token, { first, last }] of tokens.entries()) {
    for (let line = lineOf[first]!; line <= lineOf[last]!; line++) found[line]!.push(token);
  }
  return found;
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
  /** Tokens with words in the line. */
  readonly tokens: readonly number[];
}

function positions(diagram: Diagram, contents: LineColumns, frame: LineFrame): LinePositions {
  const { range, sides, columns } = contents;
  const [above, below] = sides.map(heightOf);
  const top = frame.y + above!;
  const inLine = diagram.words.slice(range.first - 1, range.last);
  const tagRows = greatest(inLine.map(({ tags }) => tags.length));
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
      return arcLayout(span, at, edge, contents.labels.get(span)!);
    }),
  );
  return { words, tokens, arcs, bottom: bottom + below! };
}

/** Returns the height of arcs. */
function heightOf(spans: readonly Span[]): number {
  const level = greatest(spans.map((span) => span.level));
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
  named: { readonly text: string; readonly width: number },
): ArcLayout {
  const { arc, shared, part, shape, isRightward } = span;
  const foot = y + up * 1;
  const peak = y + up * (SIZES.base + SIZES.level * (span.level - 1));
  const text = { x: label, y: peak + 0.36 * SIZES.label, ...named };
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
  if (part !== "end") points.push([from, foot]);
  points.push([from, peak], [to, peak]);
  if (part !== "start") points.push([to, tip]);
  return { arc, shared, part, points, arrow: part === "start" ? undefined : arrow, label: text };
}

function lineTokens(
  { tokens }: Diagram,
  { first, last }: WordRange,
  { x }: Columns,
  top: number,
  { measures, tokens: inLine }: LineFrame,
): TokenLayout[] {
  return inLine.map((token): TokenLayout => {
    const one = tokens[token]!;
    const [from, to] = [Math.max(one.first, first), Math.min(one.last, last)];
    const left = x[from - first + 1]! - measures.words[from - 1]!.form / 2;
    const right = x[to - first + 1]! + measures.words[to - 1]!.form / 2;
    const width = textWidth(one.form, SIZES.tag);
    return { token, left, right, top: top + 3, x: (left + right) / 2, y: top + SIZES.tagRow + 2, width };
  });
}
