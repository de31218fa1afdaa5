import { emptyHash, hashString, hashWith } from "@arcwise/core/features";
import { HashIndex } from "../features/hash-index.ts";
import type { EndEdit } from "./lemma-edit.ts";

/** The lemmas of a treebank's words with one universal tag. Plain data. */
export interface TagLemmas {
  readonly upos: string;
  readonly lemmas: readonly string[];
  /** For each lemma, the number of different forms that it has, at most `MAX_FORMS`. */
  readonly forms: readonly number[];
  /** Changes of the beginning and of the end of forms: what is cut, a tab, what is added. */
  readonly begins: readonly string[];
  readonly ends: readonly string[];
}

/** Larger numbers of forms of a lemma count as this one. */
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

  /** Returns the value of a text; sets it first if it is missing. */
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

/**
 * Lemmas by their beginnings: all letters but at most two. A lookup begins with the hash of a beginning; no text is
 * made for a beginning, of which a treebank has three times as many as lemmas.
 */
class LemmaStems {
  readonly #lemmas: readonly string[];
  readonly #hashes: HashIndex;
  /** For each hash, the first entry of its list and its last one; an entry 3 k + c is lemma k without c letters. */
  readonly #first: Int32Array;
  /** The entry after each; -1 after the last one. */
  readonly #next: Int32Array;

  constructor(lemmas: readonly string[]) {
    const entries = (LOOSE + 1) * lemmas.length;
    this.#lemmas = lemmas;
    this.#hashes = new HashIndex(entries);
    this.#first = new Int32Array(entries);
    this.#next = new Int32Array(entries).fill(-1);
    const last = new Int32Array(entries);
    for (let k = 0; k < lemmas.length; k++) {
      const lemma = lemmas[k];
      let hash = emptyHash();
      for (let length = 1; length <= lemma.length; length++) {
        hash = hashWith(hash, lemma.charCodeAt(length - 1));
        const cut = lemma.length - length;
        if (cut <= LOOSE && length >= MIN_STEM) this.#add((LOOSE + 1) * k + cut, hash, last);
      }
    }
  }

  #add(entry: number, hash: number, last: Int32Array): void {
    const { size } = this.#hashes;
    const id = this.#hashes.add(hash);
    if (id === size) this.#first[id] = entry;
    else this.#next[last[id]] = entry;
    last[id] = entry;
  }

  /** Calls `receive` with the lemmas that begin with the first `length` letters of a text, whose hash is given. */
  visit(text: string, length: number, hash: number, receive: (lemma: string) => void): void {
    const id = this.#hashes.find(hash);
    if (id < 0) return;
    for (let entry = this.#first[id]; entry >= 0; entry = this.#next[entry]) {
      const cut = entry % (LOOSE + 1);
      const lemma = this.#lemmas[(entry - cut) / (LOOSE + 1)];
      // Another beginning may have the same hash.
      if (lemma.length - cut === length && text.startsWith(lemma.slice(0, length))) receive(lemma);
    }
  }
}

/** The lemmas and edits of words with one universal tag. */
export interface TagLexicon {
  /** Edits of the beginning, and of the end, by what they cut. */
  readonly begins: TextMap<HashedEdit[]>;
  readonly ends: TextMap<HashedEdit[]>;
  readonly stems: LemmaStems;
}

/** Looks up what a treebank says about lemmas. */
export class LemmaLexicon {
  readonly #tags: ReadonlyMap<string, TagLemmas>;
  /** Those that were looked up: a text needs few of them. */
  readonly #byTag = new Map<string, TagLexicon>();
  /** For each lemma, an index, and the hashes of lemmas. */
  readonly #ids = new Map<string, number>();
  readonly #hashes: HashIndex;
  /** Numbers of forms of each lemma, by universal tag; those with one tag share an object by the number. */
  readonly #forms: ReadonlyMap<string, number>[] = [];

  constructor(tags: readonly TagLemmas[]) {
    this.#tags = new Map(tags.map((tag) => [tag.upos, tag]));
    this.#hashes = new HashIndex(tags.reduce((sum, { lemmas }) => sum + lemmas.length, 0));
    for (const tag of tags) this.#addForms(tag);
  }

  #addForms({ upos, lemmas, forms }: TagLemmas): void {
    const shared = new Map<number, ReadonlyMap<string, number>>();
    const countOf = (count: number) => {
      const known = shared.get(count) ?? new Map([[upos, count]]);
      shared.set(count, known);
      return known;
    };
    for (let k = 0; k < lemmas.length; k++) {
      const lemma = lemmas[k];
      const id = this.#ids.get(lemma);
      if (id === undefined) {
        this.#ids.set(lemma, this.#forms.length);
        this.#forms.push(countOf(forms[k]));
        this.#hashes.add(hashOf(lemma, "forward"));
      } else this.#forms[id] = new Map([...this.#forms[id], [upos, forms[k]]]);
    }
  }

  /** Returns false for the hash of a text that is not a lemma, except one that shares the hash of a lemma. */
  mayHave(hash: number): boolean {
    return this.#hashes.find(hash) >= 0;
  }

  /** Returns what is known of a universal tag; undefined: nothing. O(lemmas) at the first call. */
  tag(upos: string): TagLexicon | undefined {
    const known = this.#byTag.get(upos);
    const tag = this.#tags.get(upos);
    if (known !== undefined || tag === undefined) return known;
    const { lemmas, begins, ends } = tag;
    const made = { begins: byCut(begins, BEGIN), ends: byCut(ends, END), stems: new LemmaStems(lemmas) };
    this.#byTag.set(upos, made);
    return made;
  }

  /**
   * Returns how many forms have a lemma, by their universal tags; undefined if no form has it.
   *
   * @param own keys, see `lemmaKey`, of what is known from one form that does not count
   */
  forms(lemma: string, own: ReadonlySet<string> | undefined): ReadonlyMap<string, number> | undefined {
    const id = this.#ids.get(lemma);
    const counts = id === undefined ? undefined : this.#forms[id];
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
