import type { ColumnShares } from "@arcwise/parser";
import type { BatchInput, ParsedBlock } from "./batch.ts";
import type { BlockSettings } from "./block-analysis.ts";
import { Interrupted } from "./errors.ts";
import { Pool } from "./pool.ts";
import { parseDespiteDeaths } from "./salvage.ts";

/** Parses blocks of sentences, several at a time when it has several threads. */
export interface BlockParser {
  /** How many blocks may be under way at a time, so that no thread waits and memory stays bounded. */
  readonly capacity: number;
  /** Shares of the words that had tags, features and lemmas when the model was trained. */
  readonly columns: ColumnShares;
  /** Parses a block; a sentence of which two threads died is reported as lost. */
  parse(input: BatchInput): Promise<ParsedBlock>;
  close(): Promise<void>;
}

/** Where blocks are parsed. */
export interface ThreadChoice {
  /** Threads that parse. */
  readonly threads: number;
  /** Whether one thread, too, is not this one. */
  readonly apart: boolean;
  /** Ends the threads, in a sentence too. */
  readonly signal: AbortSignal;
}

/**
 * A parser in this thread, or in worker threads. Resolves when the model is loaded once, so that what is
 * wrong with it is known before any sentence is read.
 *
 * @throws ModelError, a file error, UsageError, or a ThreadError that reports one, when it cannot be loaded
 * @throws Interrupted when the user asks to stop
 */
export async function blockParser(settings: BlockSettings, choice: ThreadChoice): Promise<BlockParser> {
  if (choice.threads === 1 && !choice.apart) return blockParserHere(settings);
  const pool = new Pool(settings, choice.threads, new URL("./worker.js", import.meta.url));
  const stop = () => void pool.close(new Interrupted("stopped"));
  choice.signal.addEventListener("abort", stop, { once: true });
  const columns = await pool.load();
  return {
    capacity: pool.capacity,
    columns,
    parse: (input) => parseDespiteDeaths((block) => pool.parse(block), input),
    close: async () => {
      choice.signal.removeEventListener("abort", stop);
      await pool.close();
    },
  };
}

/** A parser in this thread, which is not free for anything else while a block is parsed. */
async function blockParserHere(settings: BlockSettings): Promise<BlockParser> {
  const { loadBlockAnalysis } = await import("./block-analysis.ts");
  return { capacity: 1, ...(await loadBlockAnalysis(settings)), close: async () => {} };
}
