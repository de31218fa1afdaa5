import { checkArgument, checkOptions, string } from "@arcwise/core/options";
import { type Block, BlockSplitter, READ_OPTIONS, type ReadOptions } from "./blocks.ts";
import { throwingFor } from "./error.ts";
import { FieldReader } from "./fields.ts";
import { type ParseBlock, parseBlock } from "./parse.ts";
import { RULES } from "./rules.ts";
import { type SentenceView, viewSentence } from "./sentence/sentence-view.ts";
import { ChunkDecoder, chunksOf, type Source, sourceCheck } from "./source.ts";
import type { ConlluSentence } from "./types.ts";

/**
 * Returns the sentences of a CoNLL-U text, without loss: `writeConllu` returns the same text for a valid
 * file. Deviations with one interpretation are accepted and dropped: a byte-order mark, CR LF, surplus blank
 * lines, a missing end of the last line or sentence.
 *
 * Cost: linear in the length of the text.
 *
 * @throws ConlluError at the first place that breaks a rule that `RULES` marks as refused
 * @throws ArcwiseError for an argument or option of another type
 *
 * @example
 * const sentences = parseConllu(await readFile("train.conllu", "utf8"), { file: "train.conllu" });
 * const model = await trainPipeline(sentences);
 */
export function parseConllu(text: string, options: ReadOptions = {}): ConlluSentence[] {
  return parseText("parseConllu", text, parseBlock, options);
}

/**
 * Yields the sentences of CoNLL-U as views, one at a time: at once for a text or the bytes of a file,
 * asynchronously for a stream or chunks. Reads as `parseConllu` does. Memory: the current chunk and
 * sentence. Leaving the iteration early closes the source.
 *
 * @throws ConlluError as `parseConllu` does, also for bytes that are not UTF-8
 * @throws ArcwiseError for an argument or option of another type
 *
 * @example
 * for await (const sentence of readConllu(createReadStream("train.conllu"))) console.log(sentence.text);
 */
export function readConllu(source: string | Uint8Array, options?: ReadOptions): Generator<SentenceView>;
export function readConllu(
  source: Exclude<Source, string | Uint8Array>,
  options?: ReadOptions,
): AsyncGenerator<SentenceView>;
export function readConllu(
  source: Source,
  options?: ReadOptions,
): Generator<SentenceView> | AsyncGenerator<SentenceView>;
export function readConllu(
  source: Source,
  options: ReadOptions = {},
): Generator<SentenceView> | AsyncGenerator<SentenceView> {
  if (typeof source !== "string" && !(source instanceof Uint8Array))
    return readSource("readConllu", source, parseView, options);
  return readWhole(source, parseView, checkOptions(READ_OPTIONS, options, "readConllu"));
}

const parseView: ParseBlock<SentenceView> = (block, report, reader) =>
  viewSentence(parseBlock(block, report, reader));

/** Returns the sentences of a text in a format. @param where the function, for messages */
export function parseText<S>(where: string, text: string, parse: ParseBlock<S>, options: ReadOptions): S[] {
  checkArgument(string, text, `${where}: text`);
  return [...readWhole(text, parse, checkOptions(READ_OPTIONS, options, where))];
}

function* readWhole<S>(text: string | Uint8Array, parse: ParseBlock<S>, options: ReadOptions): Generator<S> {
  const reader = new SentenceReader(parse, options);
  yield* reader.push(text);
  yield* reader.end();
}

/** Yields the sentences of a source in a format. @param where the function, for messages */
export function readSource<S>(
  where: string,
  source: Source,
  parse: ParseBlock<S>,
  options: ReadOptions,
): AsyncGenerator<S> {
  checkArgument(sourceCheck, source, `${where}: source`);
  return readChunks(source, parse, checkOptions(READ_OPTIONS, options, where));
}

async function* readChunks<S>(source: Source, parse: ParseBlock<S>, options: ReadOptions): AsyncGenerator<S> {
  const reader = new SentenceReader(parse, options);
  for await (const chunk of chunksOf(source)) yield* reader.push(chunk);
  yield* reader.end();
}

/** Reads the sentences of a format from chunks. */
class SentenceReader<S> {
  readonly #parse: ParseBlock<S>;
  readonly #file: string | undefined;
  readonly #splitter: BlockSplitter;
  readonly #decoder: ChunkDecoder;
  readonly #reader = new FieldReader();
  #read = 0;

  constructor(parse: ParseBlock<S>, { file }: ReadOptions) {
    this.#parse = parse;
    this.#file = file;
    this.#splitter = new BlockSplitter(file);
    this.#decoder = new ChunkDecoder(this.#splitter);
  }

  *push(chunk: Uint8Array | string): Generator<S> {
    for (const text of this.#decoder.push(chunk)) yield* this.#sentences(text);
  }

  *end(): Generator<S> {
    for (const text of this.#decoder.end()) yield* this.#sentences(text);
    for (const block of this.#splitter.end()) yield this.#sentence(block);
  }

  *#sentences(text: string): Generator<S> {
    for (const block of this.#splitter.push(text)) yield this.#sentence(block);
    this.#read += text.length;
    if (this.#read < FORGET_AFTER) return;
    this.#reader.forget();
    this.#read = 0;
  }

  #sentence(block: Block): S {
    return this.#parse(block, throwingFor(block.lines, this.#file, RULES), this.#reader);
  }
}

/** Characters after which shared strings are dropped, since each keeps its source chunk in memory. */
const FORGET_AFTER = 2 ** 21;
