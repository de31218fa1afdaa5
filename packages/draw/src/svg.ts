import { arcText, type Diagram, type DiagramArc, formAt } from "./diagram.ts";
import { layoutArcs } from "./layout/arcs.ts";
import { type ArcLayout, type Layout, type Point, SIZES, type TextLayout } from "./layout/layout.ts";
import { layoutTree } from "./layout/tree.ts";
import { type DrawOptions, optionsFor, type RenderOptions, type SentenceDiagramOptions } from "./options.ts";
import { type DrawableSentence, sentenceDiagram } from "./sentence-diagram.ts";
import { DRAWING_STYLE } from "./style.ts";
import { escapeXml } from "./text/escape.ts";

/**
 * Draws a sentence or a diagram as SVG: `sentenceDiagram`, `layoutArcs` or `layoutTree`, and `renderSvg`.
 *
 * @throws ArcwiseError `unknown-option`, `invalid-option`; `invalid-argument` as these functions do
 */
export function drawSvg(what: DrawableSentence | Diagram, options?: DrawOptions): string {
  const { layout, width, isStandalone, ...sentence } = optionsFor("drawSvg", options);
  return renderSvg(layoutOf(diagramOf(what, sentence), { layout, width }), { isStandalone });
}

/** Returns a layout of a diagram. */
export function layoutOf(diagram: Diagram, { layout, width }: Pick<DrawOptions, "layout" | "width">): Layout {
  return layout === "tree" ? layoutTree(diagram) : layoutArcs(diagram, { width });
}

/** Returns the diagram of what is drawn. */
export function diagramOf(what: DrawableSentence | Diagram, options: SentenceDiagramOptions): Diagram {
  return isDiagram(what) ? what : sentenceDiagram(what, options);
}

/** Whether a value is a diagram, not a sentence. */
function isDiagram(what: DrawableSentence | Diagram): what is Diagram {
  return "arcs" in what && "direction" in what;
}

/**
 * Returns a layout as an `<svg>` element without references to elsewhere. Every word is a `<g class="word">`
 * with `data-word` (its position) and `data-id`; every arc, or part of one, a `<g class="arc">` with
 * `data-arc` (its index in the diagram), `data-head`, `data-modifier`, `data-label` and `data-kind`, in which
 * `<text class="label">` has the same data. All texts are escaped. O(size).
 */
export function renderSvg(layout: Layout, options?: RenderOptions): string {
  const { isStandalone } = optionsFor("renderSvg", options);
  const { width, height, diagram } = layout;
  const head =
    `<svg ${isStandalone ? 'xmlns="http://www.w3.org/2000/svg" ' : ""}class="aw ${layout.kind}" ` +
    `viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" ` +
    `font-family="system-ui, 'Segoe UI', 'Noto Sans', sans-serif" text-anchor="middle" fill="currentColor" ` +
    `role="img" aria-label="${escapeXml(description(diagram))}">`;
  const own = isStandalone
    ? `<style>${DRAWING_STYLE}</style><rect class="paper" width="100%" height="100%" fill="none"/>`
    : "";
  const tokens = layout.tokens.map(({ token, left, right, top, ...text }) => {
    const form = textElement("", text, diagram.tokens[token]!.form);
    const path = `M${round(left)},${round(top)}v3H${round(right)}v-3`;
    return `<g class="token" data-token="${token}"><path d="${path}" fill="none" stroke="currentColor"/>${form}</g>`;
  });
  return (
    `${head}${own}<g class="arcs">${layout.arcs.map((arc) => arcElement(arc, diagram)).join("")}</g>` +
    `<g class="words" font-size="${SIZES.form}">${layout.words.map((_, i) => wordElement(layout, i)).join("")}</g>` +
    (tokens.length === 0 ? "" : `<g class="tokens" font-size="${SIZES.tag}">${tokens.join("")}</g>`) +
    "</svg>"
  );
}

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

function wordElement({ words, diagram }: Layout, i: number): string {
  const { id, form, tags, isEmpty = false, isMarked = false } = diagram.words[i]!;
  const at = words[i]!;
  const tagElements = tags.map(({ column, text }, t) =>
    textElement(`class="tag" data-column="${column}" font-size="${SIZES.tag}"`, at.tags[t]!, text),
  );
  return (
    `<g class="word${isEmpty ? " empty" : ""}${isMarked ? " marked" : ""}" data-word="${i + 1}" data-id="${escapeXml(id)}">` +
    `${textElement('class="form"', at, form)}${tagElements.join("")}</g>`
  );
}

function arcElement({ arc, part, points, arrow, label }: ArcLayout, diagram: Diagram): string {
  const of = diagram.arcs[arc]!;
  const { head, modifier, kind = "plain", probability, goldLabel } = of;
  const data = `data-arc="${arc}" data-head="${head}" data-modifier="${modifier}" data-label="${escapeXml(of.label)}"`;
  const more =
    ` data-kind="${kind}"${goldLabel === undefined ? "" : ` data-gold-label="${escapeXml(goldLabel)}"`}` +
    `${probability === undefined ? "" : ` data-probability="${probability}"`}` +
    `${part === "whole" ? "" : ` data-part="${part}"`}`;
  const opacity = probability === undefined ? "" : ` opacity="${round(0.35 + 0.65 * probability)}"`;
  const tip =
    arrow === undefined
      ? ""
      : `<path class="arrow" d="M${round(arrow.x)},${round(arrow.y)}` +
        `l${-SIZES.arrowHalf},${-arrow.down * SIZES.arrow}h${2 * SIZES.arrowHalf}z"${opacity}/>`;
  const text = arcText(of);
  const named =
    text === ""
      ? ""
      : textElement(
          `class="label" ${data} font-size="${SIZES.label}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"`,
          label,
          text,
        );
  return (
    `<g class="arc ${kind}" ${data}${more}><title>${escapeXml(arcTitle(of, diagram))}</title>` +
    `<path class="line" d="${linePath(points, label)}" fill="none" stroke="currentColor" stroke-width="1.4"${opacity}/>` +
    `${tip}${named}</g>`
  );
}

function textElement(attributes: string, { x, y }: TextLayout, text: string): string {
  const space = attributes === "" ? "" : " ";
  return `<text${space}${attributes} x="${round(x)}" y="${round(y)}">${escapeXml(text)}</text>`;
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
  const middle = y - 0.36 * SIZES.label;
  if (width === 0 || from[1] !== to[1] || Math.abs(from[1] - middle) > 1) return undefined;
  const half = (Math.sign(to[0] - from[0]) * width) / 2;
  return [
    [x - half, from[1]],
    [x + half, from[1]],
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
