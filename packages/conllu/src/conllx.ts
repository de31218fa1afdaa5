import type { Block, ReadOptions } from "./blocks.ts";
import type { FieldReader } from "./fields.ts";
import { type ColumnRange, parseHead } from "./parse.ts";
import { parseText, readSource } from "./read.ts";
import type { Report } from "./rows.ts";
import { formatCheck } from "./sentence-check.ts";
import type { Source } from "./source.ts";
import { namedColumns, readRows, writeRows } from "./word-rows.ts";

/** A token of CoNLL-X: columns as text, `_` included. */
export interface ConllXRow {
  readonly id: number;
  form: string;
  lemma: string;
  cpostag: string;
  postag: string;
  feats: string;
  /** 0..n, or -1 for `_`. */
  head: number;
  deprel: string;
  /** Head in the projective version of the tree: 0..n, or -1 for `_`. */
  phead: number;
  pdeprel: string;
}

/** A sentence of a CoNLL-X file. */
export interface ConllXSentence {
  /** Lines before the first row that start with `#`: not part of the format, but common. */
  comments: string[];
  rows: ConllXRow[];
  /** Line of the source (from 1) where the sentence starts; 0 when it comes from no file. */
  line: number;
}

const COLUMNS: ColumnRange = { min: 10, max: 10 };

/**
 * Returns the sentences of a CoNLL-X text, without loss. Columns (Buchholz and Marsi 2006): ID FORM LEMMA
 * CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD PDEPREL. Accepts the same deviations as `parseConllu`. O(length).
 *
 * @throws ConlluError at the first place that breaks a rule that `RULES` marks as refused
 *
 * @example
 * const sentences = parseConllX(text, { file: "train.conll" });
 * sentences[0]?.rows.length; // number of words
 */
export function parseConllX(text: string, options: ReadOptions = {}): ConllXSentence[] {
  return parseText("parseConllX", text, parseBlock, options);
}

/** The columns after ID, in order. */
const NAMES = ["form", "lemma", "cpostag", "postag", "feats", "head", "deprel", "phead", "pdeprel"] as const;
const SENTENCE = formatCheck(NAMES);

/**
 * Yields the sentences of a CoNLL-X stream, as `readConllu` does for CoNLL-U.
 *
 * @example
 * for await (const { rows } of readConllX(createReadStream("train.conll"))) console.log(rows.length);
 */
export function readConllX(source: Source, options: ReadOptions = {}): AsyncGenerator<ConllXSentence> {
  return readSource("readConllX", source, parseBlock, options);
}

/**
 * Returns the CoNLL-X text of sentences.
 *
 * @throws ConlluError when a sentence could not be read back
 */
export function writeConllX(sentences: Iterable<ConllXSentence>): string {
  return writeRows(
    "writeConllX",
    sentences,
    SENTENCE,
    (_, report) => (row, at) => namedColumns(row, NAMES, at, report),
  );
}

function parseBlock(block: Block, report: Report, reader: FieldReader): ConllXSentence {
  const rows: ConllXRow[] = [];
  const comments = readRows(block, COLUMNS, report, reader, (fields, id, at) => {
    rows.push({
      id,
      form: fields[1]!,
      lemma: fields[2]!,
      cpostag: fields[3]!,
      postag: fields[4]!,
      feats: fields[5]!,
      head: parseHead(fields[6]!, at, report),
      deprel: fields[7]!,
      phead: parseHead(fields[8]!, at, report),
      pdeprel: fields[9]!,
    });
  });
  return { comments, rows, line: block.line };
}
