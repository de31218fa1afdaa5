import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { addAbortSignal, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type ConlluSentence, columnsLine, describeEncoding, READ_LIMITS, wideOrder } from "@arcwise/conllu";
import { recogniseStandIn } from "@arcwise/core/container";
import { counted } from "@arcwise/core/errors";
import { DataError, Interrupted, inFile } from "../errors.ts";
import { displayName, type Io, printLine, TYPED } from "./io.ts";

/** The first bytes of gzip data. No UTF-8 text begins with them. */
const GZIP = [0x1f, 0x8b];

/**
 * The bytes of a file, or of the standard input for `-`; unpacked when its name ends with `.gz` or it begins
 * as gzip data does. Memory: a few chunks of 64 KB.
 */
export async function* readBytes(io: Io, path: string): AsyncGenerator<Uint8Array> {
  if (path === "-" && io.stdin.isTTY === true) printLine(io, `arcwise: ${TYPED}`);
  const source = addAbortSignal(io.signal, path === "-" ? io.stdin : createReadStream(path));
  try {
    yield* unpacked(source, path.endsWith(".gz"));
  } catch (error) {
    if (io.signal.aborted) throw new Interrupted("stopped");
    throw inFile(error, displayName(path));
  }
}

/** Returns the bytes of a file. */
export async function fileBytes(path: string): Promise<Buffer<ArrayBuffer>> {
  return readFile(path).catch((error: unknown) => {
    throw inFile(error, path);
  });
}

/**
 * Reads chunks until a function returns a value for the bytes so far; returns that value, and all bytes.
 *
 * @param find called after each chunk, and at the end of the source with `isWhole`
 */
export async function readBeginning<Found>(
  source: AsyncIterable<Uint8Array>,
  find: (beginning: Uint8Array, isWhole: boolean) => Found | undefined,
): Promise<{ readonly found: Found | undefined; bytes(): AsyncGenerator<Uint8Array> }> {
  const chunks = source[Symbol.asyncIterator]();
  let beginning: Uint8Array = new Uint8Array(0);
  let found: Found | undefined;
  for (let isWhole = false; found === undefined && !isWhole; ) {
    const next = await chunks.next();
    if (next.done !== true) beginning = Buffer.concat([beginning, next.value]);
    isWhole = next.done === true;
    found = find(beginning, isWhole);
  }
  async function* bytes() {
    if (beginning.length > 0) yield beginning;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { found, bytes };
}

/** The chunks of a stream; unpacked when `packed` says so, or else the first bytes. */
async function* unpacked(source: Readable, packed: boolean): AsyncGenerator<Uint8Array> {
  const { found, bytes } = await readBeginning(bytesOf(source), (beginning, isWhole) =>
    isWhole || beginning.length >= GZIP.length ? GZIP.every((byte, i) => beginning[i] === byte) : undefined,
  );
  // An empty file is not a gzip file.
  yield* packed || found ? gunzipped(bytes()) : bytes();
}

async function* bytesOf(source: Readable): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

function gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const unpacker = createGunzip();
  // A failure to read reaches the reader of the unpacked stream, which reports it.
  pipeline(chunks, unpacker).catch((error: Error) => unpacker.destroy(error));
  return unpacker;
}

/** Formats that `convert` reads and writes. */
export const TREEBANK_FORMATS = [
  "conllu",
  "conllx",
  "conll2009",
  "sdp",
  "json",
  "jsonl",
  "brackets",
] as const;
export type TreebankFormat = (typeof TREEBANK_FORMATS)[number];

/** Number of bytes that are read at most to see what an input holds. */
const DETECT_LIMIT = 2 ** 16;

/**
 * Returns the format of a file by its beginning, up to the first empty line after a row. Columns of CoNLL-U and
 * CoNLL-X have the same number: a number in the ninth column, which is PHEAD, is CoNLL-X; otherwise it is CoNLL-U.
 *
 * @param empty the format of a file without rows, which is valid in each format
 */
export function detectFormat(beginning: string, empty: TreebankFormat = "conllu"): TreebankFormat | "text" {
  const lines = beginning.replace(/^\ufeff/, "").split(/\r?\n/);
  if (lines.some((line) => /^#SDP 201[45]\s*$/.test(line))) return "sdp";
  if (columnsLine(beginning) !== "") return "conllu";
  const first = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("#"));
  if (first < 0) return empty;
  const line = lines[first]!;
  if (isSpacedTable(lines.slice(first))) return "conllu";
  if (/^\s*[[{]/.test(line)) return "json";
  if (line.startsWith("(")) return "brackets";
  const length = lines.slice(first).findIndex((one) => one.trim() === "");
  const rows = lines.slice(first, length < 0 ? undefined : first + length).map((one) => one.split("\t"));
  const columns = rows[0] ?? [];
  if (!/^\d+(?:[-.]\d+)?$/.test(columns[0] ?? "") || columns.length < 2) return "text";
  if (columns.length >= 6 && /^[+-]$/.test(columns[4]!) && /^[+-]$/.test(columns[5]!)) return "sdp";
  if (columns.length >= 14) return "conll2009";
  return rows.some((row) => /^\d+$/.test(row[8] ?? "")) ? "conllx" : "conllu";
}

/** The fewest columns of a table of words with heads: of CoNLL-X without its last two. */
const COLUMNS = 8;

/**
 * Returns whether lines begin a table of words whose columns are separated by spaces, as when tabs were lost: the
 * first line begins with the ID 1, and has columns `_`, or the second one has the ID 2 and as many columns. Readers of
 * tables refuse it with its line; it is not a text.
 */
export function isSpacedTable([first = "", second = ""]: readonly string[]): boolean {
  if (first.includes("\t")) return false;
  const [columns, next] = [first, second].map((line) => line.trim().split(/ +/));
  if (!/^(?:1(?:-\d+)?|0\.1)$/.test(columns![0]!) || columns!.length < COLUMNS) return false;
  return columns!.includes("_") || (next![0] === "2" && next!.length === columns!.length);
}

/** Formats of the input of a parser: CoNLL-U, raw text, one word per line with blank lines between sentences. */
export const INPUT_FORMATS = ["conllu", "text", "vertical"] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

/** The bytes of a file, and its name in messages. */
export interface TextInput {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly file: string;
}

/**
 * Reads one word per line, with blank lines between sentences. White space around a word, and other columns after a
 * tab, are left out.
 *
 * @param nextId returns the number of the next sentence
 */
export async function* verticalSentences(
  input: TextInput,
  nextId: () => number,
): AsyncGenerator<ConlluSentence> {
  let forms: string[] = [];
  let length = 0;
  let at = 0;
  for await (const line of textLines(input)) {
    at++;
    const form = line.replaceAll("\0", "").trim().split("\t", 1)[0]!.trimEnd();
    if (form !== "") {
      forms.push(form);
      length += form.length;
      checkSentenceSize(forms.length, length, input.file, at);
    } else if (forms.length > 0) {
      yield wordsSentence(forms, nextId());
      forms = [];
      length = 0;
    }
  }
  if (forms.length > 0) yield wordsSentence(forms, nextId());
}

/** Yields the lines of a text, without their ends: LF, CR LF or CR. */
export async function* textLines(input: TextInput): AsyncGenerator<string> {
  let parts: string[] = [];
  let end = "";
  let line = 1;
  let length = 0;
  for await (const chunk of decodedText(input)) {
    const text = end + chunk;
    // A CR at the end of a chunk may be the first half of a line end.
    end = text.endsWith("\r") ? "\r" : "";
    const [first, ...lines] = text.slice(0, text.length - end.length).split(/\r\n|\r|\n/);
    parts.push(first!);
    length += first!.length;
    checkLineLength(length, input.file, line);
    for (const next of lines) {
      yield parts.join("");
      parts = [next];
      length = next.length;
      checkLineLength(length, input.file, ++line);
    }
  }
  yield parts.join("");
}

/** @throws DataError when a sentence has more lines or characters than `READ_LIMITS` */
export function checkSentenceSize(lines: number, characters: number, file: string, at: number): void {
  const { sentenceLines, sentenceLength } = READ_LIMITS;
  if (lines <= sentenceLines && characters <= sentenceLength) return;
  const expected = `sentences of at most ${counted(sentenceLines, "line")} and ${counted(sentenceLength, "character")}`;
  throw new DataError(`${file}:${at}: expected ${expected}, found a longer one`);
}

function wordsSentence(forms: readonly string[], id: number): ConlluSentence {
  const empty = { lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", deps: "_", misc: "_" };
  return {
    comments: [`# sent_id = ${id}`, `# text = ${forms.join(" ")}`],
    rows: forms.map((form, i) => ({ kind: "word", id: i + 1, form, head: -1, ...empty })),
    line: 0,
  };
}

/** @throws DataError when a line has more than `READ_LIMITS.lineLength` characters */
export function checkLineLength(length: number, file: string, line: number): void {
  const limit = READ_LIMITS.lineLength;
  if (length <= limit) return;
  throw new DataError(`${file}:${line}: expected lines of at most ${limit} characters, found a longer one`);
}

/** Yields a text to be cut into words, a piece at a time. Lines may have any length, words may not. */
export async function* runningText(input: TextInput): AsyncGenerator<string> {
  let line = 1;
  let length = 0;
  for await (const chunk of decodedText(input)) {
    const first = chunk.search(/\s/);
    length += first < 0 ? chunk.length : first;
    checkWordLength(length, input.file, line);
    if (first >= 0) length = lengthOfLastWord(chunk);
    for (let at = chunk.indexOf("\n"); at >= 0; at = chunk.indexOf("\n", at + 1)) line++;
    yield chunk;
  }
}

/** @throws DataError when more than `READ_LIMITS.lineLength` characters follow without white space */
export function checkWordLength(length: number, file: string, line: number): void {
  if (length <= READ_LIMITS.lineLength) return;
  const expected = `white space after at most ${READ_LIMITS.lineLength} characters`;
  throw new DataError(`${file}:${line}: expected ${expected}, found none: is this a text?`);
}

function lengthOfLastWord(text: string): number {
  let from = text.length;
  while (from > 0 && !/\s/.test(text[from - 1]!)) from--;
  return text.length - from;
}

/** Bytes that show the encoding of a text. */
const BEGINNING = 256;

/** A text, a piece at a time, with its byte-order mark, which offsets count. */
export async function* decodedText({ bytes, file }: TextInput): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let beginning: Uint8Array | undefined;
  const refuse = (cause?: unknown): never => {
    const first = beginning ?? new Uint8Array(0);
    const found = recogniseStandIn(first) ?? describeEncoding(first);
    throw new DataError(`${file}: expected text in UTF-8, found ${found}`, { cause });
  };
  const decode = (chunk?: Uint8Array): string => {
    if (beginning === undefined) {
      beginning = chunk?.slice(0, BEGINNING) ?? new Uint8Array(0);
      if (recogniseStandIn(beginning) !== undefined || wideOrder(beginning) !== undefined) refuse();
    }
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      return refuse(error);
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

/** An input whose format is known. */
export interface DetectedInput {
  readonly format: TreebankFormat | "text";
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Returns an input with its format: the given one, or by its content. @param empty as of `detectFormat` */
export async function withFormat(
  source: AsyncIterable<Uint8Array>,
  format?: TreebankFormat | undefined,
  empty: TreebankFormat = "conllu",
): Promise<DetectedInput> {
  if (format !== undefined) return { format, bytes: source };
  const { found, bytes } = await readBeginning(source, (beginning, isWhole) =>
    isWhole || beginning.length >= DETECT_LIMIT
      ? // The reader of tables names other encodings than UTF-8.
        describeEncoding(beginning) === "other bytes"
        ? detectFormat(new TextDecoder().decode(beginning), empty)
        : empty
      : undefined,
  );
  return { format: found!, bytes: bytes() };
}
