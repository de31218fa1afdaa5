import { type ConlluSentence, writeConllu } from "@arcwise/conllu";
import {
  checkArgument,
  checkOptions,
  defineOptions,
  flag,
  integer,
  bytes as isBytes,
  type OptionsOf,
  series,
} from "@arcwise/core/options";
import { type AnalysisPipeline, analysisOf, createPipeline, loadPipeline } from "@arcwise/pipeline";
import { type TextSession, tokenizedSentence } from "@arcwise/tokenize";
import { CHUNK, CUTS, cutFrom } from "./cut-chunks.ts";
import { type Lead, leadOf, NO_LEAD } from "./moved-text.ts";

/** Sentences of a long paragraph, which are tokens already. */
export interface TokenizedChunk {
  /** Sentences that are numbered from the beginning of the paragraph, as are the offsets of their tokens. */
  readonly conllu: string;
  /** The paragraph if the chunk is its last one, otherwise nothing: what precedes the chunk after this one. */
  readonly lead: Lead;
}

/** A long paragraph, as far as it has been read. */
interface Paragraph {
  readonly session: TextSession;
  /** Sentences that no chunk has, and the number of characters of their texts. */
  waiting: ConlluSentence[];
  characters: number;
  /** Numbers of sentences and code points read from the paragraph. */
  sentences: number;
  points: number;
}

const OPTIONS = defineOptions({
  size: { check: integer(1), help: "minimum number of characters of a chunk", default: CHUNK },
  lines: { check: flag, help: "whether each line ends a sentence, as of run" },
});

/** A pair of surrogates, or blank lines, whose end may not have arrived. */
const OPEN_END = /(?:[\ud800-\udbff]|\n[ \t\r]*)$/;

/**
 * Cuts text into chunks before blank lines, as `cutChunks` does. A paragraph of more than two chunks is cut into
 * sentences by the tokeniser of the model, here, since where a sentence ends may depend on all of the paragraph before
 * it; its chunks have tokens. Memory: two chunks and a piece, and the model once there is such a paragraph.
 *
 * @param model the bytes of a model file with a tokeniser
 * @param options number of characters of a chunk, and whether each line ends a sentence, as of `run`
 * @throws as `loadPipeline` and as `session` of a pipeline without a tokeniser, once there is such a paragraph
 */
export async function* cutText(
  pieces: AsyncIterable<string> | Iterable<string>,
  model: Uint8Array,
  options?: OptionsOf<typeof OPTIONS>,
): AsyncGenerator<string | TokenizedChunk> {
  checkArgument(series<string>("texts"), pieces, "cutText: pieces");
  checkArgument(isBytes, model, "cutText: model");
  const { size, lines } = checkOptions(OPTIONS, options, "cutText");
  let pipeline: Pick<AnalysisPipeline, "session"> | undefined;
  let paragraph: Paragraph | undefined;
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    while (paragraph !== undefined || text.length >= size) {
      if (paragraph === undefined) {
        const end = cutFrom(text, "text", size);
        if (end > 0 && end <= 2 * size) {
          yield text.slice(0, end);
          text = text.slice(end);
          continue;
        }
        if (text.length <= 2 * size) break;
        pipeline ??= analysisOf(createPipeline(loadPipeline(model)));
        paragraph = {
          session: pipeline.session({ lines }),
          waiting: [],
          characters: 0,
          sentences: 0,
          points: 0,
        };
      }
      // White space before the first line does not end a paragraph.
      const end = paragraphEnd(text, paragraph.points === 0 ? size : 0);
      const given = end ?? OPEN_END.exec(text)?.index ?? text.length;
      yield* read(paragraph, text.slice(0, given), end !== undefined, size);
      text = text.slice(given);
      if (end === undefined) break;
      paragraph = undefined;
    }
  }
  if (paragraph !== undefined) yield* read(paragraph, text, true, size);
  else if (text !== "") yield text;
}

/** Returns the offset of the blank line that ends a paragraph. */
function paragraphEnd(text: string, from: number): number | undefined {
  const { at } = CUTS.text;
  at.lastIndex = from;
  return at.exec(text)?.index;
}

/** Reads a part of a paragraph; yields the chunks that it completes. */
function* read(paragraph: Paragraph, text: string, isEnd: boolean, size: number): Generator<TokenizedChunk> {
  const { session } = paragraph;
  paragraph.points += leadOf(text).points;
  for (const sentence of isEnd ? [...session.push(text), ...session.end()] : session.push(text)) {
    if (paragraph.characters >= size) yield taken(paragraph, NO_LEAD);
    paragraph.waiting.push(tokenizedSentence(sentence, ++paragraph.sentences));
    for (const { form } of sentence.tokens) paragraph.characters += form.length + 1;
  }
  if (!isEnd) return;
  yield taken(paragraph, { sentences: paragraph.sentences, points: paragraph.points });
}

function taken(paragraph: Paragraph, lead: Lead): TokenizedChunk {
  const conllu = writeConllu(paragraph.waiting);
  paragraph.waiting = [];
  paragraph.characters = 0;
  return { conllu, lead };
}
