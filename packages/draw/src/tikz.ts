import { arcText, checkDiagram, type Diagram } from "./diagram.ts";
import type { SentenceDiagramOptions } from "./options.ts";
import type { DrawableSentence } from "./sentence-diagram.ts";
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
 * tags if there are any, and an edge per arc. Multiword tokens and marks are left out. O(words + arcs).
 *
 * @throws ArcwiseError `unknown-option`, `invalid-option`; `invalid-argument` as `sentenceDiagram` does
 * @example drawTikz(sentence); // \begin{dependency} \begin{deptext} Dogs \& bark \\ ...
 */
export function drawTikz(what: DrawableSentence | Diagram, options?: SentenceDiagramOptions): string {
  const diagram = diagramOf(what, options ?? {});
  checkDiagram(diagram);
  const { words, arcs } = diagram;
  const row = (texts: readonly string[]) => `    ${texts.map(escaped).join(" \\& ")} \\\\\n`;
  const tags = words.map((word) => word.tags.map(({ text }) => text).join(" "));
  const edges = arcs.map((arc) => {
    const { head, modifier, isBelow = false } = arc;
    const style = isBelow ? "[edge below]" : "";
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

/** A text in LaTeX; a space does not break, and control characters are left out. */
function escaped(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, " ")
    .replaceAll(/[\\~^<>|"#$%&_{}]|\s+/g, (found) =>
      /^\s/.test(found) ? "~" : (ESCAPES[found] ?? `\\${found}`),
    );
}
