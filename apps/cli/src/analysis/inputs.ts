import { stat } from "node:fs/promises";
import { DataError, UsageError } from "../command/errors.ts";
import { readBytes } from "../files/input.ts";
import { displayName, type Io } from "../files/io.ts";
import { printable } from "../files/printable.ts";

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
 * Returns the inputs that arguments name; the standard input where there are none. An argument is the name of a
 * file, or `-`, or itself a text: when it contains white space, and no file has this name.
 *
 * @throws UsageError when the standard input is named twice
 */
export async function inputsOf(io: Io, args: readonly string[]): Promise<AnalysisInput[]> {
  const words = args.length === 0 ? ["-"] : args;
  if (words.indexOf("-") !== words.lastIndexOf("-"))
    throw new UsageError("expected the standard input (-) once among the inputs, found it twice");
  return Promise.all(
    words.map(async (word) => {
      if (await isText(word)) return textInput(word);
      const input = fileInput(io, word);
      return LONE_WORD.test(word) ? { ...input, bytes: () => explainedBytes(input) } : input;
    }),
  );
}

/** What may be meant as a text rather than as a file. */
const LONE_WORD = /^[^-./\\][^./\\]*$/u;

/** @throws DataError that says how a text of one word is given, where there is no such file */
async function* explainedBytes(input: AnalysisInput): AsyncGenerator<Uint8Array> {
  try {
    yield* input.bytes();
  } catch (error) {
    if (
      !(error instanceof DataError && (error.cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT")
    )
      throw error;
    const advice = "to parse the word itself, give it on the standard input";
    throw new DataError(`${error.message}; ${advice}`, { cause: error.cause });
  }
}

/** Returns whether an argument is a text: it has white space, and no file has this name. */
export async function isText(word: string): Promise<boolean> {
  if (!/\s/u.test(word)) return false;
  return stat(word).then(
    () => false,
    () => true,
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
