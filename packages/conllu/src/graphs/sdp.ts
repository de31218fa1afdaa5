import type { Sentence } from "@arcwise/core";
import {
  checkArgument,
  checkOptions,
  defineOptions,
  joinOptions,
  type OptionsOf,
  oneOf,
} from "@arcwise/core/options";
import { type Block, READ_OPTIONS } from "../blocks.ts";
import { makeWord } from "../convert.ts";
import { quote } from "../error.ts";
import type { FieldReader } from "../fields.ts";
import type { ParseBlock } from "../parse.ts";
import { parseText, readSource } from "../read.ts";
import type { Report } from "../rows.ts";
import { formatCheck } from "../sentence-check.ts";
import type { Source } from "../source.ts";
import { readRows, writeRows } from "../word-rows.ts";

/** The shared task whose columns a file has: 2015 added FRAME. */
export type SdpVersion = 2014 | 2015;

/** A token of a semantic dependency graph: columns as text, `_` included. */
export interface SdpRow {
  readonly id: number;
  form: string;
  lemma: string;
  pos: string;
  /** Whether the word is a top of the graph (`+`). */
  top: boolean;
  /** Whether the word is a predicate (`+`). */
  pred: boolean;
  /** Sense or frame; always `_` in files of 2014, which have no such column. */
  frame: string;
  /**
   * The role of the word for each predicate of the sentence, in the order of the predicates; `_` for none.
   */
  args: string[];
}

/**
 * A sentence of an SDP file.
 *
 * @example
 * const [sentence] = parseSdp(text);
 * sentence?.rows[0]; // a word with its columns
 */
export interface SdpSentence {
  version: SdpVersion;
  /**
   * Lines before the first row, with their `#`: the ID of the sentence (`#20001001`), and the format in the
   * first sentence of a file.
   */
  comments: string[];
  rows: SdpRow[];
  /** Line of the source (from 1) where the sentence starts; 0 when it comes from no file. */
  line: number;
}

const SDP_OPTIONS = joinOptions(
  READ_OPTIONS,
  defineOptions({
    /** The sentences of a file without the comment are inferred one by one, from the number of predicates. */
    version: {
      check: oneOf(2014, 2015),
      help: "columns of the file",
      defaultHelp: "as the comment #SDP 2015 of the first sentence says",
    },
  }),
);

/** Options of the readers of SDP files. */
export interface SdpOptions extends OptionsOf<typeof SDP_OPTIONS> {}

/** Columns before the columns of the arguments: ID FORM LEMMA POS TOP PRED, and FRAME in 2015. */
const FIXED_COLUMNS = { 2014: 6, 2015: 7 } as const satisfies Record<SdpVersion, number>;
const TOP = 4;
const PRED = 5;
const FRAME = 6;

/**
 * Returns the sentences of an SDP text, without loss. Columns (Oepen et al. 2014, 2015): ID FORM LEMMA POS
 * TOP PRED ARG..., since 2015 with FRAME after PRED. Accepts the same deviations as `parseConllu`. O(length).
 *
 * @throws ConlluError at the first place that breaks a rule that `RULES` marks as refused
 *
 * @example
 * const sentences: SdpSentence[] = parseSdp(text, { file: "dm.sdp" });
 */
export function parseSdp(text: string, options: SdpOptions = {}): SdpSentence[] {
  const { version, ...reading } = checkOptions(SDP_OPTIONS, options, "parseSdp");
  return parseText("parseSdp", text, blockParser(version), reading);
}

/** Accepts SDP sentences. */
export const sdpCheck = formatCheck(["form", "lemma", "pos", "frame"], "args");

/**
 * Yields the sentences of an SDP stream, as `readConllu` does for CoNLL-U.
 *
 * @example
 * for await (const { rows } of readSdp(createReadStream("dm.sdp"))) console.log(rows.length);
 */
export function readSdp(source: Source, options: SdpOptions = {}): AsyncGenerator<SdpSentence> {
  const { version, ...reading } = checkOptions(SDP_OPTIONS, options, "readSdp");
  return readSource("readSdp", source, blockParser(version), reading);
}

/**
 * Returns the SDP text of sentences, each in the columns of its own version.
 *
 * @throws ConlluError when a sentence could not be read back
 */
export function writeSdp(sentences: Iterable<SdpSentence>): string {
  return writeRows("writeSdp", sentences, sdpCheck, columnsOf);
}

/**
 * Returns the words of a sentence. The format has one tag, which becomes both UPOS and XPOS; `_` becomes
 * absent. O(n).
 */
export function sdpWords(sentence: SdpSentence): Sentence {
  checkArgument(sdpCheck, sentence, "sdpWords: sentence");
  return sentence.rows.map(({ form, lemma, pos }) => makeWord(form, lemma, pos, pos, "_"));
}

/** Returns the ID of a sentence: its last comment without the `#`, or undefined. */
export function sdpId(sentence: SdpSentence): string | undefined {
  checkArgument(sdpCheck, sentence, "sdpId: sentence");
  const comment = sentence.comments.at(-1)?.slice(1).trim();
  return comment === undefined || comment.startsWith("SDP ") ? undefined : comment;
}

function blockParser(asked: SdpVersion | undefined): ParseBlock<SdpSentence> {
  let version = asked;
  return (block, report, reader) => {
    version ??= statedVersion(block.lines);
    return parseBlock(block, version, report, reader);
  };
}

/** Returns the version that the comments of a sentence state. */
function statedVersion(lines: readonly string[]): SdpVersion | undefined {
  for (const line of lines) {
    if (!line.startsWith("#")) return undefined;
    const stated = /^#SDP (2014|2015)\s*$/.exec(line)?.[1];
    if (stated !== undefined) return stated === "2014" ? 2014 : 2015;
  }
  return undefined;
}

function parseBlock(
  block: Block,
  asked: SdpVersion | undefined,
  report: Report,
  reader: FieldReader,
): SdpSentence {
  const rows: (readonly string[])[] = [];
  const range = { min: FIXED_COLUMNS[asked ?? 2014], max: Number.POSITIVE_INFINITY };
  const comments = readRows(block, range, report, reader, (fields, _, at) => {
    checkFlag("TOP", fields[TOP]!, at, report);
    checkFlag("PRED", fields[PRED]!, at, report);
    rows.push(fields);
  });
  const version = versionOf(rows, asked, block.line + comments.length, report);
  return { version, comments, rows: rows.map((row) => parseRow(row, version)), line: block.line };
}

function checkFlag(name: string, field: string, at: number, report: Report): void {
  if (field !== "+" && field !== "-") report("sdp-flag", at, "+ or -", `${quote(field)} as ${name}`);
}

/** Returns the version in which a sentence has one column of arguments for each predicate. */
function versionOf(
  fields: readonly (readonly string[])[],
  asked: SdpVersion | undefined,
  at: number,
  report: Report,
): SdpVersion {
  const count = fields[0]?.length ?? 0;
  const predicates = fields.filter((row) => row[PRED] === "+").length;
  const possible = asked === undefined ? ([2015, 2014] as const) : [asked];
  const version = possible.find((one) => FIXED_COLUMNS[one] + predicates === count);
  if (version !== undefined || fields.length === 0) return version ?? possible[0]!;
  const expected = possible.map((one) => `${FIXED_COLUMNS[one] + predicates} (${one})`).join(" or ");
  report("argument-columns", at, `${expected} columns for ${predicates} predicates`, `${count}`);
  return possible[0]!;
}

function parseRow(fields: readonly string[], version: SdpVersion): SdpRow {
  return {
    id: Number(fields[0]),
    form: fields[1]!,
    lemma: fields[2]!,
    pos: fields[3]!,
    top: fields[TOP] === "+",
    pred: fields[PRED] === "+",
    frame: version === 2015 ? fields[FRAME]! : "_",
    args: fields.slice(FIXED_COLUMNS[version]),
  };
}

function columnsOf({ version, rows }: SdpSentence, report: Report) {
  const predicates = rows.filter((row) => row.pred).length;
  return ({ form, lemma, pos, top, pred, frame, args }: SdpRow, at: number): string[] => {
    if (args.length !== predicates) {
      const expected = `${predicates} columns of arguments, one a predicate`;
      report("argument-columns", at, expected, `${args.length}`);
    }
    if (version === 2014 && frame !== "_")
      report("argument-columns", at, "no FRAME in columns of 2014", quote(frame));
    const words = [form, lemma, pos, top ? "+" : "-", pred ? "+" : "-"];
    return version === 2015 ? [...words, frame, ...args] : [...words, ...args];
  };
}
