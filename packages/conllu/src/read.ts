import { BlockSplitter, type ReadOptions } from "./blocks.ts";
import { throwingFor } from "./error.ts";
import { FieldReader } from "./fields.ts";
import { type ParseBlock, parseBlock } from "./parse.ts";
import { type Source, textChunks } from "./source.ts";
import type { ConlluSentence } from "./types.ts";

/**
 * Returns the sentences of a CoNLL-U text, without loss: `writeConllu` returns the same text for a valid
 * file. Deviations with one interpretation are accepted and dropped: a byte-order mark, CR LF, surplus blank
 * lines, a missing end of the last line or sentence.
 *
 * Cost: linear in the length of the text.
 *
 * @throws ConlluError at the first place that breaks a rule that `RULES` marks as refused
 * @throws RangeError when a limit among the options is not a number >= 1
 */
export function parseConllu(text: string, options: ReadOptions = {}): ConlluSentence[] {
  return parseText(text, parseBlock, options);
}

/**
 * Yields the sentences of a CoNLL-U stream one at a time, as `parseConllu` reads them. Memory is that of the
 * current chunk and sentence. Leaving the iteration early closes the source.
 *
 * @throws ConlluError as `parseConllu` does, also for bytes that are not UTF-8
 * @throws RangeError when a limit among the options is not a number >= 1
 */
export function readConllu(source: Source, options: ReadOptions = {}): AsyncGenerator<ConlluSentence> {
  return readSource(source, parseBlock, options);
}

/** Returns the sentences of a text in a format. */
export function parseText<S>(text: string, parse: ParseBlock<S>, options: ReadOptions): S[] {
  const splitter = new BlockSplitter(options);
  const reader = new FieldReader();
  const sentences: S[] = [];
  for (const block of splitter.push(text))
    sentences.push(parse(block, throwingFor(block.lines, options.file), reader));
  for (const block of splitter.end())
    sentences.push(parse(block, throwingFor(block.lines, options.file), reader));
  return sentences;
}

/** Yields the sentences of a source in a format. */
export async function* readSource<S>(
  source: Source,
  parse: ParseBlock<S>,
  options: ReadOptions,
): AsyncGenerator<S> {
  const splitter = new BlockSplitter(options);
  const reader = new FieldReader();
  let read = 0;
  for await (const chunk of textChunks(source, splitter)) {
    for (const block of splitter.push(chunk))
      yield parse(block, throwingFor(block.lines, options.file), reader);
    read += chunk.length;
    if (read < FORGET_AFTER) continue;
    reader.forget();
    read = 0;
  }
  for (const block of splitter.end()) yield parse(block, throwingFor(block.lines, options.file), reader);
}

/** Characters after which shared strings are dropped, since each keeps its source chunk in memory. */
const FORGET_AFTER = 2 ** 21;
