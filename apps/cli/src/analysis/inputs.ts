import { stat } from "node:fs/promises";
import { pathSuggestion } from "@arcwise/core/node";
import { UsageError } from "../command/errors.ts";
import { readBytes } from "../files/input.ts";
import { displayName, type Io } from "../files/io.ts";
import { printable, printLine } from "../files/printable.ts";

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
 *
 * @throws UsageError when the standard input is named twice
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

/** Maximum number of characters of short inputs. */
const SHORT = 2000;

/** Returns whether inputs are a few sentences of the command line: a thread for them takes longer to start than they do. */
export function areShort(inputs: readonly AnalysisInput[]): boolean {
  return inputs.reduce((sum, { length = Infinity }) => sum + length, 0) <= SHORT;
}
