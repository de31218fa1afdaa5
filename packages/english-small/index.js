import { loadPipeline } from "arcwise";

const SHA256 = "U470XUbwZm6PxyWAmm6QouX+mz+HOj1pLcSHr4uZZsg=";
const CACHE = "@arcwise/english-small";

/** Returns the address of the model, which is next to this module. Some workers do not give modules an address. */
function modelFile() {
  try {
    return new URL("./english-small.model", import.meta.url).href;
  } catch (cause) {
    throw new Error(
      "@arcwise/english-small: expected the address of the module, found none: import the bytes of @arcwise/english-small/english-small.model, and give them to loadPipeline",
      { cause },
    );
  }
}

/** Returns the bytes of the model, which have been compared with their SHA-256. */
export async function readModel({ signal, cache = true } = {}) {
  const file = modelFile();
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
  const response = await fetch(file, { signal, integrity });
  if (!response.ok) throw new Error(`${file}: expected the model, found status ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (subtle === undefined) return bytes;
  const found = btoa(String.fromCharCode(...new Uint8Array(await subtle.digest("SHA-256", bytes))));
  if (found !== SHA256) throw new Error(`${file}: expected the SHA-256 ${SHA256}, found ${found}`);
  return bytes;
}

/** Returns the cache of the models of this package; undefined where a page lacks caches. */
async function openCache() {
  return globalThis.caches?.open(CACHE).catch(() => undefined);
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
