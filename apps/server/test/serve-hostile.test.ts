// @module-tag slow
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, temporaryFolder, writeTestModel } from "./support.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const built = existsSync(here("../../cli/program/main.js"));

/** Limits and bounds of the guide: bytes of a body, characters of a pattern, and megabytes of memory. */
const BODY = 4 * 2 ** 20;
const PATTERN = 4096;
const THREADS = 2;
const PER_THREAD = 288;
/** Megabytes of a body as bytes and as text of two bytes per character. */
const PER_BODY = 12;
const BODIES = 32;
/** Requests per thread, of which each has a megabyte of its answer. */
const REQUESTS = 32;
/** Milliseconds within which another client has its answer, beside a request and beside all of them. */
const PROMPT = 250;
const PROMPT_BESIDE_ALL = 1000;
/** Seconds after which the clients of a test leave, and seconds of the server. */
const PATIENCE = 5;
const SECONDS = 20;
const BODY_SECONDS = 2;

/** Times that a body is sent: a thread that computes is late each time, a busy machine is not. */
const TIMES = 3;

/** A request and its answer. */
interface Hostile {
  readonly path: string;
  readonly method?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: () => string | Buffer;
  /** Sends the body otherwise than as a whole. */
  readonly send?: (sent: ClientRequest) => Promise<void>;
  /** Times that it is sent at the same time. */
  readonly copies?: number;
}

const fill = (unit: string, start = "", end = "") => {
  const room = BODY - Buffer.byteLength(start) - Buffer.byteLength(end);
  return start + unit.repeat(Math.floor(room / Buffer.byteLength(unit))) + end;
};
const json = (path: string, body: () => string, more: Partial<Hostile> = {}): Hostile => ({
  ...{ path, type: "application/json", body },
  ...more,
});
const parse = (body: () => string, more: Partial<Hostile> = {}): Hostile => json("/v1/parse", body, more);
/** Parses a body that is filled. */
const filled = (unit: string, start = "", end = "") => parse(() => fill(unit, start, end));
const plain = (body: () => string | Buffer, query = "", type = "text/plain"): Hostile => ({
  path: `/v1/parse${query}`,
  ...{ type, body },
});
const conllu = (body: () => string, query = ""): Hostile => plain(body, query, "text/x-conllu");
const form = (fields: Readonly<Record<string, string>>, unit: string, start = ""): Hostile => ({
  ...{ path: "/process", type: "application/x-www-form-urlencoded" },
  body: () => fill(unit, `${new URLSearchParams(fields)}&data=${start}`),
});
const multipart = (body: string): Hostile => ({
  ...{ path: "/process", type: "multipart/form-data; boundary=x" },
  body: () => fill(body, "", "--x--\r\n"),
});
const search = (pattern: string, text: string): Hostile =>
  json("/v1/search", () => JSON.stringify({ text, pattern }));

const CHAIN = Array.from(
  { length: 900 },
  (_, i) => `${i + 1}\tw${i + 1}\t_\tNOUN\t_\t_\t${i}\t${i ? "dep" : "root"}\t_\t_\n`,
);
const WORD = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
const PART = '--x\r\nContent-Disposition: form-data; name="data"\r\n';

/** What is sent, and the statuses and codes or limits of its answer. */
const TABLE: readonly [string, Hostile, Expected][] = [
  ["brackets within each other", parse(() => `${"[".repeat(BODY / 2)}${"]".repeat(BODY / 2)}`), [400]],
  ["lists within each other", parse(() => `{"sentences":${"[".repeat(2e6)}${"]".repeat(2e6)}}`), [400]],
  [
    "objects within each other",
    parse(() => `{"constraints":${'{"a":'.repeat(6e5)}1${"}".repeat(6e5)}}`),
    [400],
  ],
  ["a string that does not end", filled("a", '{"text":"'), [400]],
  ["a word of letters", plain(() => fill("a")), [200]],
  ["a word of letters, several times", { ...plain(() => fill("a")), copies: 4 }, [200]],
  ["quotation marks", plain(() => fill('"')), [200]],
  ["brackets and quotation marks", plain(() => fill('("[')), [200]],
  ["line ends", plain(() => fill("\n"), "?lines=true"), [200]],
  ["lines of a letter", plain(() => fill("a\n"), "?lines=true"), [200]],
  ["white space", plain(() => fill(" \t\u00a0")), [200]],
  ["full stops", plain(() => fill("a. ")), [200]],
  ["combining marks", plain(() => fill("\u0301\u0316", "a")), [200]],
  ["combining marks of UDPipe", form({ tokenizer: "" }, "%CC%81%CC%96", "a"), [200]],
  ["joined emoji", plain(() => fill("\u{1f468}\u200d"), "?offsets=code-points"), [200]],
  ["halves of surrogate pairs", filled("\\ud83d", '{"text":"', '"}'), [200]],
  ["bytes that are not UTF-8", plain(() => Buffer.alloc(BODY, 0xff)), [200]],
  [
    "UTF-16 that is declared",
    plain(() => Buffer.alloc(BODY, 0x4e), "", "text/plain; charset=utf-16le"),
    [200],
  ],
  ["an unknown charset", plain(() => fill("a"), "", "text/plain; charset=constructor"), [415]],
  ["the type of a prototype", plain(() => fill("a"), "", "__proto__"), [415]],
  [
    "a charset of a form",
    {
      ...form({}, "a"),
      type: "application/x-www-form-urlencoded; charset=utf-16",
    },
    [415],
  ],
  [
    "compressed bytes",
    { ...plain(() => gzipSync(Buffer.alloc(2 ** 28))), headers: { "content-encoding": "gzip" } },
    [415],
  ],
  ["empty sentences", filled("[],", '{"sentences":[', "[]]}"), [422]],
  ["sentences of a word", parse(() => `{"sentences":[${'["a"],'.repeat(249_999)}["a"]]}`), [200]],
  [
    "sentences of a word, several times",
    parse(() => fill('["a"],', '{"sentences":[', '["a"]]}'), { copies: 10 }),
    [422],
  ],
  ["one sentence of a million words", filled('"a",', '{"sentences":[[', '"a"]]}'), [422]],
  [
    "sentences of a thousand words",
    parse(() => `{"sentences":[${`[${'"a",'.repeat(999)}"a"],`.repeat(999)}["a"]]}`),
    [200],
  ],
  [
    "many trees of long sentences",
    parse(
      () => `{"kBest":100,"marginals":true,"sentences":[${`[${'"a",'.repeat(999)}"a"],`.repeat(50)}["a"]]}`,
    ),
    [200, 422],
  ],
  ["a number of four million digits", filled("9", '{"text":"a","kBest":', "}"), [400]],
  ["fields of prototypes", filled('"__proto__":1,', "{", '"constructor":1}'), [400]],
  ["unknown fields", parse(() => `{${Array.from({ length: 3e5 }, (_, i) => `"f${i}":1`).join()}}`), [400]],
  ["constraints without a sentence", filled("[],", '{"text":"Ann sings.","constraints":[', "[]]}"), [422]],
  [
    "constraints of one word",
    json("/v1/parse", () =>
      fill('{"word":1,"notHead":[0]},', '{"sentences":[["a"]],"constraints":[[', '{"word":1}]]}'),
    ),
    [200, 422],
  ],
  ["an id of four million digits", conllu(() => fill("1", "", "\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n")), [422]],
  [
    "a range of words without end",
    conllu(() => fill("1-9007199254740991\tab\t_\t_\t_\t_\t_\t_\t_\t_\n")),
    [422],
  ],
  ["columns without end", conllu(() => fill("\t_", "1\ta")), [422]],
  ["comments without a sentence", conllu(() => fill("# a\n")), [200, 422]],
  [
    "features of a word",
    conllu(() => fill("A=b|", "1\ta\t_\tX\t_\t", "B=c\t0\troot\t_\t_\n\n"), "?tags=given"),
    [200, 422],
  ],
  [
    "enhanced arcs of a word",
    conllu(() => fill("0:root|", "1\ta\t_\tX\t_\t_\t0\troot\t", "1:dep\t_\n\n"), "?deps=keep"),
    [200, 422],
  ],
  ["empty nodes", conllu(() => fill("0.1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n")), [422]],
  ["sentences of CoNLL-U", conllu(() => fill(WORD)), [200]],
  ["a pattern of slow expressions", search("{form:/(a|aa|a?)+b/}", "a".repeat(60)), [200, 422]],
  ["a pattern of character classes", search(`{form:/${"[^\\p{L}\\p{N}]".repeat(292)}/}`, "a"), [200, 400]],
  ["a pattern that is too long", search(`{form:/${"[^\\p{L}]".repeat(4e5)}/}`, "a"), [400]],
  ["brackets of a pattern", search("(".repeat(PATTERN), "a"), [400]],
  [
    "a pattern that finds all pairs",
    json(
      "/v1/search",
      () => JSON.stringify({ conllu: `${CHAIN.join("")}\n`, pattern: "{} .. {}", limit: 1e5 }),
      { copies: 4 },
    ),
    [200],
  ],
  ["lines of words", form({ input: "horizontal", parser: "" }, "a\n"), [422]],
  ["a word per line", form({ input: "vertical" }, "a\n"), [422]],
  ["lines that are one sentence", form({ tokenizer: "presegmented" }, "a "), [422]],
  ["percent signs", form({ tokenizer: "" }, "%"), [200]],
  ["fields of a form", form({}, "&a=b"), [200]],
  ["parts of a form", multipart(`${PART}\r\n\r\n`), [200]],
  ["the head of a part of a form", multipart(PART), [400]],
  [
    "repeated fields of an address",
    { path: `/v1/parse?${"text=a&".repeat(2000)}text=a`, method: "GET" },
    [400],
  ],
  ["a long address", { path: `/v1/parse?text=${"a".repeat(20_000)}`, method: "GET" }, [414]],
  ["a body that is too long", plain(() => Buffer.alloc(BODY + 1, 97)), [413]],
  ["bodies that arrive slowly", { ...plain(() => fill("a")), send: slowly, copies: 50 }, [408]],
  ["bodies that break off", { ...plain(() => fill("a")), send: halfway, copies: 50 }, ["gone"]],
];

async function slowly(sent: ClientRequest): Promise<void> {
  let isAnswered = false;
  sent.once("response", () => {
    isAnswered = true;
  });
  for (let k = 0; k < 10 * PATIENCE && !isAnswered && !sent.destroyed; k++) {
    sent.write("a");
    await wait(100);
  }
}

async function halfway(sent: ClientRequest): Promise<void> {
  sent.write(Buffer.alloc(BODY / 4, 97));
  await wait(200);
  sent.destroy();
}

/** Statuses that an answer may have. */
type Expected = readonly (number | string)[];

/** How a request ended. */
interface Ended {
  /** The status, or why there is none. */
  readonly status: number | string;
  readonly code?: string | undefined;
  readonly retryAfter?: string | undefined;
  readonly bytes: number;
}

/** A server of the built command. */
class Served {
  readonly child: ChildProcess;
  #err = "";
  url = "";

  constructor(model: string, ...args: string[]) {
    const all = ["serve", `tiny=${model}`, "--port", "0", "--threads", `${THREADS}`, ...args];
    const end = ["--import", here("end-threads.mjs")];
    this.child = spawn(process.execPath, [...end, here("../../cli/bin/arcwise.js"), ...all], {
      env: { ...process.env, END_THREADS_SECONDS: "3" },
    });
    this.child.stdout!.resume();
    this.child.stderr!.on("data", (chunk) => {
      this.#err += chunk;
    });
  }

  async listening(): Promise<this> {
    await eventually(async () => expect(this.#err).toContain("at http"));
    this.url = /at (http:\S+)/.exec(this.#err)![1]!;
    return this;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    const exited = once(this.child, "exit");
    this.child.kill(signal);
    const [code] = await exited;
    return code;
  }

  /** Sends a request; its client leaves after some seconds. */
  async send(
    { path, method = "POST", type, headers, send }: Hostile,
    body?: string | Buffer,
    patience = PATIENCE,
  ): Promise<Ended> {
    const bytes = Buffer.from(body ?? "");
    const sent = request(this.url + path, {
      method,
      headers: {
        ...(type && { "content-type": type }),
        ...headers,
        ...(method === "POST" && { "content-length": bytes.length }),
      },
      agent: false,
    });
    const ended = answerOf(sent, patience);
    if (send === undefined) sent.end(bytes);
    else await send(sent);
    return ended;
  }
}

/** Returns how a request ends. @param patience seconds after which its client leaves */
function answerOf(sent: ClientRequest, patience: number): Promise<Ended> {
  return new Promise((resolve) => {
    let response: IncomingMessage | undefined;
    let [text, bytes] = ["", 0];
    const end = (why?: string) => {
      clearTimeout(timer);
      const code = /"code":"([\w-]+)"/.exec(text)?.[1];
      const status = response?.statusCode ?? why ?? "none";
      resolve({ status, code, bytes, retryAfter: response?.headers["retry-after"] });
      sent.destroy();
    };
    const timer = setTimeout(() => end("working"), 1000 * patience);
    sent.on("error", () => end("gone"));
    sent.on("response", (found) => {
      response = found;
      found.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (text.length < 1000) text += chunk.toString();
      });
      found.on("close", () => end());
    });
  });
}

/** Counts requests by how they ended. */
function countsOf(all: readonly Ended[]): string {
  const counts = new Map<string, number>();
  for (const { status, code = "" } of all) {
    const key = `${status} ${code}`.trimEnd();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => (count === 1 ? key : `${count} times ${key}`)).join(", ");
}

/** Another client, in a thread of its own: calls `/health` every 50 ms, and `/metrics` for the memory every 250 ms. */
const CLIENT = `
  const { parentPort, workerData } = require("node:worker_threads");
  const get = async (path) => (await fetch(workerData + path)).text();
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  let isDone = false;
  parentPort.once("message", () => (isDone = true));
  (async () => {
    const found = { count: 0, slowest: 0, memory: 0 };
    await get("/health");
    for (let k = 0; !isDone || k === 0; k++) {
      const began = performance.now();
      await get("/health");
      found.slowest = Math.max(found.slowest, performance.now() - began);
      found.count++;
      if (k % 5 === 0) {
        const [, bytes] = /^process_resident_memory_bytes (\\S+)$/m.exec(await get("/metrics"));
        found.memory = Math.max(found.memory, bytes / 2 ** 20);
      }
      await wait(50);
    }
    parentPort.postMessage(found);
  })();
`;

/** What another client saw. */
interface Seen {
  readonly count: number;
  readonly slowest: number;
  readonly memory: number;
}

/** Does something while another client calls a server. */
async function beside<Result>(url: string, run: () => Promise<Result>): Promise<[Result, Seen]> {
  const client = new Worker(CLIENT, { eval: true, workerData: url });
  await once(client, "online");
  const result = await run();
  client.postMessage("done");
  const [seen] = (await once(client, "message")) as [Seen];
  await client.terminate();
  return [result, seen];
}

describe.skipIf(!built)("arcwise serve (skipped before npm run build)", () => {
  const model = join(temporaryFolder(), "tiny.model");
  const text = "Ann sings now. ".repeat(6667).slice(0, 100_000);
  const long = plain(() => text, "?format=ndjson");
  beforeAll(() => writeTestModel(model));

  describe("hostile requests", () => {
    let server: Served;
    /** Megabytes that the guide states, given those of the models. */
    let bound = 0;
    const limits = ["--max-seconds", `${SECONDS}`, "--max-body-seconds", `${BODY_SECONDS}`];
    beforeAll(async () => {
      server = await new Served(model, ...limits).listening();
      const [, { memory }] = await beside(server.url, () => server.send(long, "Ann sings now."));
      bound = memory + BODIES * PER_BODY + THREADS * (PER_THREAD + REQUESTS);
    });
    afterAll(async () => expect(await server.stop()).toBe(0));

    /** Sends requests together until `/health` is prompt beside them. Returns the answers, and figures. */
    async function sendAll(
      all: readonly { readonly hostile: Hostile; readonly expected: Expected }[],
      prompt = PROMPT,
    ) {
      const bodies = all.map(({ hostile }) => hostile.body?.());
      for (let k = 1; ; k++) {
        const [ended, { slowest, memory }] = await beside(server.url, () =>
          Promise.all(all.map(({ hostile }, i) => server.send(hostile, bodies[i]))),
        );
        // On a busy machine, a body next to all others may arrive too late, as an answer of `/health`.
        const isLate = ({ status }: Ended, i: number) =>
          prompt === PROMPT_BESIDE_ALL && status === 408 && !all[i]!.expected.includes(408);
        const areLate = ended.some(isLate);
        for (const [i, one] of ended.entries()) {
          const { status, retryAfter } = one;
          if (isLate(one, i)) continue;
          if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0);
          else expect([...all[i]!.expected, "working"]).toContain(status);
        }
        expect(memory).toBeLessThan(bound);
        const figures = `/health ${Math.round(slowest)} ms, memory ${Math.round(memory)} of ${Math.round(bound)} MB`;
        if (slowest < prompt && !areLate) return { ended, figures };
        expect(k, figures).toBeLessThan(TIMES);
      }
    }

    test.for(TABLE)("%s", async ([, hostile, expected], { annotate }) => {
      const copies = Array.from({ length: hostile.copies ?? 1 }, () => ({ hostile, expected }));
      const { ended, figures } = await sendAll(copies);
      await annotate(`${figures}: ${countsOf(ended)}`);
    });

    test("all at the same time", async ({ annotate }) => {
      const { ended, figures } = await sendAll(
        TABLE.map(([, hostile, expected]) => ({ hostile, expected })),
        PROMPT_BESIDE_ALL,
      );
      await annotate(`${figures}: ${countsOf(ended)}`);
    });
  });

  test("many long requests at the same time are all answered, or told to come again", async ({
    annotate,
  }) => {
    const server = await new Served(model, "--max-seconds", "8").listening();
    const whole = await server.send(long, text, 60);
    expect(whole).toMatchObject({ status: 200, code: undefined });
    for (const count of [1, 8, 16, 32, 64]) {
      const began = performance.now();
      const ended = await Promise.all(Array.from({ length: count }, () => server.send(long, text, 60)));
      for (const one of ended) {
        if (one.status === 503) expect(Number(one.retryAfter)).toBeGreaterThan(0);
        else expect(one).toEqual(whole);
      }
      expect(ended.map(({ status }) => status)).toContain(200);
      await annotate(
        `${count} requests, ${Math.round((performance.now() - began) / 1000)} s: ${countsOf(ended)}`,
      );
    }
    expect(await server.stop()).toBe(0);
  });

  test("SIGTERM while requests are worked on: they are answered, and the server ends with 0", async () => {
    const server = await new Served(model, "--grace", "60").listening();
    const whole = await server.send(long, text, 60);
    const begun = [1, 2].map(() => server.send(long, text, 60));
    await wait(200);
    expect(await server.stop()).toBe(0);
    expect(await Promise.all(begun)).toEqual([whole, whole]);
  });

  test("threads that end while requests are worked on are replaced", async () => {
    const server = await new Served(model).listening();
    const whole = await server.send(long, text, 60);
    server.child.kill("SIGUSR2");
    for (let lost = 0; lost < 2; ) {
      expect(await server.send(long, text, 60)).toEqual(whole);
      const figures = await (await fetch(`${server.url}/metrics`)).text();
      lost = Number(/^arcwise_threads_lost_total (\d+)$/m.exec(figures)?.[1] ?? 0);
    }
    expect(await server.stop()).toBe(0);
  });
});
