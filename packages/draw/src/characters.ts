import { arcText, checkDiagram, type Diagram, type DiagramArc, formAt } from "./diagram.ts";
import { greatest } from "./layout/layout.ts";
import { optionsFor, type TextOptions } from "./options.ts";
import type { DrawableSentence } from "./sentence-diagram.ts";
import { diagramOf } from "./svg.ts";
import { escapeTerminal } from "./text/escape.ts";
import { terminalWidth } from "./text/width.ts";

/** Directions of the lines in a cell. */
const UP = 1;
const DOWN = 2;
const LEFT = 4;
const RIGHT = 8;
/** The character of a cell by the sum of its directions. */
const CHARACTERS = { box: " │││─╯╮┤─╰╭├─┴┬┼", ascii: " |||-'.+-`,+-+++" } as const;

const COLOURS = { soft: "\x1b[2m", label: "\x1b[36m", wrong: "\x1b[31m", missed: "\x1b[34m", off: "\x1b[0m" };

/**
 * Draws a tree with characters, for terminals: a row for each word, in the order of the sentence, with lines
 * from heads on the left to modifiers on the right, then tags and the relation. Where a word has several
 * heads, the lines are a shortest path from the root, and the other heads stand at the end of the row. Control
 * characters become U+FFFD. Every row ends in a line feed. O(n log n + size) for n words.
 *
 * @throws ArcwiseError `unknown-option`, `invalid-option`; `invalid-argument` as `sentenceDiagram` and `layoutArcs` do
 *
 * @example
 * console.log(drawText(sentence));
 * //  ╭─ Dogs  NOUN   nsubj
 * // ─┼─ bark  VERB   root
 * //  ╰─ .     PUNCT  punct
 */
export function drawText(what: DrawableSentence | Diagram, options?: TextOptions): string {
  const { characters, hasColour, ...sentence } = optionsFor("drawText", options);
  const diagram = diagramOf("drawText", what, sentence);
  checkDiagram(diagram);
  const tree = spanningTree(diagram);
  const lines = treeLines(tree.map((arc) => arc?.head ?? 0));
  const paint = (colour: keyof typeof COLOURS, text: string): string =>
    hasColour && text !== "" ? `${COLOURS[colour]}${text}${COLOURS.off}` : text;
  const tagCount = greatest(diagram.words.map(({ tags }) => tags.length));
  const others = otherArcs(diagram, tree);
  const rows = diagram.words.map(({ form, tags }, i): Cell[] => {
    const arc = tree[i + 1];
    const drawn = lines[i]!.map((mask) => CHARACTERS[characters][mask]).join("");
    const isWrong = arc?.kind === "wrong" || arc?.kind === "relabelled";
    const label = escapeTerminal(arc === undefined ? "" : arcText(arc)) + (arc?.kind === "wrong" ? " !" : "");
    return [
      cell(`${drawn} ${escapeTerminal(form)}`, `${paint("soft", drawn)} ${escapeTerminal(form)}`),
      ...Array.from({ length: tagCount }, (_, t) => {
        const text = escapeTerminal(tags[t]?.text ?? "");
        return cell(text, paint("soft", text));
      }),
      cell(label, paint(isWrong ? "wrong" : "label", label)),
      ...others[i + 1]!.map((other) => otherText(other, diagram)).map((text) =>
        cell(text, paint("missed", text)),
      ),
    ];
  });
  return aligned(rows);
}

/** Returns for each word its arcs that the lines do not show, without those that are right. */
function otherArcs({ arcs }: Diagram, tree: readonly (DiagramArc | undefined)[]): DiagramArc[][] {
  const others = tree.map((): DiagramArc[] => []);
  for (const arc of arcs) {
    if (arc !== tree[arc.modifier] && arc.kind !== "right") others[arc.modifier]!.push(arc);
  }
  return others;
}

/** A text of a table, its width in a terminal, and the text with colours. */
interface Cell {
  readonly width: number;
  readonly painted: string;
}

function cell(text: string, painted: string): Cell {
  return { width: terminalWidth(text), painted };
}

function aligned(rows: readonly (readonly Cell[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, { width }] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, width);
  }
  return rows
    .map((row) => {
      const cells = row.map(({ width, painted }, i) => painted + " ".repeat(widths[i]! - width + 2));
      return `${cells.join("").trimEnd()}\n`;
    })
    .join("");
}

function otherText(arc: DiagramArc, diagram: Diagram): string {
  const name = arc.kind === "missed" ? "missed: " : "";
  const form = escapeTerminal(formAt(diagram, arc.head));
  return `${name}${[escapeTerminal(arcText(arc)), `of ${form}`].filter((part) => part !== "").join(" ")}`;
}

/**
 * Returns the arc by which each word is first reached from the root, along arcs above the words; undefined for
 * words that are not reached, and for entry 0.
 */
function spanningTree({ words, arcs }: Diagram): (DiagramArc | undefined)[] {
  const below = words.map((): DiagramArc[] => []).concat([[]]);
  for (const arc of arcs) if (arc.isBelow !== true) below[arc.head]!.push(arc);
  const tree = new Array<DiagramArc | undefined>(words.length + 1).fill(undefined);
  const queue = [0];
  for (const head of queue) {
    for (const arc of below[head]!) {
      if (tree[arc.modifier] !== undefined) continue;
      tree[arc.modifier] = arc;
      queue.push(arc.modifier);
    }
  }
  return tree;
}

/** The vertical line of a head: the rows that it joins, and its column. */
interface TreeLine {
  readonly from: number;
  readonly to: number;
  readonly column: number;
}

/**
 * Returns for each word the directions of lines in each of its cells. A head has a vertical line over the rows
 * of its modifiers, right of the line of its own head; in projective trees no lines cross.
 */
function treeLines(heads: readonly number[]): number[][] {
  const lines = verticalLines(heads);
  const covering = heads.map((): TreeLine[] => []);
  for (const line of lines.slice(1)) {
    for (let row = line.from; row <= line.to; row++) covering[row]!.push(line);
  }
  return heads.slice(1).map((head, i) => {
    const row = i + 1;
    const start = head === 0 ? 0 : 2 * lines[head]!.column + 1;
    const own = lines[row]!;
    const last = covering[row]!.reduce((most, { column }) => Math.max(most, column), lines[head]!.column);
    const cells = new Array<number>(2 * last + 3).fill(0);
    for (const { from, to, column } of covering[row]!) {
      if (from === to) continue;
      cells[2 * column + 1] = (row > from ? UP : 0) + (row < to ? DOWN : 0);
    }
    const joints = new Set([start, 2 * own.column + 1]);
    for (let x = start; x < cells.length; x++) {
      const horizontal = (x > start || head === 0 ? LEFT : 0) + RIGHT;
      // A line that only crosses passes below the horizontal one.
      cells[x] = joints.has(x) ? cells[x]! | horizontal : horizontal;
    }
    return cells;
  });
}

/** Returns the vertical line of each head; entry 0, and the entries of words without modifiers, are empty. */
function verticalLines(heads: readonly number[]): TreeLine[] {
  const modifiers = heads.map((): number[] => []);
  for (let m = 1; m < heads.length; m++) modifiers[heads[m]!]!.push(m);
  const lines: TreeLine[] = heads.map((_, row) => ({ from: row, to: row, column: -1 }));
  const columns: TreeLine[][] = [];
  // Heads before their modifiers.
  const queue = [...modifiers[0]!];
  for (const head of queue) {
    const below = modifiers[head]!;
    if (below.length === 0) continue;
    const [from, to] = [Math.min(head, below[0]!), Math.max(head, below.at(-1)!)];
    let column = lines[heads[head]!]!.column + 1;
    while (!isFree(columns[column] ?? [], from, to)) column++;
    columns[column] ??= [];
    lines[head] = { from, to, column };
    columns[column]!.splice(firstAfter(columns[column]!, from), 0, lines[head]);
    queue.push(...below);
  }
  return lines;
}

/** Whether no line of a column, which are in their order, has rows of a range. */
function isFree(column: readonly TreeLine[], from: number, to: number): boolean {
  const after = firstAfter(column, from);
  return (column[after - 1]?.to ?? -1) < from && (column[after]?.from ?? Number.POSITIVE_INFINITY) > to;
}

/** Returns the index of the first line that begins after a row. */
function firstAfter(column: readonly TreeLine[], row: number): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle]!.from <= row) low = middle + 1;
    else high = middle;
  }
  return low;
}
