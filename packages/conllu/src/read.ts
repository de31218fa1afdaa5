import { type Block, BlockSplitter, type ReadOptions } from "./blocks.ts";
import { commentValue } from "./comments.ts";
import { ConlluError } from "./error.ts";
import { parseBlock } from "./parse.ts";
import type { Report } from "./rows.ts";
import type { ConlluSentence } from "./types.ts";

/** Reads one sentence of a format. */
export type ParseBlock<S> = (block: Block, report: Report) => S;

/**
 * The sentences of a CoNLL-U text, everything in it kept: `writeConllu` gives the same text for a valid file.
 * What a valid file does not have but has one meaning is accepted and dropped: a byte-order mark, CR LF,
 * surplus blank lines, a missing end of the last line or sentence.
 *
 * Cost: linear in the length of the text.
 *
 * @throws ConlluError at the first place that breaks a rule that the readers do not forgive (see `RULES`)
 * @throws RangeError when a limit among the options is not a number >= 1
 */
export function parseConllu(text: string, options: ReadOptions = {}): ConlluSentence[] {
  return parseText(text, parseBlock, options);
}

/** The sentences of a text in a format. */
export function parseText<S>(text: string, parse: ParseBlock<S>, options: ReadOptions): S[] {
  const splitter = new BlockSplitter(options);
  const sentences: S[] = [];
  for (const block of splitter.push(text)) sentences.push(parse(block, throwing(block, options.file)));
  for (const block of splitter.end()) sentences.push(parse(block, throwing(block, options.file)));
  return sentences;
}

function throwing(block: Block, file: string | undefined): Report {
  return (rule, line, expected, found) => {
    const sentence = commentValue(block.lines, "sent_id") ?? "";
    throw new ConlluError({ file, line, sentence, rule, expected, found });
  };
}
