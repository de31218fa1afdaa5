import {
  anything,
  type Check,
  integer,
  list,
  number,
  oneOf,
  optional,
  pathOf,
  shaped,
  string,
} from "@arcwise/core/options";
import { type Diagram, diagramCheck } from "../diagram.ts";

/** Sizes in pixels. A label needs `LABEL_PAD` on both sides to stay clear of round corners. */
export const SIZES = {
  /** Font sizes of forms, labels and tags. */
  form: 15,
  label: 11,
  tag: 10,
  /** Height of the row of a form, and of each row of tags and tokens. */
  formRow: 22,
  tagRow: 14,
  /** Distance of neighbouring words, of levels of arcs, of the ends of arcs at a word, of lines of words.
   * Arrowheads need more room than other ends. */
  gap: 18,
  level: 22,
  port: 5,
  arrowPort: 7,
  line: 22,
  /** Height of the lowest level of arcs above its words. */
  base: 24,
  /** Free space around the drawing. */
  margin: 12,
  /** Length and half the width of an arrowhead. */
  arrow: 7,
  arrowHalf: 3.5,
  radius: 10,
} as const;

/** A point: x to the right, y downwards, in pixels. */
export type Point = readonly [x: number, y: number];

/** A text that is centred at `x`; `y` is its baseline. */
export interface TextLayout {
  readonly x: number;
  readonly y: number;
  /** Estimated width. */
  readonly width: number;
}

/** Where the label of an arc is, with its text. */
export interface LabelLayout extends TextLayout {
  /** As `arcText`; also the number of arcs that share a start, and the head of an end in another line. */
  readonly text: string;
}

/** Where a word is. Its position in `Layout.words` is that in the diagram. */
export interface WordLayout extends TextLayout {
  /** Tags of the word, in their order. */
  readonly tags: readonly TextLayout[];
  /** Line of words, from 0. */
  readonly line: number;
}

/** Where a multiword token is: a bracket from `left` to `right` with its form below. */
export interface TokenLayout extends TextLayout {
  /** Index of the token in the diagram. */
  readonly token: number;
  readonly left: number;
  readonly right: number;
  /** Height of the bracket. */
  readonly top: number;
}

/**
 * An arc, or the part of an arc that is in one line of words: from its head to the margin (`start`), or from the
 * margin to its modifier (`end`). Lines between these show nothing of it. `whole` arcs and `end` parts have an
 * arrowhead.
 */
export interface ArcLayout {
  /** Index of the arc in the diagram. */
  readonly arc: number;
  /** Indices of all arcs that share a `start`: arcs of one head with one label, to words on one side. */
  readonly shared?: readonly number[] | undefined;
  readonly part: "whole" | "start" | "end";
  /** Corners of the line from the head to the modifier; consecutive points share x or y. */
  readonly points: readonly Point[];
  /** Tip of the arrowhead, which is upright: 1 points down, -1 up. */
  readonly arrow?: { readonly x: number; readonly y: number; readonly down: 1 | -1 } | undefined;
  readonly label: LabelLayout;
}

/** The positions of everything in a drawing. */
export interface Layout {
  readonly kind: "arcs" | "tree";
  readonly diagram: Diagram;
  readonly width: number;
  readonly height: number;
  readonly words: readonly WordLayout[];
  readonly tokens: readonly TokenLayout[];
  readonly arcs: readonly ArcLayout[];
}

const TEXT = { x: number(-Infinity), y: number(-Infinity), width: number(0) };
const SHAPE = shaped<Layout>("a layout", {
  kind: oneOf("arcs", "tree"),
  diagram: diagramCheck,
  width: number(0),
  height: number(0),
});

/** Accepts layouts. O(size) */
export const layoutCheck: Check<Layout> = (value, at) => {
  SHAPE(value, at);
  const { words, tokens, arcs } = (value as Layout).diagram;
  const word = shaped<WordLayout>("a word", { ...TEXT, tags: list(shaped<TextLayout>("a tag", TEXT)) });
  const index = (items: readonly object[]) => integer(0, items.length - 1);
  shaped<Layout>("a layout", {
    words: list(word, { min: words.length, max: words.length }),
    tokens: list(
      shaped<TokenLayout>("a token", {
        ...TEXT,
        token: index(tokens),
        left: TEXT.x,
        right: TEXT.x,
        top: TEXT.x,
      }),
    ),
    arcs: list(
      shaped<ArcLayout>("an arc", {
        arc: index(arcs),
        shared: optional(list(index(arcs), { min: 1 })),
        part: oneOf("whole", "start", "end"),
        points: list(list(TEXT.x, { min: 2, max: 2 }), { min: 1 }),
        arrow: optional(shaped("an arrowhead", { x: TEXT.x, y: TEXT.y, down: oneOf(1, -1) })),
        label: shaped<LabelLayout>("a label", { ...TEXT, text: string }),
      }),
    ),
  })(value, at);
  const placed = (value as Layout).words;
  for (const [i, { tags }] of words.entries())
    list(anything, { min: tags.length, max: tags.length })(placed[i]!.tags, pathOf(at, `words[${i}].tags`));
};

/** Returns the greatest of some numbers, and of a minimum. */
export function greatest(values: readonly number[], minimum = 0): number {
  return values.reduce((a, b) => Math.max(a, b), minimum);
}

/** Returns the mirror image of a layout: the first word is at the right. */
export function mirrored(layout: Layout): Layout {
  const { width } = layout;
  const flip = <T extends TextLayout>(text: T): T => ({ ...text, x: width - text.x });
  return {
    ...layout,
    words: layout.words.map((word) => ({ ...flip(word), tags: word.tags.map(flip) })),
    tokens: layout.tokens.map((token) => ({
      ...flip(token),
      left: width - token.right,
      right: width - token.left,
    })),
    arcs: layout.arcs.map(({ points, arrow, label, ...arc }) => ({
      ...arc,
      points: points.map(([x, y]): Point => [width - x, y]),
      arrow: arrow && { ...arrow, x: width - arrow.x },
      label: flip(label),
    })),
  };
}
