import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { type Order, OrderCarrier, orderOf, parseChunks } from "@arcwise/cluster";
import { writeConllu } from "@arcwise/conllu";
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
import fc from "fast-check";
import { type Area, Fault, type Outcome } from "./area.ts";
import { encode } from "./edits.ts";
import { shortExamples } from "./samples.ts";

/** Attempts at an order whose blobs are odd. */
const ATTEMPTS = 9;
/** Milliseconds within which an end of a channel must answer. */
const PATIENCE = 20_000;
/** Greatest number of an odd request. */
const MAX_ODD_ID = 7;

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
  "arcwise body id question kind reached input result error name message stack members cause code progress tasks " +
  "settings sentence comments rows words syntax heads session chunk kBest tags orders program format job input " +
  "shard model gold from data $blob $array type constructor __proto__ then length x"
).split(" ");
const TEXTS = [
  ...["", "hello", "call", "heard", "result", "pipeline 6", "facts", "analyse", "graphs", "cut", "leave"],
  ...["parse-chunk", "parsing-shard", "tagger", "evaluate", "conllu", "given", "../../etc/passwd", NAME],
  ...["f64", "i8", "constructor", "__proto__", "0", "\ud800"],
];

/** Values that a structured clone can carry. */
const odd = fc.anything({
  key: fc.constantFrom(...KEYS),
  values: [
    fc.constantFrom(...TEXTS),
    fc.constantFrom(0, 1, -1, 0.5, 2 ** 31, 2 ** 53, Number.NaN, Infinity, -0),
    fc.constantFrom(undefined, null, true, false, 5n),
    fc.constantFrom(1, 2, 3).map((kind) => [new Date(0), new Int32Array(2), /x/][kind - 1]),
  ],
  maxDepth: 3,
});
const oddObject = fc.dictionary(fc.constantFrom(...KEYS), odd, { noNullPrototype: true });

const id = fc.constantFrom(0, 1, 2, MAX_ODD_ID, -1, "0", undefined);
const kind = fc.constantFrom("facts", "analyse", "graphs", "cut", "leave", "constructor");
const question = fc.tuple(oddObject, kind).map(([members, kind]) => ({ ...members, kind }));
const name = fc.constantFrom("pipeline 6", "pipeline 5", "data", "constructor");
const body = fc.oneof(
  odd,
  fc.record({ id, kind: fc.constant("call"), name, input: fc.oneof(question, odd) }),
  fc.record({ id, kind: fc.constant("result"), result: odd }),
  fc.record({ id, kind: fc.constant("error"), error: odd }),
  fc.record({ id, kind: fc.constant("progress"), progress: odd }),
);
/** Messages: odd, or with the mark of calls and odd contents, or almost messages. */
const message = fc.oneof(
  { weight: 4, arbitrary: fc.record({ arcwise: fc.constantFrom("call", "call", "pipeline", "job"), body }) },
  fc.record({ id, question, result: odd }),
  odd,
);
const some = fc.array(message, { minLength: 1, maxLength: 5 });

const job = fc.constantFrom("parse-chunk", "evaluate", "tokenizer", "tagger", "tag-part", "parsing-shard");
const given = fc.oneof(odd, fc.constantFrom("{}", JSON.stringify({ $blob: NAME })));
const order = fc.oneof(
  odd,
  fc.tuple(job, oddObject).map(([job, members]) => ({ ...orderOf({ job, input: NAME }), ...members })),
  fc.tuple(job, odd).map(([job, other]) => ({ ...orderOf({ job, input: NAME }), job: other })),
  fc.tuple(job, odd).map(([job, input]) => ({ ...orderOf({ job, input: NAME }), input })),
  fc.tuple(job, given).map(([job, given]) => ({ ...orderOf({ job, input: NAME }), given })),
);

/** A change of a blob: another value, packed or not, the content of another blob, or a folder. */
type BlobEdit = readonly ["odd" | "packed" | "other" | "folder" | "same", unknown, number];
const blobEdits: fc.Arbitrary<readonly BlobEdit[]> = fc.array(
  fc.tuple(fc.constantFrom("same", "same", "odd", "packed", "other", "folder"), odd, fc.nat(100)),
  { minLength: 1, maxLength: 8 },
);

type MessageInput =
  | {
      readonly to: "server" | "client";
      readonly before: readonly unknown[];
      readonly after: readonly unknown[];
    }
  | { readonly to: "carrier"; readonly order: unknown }
  | { readonly to: "store"; readonly edits: readonly BlobEdit[] };

/** Sends data that Arcwise did not write: to both ends of pipelines, as orders of queues, and as blobs of stores. */
export const messages: Area<MessageInput> = {
  name: "messages",
  description: "odd messages to both ends of a pipeline, odd orders of a queue, odd blobs of a store",
  share: 1,
  prepare: async ({ folder }) => {
    const examples = shortExamples();
    const model = saveParser(await trainParser(examples, { preset: "linear", epochs: 1, prune: false }));
    const to = <Name extends MessageInput["to"]>(name: Name) => fc.constant(name);
    return {
      inputs: fc.oneof(
        { weight: 3, arbitrary: fc.record({ to: to("server"), before: some, after: some }) },
        { weight: 3, arbitrary: fc.record({ to: to("client"), before: some, after: some }) },
        { weight: 3, arbitrary: fc.record({ to: to("carrier"), order }) },
        { weight: 1, arbitrary: fc.record({ to: to("store"), edits: blobEdits }) },
      ),
      async try(input) {
        if ("order" in input) return carry(join(folder, "orders"), input.order);
        if ("edits" in input) return parseOver(join(folder, "blobs"), model, input.edits);
        return input.to === "server" ? serve(input) : connect(input);
      },
    };
  },
};

type Sent = Extract<MessageInput, { before: unknown }>;

function post(port: MessagePort, list: readonly unknown[]): void {
  for (const one of list) port.postMessage(one);
}

/** A served pipeline must answer a request after odd ones, and answer odd requests by errors with a code. */
async function serve({ before, after }: Sent): Promise<Outcome> {
  const { port1, port2 } = new MessageChannel();
  const wrong: unknown[] = [];
  port1.on("message", (data) => {
    const { error } = (data as { readonly body: { readonly error?: { readonly members: object } } }).body;
    if (error !== undefined && !hasKnownCode(error.members)) wrong.push(error);
  });
  try {
    servePipeline(chains, port2 as unknown as PipelinePort);
    post(port1, before);
    const remote = connectPipeline(port1 as unknown as PipelinePort, { patience: PATIENCE });
    post(port1, after);
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
async function connect({ before, after }: Sent): Promise<Outcome> {
  const { port1, port2 } = new MessageChannel();
  try {
    const remote = connectPipeline(port1 as unknown as PipelinePort, { timeout: PATIENCE });
    const asked = answered(remote.annotate([["a", "b"]]));
    asked.catch(() => {});
    post(port2, before);
    servePipeline(chains, port2 as unknown as PipelinePort);
    post(port2, after);
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
async function carry(folder: string, order: unknown): Promise<Outcome> {
  const store = await folderStore(folder);
  try {
    await new OrderCarrier(store, 0).carryOut(order as Order);
  } catch (error) {
    if (!hasKnownCode(error)) throw error;
    return "refused";
  }
  throw new Fault("an odd order was carried out");
}

/** Odd blobs under the names of a parsing must not change its results. */
async function parseOver(folder: string, model: Uint8Array, edits: readonly BlobEdit[]): Promise<Outcome> {
  rmSync(folder, { recursive: true, force: true });
  const store = await folderStore(folder);
  const carrier = new OrderCarrier(store, 0);
  const blobs = new JobBlobs(store);
  const [sentence] = chains.annotate([["Dogs", "bark"]]);
  const text = writeConllu([sentence!]);
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
    for await (const output of parseChunks([text], { place, model })) return output;
    throw new Fault("a chunk without an output");
  };
  const clean = await parsed();
  const paths = blobsOf(folder);
  const contents = paths.map((path) => readFileSync(path));
  for (const [k, path] of paths.entries()) {
    const [kind, value, which] = edits[k % edits.length]!;
    if (kind === "same") continue;
    rmSync(path, { recursive: true, force: true });
    const bytes = encode(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? 0 : one)) ?? "");
    if (kind === "folder") mkdirSync(path);
    else if (kind === "other") writeFileSync(path, contents[which % contents.length]!);
    else writeFileSync(path, kind === "packed" ? gzipSync(bytes) : bytes);
  }
  const again = await parsed();
  if (again.text !== clean.text || again.error !== undefined)
    throw new Fault(`odd blobs changed a result: ${again.error ?? again.text}`);
  return "survived";
}

/** Waits for an answer. @throws Fault if none comes */
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
