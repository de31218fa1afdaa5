import { loadPipeline } from "arcwise";

const FILE = new URL("./english.model", import.meta.url).href;
const SHA256 = "ndQoiH3Agw0oOrR5raW8dACYoJKIM+/F/peMZJS2uI0=";
const CACHE = "@arcwise/english";

/** Returns the bytes of the model, which the browser has compared with their SHA-256. */
export async function readModel({ signal, cache = true } = {}) {
  const store = cache ? await openCache() : undefined;
  const key = `${FILE}?${encodeURIComponent(SHA256)}`;
  const kept = await store?.match(key);
  if (kept !== undefined) return new Uint8Array(await kept.arrayBuffer());
  const response = await fetch(FILE, { signal, integrity: `sha256-${SHA256}` });
  if (!response.ok) throw new Error(`${FILE}: expected the model, found status ${response.status}`);
  await keep(store, key, response.clone());
  return new Uint8Array(await response.arrayBuffer());
}

/** Returns the cache of the models of this package; undefined where a page has none. */
async function openCache() {
  return globalThis.caches?.open(CACHE).catch(() => undefined);
}

/** Replaces older models. A cache that is full keeps nothing. */
async function keep(store, key, response) {
  if (store === undefined) return;
  for (const older of await store.keys()) await store.delete(older);
  await store.put(key, response).catch(() => {});
}

/** Returns the model, for `createPipeline` of arcwise. */
export async function load(options) {
  return loadPipeline(await readModel(options));
}
