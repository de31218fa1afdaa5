import { inOrder, type Place, share } from "@arcwise/jobs";
import type { TokenizedChunk } from "./cut-text.ts";
import { type Lead, leadOf, movedText, NO_LEAD } from "./moved-text.ts";
import { type ChunkFormat, type ChunkInput, type ParsedChunk, parseChunk, unread } from "./parse-jobs.ts";

/** Options of `parseChunks`. */
export interface ParseChunksOptions {
  /** The place that parses: threads, workers of a queue. */
  readonly place: Place;
  /** The bytes of a model file with a parser. */
  readonly model: Uint8Array;
  /** Whether words keep the tags that they have. Default: "given". */
  readonly tags?: ChunkInput["tags"] | undefined;
  /** What becomes of DEPS and empty nodes: see `ChunkInput`. */
  readonly deps?: ChunkInput["deps"];
  /** The contents of chunks: see `cutChunks`. Text requires a model with a tokeniser. Default: "conllu". */
  readonly format?: ChunkFormat | undefined;
  /** Number of chunks that are given to the place at a time. Default: 64. */
  readonly atOnce?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

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
  { place, model: bytes, tags = "given", deps, format = "conllu", atOnce = 64, signal }: ParseChunksOptions,
): AsyncGenerator<ParsedChunk> {
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
