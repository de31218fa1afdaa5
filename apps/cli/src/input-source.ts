import { type Block, sentenceBlocks } from "./blocks.ts";
import { UsageError } from "./errors.ts";
import { readBytes } from "./input.ts";
import { displayName, type Io } from "./io.ts";
import { namingFile, readPart } from "./pipeline-part.ts";
import { type InputFormat, textBlocks, verticalBlocks } from "./text-source.ts";

/** Sentences are read and handed out in blocks of about this many bytes. */
const BLOCK_SIZE = 2 ** 16;

/** The sentences of a file in a format of columns, as they are. */
export function fileBlocks(io: Io, input: string): AsyncIterable<Block> {
  return sentenceBlocks(readBytes(io, input), BLOCK_SIZE);
}

/** How text is cut into sentences. */
export interface TextOptions {
  /** The file with the tokeniser. */
  readonly model: string;
  /** Whether each line ends a sentence. */
  readonly lines: boolean;
}

/**
 * The sentences of a file in a format, as blocks of CoNLL-U. The file is not read before the first block is
 * asked for.
 *
 * @throws ModelError when text is to be cut and the model has no tokeniser
 * @throws UsageError when lines are to end sentences of another format
 */
export async function inputSource(
  io: Io,
  input: string,
  format: InputFormat,
  { model, lines }: TextOptions,
): Promise<AsyncIterable<Block>> {
  if (lines && format !== "text") throw new UsageError("--lines are those of raw text: give --input text");
  if (format === "conllu") return fileBlocks(io, input);
  const bytes = { bytes: readBytes(io, input), file: displayName(input) };
  if (format === "vertical") return verticalBlocks(bytes, BLOCK_SIZE);
  const { createTokenizer, loadTokenizer } = await import("@arcwise/tokenize");
  const file = await readPart(model, "tokenizer");
  const tokenizer = namingFile(model, () => loadTokenizer(file));
  return textBlocks(
    bytes,
    createTokenizer(tokenizer, { paragraphs: lines ? "line" : "blank-line" }),
    BLOCK_SIZE,
  );
}
