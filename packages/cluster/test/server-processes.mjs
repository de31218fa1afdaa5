/* Servers on this machine, for trials and measurements. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function untilOpen(port, host) {
  for (let attempt = 0; attempt < 600; attempt++) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, host);
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`nothing listens on port ${port}`);
}

/**
 * Returns the address of a server, and a function that starts it with the data in a folder, and waits until it
 * listens.
 */
export async function serverIn(folder, kind) {
  const port = await freePort();
  mkdirSync(folder);
  const started = async (program, options, settings = {}) => {
    const child = spawn(program, options.map(String), { stdio: "ignore", ...settings });
    await untilOpen(port, "127.0.0.1");
    return child;
  };
  if (kind === "redis") {
    const options = ["--port", port, "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes"];
    return { url: `redis://127.0.0.1:${port}`, start: () => started("redis-server", options) };
  }
  const bin = join("/usr/lib/postgresql", readdirSync("/usr/lib/postgresql").at(-1), "bin");
  const id = (flag) => Number(spawnSync("id", [flag, "postgres"]).stdout.toString());
  // PostgreSQL refuses to run as the superuser.
  const owner = process.getuid() === 0 ? { uid: id("-u"), gid: id("-g") } : {};
  if (owner.uid !== undefined) {
    chmodSync(dirname(folder), 0o755);
    chownSync(folder, owner.uid, owner.gid);
  }
  const database = join(folder, "data");
  spawnSync(join(bin, "initdb"), ["-D", database, "-A", "trust", "-U", "arcwise"], { cwd: folder, ...owner });
  const options = ["-D", database, "-p", port, "-h", "127.0.0.1", "-k", folder];
  return {
    url: `postgres://arcwise@127.0.0.1:${port}/postgres`,
    start: () => started(join(bin, "postgres"), options, { cwd: folder, ...owner }),
  };
}
