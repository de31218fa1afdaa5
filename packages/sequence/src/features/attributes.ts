import type { Sentence, Word } from "@arcwise/core";
import { hashString, normalForm, shapeOf } from "@arcwise/core/features";
import { type GazetteerData, GazetteerIndex } from "./gazetteers.ts";
import { indexOf, KeyCounter, type KeyIndex } from "./hash-index.ts";
import { SEQUENCE_ATTRIBUTES, WINDOW } from "./templates.ts";

/** Codes of the attributes of a sequence, from which features are extracted. */
export interface EncodedSequence {
  readonly n: number;
  /**
   * One column per attribute: the code of position i is at `i + WINDOW`, of n + 2 WINDOW; empty when not
   * requested.
   */
  readonly columns: readonly Int32Array[];
  /** 1 for rare words, 2 for frequent ones. */
  readonly rarity: Uint8Array;
}

/** Forms that occur fewer times in training are rare words. */
const RARE = 5;
/** Maximum number of forms whose codes an encoder caches. */
const REMEMBERED = 2 ** 16;
const BEFORE = "\u0001before";
const AFTER = "\u0001after";
const FORM = SEQUENCE_ATTRIBUTES.indexOf("form");
const ANNOTATION = ["lemma", "upos", "xpos", "feats"] as const;
const FIRST_ANNOTATION = SEQUENCE_ATTRIBUTES.indexOf("lemma");
const AFTER_ANNOTATION = FIRST_ANNOTATION + ANNOTATION.length;
const FIRST_LIST = SEQUENCE_ATTRIBUTES.indexOf("list1");
const FIRST_BEGINNING = SEQUENCE_ATTRIBUTES.indexOf("first1");
const OUTSIDE = hashString("no");
const POSITIONS = [OUTSIDE, hashString("first"), hashString("inside")] as const;

interface WordCodes {
  /** One code for each requested attribute that depends on the form alone. */
  readonly codes: Int32Array;
  readonly rarity: number;
}

/** Returns the codes of the forms of sentences that are not rare, in the order of their first occurrence. */
export function frequentFormsOf(sentences: readonly Sentence[]): Int32Array {
  const counter = new KeyCounter();
  for (const sentence of sentences) for (const { form } of sentence) counter.add(formCode(form));
  return counter.frequent(RARE);
}

/** Converts words to codes of the attributes in templates. */
export class SequenceEncoder {
  readonly #wanted: readonly number[];
  readonly #formAttributes: readonly FormAttribute[];
  /** Codes of the positions before the beginning, and after the end. */
  readonly #before: readonly number[];
  readonly #after: readonly number[];
  readonly #frequent: KeyIndex;
  readonly #remembered = new Map<string, WordCodes>();
  readonly #values = new Map<string, number>();
  /** The lists that attributes name, with the indices of these attributes. */
  readonly #lists: readonly ListAttributes[];

  /**
   * @param wanted indices of attributes
   * @param frequentForms codes of the forms that are not rare
   * @param gazetteers lists of names, which the attributes `list1`, `first1`, ... look up
   */
  constructor(
    wanted: Iterable<number>,
    frequentForms: Int32Array,
    gazetteers: readonly GazetteerData[] = [],
  ) {
    this.#wanted = [...new Set(wanted)].sort((a, b) => a - b);
    const formAttributes = this.#wanted.filter(
      (a) => a < FIRST_ANNOTATION || (a >= AFTER_ANNOTATION && a < FIRST_LIST),
    );
    this.#lists = listAttributes(this.#wanted, gazetteers);
    this.#formAttributes = formAttributes.map(formAttribute);
    this.#before = this.#wanted.map((attribute) => hashString(BEFORE, attribute));
    this.#after = this.#wanted.map((attribute) => hashString(AFTER, attribute));
    this.#frequent = indexOf(frequentForms);
  }

  /** Encodes a sequence. O(n), with strings only for words that are new to the encoder. */
  encode(words: Sentence): EncodedSequence {
    const n = words.length;
    const length = n + 2 * WINDOW;
    const all = new Int32Array(this.#wanted.length * length);
    const columns: Int32Array[] = SEQUENCE_ATTRIBUTES.map(() => NONE);
    for (const [k, attribute] of this.#wanted.entries()) {
      const column = all.subarray(k * length, (k + 1) * length);
      column.fill(this.#before[k], 0, WINDOW);
      column.fill(this.#after[k], n + WINDOW);
      columns[attribute] = column;
    }
    const rarity = new Uint8Array(n);
    for (let i = 0; i < n; i++) {
      const word = words[i];
      const known = this.#codesOf(word.form);
      rarity[i] = known.rarity;
      for (let k = 0; k < this.#formAttributes.length; k++) {
        columns[this.#formAttributes[k].index][i + WINDOW] = known.codes[k];
      }
      this.#encodeAnnotation(word, columns, i + WINDOW);
    }
    for (const list of this.#lists) encodeList(list, words, columns);
    return { n, columns, rarity };
  }

  /** Encodes the annotation of words again, whose forms have not changed. O(n). */
  annotate({ n, columns }: EncodedSequence, words: Sentence): void {
    for (let i = 0; i < n; i++) this.#encodeAnnotation(words[i], columns, i + WINDOW);
  }

  #encodeAnnotation(word: Word, columns: readonly Int32Array[], at: number): void {
    for (let k = 0; k < ANNOTATION.length; k++) {
      const column = columns[FIRST_ANNOTATION + k];
      if (column.length === 0) continue;
      const value = word[ANNOTATION[k]] ?? "";
      let code = this.#values.get(value);
      if (code === undefined) {
        if (this.#values.size >= REMEMBERED) this.#values.clear();
        code = hashString(value);
        this.#values.set(value, code);
      }
      column[at] = code;
    }
  }

  #codesOf(given: string): WordCodes {
    const known = this.#remembered.get(given);
    if (known !== undefined) return known;
    const form = normalForm(given);
    const lower = form.toLowerCase();
    const codes = new Int32Array(this.#formAttributes.length);
    for (let k = 0; k < codes.length; k++) codes[k] = codeOfForm(this.#formAttributes[k], form, lower);
    const found = { codes, rarity: this.#frequent.find(formCode(form)) >= 0 ? 2 : 1 };
    if (this.#remembered.size >= REMEMBERED) this.#remembered.clear();
    this.#remembered.set(given, found);
    return found;
  }
}

const NONE = new Int32Array(0);

/** A list of names, and the indices of the attributes that look it up; undefined: no template names it. */
interface ListAttributes {
  readonly index: GazetteerIndex;
  readonly position: number | undefined;
  readonly beginning: number | undefined;
}

function listAttributes(wanted: readonly number[], gazetteers: readonly GazetteerData[]): ListAttributes[] {
  const numbers = wanted
    .filter((attribute) => attribute >= FIRST_LIST)
    .map((attribute) => attribute - (attribute < FIRST_BEGINNING ? FIRST_LIST : FIRST_BEGINNING));
  const missing = numbers.find((number) => number >= gazetteers.length);
  if (missing !== undefined) {
    throw new RangeError(
      `a template names list ${missing + 1}, but there are ${gazetteers.length} gazetteers`,
    );
  }
  const asked = (attribute: number) => (wanted.includes(attribute) ? attribute : undefined);
  return [...new Set(numbers)].map((number) => ({
    index: new GazetteerIndex(gazetteers[number]),
    position: asked(FIRST_LIST + number),
    beginning: asked(FIRST_BEGINNING + number),
  }));
}

/** Writes the columns of a list. O(n words of the longest name). */
function encodeList(
  { index, position, beginning }: ListAttributes,
  words: Sentence,
  columns: readonly Int32Array[],
): void {
  const codes = index.codes(words);
  if (position !== undefined) {
    for (const [i, found] of index.positions(codes).entries())
      columns[position][i + WINDOW] = POSITIONS[found];
  }
  if (beginning === undefined) return;
  for (let i = 0; i < codes.length; i++) {
    columns[beginning][i + WINDOW] = index.isFirst(codes[i]) ? POSITIONS[1] : OUTSIDE;
  }
}

/** Returns the code of a form, the same for canonically equivalent ones. */
export function formCode(form: string): number {
  return hashString(normalForm(form), FORM);
}

/** An attribute that depends on the form alone. */
interface FormAttribute {
  readonly index: number;
  /** Its name, without the length of an affix. */
  readonly kind: string;
  /** The length of an affix; 0 for others. */
  readonly length: number;
}

function formAttribute(index: number): FormAttribute {
  const name = SEQUENCE_ATTRIBUTES[index];
  const length = Number(/\d$/.exec(name)?.[0] ?? 0);
  return { index, kind: length > 0 ? name.slice(0, -1) : name, length };
}

/** Returns the code of an attribute of a form. */
function codeOfForm({ index, kind, length }: FormAttribute, form: string, lower: string): number {
  if (length === 0) return hashString(attributeText(kind, form, lower), index);
  const from = lower.length - length;
  if (from <= 0) return hashString(`=${lower}`, index);
  return kind === "prefix" ? hashString(lower, index, 0, length) : hashString(lower, index, from);
}

/** Returns the value of an attribute of a form that is not an affix. */
function attributeText(kind: string, form: string, lower: string): string {
  switch (kind) {
    case "form":
      return form;
    case "word":
      return lower;
    case "shape":
      return shapeOf(form);
    case "pattern":
      return shapeOf(form).replace(/(.)\1+/gsu, "$1");
    case "capital":
      return capitalsOf(form, lower);
    case "digit":
      return /\p{N}/u.test(form) ? "yes" : "no";
    default:
      return /[-\u2010-\u2015]/.test(form) ? "yes" : "no";
  }
}

function capitalsOf(form: string, lower: string): string {
  if (form === lower) return "none";
  if (form === form.toUpperCase() && form.length > 1) return "all";
  return /^\p{Lu}/u.test(form) ? "first" : "inside";
}
