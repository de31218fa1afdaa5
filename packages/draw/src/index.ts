export { drawText, type TextOptions } from "./characters.ts";
export {
  type ArcProbabilities,
  type CompareOptions,
  compareDiagrams,
  type JudgedArcs,
  judgeArcs,
  type ProbabilityOptions,
  withProbabilities,
} from "./compare.ts";
export {
  ARC_KINDS,
  type ArcKind,
  arcText,
  type Diagram,
  type DiagramArc,
  type DiagramTag,
  type DiagramToken,
  type DiagramWord,
  type TagColumn,
} from "./diagram.ts";
export { arcKey, drawHtml, HTML_END, htmlSentence, htmlStart, type PageOptions } from "./html.ts";
export { type ArcLayoutOptions, layoutArcs } from "./layout/arcs.ts";
export type { ArcLayout, Layout, Point, TextLayout, TokenLayout, WordLayout } from "./layout/layout.ts";
export { layoutTree } from "./layout/tree.ts";
export {
  type DrawableSentence,
  type DrawableWord,
  type SentenceDiagramOptions,
  sentenceDiagram,
  type WordSentence,
} from "./sentence-diagram.ts";
export { DRAWING_COLOURS, DRAWING_STYLE } from "./style.ts";
export { type DrawOptions, drawSvg, type RenderOptions, renderSvg } from "./svg.ts";
export { escapeXml } from "./text/escape.ts";
export { textWidth } from "./text/width.ts";
