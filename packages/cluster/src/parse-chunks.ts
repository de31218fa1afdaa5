import { writeBytes } from "./blobs/contents.ts";
import { readOrMake } from "./blobs/damaged.ts";
import type { Hash } from "./blobs/hash.ts";
import type { Store } from "./blobs/store.ts";
import type { TokenizedChunk } from "./cut-text.ts";
import { type Lead, leadOf, movedText, NO_LEAD } from "./moved-text.ts";
import type { StepRunner } from "./runners/runner.ts";
import { stepOrder } from "./steps/order.ts";
import {
  type ChunkFormat,
  type ChunkSettings,
  chunkName,
  type ParsedChunk,
  readChunk,
} from "./steps/parse-chunk.ts";

/** Options of `parseChunks`. */
export interface ParseChunksOptions {
  readonly store: Store;
  readonly runner: StepRunner;
  /** The bytes of a model file with a parser. */
  readonly model: Uint8Array;
  /** Whether words keep the tags that they have. Default: "given". */
  readonly tags?: ChunkSettings["tags"] | undefined;
  /** What chunks are: see `cutChunks`. Text requires a model with a tokeniser. Default: "conllu". */
  readonly format?: ChunkFormat | undefined;
  /** Number of chunks that are given to the runner at a time. Default: 64. */
  readonly atOnce?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The output of a chunk. */
export interface ChunkOutput extends ParsedChunk {
  /** The name of the chunk, which is the hash of its bytes. */
  readonly chunk: Hash;
}

/** The output of a chunk as it is without the others, and what it adds to what precedes the next one. */
interface OwnOutput extends ChunkOutput {
  readonly lead: Lead;
}

/**
 * Parses chunks of CoNLL-U or text by a runner of steps, and yields their outputs in the order of the chunks. A chunk
 * that was parsed before, with the same model and the same store, is not parsed again. A chunk that is no CoNLL-U,
 * or that no worker can parse, yields an output with an error; the others go on. Sentences of a text are numbered,
 * and have the offsets of their tokens, as if the text was not cut: by `cutChunks`, or by `cutText`.
 *
 * Memory: `atOnce` chunks.
 *
 * @throws the reason of the signal once that is aborted
 */
export async function* parseChunks(
  chunks: AsyncIterable<string | TokenizedChunk> | Iterable<string | TokenizedChunk>,
  { store, runner, model, tags = "given", format = "conllu", atOnce = 64, signal }: ParseChunksOptions,
): AsyncGenerator<ChunkOutput> {
  const name = await writeBytes(store, model, false);
  const running: Promise<OwnOutput>[] = [];
  let lead = NO_LEAD;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    const output = parseChunk(chunk, name);
    // Its error is thrown when its turn comes.
    output.catch(() => {});
    running.push(output);
    if (running.length >= atOnce) yield placed(await running.shift()!);
  }
  for (const output of running) yield placed(await output);

  /** Returns an output as its place among the chunks before it asks for. */
  function placed({ lead: own, ...output }: OwnOutput): ChunkOutput {
    if (format === "conllu") return output;
    const text = movedText(output.text, lead);
    lead = { sentences: lead.sentences + own.sentences, points: lead.points + own.points };
    return { ...output, text };
  }

  async function parseChunk(given: string | TokenizedChunk, modelName: Hash): Promise<OwnOutput> {
    const isText = typeof given === "string";
    const bytes = new TextEncoder().encode(isText ? given : given.conllu);
    const chunk = await writeBytes(store, bytes, true);
    const settings: ChunkSettings = { model: modelName, chunk, tags, format: isText ? format : "conllu" };
    const id = `p${chunkName(settings).slice(0, 24)}`;
    const flow = { id, steps: [], last: stepOrder("parse-chunk", settings) };
    const run = () => runner.run(flow, { signal });
    const runDespiteDamage = async () => {
      try {
        await run();
      } catch (error) {
        signal?.throwIfAborted();
        // A worker sets a damaged input aside, which is written again here.
        if ((await store.has(modelName)) && (await store.has(chunk))) throw error;
        await writeBytes(store, model, false);
        await writeBytes(store, bytes, true);
        await run();
      }
    };
    try {
      await runDespiteDamage();
      const parsed = await readOrMake(() => readChunk(store, settings, { signal }), runDespiteDamage);
      return { lead: leadAfter(parsed), chunk, ...parsed };
    } catch (error) {
      signal?.throwIfAborted();
      const nothing = { text: "", sentences: 0, words: 0, failed: 0 };
      return { lead: leadAfter(nothing), chunk, ...nothing, error: (error as Error).message };
    }

    function leadAfter({ sentences, failed }: Pick<ParsedChunk, "sentences" | "failed">): Lead {
      return typeof given === "string" ? { sentences: sentences + failed, ...leadOf(given) } : given.lead;
    }
  }
}
