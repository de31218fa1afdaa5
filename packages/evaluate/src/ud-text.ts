import { type ConlluSentence, sentenceId, type WordRow } from "@arcwise/conllu";
import { InvalidSentence, type Place, type Side } from "./errors.ts";
import { Names } from "./tallies.ts";
import {
  CONTENT_RELATIONS,
  FUNCTION_RELATIONS,
  universalFeatures,
  universalPath,
  universalRelation,
} from "./ud-inventory.ts";

/** Spans of the text, as offsets into its characters: `start[i] .. end[i] - 1`. */
export interface Spans {
  readonly start: Int32Array;
  readonly end: Int32Array;
}

/**
 * The syntactic words of a whole file, as columns. Strings are interned: equal strings have equal numbers.
 */
export interface Words {
  readonly count: number;
  /** Span of the token that the word belongs to. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** 1 for the words of a multiword token. */
  readonly inRange: Uint8Array;
  /** Index of the head, -1 for the root. */
  readonly parent: Int32Array;
  /** Lower case. */
  readonly form: Int32Array;
  readonly lemma: Int32Array;
  readonly upos: Int32Array;
  readonly xpos: Int32Array;
  /** Universal features only. */
  readonly feats: Int32Array;
  /** Relation without its subtype. */
  readonly relation: Int32Array;
  /** 1 for words with a content relation. */
  readonly content: Uint8Array;
  /** count + 1 entries; the function words that depend on w are `functional[functionalStart[w] ..]`. */
  readonly functionalStart: Int32Array;
  readonly functional: Int32Array;
  readonly enhanced: EnhancedEdges;
}

/** Edges of the enhanced graphs, grouped by modifier: the edges of w are `start[w] .. start[w + 1] - 1`. */
export interface EnhancedEdges {
  readonly start: Int32Array;
  /** Index of the head, -1 for the root, -2 for a head that is not a word of the sentence. */
  readonly head: number[];
  readonly relation: number[];
  /** Relation without subtypes. */
  readonly universal: number[];
}

/** The text and words of a file, as input of the alignment. */
export interface UdText {
  /** All tokens without spaces, concatenated. */
  readonly characters: string;
  readonly tokens: Spans;
  readonly sentences: Spans;
  readonly words: Words;
}

/** Interns strings as numbers, shared by the two sides of a comparison. */
export class Numbering extends Names {
  readonly #features = new Map<string, number>();

  features(feats: string): number {
    const number = this.#features.get(feats) ?? this.of(universalFeatures(feats));
    this.#features.set(feats, number);
    return number;
  }
}

/** Rules whose violation in the text of a side is an error. */
export interface TextRules {
  readonly side: Side;
  readonly singleRoot: boolean;
}

/** Reads sentences into columns. O(words + length of the text). */
export function readText(
  sentences: readonly ConlluSentence[],
  numbering: Numbering,
  rules: TextRules,
): UdText {
  const reader = new TextReader(sentences, numbering, rules);
  for (let s = 0; s < sentences.length; s++) reader.readSentence(s);
  return reader.finish();
}

function spans(count: number): Spans {
  return { start: new Int32Array(count), end: new Int32Array(count) };
}

function emptyWords(count: number): Words {
  const column = () => new Int32Array(count);
  return {
    count,
    start: column(),
    end: column(),
    inRange: new Uint8Array(count),
    parent: column(),
    form: column(),
    lemma: column(),
    upos: column(),
    xpos: column(),
    feats: column(),
    relation: column(),
    content: new Uint8Array(count),
    functionalStart: new Int32Array(count + 1),
    functional: column(),
    enhanced: { start: new Int32Array(count + 1), head: [], relation: [], universal: [] },
  };
}

/** The spaces that the shared tasks leave out of forms. */
const SPACES = /\p{Zs}+/gu;
/** Matches text that the validator of Universal Dependencies also refuses as a form. */
const BLANK = /^\p{White_Space}*$/u;

class TextReader {
  readonly #sentences: readonly ConlluSentence[];
  readonly #numbering: Numbering;
  readonly #rules: TextRules;
  readonly #forms: string[] = [];
  readonly #words: Words;
  readonly #spans: Spans;
  readonly #tokenStart: number[] = [];
  readonly #tokenEnd: number[] = [];
  /** 1 for words with a function relation. */
  readonly #isFunctional: Uint8Array;
  /** Scratch array of the search for cycles: 1 + the last word whose path to the root visited the word. */
  readonly #visitor: Int32Array;
  #offset = 0;
  #word = 0;

  constructor(sentences: readonly ConlluSentence[], numbering: Numbering, rules: TextRules) {
    let count = 0;
    for (const { rows } of sentences) for (const row of rows) if (row.kind === "word") count++;
    this.#sentences = sentences;
    this.#numbering = numbering;
    this.#rules = rules;
    this.#words = emptyWords(count);
    this.#spans = spans(sentences.length);
    this.#isFunctional = new Uint8Array(count);
    this.#visitor = new Int32Array(count);
  }

  readSentence(s: number): void {
    const { rows } = this.#sentences[s]!;
    const base = this.#word;
    this.#spans.start[s] = this.#offset;
    let id = 1;
    let covered = 0;
    for (let r = 0; r < rows.length; r++) {
      const row = rows[r]!;
      if (row.kind === "empty") continue;
      if (row.kind === "range") {
        if (row.first !== id || id <= covered || row.last < row.first) {
          const expected = id <= covered ? `word ${id} of the token before` : `a token that starts at ${id}`;
          throw this.#error(s, r, `expected ${expected}, got the range ${row.first}-${row.last}`);
        }
        covered = row.last;
        this.#readToken(row.form, s, r);
        continue;
      }
      if (row.id !== id) throw this.#error(s, r, `expected word ${id}, got word ${row.id}`);
      if (id > covered) this.#readToken(row.form, s, r);
      this.#readWord(row, id <= covered);
      id++;
    }
    const last = rows.length - 1;
    if (id === 1) throw this.#error(s, last, "expected at least one word, got none");
    if (covered >= id)
      throw this.#error(s, last, `expected word ${id} of the last multiword token, got none`);
    this.#spans.end[s] = this.#offset;
    this.#readHeads(s, base, id - 1);
    this.#checkTree(s, base);
  }

  #readToken(form: string, s: number, r: number): void {
    const text = form.replace(SPACES, "");
    if (BLANK.test(text)) throw this.#error(s, r, "expected a form, got nothing but white space");
    this.#forms.push(text);
    this.#tokenStart.push(this.#offset);
    this.#offset += text.length;
    this.#tokenEnd.push(this.#offset);
  }

  #readWord(row: WordRow, inRange: boolean): void {
    const words = this.#words;
    const numbers = this.#numbering;
    const w = this.#word++;
    const token = this.#forms.length - 1;
    words.start[w] = this.#tokenStart[token]!;
    words.end[w] = this.#tokenEnd[token]!;
    words.inRange[w] = inRange ? 1 : 0;
    words.form[w] = numbers.of((inRange ? row.form : this.#forms[token]!).toLowerCase());
    words.lemma[w] = numbers.of(row.lemma);
    words.upos[w] = numbers.of(row.upos);
    words.xpos[w] = numbers.of(row.xpos);
    words.feats[w] = numbers.features(row.feats);
    const relation = universalRelation(row.deprel);
    words.relation[w] = numbers.of(relation);
    words.content[w] = CONTENT_RELATIONS.has(relation) ? 1 : 0;
    this.#isFunctional[w] = FUNCTION_RELATIONS.has(relation) ? 1 : 0;
  }

  /** Reads heads and enhanced edges as indices into the words of the file. */
  #readHeads(s: number, base: number, n: number): void {
    const { parent, enhanced } = this.#words;
    const { rows } = this.#sentences[s]!;
    let w = base;
    for (let r = 0; r < rows.length; r++) {
      const row = rows[r]!;
      if (row.kind !== "word") continue;
      const head = row.head;
      if (!(Number.isInteger(head) && head >= 0 && head <= n)) {
        const got = head === -1 ? "_" : head;
        throw this.#error(s, r, `expected a head from 0 to ${n} for word ${row.id}, got ${got}`);
      }
      parent[w] = head === 0 ? -1 : base + head - 1;
      if (row.deps !== "_" && row.deps !== "") this.#readEdges(row.deps, base, n);
      w++;
      enhanced.start[w] = enhanced.head.length;
    }
  }

  /**
   * Reads the enhanced edges from words and the root; ignores those from empty nodes, as the official script
   * does.
   */
  #readEdges(deps: string, base: number, n: number): void {
    const { head, relation, universal } = this.#words.enhanced;
    for (const edge of deps.split("|")) {
      const colon = edge.indexOf(":");
      const from = colon < 0 ? edge : edge.slice(0, colon);
      if (/^\d+\.\d+$/.test(from)) continue;
      const name = colon < 0 ? "" : edge.slice(colon + 1);
      const number = /^\d+$/.test(from) ? Number(from) : -1;
      head.push(number === 0 ? -1 : number > 0 && number <= n ? base + number - 1 : -2);
      relation.push(this.#numbering.of(name));
      universal.push(this.#numbering.of(universalPath(name)));
    }
  }

  #checkTree(s: number, base: number): void {
    const { parent } = this.#words;
    const visitor = this.#visitor;
    const end = this.#word;
    let roots = 0;
    for (let w = base; w < end; w++) {
      if (parent[w]! < 0) roots++;
      let ancestor = w;
      while (ancestor >= 0 && visitor[ancestor] === 0) {
        visitor[ancestor] = w + 1;
        ancestor = parent[ancestor]!;
      }
      if (ancestor >= 0 && visitor[ancestor] === w + 1) {
        throw this.#error(
          s,
          this.#rowOf(s, ancestor - base + 1),
          `the head of word ${ancestor - base + 1} depends on it: a cycle`,
        );
      }
    }
    if (roots > 1 && this.#rules.singleRoot) {
      throw this.#error(s, 0, `expected one root, got ${roots}`);
    }
  }

  #rowOf(s: number, id: number): number {
    return this.#sentences[s]!.rows.findIndex((row) => row.kind === "word" && row.id === id);
  }

  finish(): UdText {
    const words = this.#words;
    const { functionalStart, functional, parent, count } = words;
    const isFunctional = this.#isFunctional;
    for (let w = 0; w < count; w++)
      if (isFunctional[w]! && parent[w]! >= 0) functionalStart[parent[w]! + 1]!++;
    for (let w = 0; w < count; w++) functionalStart[w + 1]! += functionalStart[w]!;
    const next = functionalStart.slice();
    for (let w = 0; w < count; w++)
      if (isFunctional[w]! && parent[w]! >= 0) functional[next[parent[w]!]!++] = w;
    return {
      characters: this.#forms.join(""),
      tokens: { start: Int32Array.from(this.#tokenStart), end: Int32Array.from(this.#tokenEnd) },
      sentences: this.#spans,
      words,
    };
  }

  #error(s: number, row: number, detail: string): InvalidSentence {
    return new InvalidSentence(this.#rules.side, placeOf(this.#sentences, s, row), detail);
  }
}

/** Returns the location of a row: the number and ID of its sentence, and its line. */
export function placeOf(
  sentences: readonly ConlluSentence[],
  s: number,
  row: number,
): Pick<Place, "sentence" | "sentenceId" | "line"> {
  const { comments, line } = sentences[s]!;
  const at = line > 0 ? line + comments.length + Math.max(row, 0) : 0;
  const id = sentenceId(sentences[s]!);
  return id === undefined ? { sentence: s + 1, line: at } : { sentence: s + 1, sentenceId: id, line: at };
}
