import { invalidArgument } from "@arcwise/core/errors";
import { arcText, checkDiagram, type Diagram } from "../diagram.ts";
import { textWidth } from "../text/width.ts";
import { measuredWord } from "./arcs.ts";
import { type ArcLayout, greatest, type Layout, mirrored, SIZES, type WordLayout } from "./layout.ts";
import { RangeMax } from "./range-max.ts";

/** Least distance of words that follow each other, of words of one level, and of horizontal lines. */
const STEP = 22;
const APART = 16;
const TRACK = 9;
/** Height of the vertical end of an arc: its label and arrowhead. */
const STEM = 38;

/**
 * Returns the layout of a tree: each word is below its head, in the column of its place in the sentence. The
 * arcs of a head share a horizontal line; where lines would overlap (non-projective trees), they have
 * different heights. Arcs below the words are left out. O(n log n) for n words.
 *
 * @throws ArcwiseError with code `invalid-argument` as `layoutArcs`, or when the arcs do not form a tree: a word has
 *   two heads or none, or there is a cycle
 */
export function layoutTree(diagram: Diagram): Layout {
  checkDiagram(diagram);
  const n = diagram.words.length;
  const incoming = incomingArcs(diagram);
  const heads = incoming.map((arc) => (arc < 0 ? -1 : diagram.arcs[arc]!.head));
  const depths = depthsOf(heads);
  const labels = incoming.map((arc) => (arc < 0 ? 0 : textWidth(arcText(diagram.arcs[arc]!), SIZES.label)));
  const texts = diagram.words.map(measuredWord);
  const halves = texts.map(({ form, tags }, i) => Math.max(form, ...tags, labels[i + 1]!) / 2);
  const x = columnsOf(depths, halves);
  const tracks = tracksOf(heads, depths, x);
  const tops = levelTops(diagram, depths, tracks);
  const words = texts.map(({ form, tags }, i): WordLayout => {
    const [at, y] = [x[i + 1]!, tops[depths[i + 1]!]! + SIZES.form + 2];
    const tagsAt = tags.map((width, t) => ({ x: at, y: y + SIZES.tagRow * (t + 1), width }));
    return { x: at, y, width: form, line: 0, tags: tagsAt };
  });
  const arcs = heads.flatMap((head, m): ArcLayout[] => {
    if (m === 0) return [];
    const foot = tops[depths[m]!]! - 1;
    const text = arcText(diagram.arcs[incoming[m]!]!);
    const label = { x: x[m]!, y: foot - SIZES.arrow - 9, width: labels[m]!, text };
    const arrow = { x: x[m]!, y: foot, down: 1 as const };
    const arc = { arc: incoming[m]!, part: "whole" as const, arrow, label };
    const tip = foot - SIZES.arrow;
    if (head === 0)
      return [
        {
          ...arc,
          points: [
            [x[m]!, label.y + 4],
            [x[m]!, tip],
          ],
        },
      ];
    const bus = foot - STEM - TRACK * tracks[head]!;
    const bottom = tops[depths[head]!]! + wordHeight(diagram, head);
    return [
      {
        ...arc,
        points: [
          [x[head]!, bottom],
          [x[head]!, bus],
          [x[m]!, bus],
          [x[m]!, tip],
        ],
      },
    ];
  });
  const ends = halves.map((half, i) => x[i + 1]! + half);
  const bottoms = words.map((_, i) => tops[depths[i + 1]!]! + wordHeight(diagram, i + 1));
  const layout: Layout = {
    kind: "tree",
    diagram,
    width: Math.ceil(greatest(ends, SIZES.margin) + SIZES.margin),
    height: Math.ceil(greatest(bottoms, SIZES.margin) + SIZES.margin),
    words,
    tokens: [],
    arcs: n === 0 ? [] : arcs,
  };
  return diagram.direction === "rtl" ? mirrored(layout) : layout;
}

/** Returns the height of a word with its tags. */
function wordHeight({ words }: Diagram, position: number): number {
  return SIZES.formRow + SIZES.tagRow * words[position - 1]!.tags.length;
}

/** Returns the arc above the words that enters each word; entry 0 is -1. */
function incomingArcs({ words, arcs }: Diagram): number[] {
  const incoming = new Array<number>(words.length + 1).fill(-1);
  for (const [arc, { modifier, isBelow = false }] of arcs.entries()) {
    if (isBelow) continue;
    if (incoming[modifier]! >= 0) throw notTree(`word ${modifier} with several`);
    incoming[modifier] = arc;
  }
  const missing = incoming.indexOf(-1, 1);
  if (missing > 0) throw notTree(`word ${missing} without an arc`);
  return incoming;
}

function notTree(found: string): Error {
  return invalidArgument("arcs", "a tree: one head for every word", found);
}

/** Returns the depth of each word: 0 for those that depend on the root. */
function depthsOf(heads: readonly number[]): number[] {
  const depths = new Array<number>(heads.length).fill(-1);
  for (let word = 1; word < heads.length; word++) {
    const path: number[] = [];
    for (let at = word; at !== 0 && depths[at]! < 0; at = heads[at]!) {
      if (path.length >= heads.length) throw notTree(`a cycle through word ${at}`);
      path.push(at);
    }
    for (const at of path.reverse()) depths[at] = heads[at] === 0 ? 0 : depths[heads[at]!]! + 1;
  }
  return depths;
}

/** Returns the x of each word: in their order, without overlaps on a level. */
function columnsOf(depths: readonly number[], halves: readonly number[]): number[] {
  const ends: number[] = [];
  const x = [0];
  for (let word = 1; word < depths.length; word++) {
    const half = halves[word - 1]!;
    const free = ends[depths[word]!];
    const after = free === undefined ? SIZES.margin + half : free + APART + half;
    x.push(Math.max(after, word === 1 ? 0 : x[word - 1]! + STEP));
    ends[depths[word]!] = x[word]! + half;
  }
  return x;
}

/** Returns the track of the horizontal line of each head, 0 the lowest: lines of a level do not overlap. */
function tracksOf(heads: readonly number[], depths: readonly number[], x: readonly number[]): number[] {
  const spans = x.map((at) => ({ from: at, to: at }));
  for (let m = 1; m < heads.length; m++) {
    const span = spans[heads[m]!]!;
    spans[heads[m]!] = { from: Math.min(span.from, x[m]!), to: Math.max(span.to, x[m]!) };
  }
  const words = heads.map((_, word) => word).slice(1);
  words.sort((a, b) => spans[a]!.to - spans[a]!.from - (spans[b]!.to - spans[b]!.from) || a - b);
  const tracks = new Array<number>(heads.length).fill(0);
  const levels = byDepth(depths);
  const heights = levels.map(
    (level) => new Ranks(level.flatMap((word) => [spans[word]!.from, spans[word]!.to])),
  );
  for (const word of words) {
    const { from, to } = spans[word]!;
    if (from !== to) tracks[word] = heights[depths[word]!]!.raise(from, to) - 1;
  }
  return tracks;
}

/** Returns the words of each depth. */
function byDepth(depths: readonly number[]): number[][] {
  const levels = Array.from({ length: greatest(depths, -1) + 1 }, (): number[] => []);
  for (const [word, depth] of depths.entries()) if (word > 0) levels[depth]!.push(word);
  return levels;
}

/** Heights of intervals whose ends are known. */
class Ranks {
  readonly #rank: ReadonlyMap<number, number>;
  readonly #heights: RangeMax;

  constructor(ends: readonly number[]) {
    const ordered = [...new Set(ends)].sort((a, b) => a - b);
    this.#rank = new Map(ordered.map((end, rank) => [end, rank]));
    this.#heights = new RangeMax(ordered.length);
  }

  /** Puts an interval above all that it touches; returns its height from 1. */
  raise(from: number, to: number): number {
    const [first, last] = [this.#rank.get(from)!, this.#rank.get(to)!];
    const height = 1 + this.#heights.max(first, last);
    this.#heights.raise(first, last, height);
    return height;
  }
}

/** Returns the top of the words of each level. */
function levelTops(diagram: Diagram, depths: readonly number[], tracks: readonly number[]): number[] {
  const tops = [SIZES.margin + STEM - 8];
  const levels = byDepth(depths);
  for (const [level, words] of levels.slice(0, -1).entries()) {
    const height = greatest(words.map((word) => wordHeight(diagram, word)));
    const track = greatest(words.map((word) => tracks[word]!));
    tops.push(tops[level]! + height + 6 + TRACK * track + STEM + 8);
  }
  return tops;
}
