import { UsageError } from "../command/errors.ts";
import type { AnalysisInput } from "./inputs.ts";
import type { InputFormat } from "./text-source.ts";

/** Inputs of one format. */
export interface FormattedInputs {
  readonly format: InputFormat;
  readonly inputs: readonly AnalysisInput[];
}

/** Number of bytes that are read at most to see what an input holds. */
const LIMIT = 2 ** 16;

/**
 * Returns inputs that all have the format that the first one has. That one is read up to its first line of
 * content; the others are not read yet, and reading one that holds something else throws a `UsageError`.
 *
 * @throws DataError when the first input cannot be read
 */
export async function formattedInputs(inputs: readonly AnalysisInput[]): Promise<FormattedInputs> {
  const [first, ...others] = inputs;
  const { format, bytes } = await withFormat(first!);
  async function* checked(input: AnalysisInput) {
    const found = await withFormat(input);
    if (found.format !== format) {
      throw new UsageError(
        `${input.name}: expected ${NAMES[format]} as in ${first!.name}, found ${NAMES[found.format]}: ` +
          "give --input FORMAT",
      );
    }
    yield* found.bytes();
  }
  const rest = others.map((input) => ({ ...input, bytes: () => checked(input) }));
  return { format, inputs: [{ ...first!, bytes }, ...rest] };
}

const NAMES = { conllu: "CoNLL-U", text: "text" } as const;

interface Detected {
  readonly format: keyof typeof NAMES;
  bytes(): AsyncIterable<Uint8Array>;
}

/**
 * Returns what an input holds: CoNLL-U when its first line that is neither empty nor a comment begins with the
 * ID of a word and a tab, or when `LIMIT` bytes have only comments; otherwise text.
 */
async function withFormat(input: AnalysisInput): Promise<Detected> {
  const chunks = input.bytes()[Symbol.asyncIterator]();
  const begin: Uint8Array[] = [];
  let size = 0;
  let line: string | undefined;
  for (let isAtEnd = false; line === undefined && !isAtEnd && size < LIMIT; ) {
    const next = await chunks.next();
    isAtEnd = next.done === true;
    if (next.done !== true) {
      begin.push(next.value);
      size += next.value.length;
    }
    line = firstLine(new TextDecoder().decode(Buffer.concat(begin)), isAtEnd);
  }
  async function* bytes() {
    yield* begin;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  }
  const isConllu = line === undefined ? size >= LIMIT && isComment(begin) : /^\d+(?:[-.]\d+)?\t/.test(line);
  return { format: isConllu ? "conllu" : "text", bytes };
}

/** Returns whether the first character of an input that is no white space begins a comment. */
function isComment(chunks: readonly Uint8Array[]): boolean {
  return new TextDecoder().decode(Buffer.concat(chunks)).trimStart().startsWith("#");
}

/** Returns the first complete line of a text that is neither empty nor a comment. */
function firstLine(text: string, isWhole: boolean): string | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  if (!isWhole) lines.pop();
  return lines.find((line) => line.trim() !== "" && !line.startsWith("#"));
}
