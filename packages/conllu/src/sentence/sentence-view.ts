import { commentValue } from "../comments.ts";
import { depsEdge, nodeName } from "../graphs/deps.ts";
import type { ConlluSentence, EmptyRow, RangeRow, Row, WordRow } from "../types.ts";
import { rowId, writeSentence } from "../write.ts";
import { type Attributes, type Features, readAttributes, readFeatures } from "./attributes.ts";
import {
  type EmptyNodeJson,
  type SentenceJson,
  type TokenJson,
  tokenJson,
  type WordJson,
  withColumns,
  wordJson,
} from "./json.ts";
import { type SentenceText, sentenceSpans } from "./spans.ts";
import { spacesAfter, type TokenRow, tokenRows } from "./tokens.ts";

/** Returns the view of a sentence; a view is returned as it is. O(1): see `SentenceView`. */
export function viewSentence(sentence: ConlluSentence): SentenceView {
  return sentence instanceof SentenceView ? sentence : new SentenceView(sentence);
}

const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** A node of the enhanced graph. */
export type NodeView = WordView | EmptyNodeView;

/** An edge of the enhanced graph to a node from its head. */
export interface EnhancedEdge {
  /** Undefined for the root, and for a head that is not in the sentence. */
  readonly head: NodeView | undefined;
  readonly deprel: string;
}

/**
 * A sentence as an object: its text, words and tree. It is a view of the rows of a `ConlluSentence`, and is
 * one itself: it shares comments and rows with the sentence that it was made of, and all functions for
 * sentences take it. A structured clone of a view is a plain `ConlluSentence`; `viewSentence` makes a view of
 * it again.
 *
 * Making a view takes O(1). Words, tokens, children and offsets are computed once, when they are first read:
 * rows must not change after that. Iterating a sentence yields its words.
 */
export class SentenceView implements ConlluSentence {
  readonly comments: string[];
  readonly rows: Row[];
  readonly line: number;
  readonly start: number | undefined;
  #nodes: Nodes | undefined;

  constructor({ comments, rows, line, start }: ConlluSentence) {
    this.comments = comments;
    this.rows = rows;
    this.line = line;
    this.start = start;
  }

  /** The comment `# sent_id`. */
  get id(): string | undefined {
    return commentValue(this.comments, "sent_id");
  }

  /**
   * The text of the sentence: the comment `# text` where the tokens spell it, otherwise the tokens with the
   * white space that MISC gives (`SpaceAfter`, and `SpacesAfter`, `SpacesBefore`, `SpacesInToken` as UDPipe
   * writes them).
   */
  get text(): string {
    return this.#known.spans.text;
  }

  /** The syntactic words; word `i` of a tree is `words[i - 1]`. */
  get words(): readonly WordView[] {
    return this.#known.words;
  }

  /** The tokens of the text: words, and multiword tokens. */
  get tokens(): readonly TokenView[] {
    return this.#known.tokens;
  }

  /** The empty nodes of the enhanced graph. */
  get emptyNodes(): readonly EmptyNodeView[] {
    return this.#known.emptyNodes;
  }

  [Symbol.iterator](): IterableIterator<WordView> {
    return this.words[Symbol.iterator]();
  }

  /** Returns the CoNLL-U text of the sentence, with a blank line. @throws ConlluError as `writeSentence` */
  toConllu(): string {
    return writeSentence(this);
  }

  /** Returns the sentence as plain data, without loss; `JSON.stringify` calls it. */
  toJSON(): SentenceJson {
    const { id, text, start, comments, emptyNodes } = this;
    return {
      ...(id !== undefined && { id }),
      text,
      ...(start !== undefined && { start }),
      comments,
      ...this.#known.json,
      ...(emptyNodes.length > 0 && { emptyNodes: emptyNodes.map((node) => node.toJSON()) }),
    };
  }

  /** Returns the text, so that a sentence may stand within a template. */
  toString(): string {
    return this.text;
  }

  /** What `console.log` of Node prints. */
  [INSPECT](): SentenceJson {
    return this.toJSON();
  }

  get #known(): Nodes {
    this.#nodes ??= new Nodes(this);
    return this.#nodes;
  }
}

/** The views of one sentence, and what they share; each member is computed when it is first read. */
class Nodes {
  readonly #sentence: ConlluSentence;
  #words: readonly WordView[] | undefined;
  #tokens: readonly TokenView[] | undefined;
  #emptyNodes: readonly EmptyNodeView[] | undefined;
  #tokenRows: readonly TokenRow[] | undefined;
  #spans: SentenceText | undefined;
  #tokenOfWord: Int32Array | undefined;
  #children: readonly (readonly WordView[])[] | undefined;
  #byId: ReadonlyMap<string, NodeView> | undefined;

  constructor(sentence: ConlluSentence) {
    this.#sentence = sentence;
  }

  get words(): readonly WordView[] {
    this.#words ??= this.#sentence.rows.flatMap((row) =>
      row.kind === "word" ? [new WordView(row, this)] : [],
    );
    return this.#words;
  }

  get tokens(): readonly TokenView[] {
    this.#tokens ??= this.#rowsOfTokens.map((token, index) => new TokenView(token, index, this));
    return this.#tokens;
  }

  get emptyNodes(): readonly EmptyNodeView[] {
    this.#emptyNodes ??= this.#sentence.rows.flatMap((row) =>
      row.kind === "empty" ? [new EmptyNodeView(row, this)] : [],
    );
    return this.#emptyNodes;
  }

  get spans(): SentenceText {
    this.#spans ??= sentenceSpans(this.#sentence, this.#rowsOfTokens);
    return this.#spans;
  }

  /** Tokens and words as plain data, for which no views are made. */
  get json(): Pick<SentenceJson, "tokens" | "words"> {
    const { start, end } = this.spans;
    const tokens = this.#rowsOfTokens.map((token, t) => tokenJson(token, start[t]!, end[t]!));
    const words: WordJson[] = [];
    for (const row of this.#sentence.rows) {
      if (row.kind !== "word") continue;
      const t = this.tokenOf(row.id);
      words.push(wordJson(row, start[t]!, end[t]!));
    }
    return { tokens, words };
  }

  get #rowsOfTokens(): readonly TokenRow[] {
    this.#tokenRows ??= tokenRows(this.#sentence.rows);
    return this.#tokenRows;
  }

  /** Returns the index of the token of a word. */
  tokenOf(id: number): number {
    if (this.#tokenOfWord === undefined) {
      this.#tokenOfWord = new Int32Array((this.#rowsOfTokens.at(-1)?.last ?? 0) + 1);
      for (const [t, { first, last }] of this.#rowsOfTokens.entries())
        this.#tokenOfWord.fill(t, first, last + 1);
    }
    return this.#tokenOfWord[id]!;
  }

  childrenOf(id: number): readonly WordView[] {
    if (this.#children === undefined) {
      const children: WordView[][] = Array.from({ length: this.words.length + 1 }, () => []);
      for (const word of this.words) children[word.row.head]?.push(word);
      this.#children = children;
    }
    return this.#children[id]!;
  }

  /** Returns a node by its ID: `8` or `8.1`. */
  node(name: string): NodeView | undefined {
    this.#byId ??= new Map<string, NodeView>([
      ...this.words.map((word) => [`${word.id}`, word] as const),
      ...this.emptyNodes.map((node) => [node.id, node] as const),
    ]);
    return this.#byId.get(name);
  }

  edges({ deps }: Row): readonly EnhancedEdge[] {
    if (deps === "_") return [];
    return deps.split("|").flatMap((item) => {
      const edge = depsEdge(item);
      return edge === undefined ? [] : [{ head: this.node(nodeName(edge)), deprel: edge.relation }];
    });
  }
}

/**
 * What words and empty nodes have in common. Annotation that is absent (`_`) is undefined, or without
 * entries.
 */
abstract class AnnotatedNode<R extends WordRow | EmptyRow> {
  /** The columns as CoNLL-U has them. */
  readonly row: R;
  protected readonly nodes: Nodes;
  #feats: Features | undefined;
  #misc: Attributes | undefined;
  #deps: readonly EnhancedEdge[] | undefined;

  constructor(row: R, nodes: Nodes) {
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

/** A syntactic word. */
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
    // The iteration reaches what is added on the way.
    for (const word of subtree) for (const child of word.children) subtree.add(child);
    return [...subtree].sort((a, b) => a.id - b.id);
  }

  /** The token that the word is, or is a part of. */
  get token(): TokenView {
    return this.nodes.tokens[this.nodes.tokenOf(this.row.id)]!;
  }

  /** Offset of the token in the text that the sentence comes from, in UTF-16 code units. */
  get start(): number {
    return this.nodes.spans.start[this.nodes.tokenOf(this.row.id)]!;
  }

  /** End of the token. */
  get end(): number {
    return this.nodes.spans.end[this.nodes.tokenOf(this.row.id)]!;
  }

  override toJSON(): WordJson {
    return wordJson(this.row, this.start, this.end);
  }
}

/** An empty node of the enhanced graph: an elided word. */
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

/** A token of the text: a word, or a multiword token. */
export class TokenView {
  /** The columns as CoNLL-U has them. */
  readonly row: WordRow | RangeRow;
  readonly #token: TokenRow;
  readonly #index: number;
  readonly #nodes: Nodes;

  constructor(token: TokenRow, index: number, nodes: Nodes) {
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

function present(column: string): string | undefined {
  return column === "_" ? undefined : column;
}
