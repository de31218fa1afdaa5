import { readConll2009, readConllu, readConllX, readSdp, sentenceFromJson } from "@arcwise/conllu";
import { hasCode } from "@arcwise/core/errors";
import { DataError, UsageError } from "../command/errors.ts";
import type { AnnotatedSentence } from "./annotated.ts";
import { parseBrackets } from "./brackets.ts";
import { fromConll2009, fromConllX, fromSdp } from "./columns.ts";
import { DETECT_LIMIT, detectFormat, type TreebankFormat } from "./detect.ts";
import { jsonValues } from "./json-values.ts";

/** An input whose format is known. */
export interface DetectedInput {
  readonly format: TreebankFormat | "text";
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Returns an input with its format: the given one, or by its content. */
export async function withFormat(
  source: AsyncIterable<Uint8Array>,
  format: TreebankFormat | undefined,
): Promise<DetectedInput> {
  if (format !== undefined) return { format, bytes: source };
  const chunks = source[Symbol.asyncIterator]();
  const begin: Uint8Array[] = [];
  for (let size = 0; size < DETECT_LIMIT; ) {
    const next = await chunks.next();
    if (next.done === true) break;
    begin.push(next.value);
    size += next.value.length;
  }
  async function* bytes() {
    yield* begin;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  }
  return { format: detectFormat(new TextDecoder().decode(Buffer.concat(begin))), bytes: bytes() };
}

/**
 * Reads the sentences of an input, one at a time.
 *
 * @param file its name in errors
 * @throws ConlluError, DataError at the first place that breaks the format; UsageError for text
 */
export async function* readAnnotated(
  { format, bytes }: DetectedInput,
  file: string,
): AsyncGenerator<AnnotatedSentence> {
  switch (format) {
    case "conllu":
      yield* readConllu(bytes, { file });
      break;
    case "conllx":
      for await (const sentence of readConllX(bytes, { file })) yield fromConllX(sentence);
      break;
    case "conll2009":
      for await (const sentence of readConll2009(bytes, { file })) yield fromConll2009(sentence);
      break;
    case "sdp":
      for await (const sentence of readSdp(bytes, { file })) yield fromSdp(sentence);
      break;
    case "json":
    case "jsonl":
      yield* readJson(bytes, file);
      break;
    case "brackets":
      yield* readBrackets(bytes, file);
      break;
    default:
      throw new UsageError(
        `${file}: expected sentences with words, found text: arcwise parse MODEL finds the words of texts`,
      );
  }
}

async function* readJson(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<AnnotatedSentence> {
  for await (const { text, line } of jsonValues(linesOf(bytes, file), file))
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
  let last = 0;
  for await (const [text, line] of linesOf(bytes, file)) {
    if (text.trim() === "") continue;
    last = line;
    if (text.startsWith("#")) comments.push(text);
    else {
      yield parseBrackets(text, comments, { file, line });
      comments = [];
    }
  }
  if (comments.length > 0) {
    const expected = "a tree after the comments";
    const found = "the end of the file";
    throw new DataError(`${file}:${last}: expected ${expected}, found ${found}`, {
      file,
      line: last,
      expected,
      found,
    });
  }
}

/** Lines with their numbers from 1, which end in LF or CR LF. */
async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<readonly [text: string, line: number]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest: string[] = [];
  let line = 0;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw new DataError(`${file}:${line + 1}: expected UTF-8, found other bytes`, { cause, file });
    }
  };
  const complete = (text: string): readonly [string, number] => [text.replace(/\r$/, ""), ++line];
  for await (const chunk of bytes) {
    const [first, ...others] = decode(chunk).split("\n");
    rest.push(first!);
    for (const next of others) {
      yield complete(rest.join(""));
      rest = [next];
    }
  }
  rest.push(decode());
  const text = rest.join("");
  if (text !== "") yield complete(text);
}
