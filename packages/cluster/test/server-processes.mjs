/* Servers on this machine, for tests, trials and measurements. */
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
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

/** Returns the folder of the programs of PostgreSQL; undefined if it is not installed. */
export function postgresPrograms() {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root) : [];
  const folder = join(root, versions.at(-1) ?? "", "bin");
  return existsSync(join(folder, "initdb")) ? folder : undefined;
}

/** How often a server is started that ends at once. */
const MAX_STARTS = 20;

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

/** This machine, without hosts of their own. */
const HERE = { address: "127.0.0.1", command: [] };

/** Starts a program on a host. */
export function startOn({ command }, program, words, settings) {
  const [first, ...rest] = [...command, program, ...words.map(String)];
  return spawn(first, rest, settings);
}

/**
 * Returns the address of a server, and a function that starts it with the data in a folder. `network` names the
 * addresses that others may connect from; `more` has more words of its command line.
 *
 * @param {string} folder
 * @param {"redis" | "postgres"} kind
 * @param {{ host?: typeof HERE, network?: string, more?: readonly string[] }} options
 */
export async function serverIn(folder, kind, { host = HERE, network, more = [] } = {}) {
  const port = await freePort();
  mkdirSync(folder);
  const { address } = host;
  const started = async (program, words, settings = {}) => {
    for (let attempt = 1; ; attempt++) {
      const child = startOn(host, program, words, { stdio: "ignore", ...settings });
      const end = new Promise((resolve) => child.once("exit", () => resolve("ended")));
      // Hosts of their own are not reached from here.
      const open = host === HERE ? untilOpen(port, address) : sleep(2000);
      open.catch(() => {});
      const outcome = await Promise.race([open, end]);
      // PostgreSQL ends while processes of a server that was killed are still there.
      if (outcome !== "ended" || attempt === MAX_STARTS) return child;
      await sleep(500);
    }
  };
  if (kind === "redis") {
    const words = ["--port", port, "--bind", address, "--dir", folder, "--appendonly", "yes", ...more];
    const open = network === undefined ? [] : ["--protected-mode", "no"];
    return { url: `redis://${address}:${port}`, start: () => started("redis-server", [...words, ...open]) };
  }
  const bin = postgresPrograms();
  const id = (flag) => Number(spawnSync("id", [flag, "postgres"]).stdout.toString());
  // PostgreSQL refuses to run as the superuser.
  const isRoot = process.getuid() === 0;
  const owner = isRoot ? { uid: id("-u"), gid: id("-g") } : {};
  if (isRoot) {
    chmodSync(dirname(folder), 0o755);
    chownSync(folder, owner.uid, owner.gid);
  }
  const database = join(folder, "data");
  const made = ["-D", database, "-A", "trust", "-U", "arcwise", "--no-sync"];
  const { status, stderr } = spawnSync(join(bin, "initdb"), made, { cwd: folder, ...owner });
  if (status !== 0) throw new Error(stderr.toString());
  if (network !== undefined) appendFileSync(join(database, "pg_hba.conf"), `host all all ${network} trust\n`);
  const words = ["-D", database, "-p", port, "-h", address, "-k", folder, ...more];
  const url = `postgres://arcwise@${address}:${port}/postgres`;
  if (host === HERE)
    return { url, start: () => started(join(bin, "postgres"), words, { cwd: folder, ...owner }) };
  // Entering a host requires the superuser, who becomes the user of PostgreSQL there.
  const asOwner = [
    "--reuid",
    owner.uid,
    "--regid",
    owner.gid,
    "--clear-groups",
    join(bin, "postgres"),
    ...words,
  ];
  return { url, start: () => started("setpriv", asOwner, { cwd: folder }) };
}
