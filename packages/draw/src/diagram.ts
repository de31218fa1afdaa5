import { ArcwiseError } from "@arcwise/core/errors";
import { requireDiagram } from "./arguments.ts";

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

/**
 * Checks the texts, positions, kinds and probabilities of a diagram. O(words + arcs).
 *
 * @throws ArcwiseError with code `invalid-argument` when an arc or token names a word that does not exist, a
 *   probability is not from 0 to 1, a kind or column is not one of `ARC_KINDS` or `TAG_COLUMNS`, or a form or
 *   label is not a string
 */
export function checkDiagram(diagram: Diagram): void {
  requireDiagram(diagram);
  const { words, arcs, tokens } = diagram;
  for (const [i, { form, tags }] of words.entries()) {
    checkText(form, `words[${i}].form`);
    for (const [t, { column, text }] of tags.entries()) {
      checkOneOf(column, TAG_COLUMNS, `words[${i}].tags[${t}].column`);
      checkText(text, `words[${i}].tags[${t}].text`);
    }
  }
  for (const [i, arc] of arcs.entries()) checkArc(arc, words.length, `arcs[${i}]`);
  for (const [i, { first, last, form }] of tokens.entries()) {
    checkText(form, `tokens[${i}].form`);
    if (isWord(first, words.length) && isWord(last, words.length) && first <= last) continue;
    throw invalid(
      `tokens[${i}]`,
      `positions from 1 to ${words.length}, first before last`,
      `${first}-${last}`,
    );
  }
}

function checkArc(
  { head, modifier, label, goldLabel, kind, probability }: DiagramArc,
  n: number,
  at: string,
) {
  if (!isWord(modifier, n)) throw invalid(`${at}.modifier`, `a position from 1 to ${n}`, modifier);
  if (head !== 0 && !isWord(head, n)) throw invalid(`${at}.head`, `a position from 0 to ${n}`, head);
  checkText(label, `${at}.label`);
  if (goldLabel !== undefined) checkText(goldLabel, `${at}.goldLabel`);
  if (kind !== undefined) checkOneOf(kind, ARC_KINDS, `${at}.kind`);
  if (probability === undefined) return;
  if (typeof probability !== "number" || !(probability >= 0 && probability <= 1)) {
    throw invalid(`${at}.probability`, "a number from 0 to 1", probability);
  }
}

function isWord(position: number, n: number): boolean {
  return Number.isInteger(position) && position >= 1 && position <= n;
}

function checkText(value: unknown, at: string): void {
  if (typeof value !== "string") throw invalid(at, "a string", value);
}

function checkOneOf(value: unknown, choices: readonly unknown[], at: string): void {
  if (!choices.includes(value)) throw invalid(at, `one of ${choices.join(", ")}`, value);
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
