import { jsonText } from "../files/output.ts";
import { descriptionOf, type ModelPackage, modelCard } from "./model-card.ts";

/** Returns the text files of a package with a model, by their names. */
export function packageFiles(of: ModelPackage): Readonly<Record<string, string>> {
  return {
    "package.json": jsonText(manifestOf(of)),
    "README.md": modelCard(of),
    "index.d.ts": TYPES,
    "index.js": browserModule(of),
    "node.js": nodeModule(of),
    "test/model.test.js": testOf(of),
  };
}

function manifestOf(of: ModelPackage): object {
  return {
    name: of.name,
    version: of.version,
    description: descriptionOf(of),
    license: of.license,
    keywords: ["arcwise", "arcwise-model", "dependency-parsing", "nlp"],
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.19" },
    exports: {
      ".": { types: "./index.d.ts", node: "./node.js", default: "./index.js" },
      "./package.json": "./package.json",
      [`./${of.file}`]: `./${of.file}`,
    },
    files: [of.file, "index.d.ts", "index.js", "node.js", ...(of.hasLicenseFile ? ["LICENSE"] : [])],
    arcwise: { model: `./${of.file}` },
    publishConfig: { access: "public" },
    scripts: { test: "node --test" },
    dependencies: { arcwise: `^${of.arcwise}` },
  };
}

const TYPES = `import type { PipelineModel } from "arcwise";

/** Options of \`load\` and \`readModel\`. */
export interface LoadOptions {
  /** The address of the model file, where a bundle or a worker does not know it, in Node a path or a file: URL; by default the file next to the module. */
  readonly url?: string | URL | undefined;
  /** Ends the reading by throwing its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Keeps the file in the Cache API of a browser; true by default. */
  readonly cache?: boolean | undefined;
}

/** Returns the bytes of the model, which have been compared with their SHA-256. */
export declare function readModel(options?: LoadOptions): Promise<Uint8Array>;

/** Returns the model, for \`createPipeline\` of arcwise. */
export declare function load(options?: LoadOptions): Promise<PipelineModel>;
`;

function nodeModule(of: ModelPackage): string {
  return `import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { ArcwiseError, loadPipeline } from "arcwise";

${sharedParts(of)}
/** Returns the bytes of the model, which have been compared with their SHA-256. */
export async function readModel(options) {
  const { url, signal } = checked(options);
  const bytes = await fileBytes(url, signal);
  const found = createHash("sha256").update(bytes).digest("base64");
  if (found !== SHA256) throw other(url ?? modelFile(), \`\${bytes.length} bytes: install the package again\`);
  return bytes;
}

/** Returns the model, for \`createPipeline\` of arcwise. The parts of the file have checksums of their own, which are compared. */
export async function load(options) {
  const { url, signal } = checked(options);
  const bytes = await fileBytes(url, signal);
  try {
    return loadPipeline(bytes);
  } catch (cause) {
    throw other(url ?? modelFile(), \`\${bytes.length} bytes: \${cause.message}\`, cause);
  }
}

async function fileBytes(url = modelFile(), signal) {
  if (/^https?:/.test(url))
    throw refused("invalid-option", \`url: expected a path or a file: URL, found \${url}\`);
  try {
    const bytes = await readFile(/^file:/.test(url) ? new URL(url) : url, { signal });
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause.syscall !== undefined) throw cause;
    throw refused("invalid-option", \`url: expected a path or a file: URL, found \${url}: \${cause.message}\`);
  }
}
`;
}

/** Returns the parts of both modules: what the file must be, where it is, and the errors. */
function sharedParts({ name, file, hash, facts }: ModelPackage): string {
  return `const NAME = "${name}";
const SHA256 = "${hash}";
const OPTIONS = ["url", "signal", "cache"];

/** Returns the address of the model, which is next to this module. Bundles and some workers do not give modules an address. */
function modelFile() {
  try {
    return new URL(${JSON.stringify(`./${file}`)}, import.meta.url).href;
  } catch {
    const found = "found none: give the address of ${name}/${file}, load({ url })";
    throw refused("invalid-argument", \`expected the address of the module, \${found}\`);
  }
}

/** Returns the options of a call. */
function checked(options = {}) {
  if (typeof options !== "object" || options === null)
    throw refused("invalid-option", \`expected options, found \${String(options)}\`);
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined)
    throw refused("unknown-option", \`unknown option "\${unknown}"; expected \${OPTIONS.join(", ")}\`);
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
  return new ArcwiseError(code, \`\${NAME}: \${why}\`);
}

/** Returns the error for something else than the model. */
function other(file, found, cause) {
  const expected = \`a model of ${facts.bytes} bytes with the SHA-256 \${SHA256}\`;
  const message = \`\${file}: expected \${expected}, found \${found}\`;
  return new ArcwiseError("invalid-model", message, { file: String(file), expected, found, cause });
}
`;
}

function browserModule(of: ModelPackage): string {
  return `import { ArcwiseError, loadPipeline } from "arcwise";

${sharedParts(of)}
/** Returns the bytes of the model, which have been compared with their SHA-256. */
export async function readModel(options) {
  const { url, signal, cache = true } = checked(options);
  const file = String(url ?? modelFile());
  const store = cache ? await openCache() : undefined;
  const key = \`\${file}?\${encodeURIComponent(SHA256)}\`;
  const kept = await store?.match(key);
  if (kept !== undefined) return new Uint8Array(await kept.arrayBuffer());
  const bytes = await fetchModel(file, signal);
  void keep(store, key, bytes);
  return bytes;
}

/** Comparing the hash here takes a third of the time that it takes the browser, which does it where this cannot. */
async function fetchModel(file, signal) {
  const subtle = globalThis.crypto?.subtle;
  const integrity = subtle === undefined ? \`sha256-\${SHA256}\` : "";
  let response;
  let bytes;
  try {
    response = await fetch(file, { signal, integrity });
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    signal?.throwIfAborted();
    throw other(file, \`nothing that can be fetched: \${cause.message}\`, cause);
  }
  const found = \`status \${response.status}, \${response.headers.get("content-type") ?? "no type"}, \${bytes.length} bytes\`;
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

/** Returns the model, for \`createPipeline\` of arcwise. */
export async function load(options) {
  return loadPipeline(await readModel(options));
}
`;
}

function testOf({ name }: ModelPackage): string {
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { load, readModel } from "${name}";
import { createPipeline } from "arcwise";

test("the model is in the package", async () => {
  assert.ok((await readModel()).length > 0);
});

test("the model parses", async () => {
  const nlp = createPipeline(await load());
  const [{ words }] = nlp.run("1 2 3.");
  assert.equal(words.filter(({ head }) => head === undefined).length, 1);
});
`;
}
