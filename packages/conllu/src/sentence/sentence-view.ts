import {
  checkArgument,
  checkOptions,
  defineOptions,
  flag,
  type OptionsOf,
  satisfying,
} from "@arcwise/core/options";
import { commentValue } from "../comments.ts";
import { depsEdge, nodeName } from "../graphs/deps.ts";
import { requireSentence } from "../sentence-check.ts";
import type { ConlluSentence, Row } from "../types.ts";
import { writeSentence } from "../write.ts";
import { type CompactSentenceJson, compactJson } from "./compact-json.ts";
import { type SentenceJson, tokenJson, type WordJson, wordJson } from "./json.ts";
import { type SentenceText, sentenceSpans } from "./spans.ts";
import { type TokenRow, tokenRows } from "./tokens.ts";
import {
  EmptyNodeView,
  type EnhancedEdge,
  INSPECT,
  type NodeView,
  type SentenceNodes,
  Span,
  TokenView,
  WordView,
} from "./words.ts";

/**
 * Returns the view of a sentence; a view is returned as it is. O(rows).
 *
 * @throws ArcwiseError `invalid-argument` when the value is not a sentence
 *
 * @example
 * const [plain] = parseConllu(text);
 * viewSentence(plain!).words[0]?.head?.form; // "bark"
 */
export function viewSentence(sentence: ConlluSentence): SentenceView {
  if (sentence instanceof SentenceView) return sentence;
  requireSentence(sentence, "viewSentence");
  return new SentenceView(sentence);
}

const JSON_OPTIONS = defineOptions({
  compact: { check: flag, default: false, help: "leave out what other members give" },
});

/**
 * A sentence as an object: its text, words and tree. It is a view of the rows of a `ConlluSentence`, and is
 * one itself: it shares comments and rows with the sentence that it was made of, and all functions for
 * sentences take it. A structured clone of a view is a plain `ConlluSentence`; `viewSentence` makes a view of
 * it again.
 *
 * Making a view takes O(1). Words, tokens, children and offsets are computed once, when they are first read:
 * rows must not change after that. Iterating a sentence yields its words.
 *
 * @example
 * const [sentence] = nlp.run("Dogs bark.");
 * for (const { form, upos, head, deprel } of sentence!.words) console.log(form, upos, head?.form, deprel);
 * sentence!.root?.form; // "bark"
 */
export class SentenceView implements ConlluSentence {
  readonly comments: string[];
  readonly rows: Row[];
  readonly line: number;
  readonly start: number | undefined;
  readonly offsets: "code-points" | undefined;
  #nodes: Nodes | undefined;

  constructor({ comments, rows, line, start, offsets }: ConlluSentence) {
    this.comments = comments;
    this.rows = rows;
    this.line = line;
    this.start = start;
    this.offsets = offsets;
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

  /** The word that depends on the root, the first of several; undefined if no word does. */
  get root(): WordView | undefined {
    return this.words.find(({ isRoot }) => isRoot);
  }

  /**
   * Returns consecutive words as a span, with their head and their text: `sentence.span(1, 2).text` is the text of
   * the first two words.
   *
   * @param first the first word, or its `id`; words are numbered from 1
   * @param last the last word, which is a part of the span, or its `id`; the first word by default
   * @throws ArcwiseError `invalid-argument` when they are not words of this sentence, or are not in order
   */
  span(first: number | WordView, last: number | WordView = first): Span {
    const from = this.#idOf(first, 1, "span: first");
    return new Span(from, this.#idOf(last, from, "span: last"), this.#known);
  }

  /** Returns the ID of a word, given the word or its ID, from `min`. */
  #idOf(word: number | WordView, min: number, at: string): number {
    const { words } = this;
    const idOf = (value: unknown) => (value instanceof WordView ? value.id : value);
    const isWord = (value: unknown) => {
      const id = idOf(value);
      if (typeof id !== "number" || !Number.isInteger(id) || id < min || id > words.length) return false;
      return value === id || words[id - 1] === value;
    };
    checkArgument(
      satisfying(`a word of the sentence or its id, from ${min} to ${words.length}`, isWord),
      word,
      at,
    );
    return idOf(word) as number;
  }

  [Symbol.iterator](): IterableIterator<WordView> {
    return this.words[Symbol.iterator]();
  }

  /** Returns the CoNLL-U text of the sentence, with a blank line. @throws ConlluError as `writeSentence` */
  toConllu(): string {
    return writeSentence(this);
  }

  /**
   * Returns the sentence as plain data; `JSON.stringify` calls it. Nothing is lost. `{ compact: true }` leaves out
   * what other members give, which is about 40 % of a parsed sentence; `sentenceFromJson` reads both. In
   * JSON the head of a word is its number, 0 for the root; in a view it is a word.
   *
   * @throws ArcwiseError `unknown-option`, `invalid-option`
   */
  toJSON(options?: string | { readonly compact?: false | undefined }): SentenceJson;
  toJSON(options: { readonly compact: true }): CompactSentenceJson;
  toJSON(options?: OptionsOf<typeof JSON_OPTIONS> | string): SentenceJson | CompactSentenceJson {
    // `JSON.stringify` gives the name of the member that has the sentence.
    const { compact } = checkOptions(JSON_OPTIONS, typeof options === "string" ? {} : options, "toJSON");
    const { id, text, start, offsets, comments, emptyNodes } = this;
    const json: SentenceJson = {
      ...(id !== undefined && { id }),
      text,
      ...(start !== undefined && { start }),
      ...(offsets !== undefined && { offsets }),
      comments,
      ...this.#known.json,
      ...(emptyNodes.length > 0 && { emptyNodes: emptyNodes.map((node) => node.toJSON()) }),
    };
    return compact ? compactJson(json, this.#known.spans) : json;
  }

  /** Returns the text, so that a sentence may stand within a template. */
  toString(): string {
    return this.text;
  }

  /** Output of `console.log` in Node: the text, and a table of the words. */
  [INSPECT](depth = 0): string {
    return depth < 0 ? `[Sentence ${JSON.stringify(this.text)}]` : `${this.text}\n${wordTable(this.words)}`;
  }

  get #known(): Nodes {
    this.#nodes ??= new Nodes(this);
    return this.#nodes;
  }
}

/** Returns a line for each word: position, form, lemma, tag, head and relation, in columns. */
function wordTable(words: readonly WordView[]): string {
  const rows = words.map(({ id, form, lemma, upos, head, deprel }) =>
    [id, form, lemma ?? "_", upos ?? "_", head?.id ?? (deprel === undefined ? "_" : 0), deprel ?? "_"].map(
      String,
    ),
  );
  const widths = [0, 1, 2, 3, 4].map((c) => Math.max(0, ...rows.map((row) => [...row[c]!].length)));
  const cell = (text: string, c: number) =>
    text + " ".repeat(Math.max(0, (widths[c] ?? 0) - [...text].length));
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}

/** The views of one sentence, and what they share; each member is computed when it is first read. */
class Nodes implements SentenceNodes {
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
      words.push(wordJson(row, this.spans.wordStart[row.id]!, this.spans.wordEnd[row.id]!));
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
    // Rows that a program has made may have any IDs.
    return this.#children[id] ?? [];
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
