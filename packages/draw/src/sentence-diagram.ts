import { type ConlluSentence, type Row, sentenceCheck, sentenceId, sentenceText } from "@arcwise/conllu";
import { invalidArgument } from "@arcwise/core/errors";
import { type Check, checkArgument, list, optional, satisfying, shaped, string } from "@arcwise/core/options";
import type { Diagram, DiagramArc, DiagramTag, DiagramToken, DiagramWord, TagColumn } from "./diagram.ts";
import { optionsFor, type SentenceDiagramOptions } from "./options.ts";

/** A word of a `WordSentence`. */
export interface DrawableWord {
  readonly form: string;
  readonly lemma?: string | undefined;
  readonly upos?: string | undefined;
  readonly xpos?: string | undefined;
  readonly feats?: string | undefined;
  readonly deprel?: string | undefined;
  /** Position of the head (0: root, -1: none), or the word of the same sentence that is the head. */
  readonly head?: number | DrawableWord | null | undefined;
}

/**
 * A sentence as an object with words. A word with a relation and no `head`, or the head `null`, depends on the
 * root.
 */
export interface WordSentence {
  readonly words: readonly DrawableWord[];
  readonly id?: string | undefined;
  readonly text?: string | undefined;
}

/** A sentence that can be drawn: a sentence of @arcwise/conllu, or an object with words. */
export type DrawableSentence = ConlluSentence | WordSentence;

const WORDS = shaped<WordSentence>("a sentence with rows or words, or a diagram", {
  words: list(
    shaped<DrawableWord>("a word with a form", {
      form: string,
      lemma: optional(string),
      upos: optional(string),
      xpos: optional(string),
      feats: optional(string),
      deprel: optional(string),
      head: satisfying(
        "a position or a word",
        (head) => head === undefined || typeof head === "number" || typeof head === "object",
      ),
    }),
  ),
  id: optional(string),
  text: optional(string),
});

const SENTENCE: Check = (value, at) => {
  const check = typeof value === "object" && value !== null && "rows" in value ? sentenceCheck : WORDS;
  check(value, at);
};

/**
 * Returns the diagram of a sentence: its words with tags, the arcs of its tree or enhanced graph, and its
 * multiword tokens. Columns that are `_` are absent. O(n + arcs).
 *
 * @throws ArcwiseError `unknown-option`, `invalid-option`; `invalid-argument` when a head or a marked position is not a word of the
 *   sentence, or DEPS is malformed
 *
 * @example
 * sentenceDiagram(sentence).arcs; // [{ head: 2, modifier: 1, label: "nsubj" }, { head: 0, modifier: 2, label: "root" }]
 */
export function sentenceDiagram(sentence: DrawableSentence, options?: SentenceDiagramOptions): Diagram {
  return sentenceDiagramFor("sentenceDiagram", sentence, optionsFor("sentenceDiagram", options));
}

/** Returns the diagram of a sentence. @param caller the function that was called, for messages */
export function sentenceDiagramFor(
  caller: string,
  sentence: DrawableSentence,
  { graph = "basic", tags = ["upos"], direction = "auto", marked = [] }: SentenceDiagramOptions,
): Diagram {
  if (Array.isArray(sentence))
    throw invalidArgument(caller, "a sentence", "a list: draw each sentence, or the list with drawHtml");
  checkArgument(SENTENCE, sentence, `${caller}: sentence`);
  const diagram = "rows" in sentence ? rowDiagram(sentence, graph, tags) : wordDiagram(sentence, tags);
  return {
    ...diagram,
    words: markedWords(diagram.words, marked),
    direction: direction === "auto" ? directionOf(diagram.words) : direction,
  };
}

function markedWords(words: readonly DiagramWord[], positions: readonly number[]): readonly DiagramWord[] {
  if (positions.length === 0) return words;
  const marked = [...words];
  for (const [i, position] of positions.entries()) {
    const word = words[position - 1];
    if (word === undefined)
      throw invalidArgument(`marked[${i}]`, `a position from 1 to ${words.length}`, `${position}`);
    marked[position - 1] = { ...word, isMarked: true };
  }
  return marked;
}

type Undirected = Omit<Diagram, "direction">;

function wordDiagram({ words, id, text }: WordSentence, columns: readonly TagColumn[]): Undirected {
  const positions = new Map(words.map((word, i) => [word, i + 1]));
  const headOf = ({ head, deprel }: DrawableWord, i: number): number => {
    if (typeof head === "number") return head;
    if (head === undefined || head === null) return deprel === undefined || deprel === "" ? -1 : 0;
    const position = positions.get(head);
    if (position === undefined)
      throw invalidArgument(`words[${i}].head`, "a word of the sentence", head.form);
    return position;
  };
  const arcs = words.flatMap((word, i): DiagramArc[] => {
    const head = headOf(word, i);
    return head < 0 ? [] : [{ head, modifier: i + 1, label: columnText(word.deprel) }];
  });
  return {
    id,
    text,
    words: words.map((word, i) => ({ id: `${i + 1}`, form: word.form, tags: tagsOf(word, columns) })),
    arcs,
    tokens: [],
  };
}

function rowDiagram(
  sentence: ConlluSentence,
  graph: "basic" | "enhanced",
  tags: readonly TagColumn[],
): Undirected {
  const isEnhanced = graph === "enhanced";
  const rows = sentence.rows.filter(({ kind }) => kind === "word" || (isEnhanced && kind === "empty"));
  const ids = rows.map(rowId);
  const positions = new Map([["0", 0], ...ids.map((id, i) => [id, i + 1] as const)]);
  const words = rows.map(
    (row, i): DiagramWord => ({
      id: ids[i]!,
      form: row.form,
      tags: tagsOf(row, tags),
      isEmpty: row.kind === "empty" ? true : undefined,
    }),
  );
  const positionOf = (id: string, modifier: string): number => {
    const position = positions.get(id);
    if (position === undefined)
      throw invalidArgument(`head of word ${modifier}`, "an ID of the sentence", id);
    return position;
  };
  const arcs = rows.flatMap((row, i): DiagramArc[] => {
    const modifier = i + 1;
    if (isEnhanced) {
      return depsOf(row, ids[i]!).map(({ head, label }) => ({
        head: positionOf(head, ids[i]!),
        modifier,
        label,
      }));
    }
    if (row.kind !== "word" || row.head < 0) return [];
    return [{ head: positionOf(`${row.head}`, ids[i]!), modifier, label: columnText(row.deprel) }];
  });
  return {
    id: sentenceId(sentence),
    text: sentenceText(sentence),
    words,
    arcs,
    tokens: sentence.rows.flatMap((row): DiagramToken[] => {
      if (row.kind !== "range") return [];
      const [first, last] = [positions.get(`${row.first}`), positions.get(`${row.last}`)];
      return first === undefined || last === undefined ? [] : [{ first, last, form: row.form }];
    }),
  };
}

function rowId(row: Row): string {
  if (row.kind === "range") return `${row.first}-${row.last}`;
  return row.kind === "word" ? `${row.id}` : `${row.after}.${row.index}`;
}

/** Splits DEPS: items `head:label` that bars separate. */
function depsOf({ deps }: Row, id: string): { readonly head: string; readonly label: string }[] {
  if (deps === "_") return [];
  return deps.split("|").map((item) => {
    const colon = item.indexOf(":");
    if (colon <= 0) throw invalidArgument(`DEPS of word ${id}`, "items HEAD:RELATION", item);
    return { head: item.slice(0, colon), label: item.slice(colon + 1) };
  });
}

function tagsOf(
  word: { readonly [column in TagColumn]?: string | undefined },
  columns: readonly TagColumn[],
): DiagramTag[] {
  return columns.flatMap((column) => {
    const text = columnText(word[column]);
    return text === "" ? [] : [{ column, text }];
  });
}

function columnText(column: string | undefined): string {
  return column === undefined || column === "_" ? "" : column;
}

const RIGHT_TO_LEFT =
  /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}/u;

/** Returns the direction of most words that begin with a letter. */
function directionOf(words: readonly DiagramWord[]): "ltr" | "rtl" {
  const letters = words.flatMap(({ form }) => /\p{L}/u.exec(form) ?? []);
  const leftward = letters.filter((letter) => RIGHT_TO_LEFT.test(letter)).length;
  return 2 * leftward > letters.length ? "rtl" : "ltr";
}
