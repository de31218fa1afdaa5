import { type ConlluSentence, viewSentence } from "@arcwise/conllu";
import {
  type Diagram,
  DRAWING_STYLE,
  drawText,
  drawTikz,
  htmlWriter,
  type Layout,
  layoutArcs,
  layoutTree,
  markup,
  rawMarkup,
  renderSvg,
  sentenceDiagram,
  styleElement,
} from "@arcwise/draw";
import type { DrawingOptions, SentenceWriter } from "./sentence-writer.ts";

/** Writers of drawings by their format. */
export const DRAWING_WRITERS = {
  tree: treeWriter,
  svg: svgWriter,
  html: pageWriter,
  tikz: tikzWriter,
  displacy: displacyWriter,
} as const;

/** Pixels of a line of words, as on pages, and pixels around and between the drawings of a file. */
const WIDTH = 1140;
const MARGIN = 16;

/** Trees in characters, with an empty line after each. */
function treeWriter({ graph, hasColour }: DrawingOptions): SentenceWriter {
  return { sentence: (sentence) => `${drawText(diagramOf(sentence, graph), { hasColour })}\n` };
}

/** Environments of LaTeX, with an empty line after each. */
function tikzWriter({ graph }: DrawingOptions): SentenceWriter {
  return { start: TIKZ_START, sentence: (sentence) => `${drawTikz(diagramOf(sentence, graph))}\n` };
}

const TIKZ_START = "% \\usepackage{tikz-dependency}\n";

/** The input of `displacy.render(..., manual=True)` of spaCy: a line of words, and arcs from left to right. */
function displacyWriter({ graph }: DrawingOptions): SentenceWriter {
  return { sentence: (sentence) => `${JSON.stringify(displacyOf(diagramOf(sentence, graph)))}\n` };
}

/** Arcs from the root are left out: words without an arc that enters them. */
function displacyOf({ words, arcs }: Diagram): object {
  return {
    words: words.map(({ form, tags }) => ({ text: form, tag: tags[0]?.text ?? "_" })),
    arcs: arcs.flatMap(({ head, modifier, label }) => {
      if (head === 0) return [];
      const [start, end] = [Math.min(head, modifier) - 1, Math.max(head, modifier) - 1];
      return [{ start, end, label: label || "_", dir: modifier < head ? "left" : "right" }];
    }),
  };
}

function pageWriter({ graph, layout, title }: DrawingOptions): SentenceWriter {
  const page = htmlWriter({ title });
  return { ...page, sentence: (sentence) => page.sentence(diagramOf(sentence, graph), { layout }) };
}

/**
 * One SVG file: the drawing of the only sentence, or drawings one below the other. Its size is known at the end:
 * drawings are kept until then.
 */
function svgWriter({ graph, layout }: DrawingOptions): SentenceWriter {
  const layouts: Layout[] = [];
  return {
    sentence: (sentence) => {
      const diagram = diagramOf(sentence, graph);
      layouts.push(layout === "tree" ? layoutTree(diagram) : layoutArcs(diagram, { width: WIDTH }));
      return "";
    },
    end: () => (layouts.length === 1 ? `${renderSvg(layouts[0]!)}\n` : stacked(layouts)),
  };
}

function stacked(layouts: readonly Layout[]): string {
  let width = 0;
  let height = MARGIN;
  const drawings = layouts.map((layout) => {
    const svg = rawMarkup(renderSvg(layout, { isStandalone: false }));
    const drawing = markup`<g transform="translate(${MARGIN} ${Math.round(height)})">${svg}</g>\n`;
    width = Math.max(width, layout.width);
    height += layout.height + MARGIN;
    return drawing;
  });
  const [w, h] = [Math.ceil(width + 2 * MARGIN), Math.ceil(height)];
  return String(
    markup`<svg xmlns="http://www.w3.org/2000/svg" class="aw" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}">${styleElement(DRAWING_STYLE)}<rect class="paper" width="100%" height="100%" fill="none"/>\n${drawings}</svg>\n`,
  );
}

/** Returns the diagram of a sentence, with the probabilities that MISC has for the arcs of its tree. */
function diagramOf(sentence: ConlluSentence, given: DrawingOptions["graph"]): Diagram {
  const graph = given ?? (hasTree(sentence) ? "basic" : "enhanced");
  const diagram = sentenceDiagram(sentence, { graph });
  if (graph !== "basic" || !sentence.rows.some(({ misc }) => misc.includes("ArcP="))) return diagram;
  const { words } = viewSentence(sentence);
  const arcs = diagram.arcs.map((arc) => {
    const probability = Number(words[arc.modifier - 1]!.misc.ArcP ?? "none");
    return probability >= 0 && probability <= 1 ? { ...arc, probability } : arc;
  });
  return { ...diagram, arcs };
}

function hasTree({ rows }: ConlluSentence): boolean {
  return rows.some((row) => row.kind === "word" && row.head >= 0);
}
