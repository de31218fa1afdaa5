import { emptyHash, hashString, hashWith } from "@arcwise/core/features";
import { HashIndex } from "../features/hash-index.ts";
import type { EndEdit } from "./lemma-edit.ts";

/** What a treebank says about lemmas of words with one universal tag. Plain data. */
export interface TagLemmas {
  readonly upos: string;
  readonly lemmas: readonly string[];
  /** For each lemma, the number of different forms that it has, at most `MAX_FORMS`. */
  readonly forms: readonly number[];
  /** Changes of the beginning and of the end of forms: what is cut, a tab, what is added. */
  readonly begins: readonly string[];
  readonly ends: readonly string[];
}

/** Larger numbers of forms of a lemma are not told apart. */
export const MAX_FORMS = 4;

/** Letters at the end of a lemma that its forms need not have. */
const LOOSE = 2;
/** Minimum length of what a form shares with a lemma that it may have without an edit of other words. */
export const MIN_STEM = 3;

/** The order of the code units in the hash of a text. */
type Direction = "forward" | "backward";

/** Returns the hash of a text by `hashWith`. */
function hashOf(text: string, direction: Direction): number {
  let hash = emptyHash();
  for (let k = 0; k < text.length; k++) {
    hash = hashWith(hash, text.charCodeAt(direction === "forward" ? k : text.length - 1 - k));
  }
  return hash;
}

/** A map from texts. Its hashes tell that it does not have a text without making a string of it. */
export class TextMap<T> {
  readonly #values = new Map<string, T>();
  readonly #hashes = new HashIndex();
  readonly #direction: Direction;

  /** @param direction whether hashes of texts begin with their first or with their last code unit */
  constructor(direction: Direction) {
    this.#direction = direction;
  }

  /** Returns the value of a text; where there is none, sets it first. */
  getOrSet(text: string, initial: () => T): T {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    const value = initial();
    this.#values.set(text, value);
    this.#hashes.add(hashOf(text, this.#direction));
    return value;
  }

  get(text: string): T | undefined {
    return this.#values.get(text);
  }

  /** Returns false for the hash of a text that has no value, but for one that shares the hash of another. */
  mayHave(hash: number): boolean {
    return this.#hashes.find(hash) >= 0;
  }
}

/** The lemmas and edits of words with one universal tag. */
export interface TagLexicon {
  /** Edits of the beginning, and of the end, by what they cut. */
  readonly begins: TextMap<HashedEdit[]>;
  readonly ends: TextMap<HashedEdit[]>;
  /** Lemmas by their beginnings: all letters but at most two. */
  readonly stems: TextMap<string[]>;
}

/** Looks up what a treebank says about lemmas. */
export class LemmaLexicon {
  readonly #byTag = new Map<string, TagLexicon>();
  /** For each lemma, its number of forms by universal tag. */
  readonly #forms = new TextMap<Map<string, number>>("forward");

  constructor(tags: readonly TagLemmas[]) {
    for (const { upos, lemmas, forms, begins, ends } of tags) {
      const stems = new TextMap<string[]>("forward");
      for (const [k, lemma] of lemmas.entries()) {
        this.#forms.getOrSet(lemma, () => new Map()).set(upos, forms[k]!);
        for (let cut = 0; cut <= LOOSE && lemma.length - cut >= MIN_STEM; cut++) {
          stems.getOrSet(lemma.slice(0, lemma.length - cut), () => []).push(lemma);
        }
      }
      this.#byTag.set(upos, { begins: byCut(begins, BEGIN), ends: byCut(ends, END), stems });
    }
  }

  /** Returns false for the hash of a text that is no lemma, but for one that shares the hash of a lemma. */
  mayHave(hash: number): boolean {
    return this.#forms.mayHave(hash);
  }

  /** Returns what is known of a universal tag; undefined: nothing. */
  tag(upos: string): TagLexicon | undefined {
    return this.#byTag.get(upos);
  }

  /**
   * Returns how many forms have a lemma, by their universal tags; undefined: none.
   *
   * @param own keys, see `lemmaKey`, of what is known from one form that does not count
   */
  forms(lemma: string, own: ReadonlySet<string> | undefined): ReadonlyMap<string, number> | undefined {
    const counts = this.#forms.get(lemma);
    if (counts === undefined || own === undefined) return counts;
    const isOwn = (upos: string) => own.has(lemmaKey(lemma, upos));
    if (![...counts.keys()].some(isOwn)) return counts;
    return new Map(Array.from(counts, ([upos, count]) => [upos, count - (isOwn(upos) ? 1 : 0)]));
  }
}

/** The key of a lemma of words with a universal tag. */
export function lemmaKey(lemma: string, upos: string): string {
  return `${upos}\t${lemma}`;
}

/** The text of an edit in a file. Fields of CoNLL-U have no tabs. */
export function editText({ cut, add }: EndEdit): string {
  return `${cut}\t${add}`;
}

/** Kinds of edits, and of their parts, which seed the hashes of their texts. */
export const BEGIN = 1;
export const END = 4;
const CUT = 7;
const ADD = 8;

/** An edit with the hashes of it and of its parts. */
export interface HashedEdit extends EndEdit {
  readonly hash: number;
  readonly cutHash: number;
  readonly addHash: number;
}

/** Returns an edit of the beginning or of the end with its hashes. */
export function hashedEdit({ cut, add }: EndEdit, kind: typeof BEGIN | typeof END): HashedEdit {
  const hash = hashString(editText({ cut, add }), kind);
  return { cut, add, hash, cutHash: hashString(cut, CUT), addHash: hashString(add, ADD) };
}

function byCut(texts: readonly string[], kind: typeof BEGIN | typeof END): TextMap<HashedEdit[]> {
  const edits = new TextMap<HashedEdit[]>(kind === BEGIN ? "forward" : "backward");
  for (const text of texts) {
    const [cut = "", add = ""] = text.split("\t");
    edits.getOrSet(cut, () => []).push(hashedEdit({ cut, add }, kind));
  }
  return edits;
}
