import { setTimeout as sleep } from "node:timers/promises";
import { ArcwiseError } from "@arcwise/core/errors";
import { abortable } from "@arcwise/core/messages";
import { Redis } from "ioredis";
import { Client } from "pg";
import { type QueueAddress, withoutCredentials } from "./address.ts";

/** Milliseconds until a server must have answered. */
const TIMEOUT = 10_000;

/** The settings of a server that decide whether jobs may be lost, as it reports them. */
export interface ServerFacts {
  /** The eviction policy of a Redis server whose memory is full; undefined for others. */
  readonly evicts?: string | undefined;
  /** Whether jobs survive a restart of the server. */
  readonly persists: boolean;
}

/**
 * Connects to the server of a queue and checks that it keeps jobs: that it evicts no keys when its memory is
 * full, and writes to a disk.
 */
export async function checkServer(address: QueueAddress, signal?: AbortSignal): Promise<void> {
  const asked = address.server === "redis" ? redisFacts(address) : postgresFacts(address);
  const facts = await answerOf(asked, address, signal);
  const wrong = unsafeFact(facts);
  if (wrong === undefined) return;
  throw new ArcwiseError(
    "unsafe-queue",
    `${address.shown}: expected ${wrong.expected}, found ${wrong.found}`,
    wrong,
  );
}

/** Waits for the answer of a server. */
export async function answerOf<Answer>(
  asked: Promise<Answer>,
  address: QueueAddress,
  signal?: AbortSignal,
): Promise<Answer> {
  const timer = new AbortController();
  const silence = sleep(TIMEOUT, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`no answer for ${TIMEOUT / 1000} seconds`);
  });
  try {
    return await abortable(Promise.race([asked, silence]), signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw lostConnection(error, address);
  } finally {
    asked.catch(() => {});
    timer.abort();
  }
}

/** Milliseconds that a server which is away may hold up the end. */
const FAREWELL = 2000;

/** Closes connections, and does not wait for a server that is away. */
export async function closeSoon(...open: readonly { close(): Promise<unknown> }[]): Promise<void> {
  const closed = Promise.allSettled(open.map((each) => each.close()));
  await Promise.race([closed, sleep(FAREWELL, undefined, { ref: false })]);
}

/** Returns the error of a server that could not be reached. */
function lostConnection(error: unknown, address: QueueAddress): ArcwiseError {
  const found = withoutCredentials(error instanceof Error ? messageOf(error) : String(error), address);
  return new ArcwiseError(
    "lost-connection",
    `${address.shown}: expected a ${address.server} server, found: ${found}; start the server, or correct ` +
      "the address, the user or the password",
    { expected: `a ${address.server} server`, found },
  );
}

/** Errors of several attempts to connect have no message of their own. */
function messageOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(String).join("; ") : error.message;
}

/** Returns why a server may lose jobs; undefined when it keeps them. */
export function unsafeFact({ evicts, persists }: ServerFacts) {
  if (evicts !== undefined && evicts !== "noeviction")
    return {
      expected: "the policy noeviction, so that a full memory refuses jobs rather than removes them",
      found: `${evicts}: set maxmemory-policy noeviction`,
    };
  if (!persists)
    return {
      expected: "a server that writes to a disk",
      found: "none: set appendonly yes (Redis) or fsync on",
    };
  return undefined;
}

async function redisFacts({ url }: QueueAddress): Promise<ServerFacts> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT,
    commandTimeout: TIMEOUT,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: Error | undefined;
  redis.on("error", (error) => {
    failure = error;
  });
  // A server that accepts connections and says nothing is left as well.
  const timer = setTimeout(() => redis.disconnect(), TIMEOUT);
  try {
    await redis.connect();
    const info = await redis.info();
    const lines = info.split(/\r?\n/);
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
    // Hosted servers may refuse CONFIG; INFO has all but the times of snapshots.
    const saves = await redis.config("GET", "save").catch(() => undefined);
    const hasSnapshots = Array.isArray(saves) && saves[1] !== undefined && saves[1] !== "";
    return { evicts: field("maxmemory_policy"), persists: field("aof_enabled") === "1" || hasSnapshots };
  } catch (error) {
    throw failure ?? error;
  } finally {
    clearTimeout(timer);
    redis.disconnect();
  }
}

async function postgresFacts({ url }: QueueAddress): Promise<ServerFacts> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
  });
  // A server that ends while it is asked is reported by the query.
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly fsync: string }>("SHOW fsync");
    return { persists: rows[0]?.fsync === "on" };
  } finally {
    await closeSoon({ close: () => client.end() });
  }
}
