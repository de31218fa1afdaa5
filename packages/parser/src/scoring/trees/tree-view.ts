import type { Sentence, Word } from "@arcwise/core";

/** The input of features of whole trees: a sentence with a tree over it. Words are 1..n, 0 is the root. */
export interface TreeView {
  /** Number of words. */
  readonly n: number;
  /** A word. The root, and its head -1, are words of the form "". */
  word(i: number): Word;
  /** The value of a morphological feature of a word, "" if the word does not have it: `feature(2, "Case")`. */
  feature(i: number, name: string): string;
  /** The head of a word; -1 for the root. */
  head(i: number): number;
  /** The modifiers of a word or of the root, ascending: valid until the tree changes, and read-only. */
  modifiers(i: number): readonly number[];
}

const ROOT: Word = { form: "", lemma: "", upos: "", xpos: "", feats: "" };

/** A tree whose heads change one at a time. */
export class ChangingTree implements TreeView {
  readonly n: number;
  readonly #sentence: Sentence;
  readonly #heads: Int32Array;
  readonly #modifiers: number[][];
  readonly #features: (ReadonlyMap<string, string> | undefined)[];

  constructor(sentence: Sentence) {
    this.n = sentence.length;
    this.#sentence = sentence;
    this.#heads = new Int32Array(this.n + 1).fill(-1);
    this.#modifiers = Array.from({ length: this.n + 1 }, () => []);
    this.#features = new Array(this.n + 1).fill(undefined);
  }

  /** Sets the tree. O(n). */
  reset(heads: Int32Array): void {
    this.#heads.set(heads);
    for (const list of this.#modifiers) list.length = 0;
    for (let m = 1; m <= this.n; m++) this.#modifiers[heads[m]].push(m);
  }

  /** Changes the head of m to `head`. O(modifiers of both heads). */
  move(m: number, head: number): void {
    const old = this.#modifiers[this.#heads[m]];
    old.splice(old.indexOf(m), 1);
    const list = this.#modifiers[head];
    const after = list.findIndex((other) => other > m);
    list.splice(after < 0 ? list.length : after, 0, m);
    this.#heads[m] = head;
  }

  word(i: number): Word {
    return i <= 0 ? ROOT : this.#sentence[i - 1];
  }

  feature(i: number, name: string): string {
    if (i <= 0) return "";
    this.#features[i] ??= featuresOf(this.word(i).feats);
    return this.#features[i].get(name) ?? "";
  }

  head(i: number): number {
    return this.#heads[i];
  }

  modifiers(i: number): readonly number[] {
    return this.#modifiers[i];
  }
}

function featuresOf(feats = ""): Map<string, string> {
  const values = new Map<string, string>();
  for (const feature of feats === "_" ? [] : feats.split("|")) {
    const end = feature.indexOf("=");
    if (end > 0) values.set(feature.slice(0, end), feature.slice(end + 1));
  }
  return values;
}
