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
  const { url, signal, cache = true } = checked(options);
  const file = String(url ?? modelFile());
  const store = cache ? await openCache() : undefined;
  const key = `${file}?${encodeURIComponent(SHA256)}`;
  const kept = await store?.match(key);
  if (kept !== undefined) return new Uint8Array(await kept.arrayBuffer());
  const bytes = await fetchModel(file, signal);
  void keep(store, key, bytes);
  return bytes;
}

/** Comparing the hash here takes a third of the time that it takes the browser, which does it where this cannot. */
async function fetchModel(file, signal) {
  const subtle = globalThis.crypto?.subtle;
  const integrity = subtle === undefined ? `sha256-${SHA256}` : "";
  let response;
  let bytes;
  try {
    response = await fetch(file, { signal, integrity });
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    signal?.throwIfAborted();
    throw other(file, `nothing that can be fetched: ${cause.message}`, cause);
  }
  const found = `status ${response.status}, ${response.headers.get("content-type") ?? "no type"}, ${bytes.length} bytes`;
  if (!response.ok) throw other(file, found);
  if (subtle === undefined) return bytes;
  const hash = btoa(String.fromCharCode(...new Uint8Array(await subtle.digest("SHA-256", bytes))));
  if (hash !== SHA256) throw other(file, found);
  return bytes;
}

/** Returns the cache of the models of this package; undefined where a page lacks caches. */
async function openCache() {
  return globalThis.caches?.open(NAME).catch(() => undefined);
}

/** Replaces older models; nobody waits for it. A cache that is full, or that a page left too soon, keeps nothing. */
async function keep(store, key, bytes) {
  try {
    for (const older of (await store?.keys()) ?? []) await store.delete(older);
    await store?.put(key, new Response(bytes));
  } catch {
    // The model is fetched again the next time.
  }
}

/** Returns the model, for `createPipeline` of arcwise. */
export async function load(options) {
  return loadPipeline(await readModel(options));
}
