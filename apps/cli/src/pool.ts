import { Tinypool } from "tinypool";
import { type BatchInput, type ParsedBlock, parseBlock } from "./batch.ts";
import { ThreadError } from "./errors.ts";
import { loadAnalyser, type ParserSettings } from "./parser.ts";
import type { WorkerAnswer, WorkerTask } from "./worker.ts";

/** Parses blocks of sentences, several at a time when it has several threads. */
export interface BlockParser {
  /** How many blocks may be under way at a time, so that no thread waits and memory stays bounded. */
  readonly capacity: number;
  parse(input: BatchInput): Promise<ParsedBlock>;
  close(): Promise<void>;
}

/**
 * A parser in this thread (`threads` = 1), or in as many worker threads. Resolves when the model is loaded,
 * in every thread once.
 *
 * @throws ModelError, a file error, UsageError, or a ThreadError that tells of one, when it cannot be loaded
 */
export async function blockParser(settings: ParserSettings, threads: number): Promise<BlockParser> {
  if (threads > 1) return threadedParser(settings, threads);
  const analyser = await loadAnalyser(settings);
  return {
    capacity: 1,
    parse: (input) => parseBlock(analyser, input, settings),
    close: async () => {},
  };
}

async function threadedParser(settings: ParserSettings, threads: number): Promise<BlockParser> {
  const pool = new Tinypool({
    filename: new URL("./worker.js", import.meta.url).href,
    name: "work",
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
  });
  const run = async (task: WorkerTask) => answer((await pool.run(task)) as WorkerAnswer);
  const loaded = new Int32Array(new SharedArrayBuffer(4));
  const load: WorkerTask = { kind: "load", settings, loaded, workers: threads };
  try {
    await Promise.all(Array.from({ length: threads }, () => run(load)));
  } catch (error) {
    await pool.destroy();
    throw error;
  }
  return {
    capacity: 3 * threads,
    parse: async (input) => {
      const parsed = await run({ kind: "parse", input });
      if (parsed === undefined) throw new Error("a worker answered without a result");
      return parsed;
    },
    close: () => pool.destroy(),
  };
}

/** The result of a task, or the error that the thread reports. */
function answer(reply: WorkerAnswer): ParsedBlock | undefined {
  if (!("failure" in reply)) return reply.parsed;
  const { code, message, stack } = reply.failure;
  throw new ThreadError(code, message, stack);
}
