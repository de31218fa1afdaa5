import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, copyFileSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { postgresPrograms, serverIn } from "./server-processes.mjs";

/** A server on this machine, for a test. */
export interface TestServer {
  readonly url: string;
  readonly process: ChildProcess;
  /** Starts it again with the same data, after it was killed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

export const hasPostgres = postgresPrograms() !== undefined;

/** Workers run what was built. */
export const isBuilt = existsSync(new URL("../dist/queue/index.js", import.meta.url));

async function started({ url, start }: Awaited<ReturnType<typeof serverIn>>): Promise<TestServer> {
  let current: ChildProcess = await start();
  return {
    url,
    get process() {
      return current;
    },
    async restart() {
      current = await start();
    },
    async stop() {
      if (current.exitCode !== null || current.signalCode !== null) return;
      const ended = once(current, "exit");
      current.kill("SIGCONT");
      current.kill("SIGTERM");
      setTimeout(() => current.kill("SIGKILL"), 5000).unref();
      await ended;
    },
  };
}

/** Starts a Redis server that writes each command to its file. @param more words of its command line */
export async function redisServer(folder: string, more: readonly string[] = []): Promise<TestServer> {
  return started(await serverIn(folder, "redis", { more }));
}

/** Starts a PostgreSQL server. */
export async function postgresServer(
  folder: string,
  tls?: { readonly key: string; readonly cert: string },
): Promise<TestServer> {
  const [key, cert] = [join(folder, "server.key"), join(folder, "server.crt")];
  const settings = ["ssl=on", `ssl_key_file=${key}`, `ssl_cert_file=${cert}`];
  const more = tls === undefined ? [] : settings.flatMap((setting) => ["-c", setting]);
  const server = await serverIn(folder, "postgres", { more });
  if (tls !== undefined) {
    copyFileSync(tls.key, key);
    copyFileSync(tls.cert, cert);
    chmodSync(key, 0o600);
    const { uid, gid } = statSync(folder);
    chownSync(key, uid, gid);
  }
  const running = await started(server);
  await sleep(500);
  return running;
}

/** A worker in a process of its own. */
export interface TestWorker {
  /** Resolves when the worker has done that many steps. */
  done(steps: number): Promise<void>;
  kill(): Promise<void>;
  /** Ends the worker by SIGTERM. */
  stop(): Promise<void>;
}

/** Starts a worker process. */
export function startWorker(queue: string, store: string, settings: object = {}): TestWorker {
  const script = fileURLToPath(new URL("./worker.mjs", import.meta.url));
  const child = spawn(
    process.execPath,
    [script, JSON.stringify({ queue, store, lockDuration: 1500, ...settings })],
    {
      stdio: ["ignore", "pipe", process.env.ARCWISE_TEST_WORKERS === "1" ? "inherit" : "ignore"],
      env: { ...process.env, NODE_OPTIONS: "" },
    },
  );
  let steps = 0;
  createInterface({ input: child.stdout! }).on("line", (line) => {
    if (line.startsWith("done")) steps++;
  });
  const ended = once(child, "exit");
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return {
    async done(count) {
      await vi.waitUntil(() => steps >= count, { timeout: 120_000, interval: 10 });
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}
