import {
  type Check,
  checkArgument,
  integer,
  list,
  number,
  oneOf,
  optional,
  satisfying,
  shaped,
  string,
} from "@arcwise/core/options";

/** The language-specific and universal columns that can stand below a word. */
export const TAG_COLUMNS = ["upos", "xpos", "lemma", "feats"] as const;
/** A column of `TAG_COLUMNS`. */
export type TagColumn = (typeof TAG_COLUMNS)[number];

/** A text below a word, such as its part of speech. */
export interface DiagramTag {
  readonly column: TagColumn;
  readonly text: string;
}

/** A word of a diagram, or an empty node of an enhanced graph. */
export interface DiagramWord {
  /** ID as in CoNLL-U: `3`, or `3.1` for an empty node. */
  readonly id: string;
  readonly form: string;
  readonly tags: readonly DiagramTag[];
  readonly isEmpty?: boolean | undefined;
  /** Whether the word stands out, as words of a search do. */
  readonly isMarked?: boolean | undefined;
}

/** A multiword token over the words from `first` to `last` (positions from 1). */
export interface DiagramToken {
  readonly first: number;
  readonly last: number;
  readonly form: string;
}

/**
 * The kind of an arc: of the one tree that is drawn (`plain`); of a predicted tree compared with a gold one
 * (`right`, `relabelled`: right head and wrong label, `wrong`: wrong head); a gold arc that was not predicted
 * (`missed`); another candidate with its probability (`alternative`).
 */
export const ARC_KINDS = ["plain", "right", "relabelled", "wrong", "missed", "alternative"] as const;
/** A kind of `ARC_KINDS`. */
export type ArcKind = (typeof ARC_KINDS)[number];

/** A labelled arc between positions of words: 0 is the root, words are 1..n. */
export interface DiagramArc {
  readonly head: number;
  readonly modifier: number;
  readonly label: string;
  /** `plain` by default. */
  readonly kind?: ArcKind | undefined;
  /** Gold label of a `relabelled` arc. */
  readonly goldLabel?: string | undefined;
  /** Probability of the arc, from 0 to 1. */
  readonly probability?: number | undefined;
  /** Draw the arc below the words instead of above them. */
  readonly isBelow?: boolean | undefined;
}

/**
 * Words in their order, and arcs between them.
 *
 * @example
 * const diagram: Diagram = sentenceDiagram(sentence);
 * diagram.arcs[0]; // { head: 2, modifier: 1, label: "nsubj" }
 */
export interface Diagram {
  readonly id?: string | undefined;
  readonly text?: string | undefined;
  readonly words: readonly DiagramWord[];
  readonly arcs: readonly DiagramArc[];
  readonly tokens: readonly DiagramToken[];
  /** `rtl` puts the first word at the right. */
  readonly direction: "ltr" | "rtl";
}

/** Returns the text that stands on an arc: its label, the gold label, the probability in per cent. */
export function arcText({ label, goldLabel, probability }: DiagramArc): string {
  const labels = goldLabel === undefined ? label : `${label} / ${goldLabel}`;
  if (probability === undefined) return labels;
  const percent = `${Math.round(100 * probability)}%`;
  return labels === "" ? percent : `${labels} ${percent}`;
}

/** Returns the form of the word at a position; `root` for 0. */
export function formAt({ words }: Pick<Diagram, "words">, position: number): string {
  return position === 0 ? "root" : words[position - 1]!.form;
}

const ARC = shaped<DiagramArc>("an arc", {
  head: number(-Infinity),
  modifier: number(-Infinity),
  label: string,
  goldLabel: optional(string),
  kind: optional(oneOf(...ARC_KINDS)),
  probability: optional(number(0, 1)),
});
/** Accepts lists of arcs, whatever their words. */
export const arcsCheck = list(ARC);
const TAG = shaped<DiagramTag>("a tag", { column: oneOf(...TAG_COLUMNS), text: string });
/** Accepts diagrams, whatever words their arcs and tokens name. */
const diagramShape = shaped<Diagram>("a diagram", {
  id: optional(string),
  text: optional(string),
  words: list(shaped<DiagramWord>("a word with form and tags", { form: string, tags: list(TAG) })),
  arcs: arcsCheck,
  tokens: list(shaped<DiagramToken>("a token", { form: string })),
});

/** Accepts diagrams: the arcs and tokens name words that there are. O(words + arcs). */
export const diagramCheck: Check<Diagram> = (value, at) => {
  diagramShape(value, at);
  const n = (value as Diagram).words.length;
  const isWord = (position: unknown) =>
    typeof position === "number" && Number.isInteger(position) && position >= 1 && position <= n;
  const isToken = ({ first, last }: DiagramToken) => isWord(first) && isWord(last) && first <= last;
  shaped<Diagram>("a diagram", {
    arcs: list(shaped<DiagramArc>("an arc", { head: integer(0, n), modifier: integer(1, n) })),
    tokens: list(
      satisfying(`a token of words from 1 to ${n}, the first before the last`, (token) =>
        isToken(token as DiagramToken),
      ),
    ),
  })(value, at);
};

/** Checks the texts, positions, kinds and probabilities of a diagram. O(words + arcs). */
export function checkDiagram(diagram: Diagram): void {
  checkArgument(diagramCheck, diagram, "diagram");
}
