import { escapeHtml } from "./html.ts";

/** An edge of a diagram between positions of words, 0 for the root. */
export interface DiagramEdge {
  readonly head: number;
  readonly modifier: number;
  readonly label: string;
  /** A class of the style: `right`, `wrong`, `missed`. */
  readonly kind: DiagramKind;
}

export type DiagramKind = "right" | "wrong" | "missed";

/** Words with edges above and below them. */
export interface Diagram {
  readonly words: readonly string[];
  readonly above: readonly DiagramEdge[];
  readonly below: readonly DiagramEdge[];
}

/**
 * Colours that are distinct on light and dark backgrounds, also with the common kinds of colour blindness.
 */
export const DIAGRAM_COLOURS: Readonly<Record<DiagramKind, string>> = {
  right: "#2f9e77",
  wrong: "#d6455d",
  missed: "#4269d0",
};

/** Sizes in pixels: of the text, between words, between levels of arcs, and of the row of words. */
const LETTER = 7.2;
const GAP = 22;
const LEVEL = 24;
const ROW = 26;
const EDGE = 12;
/** Distance of the ends of the arcs of a word. */
const PORT = 5;

/** An edge with its level in the drawing, 1 next to the words. */
interface LevelledEdge extends DiagramEdge {
  readonly level: number;
}

/**
 * Draws a dependency graph as an `<svg>` element without external references: arcs above and below the words,
 * each with its label and an arrow at its modifier. A word may have several heads or none. Arcs have the
 * minimal height above those that they span, and the ends at a word are drawn side by side. O(e²) for e
 * edges.
 */
export function arcDiagram({ words, above, below }: Diagram): string {
  const centres = centresOf(words, [...above, ...below]);
  const [upper, lower] = [levelled(above), levelled(below)];
  const top = EDGE + LEVEL * highest(upper);
  const height = top + ROW + LEVEL * highest(lower) + EDGE;
  const last = words.length;
  const width = Math.ceil(centres[last]! + (LETTER * (words[last - 1] ?? "").length) / 2 + EDGE);
  const texts = words.map(
    (word, i) => `<text x="${round(centres[i + 1]!)}" y="${top + 17}">${escapeHtml(word)}</text>`,
  );
  const isRooted = [...above, ...below].some(({ head }) => head === 0);
  if (isRooted) texts.unshift(`<text x="${round(centres[0]!)}" y="${top + 17}" opacity="0.6">root</text>`);
  const arcs = [
    ...upper.map((edge) => arc(edge, ports(edge, upper, centres), { y: top, up: -1 })),
    ...lower.map((edge) => arc(edge, ports(edge, lower, centres), { y: top + ROW, up: 1 })),
  ];
  return (
    `<svg viewBox="0 0 ${width} ${height}" style="width:${width}px;max-width:100%" ` +
    'font-family="system-ui, sans-serif" font-size="13" text-anchor="middle" fill="currentColor" ' +
    `role="img">${texts.join("")}${arcs.join("")}</svg>`
  );
}

/** Returns the centre of each word, entry 0 for the root, with space for the labels of short arcs. */
function centresOf(words: readonly string[], edges: readonly DiagramEdge[]): number[] {
  const isRooted = edges.some(({ head }) => head === 0);
  const sizes = [isRooted ? "root" : "", ...words].map((word) => LETTER * word.length);
  const centres = [EDGE + sizes[0]! / 2];
  for (let i = 1; i < sizes.length; i++) {
    const between = edges.filter(
      ({ head, modifier }) => Math.abs(head - modifier) === 1 && Math.max(head, modifier) === i,
    );
    const label = Math.max(0, ...between.map((edge) => 6 * edge.label.length + 2 * PORT));
    const apart = (sizes[i - 1]! + sizes[i]!) / 2 + (i === 1 && !isRooted ? 0 : GAP);
    centres.push(centres[i - 1]! + Math.max(apart, label));
  }
  return centres;
}

/** Assigns levels: each arc is above all arcs that lie within it. */
function levelled(edges: readonly DiagramEdge[]): LevelledEdge[] {
  const byLength = edges
    .map((edge) => ({
      edge,
      from: Math.min(edge.head, edge.modifier),
      to: Math.max(edge.head, edge.modifier),
    }))
    .sort((a, b) => a.to - a.from - (b.to - b.from) || a.from - b.from);
  const placed: { readonly from: number; readonly to: number; readonly edge: LevelledEdge }[] = [];
  for (const { edge, from, to } of byLength) {
    const under = placed.filter((other) => other.from < to && other.to > from);
    const level = 1 + Math.max(0, ...under.map((other) => other.edge.level));
    placed.push({ from, to, edge: { ...edge, level } });
  }
  return placed.map(({ edge }) => edge);
}

function highest(edges: readonly LevelledEdge[]): number {
  return Math.max(0, ...edges.map(({ level }) => level));
}

/**
 * Returns the ends of each arc: arcs to one side of a word are side by side, the longest nearest to the
 * centre.
 */
function ports(
  edge: LevelledEdge,
  edges: readonly LevelledEdge[],
  centres: readonly number[],
): { readonly head: number; readonly modifier: number } {
  const portOf = (word: number, other: number): number => {
    const side = Math.sign(other - word);
    const same = edges.filter(
      ({ head, modifier }) =>
        (head === word && Math.sign(modifier - word) === side) ||
        (modifier === word && Math.sign(head - word) === side),
    );
    const rank = same.sort((a, b) => b.level - a.level).indexOf(edge);
    return centres[word]! + side * PORT * (0.5 + Math.max(0, rank));
  };
  return { head: portOf(edge.head, edge.modifier), modifier: portOf(edge.modifier, edge.head) };
}

function arc(
  { head, modifier, label, kind, level }: LevelledEdge,
  x: { readonly head: number; readonly modifier: number },
  { y, up }: { readonly y: number; readonly up: 1 | -1 },
): string {
  const peak = y + up * (LEVEL * level - 10);
  const colour = DIAGRAM_COLOURS[kind];
  const dashed = kind === "missed" ? ' stroke-dasharray="4 3"' : "";
  const [from, to] = [round(x.head), round(x.modifier)];
  const path = `M${from},${y}C${from},${peak} ${from},${peak} ${round((x.head + x.modifier) / 2)},${peak}`;
  const rest = `S${to},${peak} ${to},${y + up * 5}`;
  const arrow = `M${to},${y}l-3,${up * 6}h6z`;
  const middle = round((x.head + x.modifier) / 2);
  const title = `<title>${head} \u2192 ${modifier} ${escapeHtml(label)}: ${kind}</title>`;
  return (
    `<g>${title}<path d="${path}${rest}" fill="none" stroke="${colour}" stroke-width="1.4"${dashed}/>` +
    `<path d="${arrow}" fill="${colour}"/>` +
    `<text x="${middle}" y="${round(peak + (up < 0 ? -3 : 11))}" font-size="10" fill="${colour}">` +
    `${escapeHtml(label)}</text></g>`
  );
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}
