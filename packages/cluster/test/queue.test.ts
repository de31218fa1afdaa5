import { setTimeout as sleep } from "node:timers/promises";
import type { ArcwiseError } from "@arcwise/core/errors";
import { saveParser, type TrainOptions } from "@arcwise/parser";
import type { Queue } from "bullmq";
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { writeData } from "../src/blobs/contents.ts";
import { folderStore } from "../src/blobs/folder-store.ts";
import { queueAddress, withoutCredentials } from "../src/queue/address.ts";
import { checkServer, unsafeFact } from "../src/queue/check-server.ts";
import { openQueue, PostgresClient } from "../src/queue/classes.ts";
import { queueRunner } from "../src/queue/queue-runner.ts";
import { queueStatus } from "../src/queue/queue-status.ts";
import { stepOrder } from "../src/steps/order.ts";
import { trainParserInSteps } from "../src/train-parser.ts";
import {
  freePort,
  hasPostgres,
  hasRedis,
  isBuilt,
  postgresServer,
  redisServer,
  startWorker,
  type TestServer,
  type TestWorker,
} from "./servers.ts";
import { freshFolder, TRAINING, trainedHere, treebank } from "./support.ts";

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
    const error = (() => {
      try {
        return queueAddress(address);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({ code: "invalid-argument" });
    expect((error as ArcwiseError).message).not.toContain("hidden");
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
    for (const server of ["redis", "postgres"]) {
      const error = await checkServer(queueAddress(`${server}://user:hidden@127.0.0.1:${port}/db`)).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ code: "lost-connection" });
      expect((error as ArcwiseError).message).not.toContain("hidden");
    }
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

/** A run whose data is nowhere. */
const HOLLOW = {
  work: "0".repeat(64),
  size: 1,
  shards: 1,
  parts: 1,
  mixing: "uniform",
  seed: 1,
  averageAfter: 0,
};

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
    let here: Buffer;
    const workers: TestWorker[] = [];
    const start = (store: string, settings: object = {}) => {
      const worker = startWorker(server.url, store, settings);
      workers.push(worker);
      return worker;
    };
    async function trained(store: string, more: TrainOptions = {}): Promise<Buffer> {
      const opened = await folderStore(store);
      const runner = await queueRunner({ queue: server.url, store: opened, poll: 200 });
      try {
        return Buffer.from(
          saveParser(await trainParserInSteps(EXAMPLES, { ...OPTIONS, ...more, store: opened, runner })),
        );
      } finally {
        await runner.close();
      }
    }

    beforeAll(async () => {
      if (!isRun) return;
      server = await startServer(freshFolder());
      here = await trainedHere(EXAMPLES, OPTIONS);
    });
    afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.kill())));
    afterAll(() => server?.stop());

    it.skipIf(!isRun)("gives the bytes of one process, with workers of several threads", async () => {
      const store = freshFolder();
      start(store);
      start(store, { threads: 2 });
      expect((await trained(store)).equals(here)).toBe(true);
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
        expect((await model).equals(here)).toBe(true);
      },
    );

    it.skipIf(!isRun)("takes a step back from a worker that is stopped, which is no attempt", async () => {
      const store = freshFolder();
      const opened = await folderStore(store);
      const place = { queue: server.url, name: "stopped" };
      const runner = await queueRunner({ ...place, store: opened, poll: 200 });
      const stop = new AbortController();
      // The data of this run is not there, and is waited for.
      const run = await writeData(opened, HOLLOW);
      const steps = [stepOrder("train-shard", { run, round: 0, shard: 0 })];
      const flow = { id: "r-stopped", steps, last: stepOrder("mix", { run, round: 0 }) };
      const running = runner.run(flow, { signal: stop.signal }).catch(() => {});
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
        stop.abort();
        await running;
        await runner.close();
      }
    });

    it.skipIf(!isRun || name !== "Redis")("may be started twice, and be stopped and started", async () => {
      const store = freshFolder();
      const worker = start(store);
      const stop = new AbortController();
      const stopped = trained(store, { signal: stop.signal });
      await worker.done(2);
      stop.abort(new Error("stopped"));
      await expect(stopped).rejects.toThrow("stopped");
      const both = await Promise.all([trained(store), trained(store)]);
      for (const model of both) expect(model.equals(here)).toBe(true);
    });

    it.skipIf(!isRun)("refuses jobs of anything else at once, and goes on", async () => {
      const place = { queue: server.url, name: "odd" };
      const queue = openQueue({ address: queueAddress(server.url), name: place.name }, () => {}) as Queue;
      const escaping = stepOrder("mix", { run: "../../etc/passwd", round: 0 });
      const odd = [{}, null, [], "x", 5, { steps: 1 }, { steps: [] }, { steps: [{}] }, { steps: [escaping] }];
      const add = (data: unknown) =>
        queue.add("odd", data, { attempts: 5, backoff: { type: "exponential", delay: 1000 } });
      const dead = async () => (await queueStatus(place)).dead;
      try {
        await Promise.all(odd.map(add));
        start(freshFolder(), { name: place.name });
        await expect.poll(async () => (await dead()).length, { timeout: 30_000 }).toBe(odd.length);
        await add({ again: true });
        await expect.poll(async () => (await dead()).length, { timeout: 30_000 }).toBe(odd.length + 1);
        for (const { step, reason } of await dead())
          expect([step, reason]).toEqual([
            expect.stringMatching(/^(unknown|mix)$/),
            expect.stringMatching(/^(order|expected)/),
          ]);
      } finally {
        await queue.close();
      }
    });

    it.skipIf(!isRun || name !== "Redis")("reports a step of another version, with its reason", async () => {
      const store = freshFolder();
      start(store);
      const opened = await folderStore(store);
      const runner = await queueRunner({ queue: server.url, store: opened, poll: 200 });
      const run = await writeData(opened, HOLLOW);
      const shard = { ...stepOrder("train-shard", { run, round: 0, shard: 0 }), program: "0.0.0" };
      const flow = { id: "r-other", steps: [shard], last: stepOrder("mix", { run, round: 0 }) } as const;
      try {
        await expect(runner.run(flow)).rejects.toMatchObject({ code: "step-failed" });
        const { dead, workers: count } = await queueStatus({ queue: server.url });
        expect(count).toBe(1);
        expect(dead.map(({ step }) => step).sort()).toEqual(["mix", "train-shard"]);
        expect(dead.some(({ reason }) => reason.includes("0.0.0"))).toBe(true);
      } finally {
        await runner.close();
      }
    });
  },
);
