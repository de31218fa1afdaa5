import { setTimeout as sleep } from "node:timers/promises";
import { share } from "@arcwise/jobs";
import { folderStore } from "@arcwise/jobs/node";
import type { TrainOptions } from "@arcwise/parser";
import type { Queue } from "bullmq";
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { type Order, orderOf } from "../src/order.ts";
import { parseChunk } from "../src/parsing/parse-jobs.ts";
import { queueAddress, withoutCredentials } from "../src/queue/address.ts";
import { checkServer, unsafeFact } from "../src/queue/check-server.ts";
import { openQueue, PostgresClient } from "../src/queue/classes.ts";
import { onQueue } from "../src/queue/on-queue.ts";
import { queueStatus } from "../src/queue/queue-status.ts";
import { freePort } from "./server-processes.mjs";
import {
  hasPostgres,
  hasRedis,
  isBuilt,
  postgresServer,
  redisServer,
  startWorker,
  type TestServer,
  type TestWorker,
} from "./servers.ts";
import { expectLost, freshFolder, safeError, TRAINING, trainedAt, trainedHere, treebank } from "./support.ts";

const SKIPPED = [
  hasRedis ? [] : ["no redis-server: the tests of queues on Redis are skipped"],
  hasPostgres ? [] : ["no PostgreSQL: the tests of queues on PostgreSQL are skipped"],
  isBuilt ? [] : ["not built: the tests of workers are skipped"],
].flat();
for (const line of SKIPPED) console.warn(line);

describe("the address of a queue", () => {
  test.each([
    ["redis://user:pass%40word@host:6379/2", "redis", "redis://host:6379/2"],
    ["rediss://host", "redis", "rediss://host"],
    ["postgres://user:secret@host/db", "postgres", "postgres://host/db"],
  ])("%s", (address, server, shown) => {
    expect(queueAddress(address)).toMatchObject({ server, shown });
  });

  it("may have its password from elsewhere", () => {
    expect(queueAddress("redis://user@host", "p@ss/1").url).toBe("redis://user:p%40ss%2F1@host");
  });

  test.each(["", "localhost:6379", "http://user:hidden@host"])("is none: %j", (address) => {
    expect(() => queueAddress(address)).toThrow(safeError("invalid-argument"));
  });

  it("does not show its password in messages of drivers", () => {
    const address = queueAddress("redis://user:pass%40word@host");
    const message = `cannot reach ${address.url} with pass@word or pass%40word`;
    expect(withoutCredentials(message, address)).not.toMatch(/pass(@|%40)word/);
  });
});

describe("a server", () => {
  it("that ends during a transaction does not end the process", () => {
    expect(new PostgresClient().emit("error", new Error("the server has ended"))).toBe(true);
  });

  test.each([
    [{ evicts: "noeviction", persists: true }, true],
    [{ evicts: "allkeys-lru", persists: true }, false],
    [{ evicts: "noeviction", persists: false }, false],
    [{ persists: true }, true],
  ])("with %j", (facts, isSafe) => {
    expect(unsafeFact(facts) === undefined).toBe(isSafe);
  });

  it("that is not there is named without credentials", async () => {
    const port = await freePort();
    for (const kind of ["redis", "postgres"]) await expectLost(`${kind}://user:hidden@127.0.0.1:${port}/0`);
  });

  test
    .skipIf(!hasRedis)
    .each([
      [["--maxmemory", "50mb", "--maxmemory-policy", "allkeys-lru"]],
      [["--appendonly", "no", "--save", ""]],
    ])("that may lose jobs is refused: %j", async (more) => {
    const server = await redisServer(freshFolder(), more);
    try {
      await expect(checkServer(queueAddress(server.url))).rejects.toMatchObject({ code: "unsafe-queue" });
    } finally {
      await server.stop();
    }
  });
});

const EXAMPLES = treebank(40, { labelled: false });
const OPTIONS: TrainOptions = {
  ...TRAINING,
  epochs: 2,
  network: { units: 8, embeddingUnits: 8, members: 2, epochs: 2 },
};

/** An order whose input is nowhere. */
const HOLLOW = orderOf({ job: "parse-chunk", input: "0".repeat(64) });

const SERVERS = [
  ["Redis", hasRedis, redisServer],
  ["PostgreSQL", hasPostgres, postgresServer],
] as const;

describe.each(SERVERS)(
  "training by workers of a queue on %s",
  { tags: "slow" },
  (name, isThere, startServer) => {
    const isRun = isThere && isBuilt;
    let server: TestServer;
    let alone: Buffer;
    const workers: TestWorker[] = [];
    const start = (store: string, settings: object = {}) => {
      const worker = startWorker(server.url, store, settings);
      workers.push(worker);
      return worker;
    };
    async function trained(store: string, more: TrainOptions = {}): Promise<Buffer> {
      const place = await onQueue({ queue: server.url, store: await folderStore(store), poll: 200 });
      try {
        return await trainedAt(place, EXAMPLES, { ...OPTIONS, ...more });
      } finally {
        await place.close();
      }
    }

    beforeAll(async () => {
      if (!isRun) return;
      server = await startServer(freshFolder());
      alone = await trainedHere(EXAMPLES, OPTIONS);
    });
    afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.kill())));
    afterAll(() => server?.stop());

    it.skipIf(!isRun)("gives the bytes of one process, with workers of several threads", async () => {
      const store = freshFolder();
      start(store);
      start(store, { threads: 2 });
      expect((await trained(store)).equals(alone)).toBe(true);
    });

    it.skipIf(!isRun)(
      "goes on when worker and server are killed, and after a pause of the server",
      async () => {
        const store = freshFolder();
        const first = start(store);
        const model = trained(store);
        await first.done(2);
        await first.kill();
        const second = start(store);
        await second.done(2);
        server.process.kill("SIGKILL");
        await sleep(200);
        await server.restart();
        await second.done(4);
        server.process.kill("SIGSTOP");
        await sleep(1000);
        server.process.kill("SIGCONT");
        expect((await model).equals(alone)).toBe(true);
      },
    );

    /** Opens a queue of a name, to add jobs as anybody may who has the password. */
    const opened = (queueName: string) =>
      openQueue({ address: queueAddress(server.url), name: queueName }, () => {}) as Queue;

    it.skipIf(!isRun)(
      "takes a job back from a worker that is stopped, which does not count as an attempt",
      async () => {
        const store = freshFolder();
        await folderStore(store);
        const place = { queue: server.url, name: "stopped" };
        const queue = opened(place.name);
        // The input of this order is not there, and is waited for.
        await queue.add("hollow", { orders: [HOLLOW] }, { attempts: 1 });
        try {
          for (let attempt = 0; attempt < 2; attempt++) {
            const worker = start(store, { name: place.name, lockDuration: 60_000 });
            await expect.poll(async () => (await queueStatus(place)).active, { timeout: 60_000 }).toBe(1);
            // A worker that is stopped in the moment in which it is given a job cannot give it back.
            await sleep(1000);
            await worker.stop();
            expect(await queueStatus(place)).toMatchObject({ waiting: 1, active: 0, delayed: 0, dead: [] });
          }
        } finally {
          await queue.obliterate({ force: true });
          await queue.close();
        }
      },
    );

    it.skipIf(!isRun || name !== "Redis")("may be started twice, and be stopped and started", async () => {
      const store = freshFolder();
      const worker = start(store);
      const stop = new AbortController();
      const stopped = trained(store, { signal: stop.signal });
      await worker.done(2);
      stop.abort(new Error("stopped"));
      await expect(stopped).rejects.toThrow("stopped");
      const both = await Promise.all([trained(store), trained(store)]);
      for (const model of both) expect(model.equals(alone)).toBe(true);
    });

    it.skipIf(!isRun)("refuses jobs of anything else at once, and goes on", async () => {
      const place = { queue: server.url, name: "odd" };
      const queue = opened(place.name);
      const escaping: Order = { ...HOLLOW, input: "../../etc/passwd" };
      const unknown: Order = { ...HOLLOW, job: "file:///tmp/job.mjs" };
      const lists = [1, [], [{}], [escaping], [unknown]].map((orders) => ({ orders }));
      const odd = [{}, null, [], "x", 5, ...lists];
      const add = (data: unknown) =>
        queue.add("odd", data, { attempts: 5, backoff: { type: "exponential", delay: 1000 } });
      const dead = async () => (await queueStatus(place)).dead;
      try {
        await Promise.all(odd.map(add));
        start(freshFolder(), { name: place.name });
        await expect.poll(async () => (await dead()).length, { timeout: 30_000 }).toBe(odd.length);
        await add({ again: true });
        await expect.poll(async () => (await dead()).length, { timeout: 30_000 }).toBe(odd.length + 1);
        for (const { job, reason } of await dead())
          expect([job, reason]).toEqual([
            expect.stringMatching(/^(unknown|parse-chunk|file:.*)$/),
            expect.stringMatching(/^(order|expected)/),
          ]);
      } finally {
        await queue.close();
      }
    });

    it.skipIf(!isRun || name !== "Redis")("reports a job of another version, with its reason", async () => {
      const place = { queue: server.url, name: "versions" };
      const queue = opened(place.name);
      start(freshFolder(), { name: place.name });
      try {
        await queue.add("old", { orders: [{ ...HOLLOW, program: "0.0.0" }] });
        await expect.poll(async () => (await queueStatus(place)).dead.length, { timeout: 30_000 }).toBe(1);
        const { dead, workers: count } = await queueStatus(place);
        expect(count).toBe(1);
        expect(dead[0]).toMatchObject({ job: "parse-chunk", reason: expect.stringContaining("0.0.0") });
      } finally {
        await queue.close();
      }
    });

    it.skipIf(!isRun || name !== "Redis")(
      "throws the error of a job that fails at each attempt",
      async () => {
        const store = freshFolder();
        const input = {
          model: share<Uint8Array>(Uint8Array.of(1, 2, 3)),
          chunk: share({ text: "" }),
          format: "conllu",
          tags: "given",
        } as const;
        start(store, { name: "failing" });
        const place = await onQueue({
          queue: server.url,
          name: "failing",
          store: await folderStore(store),
          poll: 200,
        });
        try {
          const failing = place.do(parseChunk, input);
          await expect(failing).rejects.toMatchObject({ code: "step-failed", at: "parse-chunk" });
        } finally {
          await place.close();
        }
      },
    );
  },
);
