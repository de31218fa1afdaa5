import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const KEPT = join(ROOT, "reports", "test-models");
const DAY = 24 * 3600 * 1000;

/** Returns the paths of the sources of all packages and of the command, in order. */
function sources(): string[] {
  const rooms = [...readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`), "apps/cli"];
  const folders = rooms.map((room) => join(ROOT, room, "src")).filter(existsSync);
  return folders.flatMap((folder) => {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  });
}

/** Names the folder of the models that these sources train, and removes those of other sources after a day. */
export function setup(): void {
  const hash = createHash("sha256");
  for (const path of sources().sort()) hash.update(`${path.slice(ROOT.length)}\0`).update(readFileSync(path));
  const folder = join(KEPT, hash.digest("hex").slice(0, 16));
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(KEPT)) {
    const other = join(KEPT, name);
    if (other !== folder && statSync(other).mtimeMs < Date.now() - DAY) rmSync(other, { recursive: true });
  }
  process.env.ARCWISE_TEST_MODELS = folder;
}

/** Returns data that JSON would not tell apart as other data; refuses functions and instances of classes. */
function plain(name: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value === "function") throw new TypeError(`${name}: expected data, found a function`);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { type: value.constructor.name, sha256: createHash("sha256").update(bytes).digest("hex") };
  }
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value)))
    throw new TypeError(`${name}: expected plain data, found ${value.constructor.name}`);
  return value;
}

/**
 * Returns the bytes that an earlier test, or an earlier run with the same sources, made of the same data; makes them
 * otherwise. For models that a test needs, not for tests of training itself.
 *
 * @param key the data that determine the bytes: a name of the training, sentences, options
 */
export async function kept(key: readonly unknown[], make: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const name = createHash("sha256").update(JSON.stringify(key, plain)).digest("hex").slice(0, 32);
  const path = join(process.env.ARCWISE_TEST_MODELS!, name);
  try {
    return new Uint8Array(readFileSync(path));
  } catch {
    const bytes = await make();
    const temporary = `${path}.${randomUUID()}`;
    writeFileSync(temporary, bytes);
    renameSync(temporary, path);
    return new Uint8Array(bytes);
  }
}
