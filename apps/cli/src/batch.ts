import { readConllu, sentenceWords, withTree, writeSentence } from "@arcwise/conllu";
import type { Parser } from "@arcwise/parser";
import { inSource } from "./errors.ts";

/** What became of a block of sentences. */
export interface ParsedBlock {
  /** The same sentences, as bytes, with HEAD and DEPREL replaced and everything else kept. */
  readonly bytes: Uint8Array;
  readonly sentences: number;
  readonly words: number;
}

/**
 * Parses the sentences of a block of a CoNLL-U file.
 *
 * @param file the name of the file in errors
 * @param line the line of the file at which the block starts
 * @throws ConlluError when the block is not CoNLL-U
 */
export async function parseBlock(
  parser: Parser,
  bytes: Uint8Array,
  file: string,
  line: number,
): Promise<ParsedBlock> {
  let text = "";
  let sentences = 0;
  let words = 0;
  try {
    for await (const sentence of readConllu(once(bytes), { file })) {
      const input = sentenceWords(sentence);
      text += writeSentence(withTree(sentence, parser.parse(input)));
      sentences++;
      words += input.length;
    }
  } catch (error) {
    throw inSource(error, file, line - 1);
  }
  return { bytes: new TextEncoder().encode(text), sentences, words };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
