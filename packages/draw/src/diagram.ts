import { ArcwiseError } from "@arcwise/core/errors";

/** The language-specific and universal columns that can stand below a word. */
export type TagColumn = "upos" | "xpos" | "lemma" | "feats";

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
 * What an arc is: of the one tree that is drawn (`plain`); of a predicted tree compared with a gold one
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

/** What is drawn: words in their order, and arcs between them. */
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

/**
 * Checks the positions and probabilities of a diagram. O(words + arcs).
 *
 * @throws ArcwiseError with code `invalid-argument` when an arc or token names a word that does not exist, or
 *   a probability is not from 0 to 1
 */
export function checkDiagram({ words, arcs, tokens }: Diagram): void {
  const n = words.length;
  const isWord = (position: number): boolean => Number.isInteger(position) && position >= 1 && position <= n;
  for (const [i, { head, modifier, probability }] of arcs.entries()) {
    if (!isWord(modifier)) throw invalid(`arcs[${i}].modifier`, `a position from 1 to ${n}`, modifier);
    if (head !== 0 && !isWord(head)) throw invalid(`arcs[${i}].head`, `a position from 0 to ${n}`, head);
    if (probability !== undefined && !(probability >= 0 && probability <= 1)) {
      throw invalid(`arcs[${i}].probability`, "a number from 0 to 1", probability);
    }
  }
  for (const [i, { first, last }] of tokens.entries()) {
    if (isWord(first) && isWord(last) && first <= last) continue;
    throw invalid(`tokens[${i}]`, `positions from 1 to ${n}, first before last`, `${first}-${last}`);
  }
}

/** Returns an error about an argument: where it is, what was expected, what was found. */
export function invalid(at: string, expected: string, found: unknown): ArcwiseError {
  const text = String(found);
  return new ArcwiseError("invalid-argument", `${at}: expected ${expected}, got ${text}`, {
    at,
    expected,
    found: text,
  });
}
