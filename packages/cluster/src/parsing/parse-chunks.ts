import {
  accepting,
  anything,
  checkArgument,
  checkOptions,
  defineOptions,
  integer,
  bytes as isBytes,
  signal as isSignal,
  type OptionsOf,
  oneOf,
  series,
} from "@arcwise/core/options";
import { inOrder, isPlace, share } from "@arcwise/jobs";
import { chunkFormat } from "./cut-chunks.ts";
import type { TokenizedChunk } from "./cut-text.ts";
import { type Lead, leadOf, movedText, NO_LEAD } from "./moved-text.ts";
import { type ChunkInput, type ParsedChunk, parseChunk, unread } from "./parse-jobs.ts";

const OPTIONS = defineOptions({
  place: { check: isPlace, help: "the place that parses: threads, workers of a queue", required: true },
  model: { check: isBytes, help: "the bytes of a model file with a parser", required: true },
  tags: {
    check: oneOf("given", "predicted"),
    help: "whether words keep the tags that they have",
    default: "given",
  },
  deps: {
    check: accepting<ChunkInput["deps"]>(anything),
    help: "what becomes of DEPS and empty nodes: see ChunkInput",
  },
  format: {
    check: chunkFormat,
    help: "the contents of chunks: see cutChunks; text requires a model with a tokeniser",
    default: "conllu",
  },
  atOnce: { check: integer(1), help: "number of chunks that are given to the place at a time", default: 64 },
  signal: { check: isSignal, help: "ends the parsing by its reason" },
});

/** Options of `parseChunks`. */
export interface ParseChunksOptions extends OptionsOf<typeof OPTIONS> {}

/** The output of a chunk without the others, and what it adds to what precedes the next one. */
interface OwnOutput {
  readonly parsed: ParsedChunk;
  readonly lead: Lead;
}

/**
 * Parses chunks of CoNLL-U or text at a place, and yields their outputs in the order of the chunks. In a place with a
 * store, a chunk that was parsed before, with the same model, is not parsed again. A chunk that is not CoNLL-U, or that
 * the place cannot parse, yields an output with an error; the others go on. Sentences of a text are numbered, and have
 * the offsets of their tokens, as if the text was not cut: by `cutChunks`, or by `cutText`.
 *
 * Memory: `atOnce` chunks.
 *
 * @throws the reason of the signal once that is aborted
 */
export async function* parseChunks(
  chunks: AsyncIterable<string | TokenizedChunk> | Iterable<string | TokenizedChunk>,
  options: ParseChunksOptions,
): AsyncGenerator<ParsedChunk> {
  checkArgument(series("chunks"), chunks, "parseChunks: chunks");
  const {
    place,
    model: bytes,
    tags,
    deps,
    format,
    atOnce,
    signal,
  } = checkOptions(OPTIONS, options, "parseChunks");
  const model = share(bytes);
  let lead = NO_LEAD;
  for await (const output of inOrder(chunks, atOnce, parsedChunk)) yield renumbered(output);

  /** Renumbers an output to follow the chunks before it. */
  function renumbered({ lead: own, parsed }: OwnOutput): ParsedChunk {
    if (format === "conllu") return parsed;
    const text = movedText(parsed.text, lead);
    lead = { sentences: lead.sentences + own.sentences, points: lead.points + own.points };
    return { ...parsed, text };
  }

  async function parsedChunk(given: string | TokenizedChunk): Promise<OwnOutput> {
    signal?.throwIfAborted();
    const own: Pick<ChunkInput, "chunk" | "format"> =
      typeof given === "string"
        ? { chunk: share({ text: given }), format }
        : { chunk: share({ text: given.conllu }), format: "conllu" };
    const input = { model, ...own, tags, deps };
    // A signal of its own: Node warns of more than ten listeners.
    const run = { signal: signal && AbortSignal.any([signal]) };
    const parsed = await place.do(parseChunk, input, run).catch((error: Error): ParsedChunk => {
      signal?.throwIfAborted();
      return unread(error);
    });
    const sentences = parsed.sentences + parsed.failed;
    return { parsed, lead: typeof given === "string" ? { sentences, ...leadOf(given) } : given.lead };
  }
}
