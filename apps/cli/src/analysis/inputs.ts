import { stat } from "node:fs/promises";
import { columnsLine } from "@arcwise/conllu";
import { pathSuggestion } from "@arcwise/core/node";
import { UsageError } from "../errors.ts";
import {
  checkLineLength,
  checkWordLength,
  type InputFormat,
  isSpacedTable,
  readBeginning,
  readBytes,
} from "../files/input.ts";
import { displayName, type Io, printable, printLine } from "../files/io.ts";

/** An input of a command that analyses sentences: a file, the standard input, or a text. */
export interface AnalysisInput {
  /** Its name in messages. */
  readonly name: string;
  /** The file, `-` for the standard input; undefined for a text of the command line. */
  readonly path: string | undefined;
  /** Number of characters of a text of the command line; undefined for files. */
  readonly length?: number | undefined;
  bytes(): AsyncIterable<Uint8Array>;
}

/** Characters of a text in its name. */
const NAME_LENGTH = 30;

/**
 * Returns the inputs that arguments name; without arguments, the standard input. An argument is the name of a
 * file, or `-`, or itself a text if no file has this name: see `isText`. Texts that may be meant as files are reported.
 */
export async function inputsOf(io: Io, args: readonly string[]): Promise<AnalysisInput[]> {
  const words = args.length === 0 ? ["-"] : args;
  if (words.indexOf("-") !== words.lastIndexOf("-"))
    throw new UsageError("expected the standard input (-) once among the inputs, found it twice");
  return Promise.all(
    words.map(async (word) => {
      if (!(await isText(word))) return fileInput(io, word);
      if (!/\s/u.test(word) || INPUT_ENDING.test(word))
        printLine(io, `arcwise: ${word}: no such file${pathSuggestion(word)}: taken as a text`);
      return textInput(word);
    }),
  );
}

/** The ending of the name of a file. Numbers and abbreviations such as `p.m` do not match. */
const ENDING = /\.[a-z][a-z\d]{1,9}$/i;
/** Endings of files that are parsed. */
const INPUT_ENDING = /\.(?:conll\w*|gz|md|te?xt|tsv)$/i;

/** Returns whether an argument without white space may be a text: it has neither a folder nor the ending of a file. */
function isWord(argument: string): boolean {
  return !/[/\\]/u.test(argument) && !ENDING.test(argument);
}

/**
 * Returns whether an argument is a text: no file has this name, and it has white space, or neither a folder nor the
 * ending of a file.
 */
export async function isText(argument: string): Promise<boolean> {
  if (argument === "-" || argument === "" || !(/\s/u.test(argument) || isWord(argument))) return false;
  return stat(argument).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === "ENOENT" || code === "ENAMETOOLONG" || code === "ENOTDIR",
  );
}

/** A file; `-` is the standard input. */
export function fileInput(io: Io, path: string): AnalysisInput {
  return { name: displayName(path), path, bytes: () => readBytes(io, path) };
}

function textInput(text: string): AnalysisInput {
  const start = text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH)}...` : text;
  async function* bytes() {
    yield new TextEncoder().encode(text);
  }
  return { name: printable(JSON.stringify(start)), path: undefined, length: text.length, bytes };
}

/** Maximum number of bytes of short inputs. */
export const SHORT = 2000;

/** Returns the bytes of inputs, packed as they are; infinite where they come from a pipe. */
export async function lengthOf(inputs: readonly AnalysisInput[]): Promise<number> {
  const lengths = await Promise.all(
    inputs.map(async ({ path, length }) => {
      if (path === undefined) return length ?? 0;
      const found = path === "-" ? undefined : await stat(path).catch(() => undefined);
      return found?.isFile() ? found.size : Infinity;
    }),
  );
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** A source of items, and how many bytes of it were read so far. */
export interface CountedSource<T> {
  readonly items: AsyncIterable<T>;
  bytes(): number;
}

/** Counts the bytes of an input while they are read. */
export function countedBytes(input: AnalysisInput): CountedSource<Uint8Array> {
  let bytes = 0;
  async function* items() {
    for await (const chunk of input.bytes()) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { items: items(), bytes: () => bytes };
}

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
 * Returns an input with its format: the given one, or by its first `LIMIT` bytes at most: see `formatOf`. It is read to
 * the end of its first word (of text) or line (of other formats).
 */
async function withFormat(input: AnalysisInput, given?: InputFormat): Promise<Detected> {
  let format = given;
  const { found, bytes } = await readBeginning(input.bytes(), (beginning, isWhole) => {
    const text = new TextDecoder().decode(beginning);
    format ??= formatOf(text, isWhole || beginning.length >= LIMIT);
    if (format === undefined) return undefined;
    if (isWhole || (format === "text" ? /\s/ : /[\r\n]/).test(text)) return format;
    if (format === "text") checkWordLength(text.length, input.name, 1);
    else checkLineLength(text.length, input.name, 1);
    return undefined;
  });
  return { format: found ?? format ?? "text", bytes };
}

/** Number of lines that are read at most to see whether each is one word. */
const WORDS = 1000;

/**
 * Returns what a text holds by its first lines that are neither empty nor comments; undefined: more lines must
 * be read.
 *
 * - CoNLL-U: the first one begins with the ID of a word and a tab, or all are comments; also CoNLL-U Plus, and a table
 *   that has lost its tabs, which is refused with its line
 * - one word per line: up to the next empty line there are several, comments too, none has a space before its
 *   first tab, and one of them is a punctuation mark: lines of text without spaces end with their marks
 * - text: anything else
 *
 * @param isWhole whether the text ends, or no more of it is read
 */
function formatOf(text: string, isWhole: boolean): InputFormat | undefined {
  if (columnsLine(text) !== "") return "conllu";
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
