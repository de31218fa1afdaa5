import { checkArgument, satisfying } from "@arcwise/core/options";
import type { EmptyRow, RangeRow, Row, WordRow } from "../types.ts";
import { rowId } from "../write.ts";
import { type Attributes, type Features, readAttributes, readFeatures } from "./attributes.ts";
import {
  type EmptyNodeJson,
  type SpanJson,
  type TokenJson,
  tokenJson,
  type WordJson,
  withColumns,
  wordJson,
} from "./json.ts";
import type { SentenceText } from "./spans.ts";
import { spacesAfter, type TokenRow } from "./tokens.ts";

/** The member that `console.log` of Node calls. */
export const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** The views of one sentence, and what they share. */
export interface SentenceNodes {
  readonly spans: SentenceText;
  /** Returns the index of the token of a word. */
  tokenOf(id: number): number;
  readonly words: readonly WordView[];
  readonly tokens: readonly TokenView[];
  childrenOf(id: number): readonly WordView[];
  edges(row: Row): readonly EnhancedEdge[];
}

/** A node of the enhanced graph. */
export type NodeView = WordView | EmptyNodeView;

/**
 * An edge of the enhanced graph to a node from its head.
 *
 * @example
 * for (const { head, deprel } of word.deps) console.log(head?.id ?? "root", deprel); // 2 obl:in
 */
export interface EnhancedEdge {
  /** Undefined for the root, and for a head that is not in the sentence. */
  readonly head: NodeView | undefined;
  readonly deprel: string;
}

/**
 * The common part of words and empty nodes. Annotation that is absent (`_`) is undefined, or without
 * entries.
 */
abstract class AnnotatedNode<R extends WordRow | EmptyRow> {
  /** The columns as CoNLL-U has them. */
  readonly row: R;
  protected readonly nodes: SentenceNodes;
  #feats: Features | undefined;
  #misc: Attributes | undefined;
  #deps: readonly EnhancedEdge[] | undefined;

  constructor(row: R, nodes: SentenceNodes) {
    this.row = row;
    this.nodes = nodes;
  }

  get lemma(): string | undefined {
    const { form, lemma } = this.row;
    return this.row.kind === "word" && form === "_" ? lemma : present(lemma);
  }

  /** The universal part of speech. */
  get upos(): string | undefined {
    return present(this.row.upos);
  }

  /** The language-specific part of speech. */
  get xpos(): string | undefined {
    return present(this.row.xpos);
  }

  get feats(): Features {
    this.#feats ??= readFeatures(this.row.feats).items;
    return this.#feats;
  }

  get misc(): Attributes {
    this.#misc ??= readAttributes(this.row.misc).items;
    return this.#misc;
  }

  /** The incoming edges of the enhanced graph. Items of DEPS that are not `head:relation` are left out. */
  get deps(): readonly EnhancedEdge[] {
    this.#deps ??= this.nodes.edges(this.row);
    return this.#deps;
  }

  /** Returns the form. */
  toString(): string {
    return this.row.form;
  }

  /** Returns the node as plain data. */
  abstract toJSON(): object;

  [INSPECT](): object {
    return this.toJSON();
  }
}

/**
 * A syntactic word.
 *
 * @example
 * const [word] = sentence.words;
 * word!.lemma; // "dog"
 * word!.head?.form; // "bark"
 * word!.feats.Number; // "Plur"
 */
export class WordView extends AnnotatedNode<WordRow> {
  /** The number of the word, from 1. */
  get id(): number {
    return this.row.id;
  }

  get form(): string {
    return this.row.form;
  }

  /** The head; undefined for the root, and for a word whose head is unknown. O(1). */
  get head(): WordView | undefined {
    return this.nodes.words[this.row.head - 1];
  }

  /** Whether the word depends on the root. */
  get isRoot(): boolean {
    return this.row.head === 0;
  }

  /** The relation to the head. */
  get deprel(): string | undefined {
    return present(this.row.deprel);
  }

  /** The words whose head this is, in their order. */
  get children(): readonly WordView[] {
    return this.nodes.childrenOf(this.row.id);
  }

  /** The children before this word, in their order. */
  get left(): WordView[] {
    return this.children.filter(({ id }) => id < this.id);
  }

  /** The children after this word, in their order. */
  get right(): WordView[] {
    return this.children.filter(({ id }) => id > this.id);
  }

  /** The head, its head, and so on. Where heads are a cycle, each word of it occurs once. */
  get ancestors(): WordView[] {
    const ancestors = new Set<WordView>();
    for (let word = this.head; word !== undefined && !ancestors.has(word); word = word.head)
      ancestors.add(word);
    return [...ancestors];
  }

  /** This word and all that depend on it, in the order of the sentence. O(k log k) for k words. */
  get subtree(): WordView[] {
    const subtree = new Set<WordView>([this]);
    // The iteration reaches words that it adds.
    for (const word of subtree) for (const child of word.children) subtree.add(child);
    return [...subtree].sort((a, b) => a.id - b.id);
  }

  /**
   * The words from the first to the last word of the subtree, as a span: `subject.phrase.text` is the whole
   * subject. O(k log k) for k words.
   */
  get phrase(): Span {
    const subtree = this.subtree;
    return new Span(subtree[0]!.id, subtree.at(-1)!.id, this.nodes);
  }

  /**
   * Returns the words on the path of arcs to another word of the sentence: up to the nearest common ancestor, and
   * down to the other word, both ends included; no words if no path connects them. O(n).
   *
   * @throws ArcwiseError `invalid-argument` when the other word is not a word of this sentence
   */
  pathTo(other: WordView): WordView[] {
    const isOther = (value: unknown) => value instanceof WordView && this.nodes.words[value.id - 1] === value;
    checkArgument(satisfying("a word of the same sentence", isOther), other, "pathTo: other");
    const up: WordView[] = [this, ...this.ancestors];
    const down: WordView[] = [other, ...other.ancestors];
    const below = new Map(down.map((word, steps) => [word, steps]));
    const top = up.findIndex((word) => below.has(word));
    return top < 0 ? [] : [...up.slice(0, top + 1), ...down.slice(0, below.get(up[top]!)).reverse()];
  }

  /** The token that the word is, or is a part of. */
  get token(): TokenView {
    return this.nodes.tokens[this.nodes.tokenOf(this.row.id)]!;
  }

  /** The text of the word, from `start` to `end`. */
  get text(): string {
    return textOf(this.nodes, this.row.id, this.row.id);
  }

  /**
   * Offset of the word in the text that the sentence comes from, in UTF-16 code units. A word of a multiword token
   * has its own part of the token if the words spell the token ("do", "n't"), and the whole token otherwise ("du").
   */
  get start(): number {
    return this.nodes.spans.wordStart[this.row.id]!;
  }

  /** End of the word. */
  get end(): number {
    return this.nodes.spans.wordEnd[this.row.id]!;
  }

  override toJSON(): WordJson {
    return wordJson(this.row, this.start, this.end);
  }
}

/**
 * An empty node of the enhanced graph: an elided word.
 *
 * @example
 * for (const node of sentence.emptyNodes) console.log(node.id, node.form); // 8.1 goes
 */
export class EmptyNodeView extends AnnotatedNode<EmptyRow> {
  /** The ID: `8.1` for the first empty node after word 8. */
  get id(): string {
    return rowId(this.row);
  }

  get form(): string | undefined {
    return present(this.row.form);
  }

  override toJSON(): EmptyNodeJson {
    const { id, form } = this;
    return withColumns(form === undefined ? { id } : { id, form }, this.row);
  }
}

/**
 * A token of the text: a word, or a multiword token.
 *
 * @example
 * for (const { form, words, start, end } of sentence.tokens) console.log(form, words.length, start, end); // don't 2 3 8
 */
export class TokenView {
  /** The columns as CoNLL-U has them. */
  readonly row: WordRow | RangeRow;
  readonly #token: TokenRow;
  readonly #index: number;
  readonly #nodes: SentenceNodes;

  constructor(token: TokenRow, index: number, nodes: SentenceNodes) {
    this.row = token.row;
    this.#token = token;
    this.#index = index;
    this.#nodes = nodes;
  }

  /** The ID: `3`, or `3-4` for a multiword token. */
  get id(): string {
    return rowId(this.row);
  }

  get form(): string {
    return this.row.form;
  }

  /** The text of the token; differs from the form where the form leaves out white space. */
  get text(): string {
    const { text, offsets, lengths } = this.#nodes.spans;
    return text.slice(offsets[this.#index], offsets[this.#index]! + lengths[this.#index]!);
  }

  /** The syntactic words of the token. */
  get words(): readonly WordView[] {
    return this.#nodes.words.slice(this.#token.first - 1, this.#token.last);
  }

  /** Whether white space follows in the text, which is so unless MISC says otherwise. */
  get spaceAfter(): boolean {
    return spacesAfter(this.row.misc) !== "";
  }

  get misc(): Attributes {
    return readAttributes(this.row.misc).items;
  }

  /** Offset in the text that the sentence comes from, in UTF-16 code units. */
  get start(): number {
    return this.#nodes.spans.start[this.#index]!;
  }

  get end(): number {
    return this.#nodes.spans.end[this.#index]!;
  }

  /** Returns the form. */
  toString(): string {
    return this.form;
  }

  toJSON(): TokenJson {
    return tokenJson(this.#token, this.start, this.end);
  }

  [INSPECT](): TokenJson {
    return this.toJSON();
  }
}

/**
 * Consecutive words of a sentence. Iterating a span yields its words. A multiword token that its words do not spell
 * counts as a whole: the span of one word of "du" has the text "du".
 *
 * @example
 * const span: Span = sentence.span(1, 2);
 * span.text; // "The storm"
 * span.head.form; // "storm"
 */
export class Span {
  readonly #first: number;
  readonly #last: number;
  readonly #nodes: SentenceNodes;

  constructor(first: number, last: number, nodes: SentenceNodes) {
    this.#first = first;
    this.#last = last;
    this.#nodes = nodes;
  }

  /** The words of the span, in their order. */
  get words(): readonly WordView[] {
    return this.#nodes.words.slice(this.#first - 1, this.#last);
  }

  /**
   * The word on which the others depend: of the words whose head is outside of the span, the one nearest to the
   * root, the first of several. O(k d) for k words and trees of depth d.
   */
  get head(): WordView {
    const { words } = this;
    const isInside = (word: WordView | undefined) =>
      word !== undefined && word.id >= this.#first && word.id <= this.#last;
    const [first, ...others] = words.filter((word) => !isInside(word.head));
    if (first === undefined) return words[0]!; // a cycle
    return others.reduce((a, b) => (b.ancestors.length < a.ancestors.length ? b : a), first);
  }

  /** The text from the first to the last word, with the white space between them as in the sentence. */
  get text(): string {
    return textOf(this.#nodes, this.#first, this.#last);
  }

  /** Offset of the first word in the text that the sentence comes from, in UTF-16 code units. */
  get start(): number {
    return this.#nodes.spans.wordStart[this.#first]!;
  }

  /** End of the last word. */
  get end(): number {
    return this.#nodes.spans.wordEnd[this.#last]!;
  }

  [Symbol.iterator](): IterableIterator<WordView> {
    return this.words[Symbol.iterator]();
  }

  /** Returns the text. */
  toString(): string {
    return this.text;
  }

  /** Returns the span as plain data. */
  toJSON(): SpanJson {
    const { text, start, end, head, words } = this;
    return { text, start, end, head: head.id, words: words.map(({ id }) => id) };
  }

  [INSPECT](): SpanJson {
    return this.toJSON();
  }
}

/** Returns the text from a word to another one. */
function textOf(nodes: SentenceNodes, first: number, last: number): string {
  const { text, offsets, partOffsets, partLengths } = nodes.spans;
  const from = offsets[nodes.tokenOf(first)]! + partOffsets[first]!;
  return text.slice(from, offsets[nodes.tokenOf(last)]! + partOffsets[last]! + partLengths[last]!);
}

function present(column: string): string | undefined {
  return column === "_" ? undefined : column;
}
