import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import {
  folderStore,
  localRunner,
  parseChunks,
  StepExecutor,
  type StepOrder,
  stepOrder,
} from "@arcwise/cluster";
import { writeConllu } from "@arcwise/conllu";
import type { Random } from "@arcwise/core";
import { ERROR_CODES } from "@arcwise/core/errors";
import { saveParser, trainParser } from "@arcwise/parser";
import {
  connectPipeline,
  createPipeline,
  type Pipeline,
  type PipelinePort,
  servePipeline,
} from "@arcwise/pipeline";
import { type Area, Fault, type FuzzContext, type Fuzzer, type Outcome, pick } from "./area.ts";
import { quickExamples } from "./models.ts";
import { encode } from "./mutations.ts";

/** Milliseconds within which an end of a channel must answer. */
const PATIENCE = 20_000;

/** Sends what is not ours: to both ends of pipelines, as orders of queues, and as blobs of stores. */
export const messages: Area = {
  name: "messages",
  description: "odd messages to both ends of a pipeline, odd orders of a queue, odd blobs of a store",
  share: 1,
  prepare: async (context) => {
    const examples = quickExamples();
    const model = saveParser(await trainParser(examples, { preset: "fast", epochs: 1, prune: false }));
    return new MessageFuzzer(context, model);
  },
};

/** Each word is the head of the next one. */
const chains: Pipeline = createPipeline(
  {},
  {
    parser: (words) => ({
      heads: Int32Array.from({ length: words.length + 1 }, (_, m) => m - 1),
      labels: Array.from({ length: words.length + 1 }, () => "dep"),
    }),
  },
);

const NAME = "0123456789abcdef".repeat(4);
/** Keys and texts of messages, orders and data, and others. */
const KEYS = (
  "arcwise body id question kind reached heard result error name message stack members cause code protocol tasks " +
  "settings sentence comments rows words syntax heads session chunk kBest tags steps program format step run round " +
  "shard model gold from work part order epoch rounds shards $array type constructor __proto__ then length x"
).split(" ");
const TEXTS = [
  ...["", "hello", "pipeline request", "pipeline answer", "hello", "analyse", "graphs", "cut", "leave"],
  ...["parse-chunk", "mix", "train-shard", "evaluate", "conllu", "given", "../../etc/passwd", NAME],
  ...["f64", "i8", "constructor", "__proto__", "0", "\ud800"],
];

/** Draws a value that a structured clone can carry. */
function oddValue(stream: Random, depth = 3): unknown {
  const kind = stream.int(depth > 0 ? 12 : 8);
  if (kind < 3) return pick(stream, TEXTS);
  if (kind < 5) return pick(stream, [0, 1, -1, 0.5, 2 ** 31, 2 ** 53, Number.NaN, Infinity, -0]);
  if (kind < 8)
    return pick<unknown>(stream, [undefined, null, true, false, 5n, new Date(0), new Int32Array(2), /x/]);
  if (kind === 8) return Array.from({ length: stream.int(4) }, () => oddValue(stream, depth - 1));
  const entries = Array.from({ length: stream.int(5) }, () => [
    pick(stream, KEYS),
    oddValue(stream, depth - 1),
  ]);
  return Object.fromEntries(entries);
}

/** Greatest number of an odd request. */
const MAX_ODD_ID = 7;

/** Draws a message: odd, or with the mark of a kind and odd contents, or almost a message. */
function oddMessage(stream: Random): unknown {
  const id = pick<unknown>(stream, [0, 1, 2, MAX_ODD_ID, -1, "0", undefined]);
  const arcwise = pick(stream, ["pipeline request", "pipeline answer", "pipeline", "step orders"]);
  const kind = pick(stream, ["hello", "analyse", "graphs", "cut", "leave", "constructor"]);
  const question = { ...(oddValue(stream) as object), kind };
  switch (stream.int(6)) {
    case 0:
      return { arcwise, body: oddValue(stream) };
    case 1:
      return { arcwise, body: { id, question } };
    case 2:
      return { arcwise, body: { id, result: oddValue(stream) } };
    case 3:
      return { arcwise, body: { id, error: oddValue(stream) } };
    case 4:
      return { id, question, result: oddValue(stream) };
    default:
      return oddValue(stream, 4);
  }
}

class MessageFuzzer implements Fuzzer {
  readonly #context: FuzzContext;
  readonly #model: Uint8Array;
  readonly #text: string;
  #counts = { messages: 0, orders: 0, blobs: 0 };

  constructor(context: FuzzContext, model: Uint8Array) {
    this.#context = context;
    this.#model = model;
    const [sentence] = chains.annotate([["Dogs", "bark"]]);
    this.#text = writeConllu([sentence!]);
  }

  try(stream: Random): Promise<Outcome> {
    const kind = stream.int(10);
    if (kind < 3) return this.#serve(stream);
    if (kind < 6) return this.#connect(stream);
    return kind < 9 ? this.#order(stream) : this.#blobs(stream);
  }

  notes(): string {
    const { messages: sent, orders, blobs } = this.#counts;
    return `${sent} messages, ${orders} orders, ${blobs} blobs`;
  }

  #post(port: MessagePort, stream: Random): void {
    for (let count = 1 + stream.int(5); count > 0; count--) {
      port.postMessage(oddMessage(stream));
      this.#counts.messages++;
    }
  }

  /** A served pipeline must answer a request after odd ones, and answer odd requests by errors with a code. */
  async #serve(stream: Random): Promise<Outcome> {
    const { port1, port2 } = new MessageChannel();
    const wrong: unknown[] = [];
    port1.on("message", (data) => {
      const { error } = (data as { readonly body: { readonly error?: { readonly members: object } } }).body;
      if (error !== undefined && !hasKnownCode(error.members)) wrong.push(error);
    });
    try {
      servePipeline(chains, port2 as unknown as PipelinePort);
      this.#post(port1, stream);
      const remote = connectPipeline(port1 as unknown as PipelinePort, { patience: PATIENCE });
      this.#post(port1, stream);
      // An odd request may have the number of a sound one, and be answered first; its numbers end at 7.
      let found: unknown;
      for (let request = 0; request <= MAX_ODD_ID; request++)
        found = await answered(remote.annotate([["a", "b"]])).catch((error: unknown) => error);
      if (found instanceof Error) throw new Fault(`the pipeline does not serve on: ${found.message}`);
      if (wrong.length > 0) throw new Fault(`an error without a code: ${JSON.stringify(wrong[0])}`);
      return "survived";
    } finally {
      port1.close();
    }
  }

  /** An end that asks must get its answer, or an error with a code, whatever else arrives. */
  async #connect(stream: Random): Promise<Outcome> {
    const { port1, port2 } = new MessageChannel();
    try {
      const remote = connectPipeline(port1 as unknown as PipelinePort, { timeout: PATIENCE });
      const asked = answered(remote.annotate([["a", "b"]]));
      asked.catch(() => {});
      this.#post(port2, stream);
      servePipeline(chains, port2 as unknown as PipelinePort);
      this.#post(port2, stream);
      await asked;
      return "survived";
    } catch (error) {
      if (error instanceof Fault || !hasKnownCode(error)) throw error;
      return "refused";
    } finally {
      port1.close();
    }
  }

  /** An order of anything must be refused with a code, and read and write nothing. */
  async #order(stream: Random): Promise<Outcome> {
    this.#counts.orders++;
    const step = pick(stream, [
      "parse-chunk",
      "mix",
      "train-shard",
      "train-network",
      "train-part",
      "evaluate",
    ]);
    const sound = stepOrder(step as "mix", { run: NAME, round: 0 });
    const settings = { run: NAME, round: 0, ...(oddValue(stream) as object) };
    const order = pick<unknown>(stream, [
      oddValue(stream),
      { ...sound, settings },
      { ...sound, step: oddValue(stream) },
    ]);
    const store = await folderStore(join(this.#context.folder, "orders"));
    try {
      await new StepExecutor(store, { patience: 0 }).run(order as StepOrder);
    } catch (error) {
      if (!hasKnownCode(error)) throw error;
      return "refused";
    }
    throw new Fault("an odd order was carried out", encode(String(order)));
  }

  /** Odd blobs under the names of a parsing must not change its results. */
  async #blobs(stream: Random): Promise<Outcome> {
    const folder = join(this.#context.folder, "blobs");
    rmSync(folder, { recursive: true, force: true });
    const store = await folderStore(folder);
    const written: string[] = [];
    const parsed = async () => {
      const noting = {
        address: store.address,
        has: (name: string) => store.has(name),
        read: (name: string) => store.read(name),
        setAside: (name: string) => store.setAside(name),
        write: (name: string, bytes: Uint8Array) => {
          written.push(name);
          return store.write(name, bytes);
        },
      };
      const options = { store: noting, runner: localRunner(noting), model: this.#model };
      for await (const output of parseChunks([this.#text], options)) return output;
      throw new Fault("a chunk without an output");
    };
    const clean = await parsed();
    const names = [...written];
    for (const name of names) {
      if (stream.int(2) === 0) continue;
      const path = join(folder, name.slice(0, 2), name.slice(2));
      const odd = encode(
        JSON.stringify(oddValue(stream), (_, value) => (typeof value === "bigint" ? 0 : value)) ?? "",
      );
      const bytes = pick(stream, [odd, gzipSync(odd), (await store.read(pick(stream, names))) ?? odd]);
      rmSync(path, { recursive: true, force: true });
      if (stream.int(8) === 0) mkdirSync(path);
      else writeFileSync(path, bytes);
      this.#counts.blobs++;
    }
    const again = await parsed();
    if (again.text !== clean.text || again.error !== undefined)
      throw new Fault(`odd blobs changed a result: ${again.error ?? again.text}`);
    return "survived";
  }
}

/** Waits for an answer. @throws Fault when none comes */
async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const timer = new AbortController();
  const silence = sleep(2 * PATIENCE, undefined, { signal: timer.signal }).then(() => {
    throw new Fault("no answer: a request waits for ever");
  });
  try {
    return await Promise.race([asked, silence]);
  } finally {
    silence.catch(() => {});
    timer.abort();
  }
}

function hasKnownCode(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && Object.hasOwn(ERROR_CODES, code);
}
