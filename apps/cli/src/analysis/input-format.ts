import { UsageError } from "../command/errors.ts";
import type { AnalysisInput } from "./inputs.ts";
import { isSpacedTable } from "./spaced-table.ts";
import { checkLineLength, checkWordLength, type InputFormat } from "./text-source.ts";

/** Inputs of one format. */
export interface FormattedInputs {
  readonly format: InputFormat;
  readonly inputs: readonly AnalysisInput[];
}

/** Number of bytes that are read at most to see what an input holds. */
const LIMIT = 2 ** 16;

/**
 * Returns inputs in the given format, or else in the format of the first input, which is read as far as its format
 * needs, and to the end of its first word or line. The other inputs are not read yet; without a given format, reading
 * an input of another format throws a `UsageError`.
 *
 * @throws DataError when the first input cannot be read, or its first word or line exceeds the limits of readers
 */
export async function formattedInputs(
  inputs: readonly AnalysisInput[],
  given: InputFormat | undefined,
): Promise<FormattedInputs> {
  const [first, ...others] = inputs;
  const { format, bytes } = await withFormat(first!, given);
  if (given !== undefined) return { format, inputs: [{ ...first!, bytes }, ...others] };
  async function* checked(input: AnalysisInput) {
    const found = await withFormat(input);
    if (found.format !== format) {
      throw new UsageError(
        `${input.name}: expected ${NAMES[format]} as in ${first!.name}, found ${NAMES[found.format]}: ` +
          advice(format, found.format),
      );
    }
    yield* found.bytes();
  }
  const rest = others.map((input) => ({ ...input, bytes: () => checked(input) }));
  return { format, inputs: [{ ...first!, bytes }, ...rest] };
}

/** Text is never taken for CoNLL-U: no format fits both. */
function advice(...formats: readonly InputFormat[]): string {
  return formats.includes("conllu")
    ? "parse them separately"
    : "give --input FORMAT, or parse them separately";
}

const NAMES: Readonly<Record<InputFormat, string>> = {
  conllu: "CoNLL-U",
  text: "text",
  vertical: "one word per line",
};

interface Detected {
  readonly format: InputFormat;
  bytes(): AsyncIterable<Uint8Array>;
}

/**
 * Returns what an input holds: what is given, or by its first `LIMIT` bytes at most: see `formatOf`. A model need
 * not be loaded for an input without words.
 */
async function withFormat(input: AnalysisInput, given?: InputFormat): Promise<Detected> {
  const chunks = input.bytes()[Symbol.asyncIterator]();
  const begin: Uint8Array[] = [];
  let size = 0;
  let format = given;
  for (let isWhole = false; format === undefined && !isWhole; ) {
    const next = await chunks.next();
    if (next.done !== true) {
      begin.push(next.value);
      size += next.value.length;
    }
    isWhole = next.done === true || size >= LIMIT;
    format = formatOf(new TextDecoder().decode(Buffer.concat(begin)), isWhole);
  }
  const seen = startOf(format ?? "text", input.name);
  for (let at = 0, isSeen = false; !isSeen; at++) {
    if (at === begin.length) {
      const next = await chunks.next();
      if (next.done === true) break;
      begin.push(next.value);
    }
    isSeen = seen(begin[at]!);
  }
  async function* bytes() {
    yield* begin;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  }
  return { format: format ?? "text", bytes };
}

/**
 * Returns a function that takes the chunks of an input in sequence, and returns whether its first word (of text) or
 * line (of other formats) has ended.
 */
function startOf(format: InputFormat, name: string): (chunk: Uint8Array) => boolean {
  const decoder = new TextDecoder();
  const end = format === "text" ? /\s/ : /[\r\n]/;
  let length = 0;
  return (chunk) => {
    const text = decoder.decode(chunk, { stream: true });
    if (end.test(text)) return true;
    length += text.length;
    if (format === "text") checkWordLength(length, name, 1);
    else checkLineLength(length, name, 1);
    return false;
  };
}

/** Number of lines that are read at most to see whether each is one word. */
const WORDS = 1000;

/**
 * Returns what a text holds by its first lines that are neither empty nor comments; undefined: more lines must
 * be read.
 *
 * - CoNLL-U: the first one begins with the ID of a word and a tab, or all are comments; also a table that has lost its
 *   tabs, which is refused with its line
 * - one word per line: up to the next empty line there are several, comments too, none has a space before its
 *   first tab, and one of them is a punctuation mark: lines of text without spaces end with their marks
 * - text: anything else
 *
 * @param isWhole whether the text ends, or no more of it is read
 */
function formatOf(text: string, isWhole: boolean): InputFormat | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  if (!isWhole) lines.pop();
  const first = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("#"));
  if (first < 0) return isWhole ? (text.trimStart().startsWith("#") ? "conllu" : "text") : undefined;
  if (/^\d+(?:[-.]\d+)?\t/.test(lines[first]!) || isSpacedTable(lines.slice(first))) return "conllu";
  const end = lines.findIndex((line, at) => at > first && line.trim() === "");
  const words = lines.slice(0, end < 0 ? undefined : end).map((line) => line.split("\t", 1)[0]!.trim());
  const sentence = words.filter((word) => word !== "");
  if (sentence.some((word) => /\s/.test(word))) return "text";
  if (end < 0 && !isWhole && sentence.length < WORDS) return undefined;
  return sentence.length > 1 && sentence.some((word) => /^\p{P}+$/u.test(word)) ? "vertical" : "text";
}
