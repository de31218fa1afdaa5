import { type ConlluSentence, RawTextWriter, type Row, type WordRow, writeSentence } from "@arcwise/conllu";
import { html as markup, raw } from "hono/html";
import { badRequest } from "../failures.ts";
import { formatIn } from "./parameters.ts";

/** Writes consecutive sentences of one document. */
export interface OutputWriter {
  /** Text before the first sentence. */
  readonly start?: string;
  /** Text after the last sentence. */
  readonly end?: string;
  sentence(sentence: ConlluSentence): string;
  /** Returns the text between the sentences so far and the next one, by its comments, if there is one. */
  rest?(next: readonly string[] | undefined): string;
}

const NO_SPACE = /(?:^|\|)SpaceAfter=No(?:\||$)/;

/** @param from index of the first sentence in its document */
type WriterFactory = (options: ReadonlySet<string>, header: string, from: number) => OutputWriter;

/** Makes a writer of forms, with blank lines between paragraphs if the option `paragraphs` is given. */
function formsWriter(text: (forms: readonly string[]) => string): WriterFactory {
  return (options, _, from) => {
    let isFirst = from === 0;
    return {
      sentence(sentence) {
        const isBreak = !isFirst && options.has("paragraphs") && startsParagraph(sentence);
        isFirst = false;
        return (isBreak ? "\n" : "") + text(wordsOf(sentence).map(({ form }) => form));
      },
    };
  };
}

const horizontal = formsWriter(
  (forms) => `${forms.map((form) => form.replaceAll(" ", "\u00a0")).join(" ")}\n`,
);
const vertical = formsWriter((forms) => `${forms.map((form) => `${form}\n`).join("")}\n`);

function plaintext(options: ReadonlySet<string>, _: string, from: number): OutputWriter {
  if (options.has("normalized_spaces")) return normalizedText(from);
  const writer = new RawTextWriter();
  let isOpen = false;
  return {
    sentence(sentence) {
      writer.add(sentence);
      const last = sentence.rows.findLast(({ misc }) => misc.includes("Space"));
      isOpen = last !== undefined && endsSentence(last, sentence) && NO_SPACE.test(last.misc);
      return writer.take();
    },
    rest(next) {
      if (next !== undefined) return writer.before({ comments: [...next] });
      // A text may end without white space.
      return isOpen ? writer.take() : writer.end();
    },
  };
}

/** A sentence per line, with a space between tokens, and a blank line between paragraphs. */
function normalizedText(from: number): OutputWriter {
  let isFirst = from === 0;
  return {
    sentence(sentence) {
      const isBreak = !isFirst && startsParagraph(sentence);
      isFirst = false;
      let text = "";
      let inside = 0;
      for (const row of sentence.rows) {
        if (row.kind === "empty" || (row.kind === "word" && row.id <= inside)) continue;
        if (row.kind === "range") inside = row.last;
        text += row.form + (NO_SPACE.test(row.misc) ? "" : " ");
      }
      return `${isBreak ? "\n" : ""}${text.trimEnd()}\n`;
    },
  };
}

/** The XML of Matxin: a node per word, within the node of its head. */
function matxin(_options: ReadonlySet<string>, _header: string, from: number): OutputWriter {
  let count = from;
  return {
    start: "<corpus>",
    end: "</corpus>\n",
    sentence(sentence) {
      const nodes = raw(matxinNodes(byHead(wordsOf(sentence))));
      return String(markup`\n<SENTENCE ord="${++count}" alloc="0">\n${nodes}</SENTENCE>\n`);
    },
  };
}

/** Writes the nodes of a tree, in the order of a walk that keeps its own stack: trees may be deep. */
function matxinNodes(children: ReadonlyMap<number, readonly WordRow[]>): string {
  const lines: string[] = [];
  const stack: (WordRow | { readonly end: string })[] = [...(children.get(0) ?? [])].reverse();
  const depths = new Map<number, number>([[0, 0]]);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ("end" in node) {
      lines.push(node.end);
      continue;
    }
    const depth = depths.get(node.head)! + 1;
    depths.set(node.id, depth);
    const pad = " ".repeat(depth);
    const own = children.get(node.id) ?? [];
    const { form, lemma, feats, deprel } = node;
    const start = markup`${pad}<NODE ord="${node.id}" alloc="0" form="${form}" lem="${textIn(lemma)}"`;
    const rest = markup` mi="${textIn(feats)}" si="${textIn(deprel)}"${raw(own.length === 0 ? "/>" : ">")}\n`;
    lines.push(`${start}${rest}`);
    if (own.length > 0) stack.push({ end: String(markup`${pad}</NODE>\n`) }, ...[...own].reverse());
  }
  return lines.join("");
}

/** CoNLL-U, or its first version with the option `v1`: without empty nodes, and `_` for spaces in forms and lemmas. */
const conllu: WriterFactory = (options, header) =>
  options.has("v1") && !options.has("v2")
    ? { sentence: (sentence) => writeSentence(firstVersion(sentence)) }
    : { start: header, sentence: writeSentence };

function firstVersion(sentence: ConlluSentence): ConlluSentence {
  const unspaced = (text: string) => text.replaceAll(" ", "_");
  const rows = sentence.rows
    .filter(({ kind }) => kind !== "empty")
    .map((row): Row => ({ ...row, form: unspaced(row.form), lemma: unspaced(row.lemma) }));
  return { ...sentence, rows };
}

const RANGE = /(?:^|\|)TokenRange=(\d+):(\d+)/;

/** The format of the shared task on Extrinsic Parser Evaluation 2017: a line of JSON per sentence, with a node per word. */
function epe(_options: ReadonlySet<string>, _header: string, from: number): OutputWriter {
  let count = from;
  return {
    sentence(sentence) {
      const words = wordsOf(sentence);
      const modifiers = byHead(words);
      const nodes = words.map((word) => ({
        ...epeNode(word),
        edges: modifiers.get(word.id)?.map(({ id, deprel }) => ({ label: textIn(deprel), target: id })),
      }));
      return `${JSON.stringify({ id: ++count, nodes })}\n`;
    },
  };
}

function epeNode({ id, form, lemma, upos, xpos, feats, head, misc }: WordRow) {
  const [, start, end] = RANGE.exec(misc) ?? [];
  const pairs = feats.split("|").flatMap((feature): [string, string][] => {
    const at = feature.indexOf("=");
    return at < 0 || at === feature.length - 1 ? [] : [[feature.slice(0, at), feature.slice(at + 1)]];
  });
  return {
    id,
    form,
    ...(start !== undefined && { start: Number(start), end: Number(end) }),
    ...(head === 0 && { top: true }),
    properties: {
      lemma: textIn(lemma),
      upos: textIn(upos),
      xpos: textIn(xpos),
      ...Object.fromEntries(pairs),
    },
  };
}

/** Returns the text of a column; "" for a column without a value. */
function textIn(column: string): string {
  return column === "_" ? "" : column;
}

const WRITERS: Readonly<Record<string, WriterFactory>> = {
  conllu,
  epe,
  horizontal,
  matxin,
  plaintext,
  vertical,
};

/** The formats of `output`. */
export const OUTPUT_FORMATS = Object.keys(WRITERS);

/**
 * Returns a writer of the parameter `output`.
 *
 * @param header comments before the first sentence of CoNLL-U, version 2
 * @param from index of the first sentence that it writes
 */
export function outputWriter(output: string, header: string, from: number): OutputWriter {
  const { name, options } = formatIn(output);
  const make = Object.hasOwn(WRITERS, name) ? WRITERS[name] : undefined;
  if (make === undefined)
    throw badRequest(
      `Unknown output format '${name.slice(0, 100)}': expected one of ${OUTPUT_FORMATS.join(", ")}.`,
    );
  return make(options, header, from);
}

function wordsOf({ rows }: ConlluSentence): WordRow[] {
  return rows.filter((row): row is WordRow => row.kind === "word");
}

/** Returns the words by their heads. */
function byHead(words: readonly WordRow[]): ReadonlyMap<number, WordRow[]> {
  const modifiers = new Map<number, WordRow[]>();
  for (const word of words) {
    const siblings = modifiers.get(word.head) ?? [];
    siblings.push(word);
    modifiers.set(word.head, siblings);
  }
  return modifiers;
}

/** Whether a row has the last token of a sentence. */
function endsSentence(row: Row, sentence: ConlluSentence): boolean {
  const n = wordsOf(sentence).length;
  return row.kind === "range" ? row.last === n : row.kind === "word" && row.id === n;
}

function startsParagraph({ comments }: ConlluSentence): boolean {
  return comments.some((comment) => /^#\s*new(?:par|doc)\b/.test(comment));
}
