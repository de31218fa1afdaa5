import { escapeHtml } from "./escape.ts";
import type { JudgedEdge } from "./sentences.ts";
import { textWidth } from "./text-width.ts";

/** Words with edges above and below them. */
export interface Diagram {
  readonly words: readonly string[];
  readonly above: readonly JudgedEdge[];
  readonly below: readonly JudgedEdge[];
}

/** Sizes in pixels: of texts, between words, between levels of arcs, and of the row of words. */
const WORD_SIZE = 14;
const LABEL_SIZE = 11;
const GAP = 20;
const LEVEL = 25;
const ROW = 26;
const EDGE = 14;
/** Distance of the ends of the arcs of a word. */
const PORT = 5;
/** Width of an arc beyond its label: the ends, round corners, and bold letters. */
const LABEL_SPACE = 34;
/** Height of an arrow head. */
const ARROW = 6;

/** An edge with its level in the drawing, 1 next to the words. */
interface LevelledEdge extends JudgedEdge {
  readonly level: number;
}

/** The drawing of an edge; labels are drawn after all arcs, so that no arc strikes them through. */
interface DrawnArc {
  readonly arc: string;
  readonly label: string;
}

/**
 * Draws a dependency tree or graph as an `<svg>` element without external references: arcs above and below
 * the words, each with its label and an arrow at its modifier. A word may have several heads or none. Arcs
 * have the minimal height above those that they span, are as wide as their labels, and the ends at a word are
 * drawn side by side. Classes name the kinds of edges; the style of the page has their colours. O(e²) for e
 * edges.
 */
export function arcDiagram({ words, above, below }: Diagram): string {
  const centres = centresOf(words, [...above, ...below]);
  const [upper, lower] = [levelled(above), levelled(below)];
  const top = EDGE + LEVEL * highest(upper);
  const height = top + ROW + LEVEL * highest(lower) + (lower.length === 0 ? 2 : EDGE);
  const last = words.length;
  const width = Math.ceil(centres[last]! + textWidth(words[last - 1] ?? "", WORD_SIZE) / 2 + EDGE);
  const texts = words.map(
    (word, i) => `<text x="${round(centres[i + 1]!)}" y="${top + 18}">${escapeHtml(word)}</text>`,
  );
  const isRooted = [...above, ...below].some(({ head }) => head === 0);
  if (isRooted) texts.unshift(`<text class="root" x="${round(centres[0]!)}" y="${top + 18}">root</text>`);
  const arcs = [
    ...upper.map((edge) => drawArc(edge, ports(edge, upper, centres), { y: top, up: -1 })),
    ...lower.map((edge) => drawArc(edge, ports(edge, lower, centres), { y: top + ROW, up: 1 })),
  ];
  return (
    `<svg class="arcs" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="system-ui, sans-serif" font-size="${WORD_SIZE}" text-anchor="middle" ` +
    `fill="currentColor" role="img" aria-label="${escapeHtml(description(words, above, below))}">` +
    `${texts.join("")}${arcs.map(({ arc }) => arc).join("")}${arcs.map(({ label }) => label).join("")}</svg>`
  );
}

/** A list of the kinds of arcs, each drawn as in the diagrams. */
export const ARC_LEGEND = `<ul class="legend arc-legend">${[
  ["right", "right"],
  ["relabelled", "right head, wrong label: found / gold"],
  ["wrong", "wrong head"],
  ["missed", "gold arc that is missed"],
]
  .map(
    ([kind, text]) =>
      '<li><svg class="arcs key" viewBox="0 0 26 12" width="26" height="12" aria-hidden="true">' +
      `<g class="${kind}"><path class="arc" d="M1,6H25" fill="none"/></g></svg>${text}</li>`,
  )
  .join("")}</ul>`;

/** Returns the errors of a diagram in words. */
function description(
  words: readonly string[],
  above: readonly JudgedEdge[],
  below: readonly JudgedEdge[],
): string {
  const nameOf = (position: number): string => words[position - 1] ?? "root";
  const errors = [...above, ...below].flatMap(({ head, modifier, label, kind }) =>
    kind === "right" ? [] : [`${kind}: ${nameOf(modifier)} depends on ${nameOf(head)}, ${label}`],
  );
  return `${words.join(" ")}. ${errors.length === 0 ? "No errors." : `${errors.join("; ")}.`}`;
}

/** Returns the centre of each word, entry 0 for the root, so that each arc is as wide as its label. */
function centresOf(words: readonly string[], edges: readonly JudgedEdge[]): number[] {
  const isRooted = edges.some(({ head }) => head === 0);
  const sizes = [isRooted ? "root" : "", ...words].map((word) => textWidth(word, WORD_SIZE));
  const centres = [EDGE + sizes[0]! / 2];
  for (let i = 1; i < sizes.length; i++) {
    const apart = (sizes[i - 1]! + sizes[i]!) / 2 + (i === 1 && !isRooted ? 0 : GAP);
    const ends = edges
      .filter(({ head, modifier }) => Math.max(head, modifier) === i)
      .map(
        (edge) =>
          centres[Math.min(edge.head, edge.modifier)]! + textWidth(labelOf(edge), LABEL_SIZE) + LABEL_SPACE,
      );
    centres.push(Math.max(centres[i - 1]! + apart, ...ends));
  }
  return centres;
}

function labelOf({ label, gold }: JudgedEdge): string {
  return gold === undefined ? label : `${label} / ${gold}`;
}

/** Assigns levels: each arc is above all arcs that lie within it. */
function levelled(edges: readonly JudgedEdge[]): LevelledEdge[] {
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

function drawArc(
  edge: LevelledEdge,
  x: { readonly head: number; readonly modifier: number },
  { y, up }: { readonly y: number; readonly up: 1 | -1 },
): DrawnArc {
  const { head, modifier, kind, level } = edge;
  const peak = y + up * (LEVEL * level - 9);
  const [from, to] = [round(x.head), round(x.modifier)];
  // A flat arc with round corners, whose radius no arc is too narrow for.
  const radius = Math.min(12, Math.abs(to - from) / 2, Math.abs(peak - y));
  const bend = Math.sign(to - from) * radius;
  const path =
    `M${from},${y}V${peak - up * radius}Q${from},${peak} ${round(from + bend)},${peak}` +
    `H${round(to - bend)}Q${to},${peak} ${to},${peak - up * radius}V${y + up * ARROW}`;
  const arrow = `M${to},${y}l-3.5,${up * ARROW}h7z`;
  const title = `<title>${head} \u2192 ${modifier} ${escapeHtml(labelOf(edge))}: ${kind}</title>`;
  const middle = round((x.head + x.modifier) / 2);
  return {
    arc:
      `<g class="${kind}">${title}<path class="arc" d="${path}" fill="none"/>` +
      `<path class="arrow" d="${arrow}"/></g>`,
    label:
      `<text class="label ${kind}" x="${middle}" y="${round(peak + 4)}" font-size="${LABEL_SIZE}">` +
      `${escapeHtml(labelOf(edge))}</text>`,
  };
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}
