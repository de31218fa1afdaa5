import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { loadPipeline } from "arcwise";

const FILE = new URL("./english-small.model", import.meta.url);
const SHA256 = "U470XUbwZm6PxyWAmm6QouX+mz+HOj1pLcSHr4uZZsg=";

/** Returns the bytes of the model, which have been compared with their SHA-256. */
export async function readModel({ signal } = {}) {
  const bytes = await readFile(FILE, { signal });
  const found = createHash("sha256").update(bytes).digest("base64");
  if (found !== SHA256) {
    throw new Error(`${FILE}: expected the SHA-256 ${SHA256}, found ${found}: install the package again`);
  }
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Returns the model, for `createPipeline` of arcwise. The parts of the file have checksums of their own, which are compared. */
export async function load({ signal } = {}) {
  return loadPipeline(await readFile(FILE, { signal }));
}
