import { type ConlluSentence, describeEncoding, READ_LIMITS, wideOrder } from "@arcwise/conllu";
import { counted } from "@arcwise/core/errors";
import { DataError } from "../command/errors.ts";

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
    const found = describeEncoding(beginning ?? new Uint8Array(0));
    throw new DataError(`${file}: expected text in UTF-8, found ${found}`, { cause });
  };
  const decode = (chunk?: Uint8Array): string => {
    if (beginning === undefined) {
      beginning = chunk?.slice(0, BEGINNING) ?? new Uint8Array(0);
      if (wideOrder(beginning) !== undefined) refuse();
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
