import { arcText, checkDiagram, type Diagram } from "./diagram.ts";
import { optionsFor, type SentenceDiagramOptions } from "./options.ts";
import type { DrawableSentence } from "./sentence-diagram.ts";
import { ARC_LINES, DRAWING_COLOURS, type LineName, lineName } from "./style.ts";
import { diagramOf } from "./svg.ts";

/** LaTeX of characters that are commands or other letters there. Those without one here get a backslash. */
const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  '"': "\\textquotedbl{}",
};

/**
 * Draws a sentence as an environment `dependency` of the LaTeX package tikz-dependency: a row of words, a row of their
 * tags if there are any, and an edge per arc, with its colour if it is compared or doubtful. Multiword tokens and marks are left out. O(words + arcs).
 *
 * @throws ArcwiseError `unknown-option`, `invalid-option`; `invalid-argument` as `sentenceDiagram` does
 * @example drawTikz(sentence); // \begin{dependency} \begin{deptext} Dogs \& bark \\ ...
 */
export function drawTikz(what: DrawableSentence | Diagram, options?: SentenceDiagramOptions): string {
  const diagram = diagramOf("drawTikz", what, optionsFor("drawTikz", options));
  checkDiagram(diagram);
  const { words, arcs } = diagram;
  const row = (texts: readonly string[]) => `    ${texts.map(escaped).join(" \\& ")} \\\\\n`;
  const tags = words.map((word) => word.tags.map(({ text }) => text).join(" "));
  const edges = arcs.map((arc) => {
    const { head, modifier, isBelow = false } = arc;
    const styles = [...(isBelow ? ["edge below"] : []), ...lineStyle(lineName(arc))];
    const style = styles.length === 0 ? "" : `[${styles.join(", ")}]`;
    const ends = head === 0 ? `\\deproot${style}` : `\\depedge${style}{${head}}`;
    return `  ${ends}{${modifier}}{${escaped(arcText(arc))}}\n`;
  });
  return (
    "\\begin{dependency}\n  \\begin{deptext}\n" +
    row(words.map(({ form }) => form)) +
    (tags.some((text) => text !== "") ? row(tags) : "") +
    `  \\end{deptext}\n${edges.join("")}\\end{dependency}\n`
  );
}

/** Returns the options of the edge of a line that differs from the lines of plain arcs: its colour for light pages, width, dashes. */
function lineStyle(name: LineName): string[] {
  const { stroke, width, dashes } = ARC_LINES[name];
  if (name === "plain" || name === "right") return [];
  const [red, green, blue] = [1, 3, 5].map((at) =>
    Number.parseInt(DRAWING_COLOURS[stroke].light.slice(at, at + 2), 16),
  );
  const colour = `color={rgb,255:red,${red};green,${green};blue,${blue}}`;
  const more = [
    ...(width > ARC_LINES.plain.width ? ["thick"] : []),
    ...(dashes === undefined ? [] : ["dashed"]),
  ];
  return [`edge style={${[colour, ...more].join(", ")}}`];
}

/** A text in LaTeX; a space does not break, and control characters are left out. */
function escaped(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, " ")
    .replaceAll(/[\\~^<>|"#$%&_{}]|\s+/g, (found) =>
      /^\s/.test(found) ? "~" : (ESCAPES[found] ?? `\\${found}`),
    );
}
