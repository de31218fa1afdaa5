import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { share } from "@arcwise/jobs";
import { loadDecoder, restrictModules } from "@arcwise/parser/node";
import { tokenizerJob } from "@arcwise/tokenize";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { OrderCarrier } from "../src/order-jobs.ts";
import { parseChunks } from "../src/parsing/parse-chunks.ts";
import { onQueue } from "../src/queue/on-queue.ts";
import { queueStatus } from "../src/queue/queue-status.ts";
import { moduleUrls, serveQueue } from "../src/queue/serve-queue.ts";
import { openStores } from "../src/stores/layered-store.ts";
import { openStore } from "../src/stores/open-store.ts";
import { placeOf, workers } from "./carriers.ts";
import {
  hasPostgres,
  hasRedis,
  isBuilt,
  postgresServer,
  redisServer,
  startWorker,
  type TestServer,
} from "./servers.ts";
import { expectLost, freshFolder, safeError, TRAINING, trainedAt, trainedHere, treebank } from "./support.ts";

const CHUNK = "1\tDogs\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\tbark\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n";

/** Returns the names of all files below a folder. */
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

let model: Uint8Array;
beforeAll(async () => {
  const examples = treebank(8, { labelled: false });
  model = await trainedHere(examples, { preset: "linear", epochs: 1, prune: false });
});

describe("a store over one that is read-only", () => {
  it("has the blobs of both, and writes to the first", async () => {
    const [inputs, results] = [freshFolder(), freshFolder()];
    await openStore(results);
    const here = await openStores({ store: inputs, readOnlyStore: results });
    const there = new OrderCarrier(await openStores({ store: results, readOnlyStore: inputs }));
    const place = placeOf(here, (order) => there.carryOut(order));
    for await (const { text, error } of parseChunks([CHUNK], { place, model })) {
      expect(error).toBeUndefined();
      expect(text).toContain("Dogs");
    }
    // The model and the chunk, which the order names; the parsed chunk.
    expect([filesOf(inputs).length, filesOf(results).length]).toEqual([2, 1]);
  });
});

describe("a module that a training names", () => {
  const folder = freshFolder();
  const path = join(folder, "decoder.mjs");
  beforeAll(() => {
    mkdirSync(folder);
    // Each word is the head of the next one.
    writeFileSync(
      path,
      `export default () => ({
        name: "chains", trees: "any", singleRoot: true, handles: new Set(),
        decode: ({ arcs: { n } }) =>
          ({ heads: Int32Array.from({ length: n + 1 }, (_, m) => m - 1), score: 0, bound: Infinity }),
      });`,
    );
  });

  test.each([
    ["is not run unless the worker was given it", [], "invalid-module"],
    ["is run by a worker that was given its path", [path], undefined],
    ["is run by a worker that was given its URL", [pathToFileURL(path).href], undefined],
    ["is not run for another one", [`${path}x`], "invalid-module"],
  ])("%s", async (_, modules, code) => {
    const store = await openStore(freshFolder());
    const decoder = await loadDecoder(path);
    restrictModules(moduleUrls(modules));
    const place = placeOf(store, workers(store, 1));
    const options = { ...TRAINING, epochs: 1, decoder };
    const trained = trainedAt(place, treebank(8, { labelled: false }), options)
      .then(
        () => undefined,
        (error: { readonly code?: string }) => error.code,
      )
      .finally(() => restrictModules(undefined));
    expect(await trained).toBe(code);
  });
});

describe("a server that accepts connections and says nothing", () => {
  let silent: Server;
  let port: number;
  beforeAll(async () => {
    silent = createServer((socket) => socket.on("error", () => {}));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    port = (silent.address() as { readonly port: number }).port;
  });
  afterAll(() => void silent.close());

  test.each(["redis", "postgres"])("is left at a signal: %s", async (kind) => {
    const queue = `${kind}://user:hidden@127.0.0.1:${port}/0`;
    const store = freshFolder();
    const opened = await openStore(store);
    const signal = AbortSignal.timeout(100);
    const calls = [
      queueStatus({ queue, signal }),
      onQueue({ queue, store: opened, signal }),
      serveQueue({ queue, store, signal }),
    ];
    for (const outcome of await Promise.allSettled<unknown>(calls))
      expect(outcome).toEqual({ status: "rejected", reason: signal.reason });
  });

  test.each(["redis", "postgres"])("is left after ten seconds: %s", { tags: "slow" }, async (kind) => {
    await expectLost(`${kind}://user:hidden@127.0.0.1:${port}/0`);
  });
});

describe("options of queues", () => {
  test.each([
    [{ queue: 5 }, "invalid-option"],
    [{}, "invalid-option"],
    [{ queue: "redis://127.0.0.1:1", name: "a:b" }, "invalid-option"],
    [{ queue: "redis://127.0.0.1:1", nmae: "x" }, "unknown-option"],
    [{ queue: "redis://127.0.0.1:1", onNote: "x" }, "invalid-option"],
  ])("are checked: %j", async (options, code) => {
    const given = options as { readonly queue: string };
    await expect(queueStatus(given)).rejects.toMatchObject({ code });
    const store = await openStore(freshFolder());
    await expect(onQueue({ ...given, store })).rejects.toMatchObject({ code });
    await expect(serveQueue({ ...given, store: store.address })).rejects.toMatchObject({ code });
  });
});

describe("workers that only parse", () => {
  it.skipIf(!hasRedis || !isBuilt)("parse, write to the store of results, and refuse trainings", async () => {
    const server = await redisServer(freshFolder());
    const [inputs, results] = [freshFolder(), freshFolder()];
    await openStore(results);
    const store = await openStores({ store: inputs, readOnlyStore: results });
    const worker = startWorker(server.url, results, { readOnlyStore: inputs, onlyParses: true });
    const place = await onQueue({ queue: server.url, store, poll: 200 });
    try {
      for await (const { text, error } of parseChunks([CHUNK], { place, model }))
        expect([error, text.includes("Dogs")]).toEqual([undefined, true]);
      expect([filesOf(inputs).length, filesOf(results).length]).toEqual([2, 1]);
      const learning = { epochs: 1, seed: 1 } as never;
      const training = place.do(tokenizerJob, { sentences: share([]), learning });
      await expect(training).rejects.toMatchObject({
        code: "step-failed",
        found: expect.stringContaining("only parses"),
      });
    } finally {
      await place.close();
      await worker.kill();
      await server.stop();
    }
  });
});

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe("connections with TLS", () => {
  const folder = freshFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  beforeAll(() => {
    if (!hasOpenssl) return;
    mkdirSync(folder);
    const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
    const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    expect(spawnSync("openssl", [...made, ...names, "-keyout", key, "-out", cert]).status).toBe(0);
    spawnSync("chmod", ["-R", "a+rX", folder]);
  });

  /** Returns what a process that trusts the certificate finds. */
  const trusting = (queue: string) => {
    const built = new URL("../dist/queue/index.js", import.meta.url).href;
    const code = `import { queueStatus } from ${JSON.stringify(built)};
      console.log((await queueStatus({ queue: ${JSON.stringify(queue)}, password: "hidden" })).workers); process.exit()`;
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert, NODE_OPTIONS: "" };
    return spawnSync(process.execPath, ["--input-type=module", "-e", code], { env, timeout: 30_000 });
  };
  const refusal = (queue: string) =>
    expect(queueStatus({ queue, password: "hidden" })).rejects.toEqual(safeError("lost-connection"));

  it.skipIf(!hasOpenssl || !hasRedis || !isBuilt)(
    "reach a Redis whose certificate is trusted alone",
    async () => {
      const port = 20_000 + (process.pid % 20_000);
      const files = ["--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", cert];
      const tls = ["--tls-port", `${port}`, ...files, "--tls-auth-clients", "no"];
      const more = [...tls, "--requirepass", "hidden"];
      const server: TestServer = await redisServer(freshFolder(), more);
      try {
        await refusal(`rediss://127.0.0.1:${port}`);
        const found = trusting(`rediss://127.0.0.1:${port}`);
        expect([found.stdout.toString(), found.stderr.toString()]).toEqual(["0\n", ""]);
      } finally {
        await server.stop();
      }
    },
  );

  it.skipIf(!hasOpenssl || !hasPostgres)(
    "reach a PostgreSQL whose certificate is trusted alone",
    async () => {
      const server = await postgresServer(freshFolder(), { key, cert });
      try {
        const status = await queueStatus({ queue: `${server.url}?sslmode=verify-full&sslrootcert=${cert}` });
        expect(status).toMatchObject({ workers: 0, address: expect.not.stringContaining("sslmode") });
        await refusal(`${server.url}?sslmode=verify-full`);
      } finally {
        await server.stop();
      }
    },
  );
});
