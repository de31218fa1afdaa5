import { readConll2009, readConllu, readConllX, readSdp, sentenceFromJson } from "@arcwise/conllu";
import { hasCode } from "@arcwise/core/errors";
import { DataError, UsageError, wrongData } from "../errors.ts";
import {
  checkSentenceSize,
  type DetectedInput,
  decodedText,
  type TreebankFormat,
  textLines,
} from "../files/input.ts";
import type { AnnotatedSentence } from "./annotated.ts";
import { parseBrackets } from "./brackets.ts";
import { fromConll2009, fromConllX, fromSdp } from "./columns.ts";
import { jsonValues } from "./json-values.ts";

type Reader = (bytes: AsyncIterable<Uint8Array>, file: string) => AsyncIterable<AnnotatedSentence>;

const READERS: Readonly<Record<TreebankFormat, Reader>> = {
  conllu: (bytes, file) => readConllu(bytes, { file }),
  async *conllx(bytes, file) {
    for await (const sentence of readConllX(bytes, { file })) yield fromConllX(sentence);
  },
  async *conll2009(bytes, file) {
    for await (const sentence of readConll2009(bytes, { file })) yield fromConll2009(sentence, file);
  },
  async *sdp(bytes, file) {
    for await (const sentence of readSdp(bytes, { file })) yield fromSdp(sentence, file);
  },
  json: readJson,
  jsonl: readJson,
  brackets: readBrackets,
};

/** Reads the sentences of an input, one at a time. @param file its name in errors */
export async function* readAnnotated(
  { format, bytes }: DetectedInput,
  file: string,
): AsyncGenerator<AnnotatedSentence> {
  if (format !== "text") return yield* READERS[format](bytes, file);
  // Refuses what is not a text.
  for await (const _ of decodedText({ bytes, file })) break;
  throw new UsageError(
    `${file}: expected sentences with words, found text: arcwise parse MODEL finds the words of texts`,
  );
}

async function* readJson(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<AnnotatedSentence> {
  for await (const { text, line } of jsonValues(textOf(bytes, file), file))
    yield sentenceOfJson(text, file, line);
}

function sentenceOfJson(text: string, file: string, line: number): AnnotatedSentence {
  try {
    const { comments, rows, start } = sentenceFromJson(JSON.parse(text));
    return { comments, rows, start, line: 0, place: line };
  } catch (error) {
    const isKnown =
      error instanceof SyntaxError || hasCode(error, "invalid-data") || hasCode(error, "malformed-conllu");
    if (!isKnown) throw error;
    const expected = "the JSON of a sentence";
    throw new DataError(`${file}:${line}: expected ${expected}, found: ${(error as Error).message}`, {
      cause: error,
      file,
      line,
      expected,
    });
  }
}

async function* readBrackets(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<AnnotatedSentence> {
  let comments: string[] = [];
  let length = 0;
  let last = 0;
  for await (const [text, line] of linesOf(bytes, file)) {
    last = line;
    if (text.startsWith("#")) {
      comments.push(text);
      length += text.length;
      checkSentenceSize(comments.length, length, file, line);
    } else {
      yield parseBrackets(text, comments, { file, line });
      comments = [];
      length = 0;
    }
  }
  if (comments.length === 0) return;
  const expected = "a tree after the comments";
  throw wrongData({ file, line: last, expected, found: "the end of the file" });
}

/** Yields the text of a file, without a byte-order mark. */
async function* textOf(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string> {
  let isFirst = true;
  for await (const text of decodedText({ bytes, file })) {
    yield isFirst ? text.replace(/^\ufeff/, "") : text;
    isFirst = isFirst && text === "";
  }
}

/** Yields the lines of a file that are not empty, with their numbers from 1. */
async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<readonly [text: string, line: number]> {
  let line = 0;
  for await (const text of textLines({ bytes, file })) {
    line++;
    if (text.trim() !== "") yield [line === 1 ? text.replace(/^\ufeff/, "") : text, line];
  }
}
