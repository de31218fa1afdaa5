import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { type Order, OrderCarrier, orderOf, parseChunks } from "@arcwise/cluster";
import { writeConllu } from "@arcwise/conllu";
import type { Random } from "@arcwise/core";
import { ERROR_CODES } from "@arcwise/core/errors";
import { here, type Job, type Place } from "@arcwise/jobs";
import { folderStore, JobBlobs } from "@arcwise/jobs/node";
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

/** Attempts at an order whose blobs are odd. */
const ATTEMPTS = 9;
/** Milliseconds within which an end of a channel must answer. */
const PATIENCE = 20_000;

/** Sends data that Arcwise did not write: to both ends of pipelines, as orders of queues, and as blobs of stores. */
export const messages: Area = {
  name: "messages",
  description: "odd messages to both ends of a pipeline, odd orders of a queue, odd blobs of a store",
  share: 1,
  prepare: async (context) => {
    const examples = quickExamples();
    const model = saveParser(await trainParser(examples, { preset: "linear", epochs: 1, prune: false }));
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
  "settings sentence comments rows words syntax heads session chunk kBest tags orders program format job input " +
  "shard model gold from data $blob $array type constructor __proto__ then length x"
).split(" ");
const TEXTS = [
  ...["", "hello", "pipeline request", "pipeline answer", "hello", "analyse", "graphs", "cut", "leave"],
  ...["parse-chunk", "parsing-shard", "tagger", "evaluate", "conllu", "given", "../../etc/passwd", NAME],
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
  const arcwise = pick(stream, ["pipeline request", "pipeline answer", "pipeline", "job"]);
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
    const job = pick(stream, ["parse-chunk", "evaluate", "tokenizer", "tagger", "tag-part", "parsing-shard"]);
    const sound = orderOf({ job, input: NAME });
    const order = pick<unknown>(stream, [
      oddValue(stream),
      { ...sound, ...(oddValue(stream) as object) },
      { ...sound, job: oddValue(stream) },
      { ...sound, input: oddValue(stream) },
      { ...sound, given: pick(stream, [oddValue(stream), "{}", JSON.stringify({ $blob: NAME })]) },
    ]);
    const store = await folderStore(join(this.#context.folder, "orders"));
    try {
      await new OrderCarrier(store, 0).carryOut(order as Order);
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
    const carrier = new OrderCarrier(store, 0);
    const blobs = new JobBlobs(store);
    /** A place whose jobs are carried out as by a worker. */
    const place: Place = {
      ...here(),
      async do<In extends object, Out>(job: Job<In, Out>, input: In) {
        for (let attempt = 1; ; attempt++) {
          const order = orderOf(await blobs.write(job, input));
          await carrier.carryOut(order).catch((error: unknown) => {
            if (attempt === ATTEMPTS) throw error;
          });
          const found = await blobs.output(order);
          if (found !== undefined) return found.output as Out;
          blobs.forget(input);
        }
      },
    };
    const parsed = async () => {
      for await (const output of parseChunks([this.#text], { place, model: this.#model })) return output;
      throw new Fault("a chunk without an output");
    };
    const clean = await parsed();
    const paths = blobsOf(folder);
    const contents = paths.map((path) => readFileSync(path));
    for (const path of paths) {
      if (stream.int(2) === 0) continue;
      const odd = encode(
        JSON.stringify(oddValue(stream), (_, value) => (typeof value === "bigint" ? 0 : value)) ?? "",
      );
      const bytes = pick(stream, [odd, gzipSync(odd), pick(stream, contents)]);
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

/** Returns the paths of the blobs of a folder store, in an order that is the same everywhere. */
function blobsOf(folder: string): string[] {
  const groups = readdirSync(folder).filter((name) => name.length === 2);
  const blobs = groups.flatMap((group) =>
    readdirSync(join(folder, group)).map((name) => join(folder, group, name)),
  );
  return blobs.sort();
}

function hasKnownCode(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && Object.hasOwn(ERROR_CODES, code);
}
