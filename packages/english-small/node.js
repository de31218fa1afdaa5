import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { ArcwiseError, loadPipeline } from "arcwise";

const NAME = "@arcwise/english-small";
const SHA256 = "tOOA0Nj5wggKKv+A8zsSho10xzAiBC/d9oTuzrAuKUQ=";
const OPTIONS = ["url", "signal", "cache"];

/** Returns the address of the model, which is next to this module. Bundles and some workers do not give modules an address. */
function modelFile() {
  try {
    return new URL("./english-small.model", import.meta.url).href;
  } catch {
    const found = "found none: give the address of @arcwise/english-small/english-small.model, load({ url })";
    throw refused("invalid-argument", `expected the address of the module, ${found}`);
  }
}

/** Returns the options of a call. */
function checked(options = {}) {
  if (typeof options !== "object" || options === null)
    throw refused("invalid-option", `expected options, found ${String(options)}`);
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined)
    throw refused("unknown-option", `unknown option "${unknown}"; expected ${OPTIONS.join(", ")}`);
  const { url, signal, cache } = options;
  if (url !== undefined && typeof url !== "string" && !(url instanceof URL))
    throw refused("invalid-option", "url: expected the address of the model file");
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function")
    throw refused("invalid-option", "signal: expected an AbortSignal");
  if (cache !== undefined && typeof cache !== "boolean")
    throw refused("invalid-option", "cache: expected true or false");
  return options;
}

function refused(code, why) {
  return new ArcwiseError(code, `${NAME}: ${why}`);
}

/** Returns the error for something else than the model. */
function other(file, found, cause) {
  const expected = `a model of 2901853 bytes with the SHA-256 ${SHA256}`;
  const message = `${file}: expected ${expected}, found ${found}`;
  return new ArcwiseError("invalid-model", message, { file: String(file), expected, found, cause });
}

/** Returns the bytes of the model, which have been compared with their SHA-256. */
export async function readModel(options) {
  const { url, signal } = checked(options);
  const bytes = await fileBytes(url, signal);
  const found = createHash("sha256").update(bytes).digest("base64");
  if (found !== SHA256) throw other(url ?? modelFile(), `${bytes.length} bytes: install the package again`);
  return bytes;
}

/** Returns the model, for `createPipeline` of arcwise. The parts of the file have checksums of their own, which are compared. */
export async function load(options) {
  const { url, signal } = checked(options);
  const bytes = await fileBytes(url, signal);
  try {
    return loadPipeline(bytes);
  } catch (cause) {
    throw other(url ?? modelFile(), `${bytes.length} bytes: ${cause.message}`, cause);
  }
}

async function fileBytes(url = modelFile(), signal) {
  if (/^https?:/.test(url))
    throw refused("invalid-option", `url: expected a path or a file: URL, found ${url}`);
  try {
    const bytes = await readFile(/^file:/.test(url) ? new URL(url) : url, { signal });
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause.syscall !== undefined) throw cause;
    throw refused("invalid-option", `url: expected a path or a file: URL, found ${url}: ${cause.message}`);
  }
}
