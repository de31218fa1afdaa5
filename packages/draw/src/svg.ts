import { checkArgument } from "@arcwise/core/options";
import { arcText, type Diagram, type DiagramArc, formAt } from "./diagram.ts";
import { layoutArcs } from "./layout/arcs.ts";
import {
  type ArcLayout,
  type Layout,
  layoutCheck,
  type Point,
  SIZES,
  type TextLayout,
  type TokenLayout,
} from "./layout/layout.ts";
import { layoutTree } from "./layout/tree.ts";
import { type DrawOptions, type OptionsFor, optionsFor, type SentenceDiagramOptions } from "./options.ts";
import { type DrawableSentence, sentenceDiagramFor } from "./sentence-diagram.ts";
import { ARC_LINES, DRAWING_COLOURS, DRAWING_STYLE, type LineName, lineName } from "./style.ts";
import { type Markup, markup, styleElement } from "./text/markup.ts";

/**
 * Draws a sentence or a diagram as SVG: `sentenceDiagram`, `layoutArcs` or `layoutTree`, and `renderSvg`.
 *
 * @throws ArcwiseError `unknown-option`, `invalid-option`; `invalid-argument` as these functions do
 *
 * @example
 * element.innerHTML = drawSvg(sentence, { isStandalone: false, width: element.clientWidth });
 */
export function drawSvg(what: DrawableSentence | Diagram, options?: DrawOptions): string {
  const { layout, width, isStandalone, ...sentence } = optionsFor("drawSvg", options);
  return svgOf(layoutOf(diagramOf("drawSvg", what, sentence), { layout, width }), isStandalone);
}

/** Returns a layout of a diagram. */
export function layoutOf(diagram: Diagram, { layout, width }: Pick<DrawOptions, "layout" | "width">): Layout {
  return layout === "tree" ? layoutTree(diagram) : layoutArcs(diagram, { width });
}

/** Returns the diagram of what is drawn. @param caller the function that was called, for messages */
export function diagramOf(
  caller: string,
  what: DrawableSentence | Diagram,
  options: SentenceDiagramOptions,
): Diagram {
  return isDiagram(what) ? what : sentenceDiagramFor(caller, what, options);
}

/** Whether a value is a diagram, not a sentence. */
function isDiagram(what: DrawableSentence | Diagram): what is Diagram {
  return typeof what === "object" && what !== null && "arcs" in what && "direction" in what;
}

/**
 * Returns a layout as an `<svg>` element without references to elsewhere. Every word is a `<g class="word">`
 * with `data-word` (its position) and `data-id`; every arc, or part of one, a `<g class="arc">` with
 * `data-arc` (its index in the diagram), `data-head`, `data-modifier`, `data-label` and `data-kind`, in which
 * `<text class="label">` has the same data. All texts are escaped. O(size).
 */
export function renderSvg(layout: Layout, options?: OptionsFor<"renderSvg">): string {
  checkArgument(layoutCheck, layout, "renderSvg: layout");
  return svgOf(layout, optionsFor("renderSvg", options).isStandalone);
}

/** Returns a layout as an `<svg>` element, as `renderSvg` does. */
export function svgOf(layout: Layout, isStandalone: boolean): string {
  const { width, height, diagram } = layout;
  const size = `0 0 ${round(width)} ${round(height)}`;
  const namespace = isStandalone ? markup`xmlns="http://www.w3.org/2000/svg" ` : undefined;
  const own = isStandalone
    ? markup`${styleElement(DRAWING_STYLE)}<rect class="paper" width="100%" height="100%" fill="none"/>`
    : undefined;
  const arcs = layout.arcs.map((arc) => arcElement(arc, diagram));
  const words = layout.words.map((_, i) => wordElement(layout, i));
  const tokens = layout.tokens.map((token) => tokenElement(token, diagram));
  return String(
    markup`<svg ${namespace}class="aw ${layout.kind}" viewBox="${size}" width="${round(width)}" height="${round(height)}" ${SVG_STYLE} role="img" aria-label="${description(diagram)}">${own}<g class="arcs">${arcs}</g><g class="words" font-size="${SIZES.form}">${words}</g>${
      tokens.length === 0 ? undefined : markup`<g class="tokens" font-size="${SIZES.tag}">${tokens}</g>`
    }</svg>`,
  );
}

/** The attributes that texts and lines inherit, with or without a style sheet. */
const SVG_STYLE = markup`font-family="system-ui, 'Segoe UI', 'Noto Sans', sans-serif" text-anchor="middle" fill="currentColor"`;

/** Returns what a drawing shows in words: the text, and each arc. */
function description(diagram: Diagram): string {
  const { text, words, arcs } = diagram;
  const sentence = text ?? words.map(({ form }) => form).join(" ");
  return `${sentence}: ${arcs.map((arc) => arcTitle(arc, diagram)).join("; ")}`;
}

function arcTitle(arc: DiagramArc, diagram: Diagram): string {
  const { head, modifier, kind = "plain" } = arc;
  const judged = kind === "plain" ? "" : `, ${kind}`;
  return `${formAt(diagram, head)} → ${formAt(diagram, modifier)} ${arcText(arc)}${judged}`;
}

/** Number of modifiers that the title of a shared start names. */
const MAX_NAMED = 5;

function sharedTitle(shared: readonly number[], diagram: Diagram): string {
  const arcs = shared.map((arc) => diagram.arcs[arc]!);
  const { head, label } = arcs[0]!;
  const forms = arcs.slice(0, MAX_NAMED).map(({ modifier }) => formAt(diagram, modifier));
  const more = arcs.length > MAX_NAMED ? ` and ${arcs.length - MAX_NAMED} more` : "";
  return `${formAt(diagram, head)} → ${forms.join(", ")}${more} ${label}`;
}

function tokenElement({ token, left, right, top, ...text }: TokenLayout, diagram: Diagram): Markup {
  const path = `M${round(left)},${round(top)}v3H${round(right)}v-3`;
  return markup`<g class="token" data-token="${token}"><path d="${path}" fill="none" stroke="${DRAWING_COLOURS.soft.light}"/><text fill="${DRAWING_COLOURS.soft.light}"${at(text)}>${diagram.tokens[token]!.form}</text></g>`;
}

function wordElement({ words, diagram }: Layout, i: number): Markup {
  const { id, form, tags, isEmpty = false, isMarked = false } = diagram.words[i]!;
  const place = words[i]!;
  const tagElements = tags.map(
    ({ column, text }, t) =>
      markup`<text class="tag" data-column="${column}" fill="${DRAWING_COLOURS.soft.light}" font-size="${SIZES.tag}"${at(place.tags[t]!)}>${text}</text>`,
  );
  const names = `word${isEmpty ? " empty" : ""}${isMarked ? " marked" : ""}`;
  return markup`<g class="${names}" data-word="${i + 1}" data-id="${id}"><text class="form"${formStyle(isEmpty, isMarked)}${at(place)}>${form}</text>${tagElements}</g>`;
}

function formStyle(isEmpty: boolean, isMarked: boolean): Markup | undefined {
  if (isMarked) return markup` fill="${DRAWING_COLOURS.wrong.light}" text-decoration="underline"`;
  return isEmpty ? markup` fill="${DRAWING_COLOURS.soft.light}" font-style="italic"` : undefined;
}

function arcElement({ arc, shared, part, points, arrow, label }: ArcLayout, diagram: Diagram): Markup {
  const of = diagram.arcs[arc]!;
  const { head, modifier, kind = "plain", probability, goldLabel } = of;
  const name = lineName(of);
  const line = ARC_LINES[name] ?? ARC_LINES.plain;
  const data = markup`data-arc="${arc}" data-head="${head}" data-modifier="${modifier}" data-label="${of.label}"`;
  const more = [
    goldLabel === undefined ? undefined : markup` data-gold-label="${goldLabel}"`,
    probability === undefined ? undefined : markup` data-probability="${probability}"`,
    part === "whole" ? undefined : markup` data-part="${part}"`,
  ];
  const opacity =
    probability === undefined ? undefined : markup` opacity="${round(0.35 + 0.65 * probability)}"`;
  const tip =
    arrow === undefined
      ? undefined
      : markup`<path class="arrow" d="M${round(arrow.x)},${round(arrow.y)}l${-SIZES.arrowHalf},${-arrow.down * SIZES.arrow}h${2 * SIZES.arrowHalf}z" fill="${DRAWING_COLOURS[line.stroke].light}"${opacity}/>`;
  const named =
    label.text === ""
      ? undefined
      : markup`<text class="label" ${data} fill="${DRAWING_COLOURS[line.label].light}" font-size="${SIZES.label}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"${at(label)}>${label.text}</text>`;
  const title = shared === undefined ? arcTitle(of, diagram) : sharedTitle(shared, diagram);
  return markup`<g class="arc ${kind}${name === kind ? "" : ` ${name}`}" ${data} data-kind="${kind}"${more}><title>${title}</title>${lineElement(linePath(points, label), name, opacity)}${tip}${named}</g>`;
}

/** Returns the line of an arc. */
export function lineElement(path: string, name: LineName, opacity?: Markup): Markup {
  const { stroke, width, dashes } = ARC_LINES[name] ?? ARC_LINES.plain;
  const dashed = dashes === undefined ? undefined : markup` stroke-dasharray="${dashes}"`;
  return markup`<path class="line" d="${path}" fill="none" stroke="${DRAWING_COLOURS[stroke].light}" stroke-width="${width}"${dashed}${opacity}/>`;
}

/** Returns the attributes of the position of a text. */
function at({ x, y }: TextLayout): Markup {
  return markup` x="${round(x)}" y="${round(y)}"`;
}

/** Returns the path through points, with round corners and a gap where its label is. */
function linePath(points: readonly Point[], label: TextLayout): string {
  const parts = [`M${pair(points[0]!)}`];
  for (let i = 1; i < points.length; i++) {
    const [before, corner] = [points[i - 1]!, points[i]!];
    const after = points[i + 1] ?? corner;
    const radius = Math.min(SIZES.radius, distance(before, corner) / 2, distance(corner, after) / 2);
    const gap = gapOf(before, corner, label);
    if (gap !== undefined) parts.push(`L${pair(gap[0])}M${pair(gap[1])}`);
    parts.push(`L${pair(towards(corner, before, radius))}`);
    if (radius > 0) parts.push(`Q${pair(corner)} ${pair(towards(corner, after, radius))}`);
  }
  return parts.join("");
}

/** Returns the ends of the gap that a label makes in a line; undefined when it is elsewhere. */
function gapOf(from: Point, to: Point, { x, y, width }: TextLayout): readonly [Point, Point] | undefined {
  if (width === 0) return undefined;
  if (from[1] === to[1]) {
    if (Math.abs(from[1] - (y - 0.36 * SIZES.label)) > 1) return undefined;
    const half = (Math.sign(to[0] - from[0]) * width) / 2;
    return [
      [x - half, from[1]],
      [x + half, from[1]],
    ];
  }
  // In trees a label stands on the line that goes down to its word.
  const [top, bottom] = [y - 0.9 * SIZES.label, y + 0.35 * SIZES.label];
  if (from[0] !== x || from[1] > top || to[1] < bottom) return undefined;
  return [
    [x, top],
    [x, bottom],
  ];
}

function pair([x, y]: Point): string {
  return `${round(x)},${round(y)}`;
}

function distance([x1, y1]: Point, [x2, y2]: Point): number {
  return Math.abs(x1 - x2) + Math.abs(y1 - y2);
}

/** Returns the point at a distance from one point towards another one that shares its x or y. */
function towards([x, y]: Point, [x2, y2]: Point, by: number): Point {
  return [x + by * Math.sign(x2 - x), y + by * Math.sign(y2 - y)];
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}
