/*
 * Makes the files of a store late, as on a network: each access takes up to 50 ms, and a file that another process
 * has just linked is not there for up to half a second. Loaded by `node --import`.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

const MAX_DELAY = 50;
const MAX_UNSEEN = 500;
const BLOB = /\/[0-9a-f]{2}\/[0-9a-f]{62}$/;
const { open, readFile, link, stat } = fs.promises;
const own = new Set();

async function look(path) {
  await sleep(Math.random() * MAX_DELAY);
  const found = own.has(path) ? undefined : await stat(path).catch(() => undefined);
  if (found === undefined || Date.now() - found.ctimeMs > Math.random() * MAX_UNSEEN) return;
  throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: "ENOENT" });
}

const late = (read) =>
  async function lateRead(path, ...options) {
    if (BLOB.test(path)) await look(path);
    return read(path, ...options);
  };
fs.promises.open = late(open);
fs.promises.readFile = late(readFile);
fs.promises.link = async (from, path) => {
  await link(from, path);
  own.add(path);
};
syncBuiltinESMExports();
