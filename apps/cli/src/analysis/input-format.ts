import { UsageError } from "../command/errors.ts";
import { isSpacedTable } from "../convert/detect.ts";
import { readBeginning } from "../files/input.ts";
import type { AnalysisInput } from "./inputs.ts";
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
