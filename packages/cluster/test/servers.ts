import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** A server on this machine, for a test. */
export interface TestServer {
  readonly url: string;
  readonly process: ChildProcess;
  /** Starts it again with the same data, after it was killed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

const postgresFolder = (() => {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root) : [];
  const folder = versions.map((version) => join(root, version, "bin")).at(-1);
  return folder !== undefined && existsSync(join(folder, "initdb")) ? folder : undefined;
})();

export const hasPostgres = postgresFolder !== undefined;

/** Workers run what was built. */
export const isBuilt = existsSync(new URL("../dist/queue/index.js", import.meta.url));

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolve(port));
    });
  });
}

async function untilOpen(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`nothing listens on port ${port}`);
}

async function started(url: string, port: number, start: () => ChildProcess): Promise<TestServer> {
  let current = start();
  await untilOpen(port);
  return {
    url,
    get process() {
      return current;
    },
    async restart() {
      current = start();
      await untilOpen(port);
    },
    async stop() {
      if (current.exitCode !== null || current.signalCode !== null) return;
      const ended = new Promise((resolve) => current.once("exit", resolve));
      current.kill("SIGCONT");
      current.kill("SIGTERM");
      setTimeout(() => current.kill("SIGKILL"), 5000).unref();
      await ended;
    },
  };
}

/** Starts a Redis server that writes each command to its file. @param more options of its command line */
export async function redisServer(folder: string, more: readonly string[] = []): Promise<TestServer> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const options = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--loglevel", "warning"];
  const durable = ["--appendonly", "yes", "--appendfsync", "everysec"];
  const start = () => spawn("redis-server", [...options, ...durable, ...more], { stdio: "ignore" });
  return started(`redis://127.0.0.1:${port}`, port, start);
}

/** Starts a PostgreSQL server, which refuses to run as the superuser. */
export async function postgresServer(
  folder: string,
  tls?: { readonly key: string; readonly cert: string },
): Promise<TestServer> {
  mkdirSync(folder, { recursive: true });
  const isRoot = process.getuid?.() === 0;
  const ids = isRoot
    ? (["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, "postgres"]).stdout.toString())) as [
        number,
        number,
      ])
    : undefined;
  const owner = ids === undefined ? {} : { uid: ids[0], gid: ids[1] };
  if (ids !== undefined) chownSync(folder, ...ids);
  const port = await freePort();
  const program = (name: string) => join(postgresFolder!, name);
  const data = join(folder, "data");
  const made = spawnSync(program("initdb"), ["-D", data, "-A", "trust", "-U", "arcwise", "--no-sync"], owner);
  if (made.status !== 0) throw new Error(made.stderr.toString());
  const options = ["-D", data, "-p", `${port}`, "-h", "127.0.0.1", "-k", folder];
  if (tls !== undefined) {
    const [key, cert] = [join(folder, "server.key"), join(folder, "server.crt")];
    copyFileSync(tls.key, key);
    copyFileSync(tls.cert, cert);
    chmodSync(key, 0o600);
    if (ids !== undefined) chownSync(key, ...ids);
    for (const setting of ["ssl=on", `ssl_key_file=${key}`, `ssl_cert_file=${cert}`])
      options.push("-c", setting);
  }
  const start = () => spawn(program("postgres"), options, { stdio: "ignore", cwd: folder, ...owner });
  const server = await started(`postgres://arcwise@127.0.0.1:${port}/postgres`, port, start);
  await sleep(500);
  return server;
}

/** A worker in a process of its own. */
export interface TestWorker {
  readonly process: ChildProcess;
  readonly ready: Promise<void>;
  readonly steps: () => number;
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
  let isReady = () => {};
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const listeners = new Set<() => void>();
  child.stdout!.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString().split("\n")) {
      if (line === "ready") isReady();
      if (line.startsWith("done")) steps++;
    }
    for (const listener of listeners) listener();
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    process: child,
    ready,
    steps: () => steps,
    done: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (steps < count) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
