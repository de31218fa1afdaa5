import type { Block, ReadOptions } from "./blocks.ts";
import type { FieldReader } from "./fields.ts";
import { type ColumnRange, parseHead } from "./parse.ts";
import { parseText, readSource } from "./read.ts";
import type { Report } from "./rows.ts";
import { formatCheck } from "./sentence-check.ts";
import type { Source } from "./source.ts";
import { namedColumns, readRows, writeRows } from "./word-rows.ts";

/** A token of CoNLL-2009: columns as text, `_` included. Names with P are predicted values. */
export interface Conll2009Row {
  readonly id: number;
  form: string;
  lemma: string;
  plemma: string;
  pos: string;
  ppos: string;
  feat: string;
  pfeat: string;
  /** 0..n, or -1 for `_`. */
  head: number;
  /** 0..n, or -1 for `_`. */
  phead: number;
  deprel: string;
  pdeprel: string;
  /** `Y` for words that are predicates. */
  fillpred: string;
  pred: string;
  /** The role of the word for each predicate of the sentence, in order. */
  apreds: string[];
}

/** A sentence of a CoNLL-2009 file. */
export interface Conll2009Sentence {
  /** Lines before the first row that start with `#`: not part of the format, but common. */
  comments: string[];
  rows: Conll2009Row[];
  /** Line of the source (from 1) where the sentence starts; 0 when it comes from no file. */
  line: number;
}

const FIXED_COLUMNS = 14;
const COLUMNS: ColumnRange = { min: FIXED_COLUMNS, max: Number.POSITIVE_INFINITY };

/**
 * Returns the sentences of a CoNLL-2009 text, without loss. Columns (Hajič et al. 2009): ID FORM LEMMA PLEMMA
 * POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED APRED... All rows of a sentence must have the
 * same number of APRED columns. Accepts the same deviations as `parseConllu`. O(length).
 *
 * @throws ConlluError at the first place that breaks a rule that `RULES` marks as refused
 *
 * @example
 * const sentences = parseConll2009(text, { file: "train.conll" });
 * sentences[0]?.rows.length; // number of words
 */
export function parseConll2009(text: string, options: ReadOptions = {}): Conll2009Sentence[] {
  return parseText("parseConll2009", text, parseBlock, options);
}

/** The columns between ID and APRED, in order. */
const NAMES = "form lemma plemma pos ppos feat pfeat head phead deprel pdeprel fillpred pred".split(
  " ",
) as Exclude<keyof Conll2009Row, "id" | "apreds">[];
const SENTENCE = formatCheck(NAMES, "apreds");

/**
 * Yields the sentences of a CoNLL-2009 stream, as `readConllu` does for CoNLL-U.
 *
 * @example
 * for await (const { rows } of readConll2009(createReadStream("train.conll"))) console.log(rows.length);
 */
export function readConll2009(source: Source, options: ReadOptions = {}): AsyncGenerator<Conll2009Sentence> {
  return readSource("readConll2009", source, parseBlock, options);
}

/**
 * Returns the CoNLL-2009 text of sentences.
 *
 * @throws ConlluError when a sentence could not be read back
 */
export function writeConll2009(sentences: Iterable<Conll2009Sentence>): string {
  return writeRows("writeConll2009", sentences, SENTENCE, columnsOf);
}

function parseBlock(block: Block, report: Report, reader: FieldReader): Conll2009Sentence {
  const rows: Conll2009Row[] = [];
  const comments = readRows(block, COLUMNS, report, reader, (fields, id, at) => {
    rows.push({
      id,
      form: fields[1]!,
      lemma: fields[2]!,
      plemma: fields[3]!,
      pos: fields[4]!,
      ppos: fields[5]!,
      feat: fields[6]!,
      pfeat: fields[7]!,
      head: parseHead(fields[8]!, at, report),
      phead: parseHead(fields[9]!, at, report),
      deprel: fields[10]!,
      pdeprel: fields[11]!,
      fillpred: fields[12]!,
      pred: fields[13]!,
      apreds: fields.slice(FIXED_COLUMNS),
    });
  });
  return { comments, rows, line: block.line };
}

function columnsOf({ rows }: Conll2009Sentence, report: Report) {
  const apreds = rows[0]?.apreds.length;
  return (row: Conll2009Row, at: number): string[] => {
    if (row.apreds.length !== apreds)
      report("number-of-columns", at, `${apreds} APRED columns, as in the first row`, `${row.apreds.length}`);
    return [...namedColumns(row, NAMES, at, report), ...row.apreds];
  };
}
