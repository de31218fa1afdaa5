import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Decoder } from "@arcwise/core";
import {
  type DecoderFactory,
  type DecoderModule,
  type DecoderSource,
  decoderFrom,
  decoderOf,
} from "../decoding/decoders.ts";

/** A module of a decoder cannot be loaded, or exports no factory. The message names it and says why. */
export class DecoderModuleError extends Error {
  override readonly name = "DecoderModuleError";
}

/**
 * Loads the module of a decoder: an ES module whose default export makes decoders (`DecoderFactory`).
 *
 * @param specifier a path that begins with `./`, `../` or `/`, a `file:` URL, the name of a file in `folder`,
 *   or the name of a package that is installed there
 * @param folder where paths and packages are looked for: the working directory unless said otherwise
 * @throws DecoderModuleError when there is no such module, it fails, or its default export is no function
 */
export async function loadDecoder(specifier: string, folder: string = process.cwd()): Promise<DecoderModule> {
  const url = resolveModule(specifier, folder);
  return { make: await importFactory(url, specifier), url, specifier };
}

/** Makes the decoder of a training in a thread that has its source alone. */
export async function remakeDecoder(source: DecoderSource): Promise<Decoder> {
  const { url, request } = source;
  return url === undefined ? decoderFrom(source) : decoderOf(await importFactory(url, url), request);
}

async function importFactory(url: string, specifier: string): Promise<DecoderFactory> {
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(url)) as typeof loaded;
  } catch (error) {
    const { message } = error as Error;
    throw new DecoderModuleError(`${specifier}: the module cannot be loaded: ${message}`, { cause: error });
  }
  const { default: make } = loaded;
  if (typeof make === "function") return make as DecoderFactory;
  const found = make === undefined ? "none" : `one of type ${typeof make}`;
  throw new DecoderModuleError(
    `${specifier}: expected a default export that is a function which makes a decoder, found ${found}`,
  );
}

/** The URL of a module. @throws DecoderModuleError when there is none */
function resolveModule(specifier: string, folder: string): string {
  const path = specifier.startsWith("file:") ? fileURLToPath(specifier) : resolve(folder, specifier);
  if (existsSync(path)) return pathToFileURL(entryOf(path)).href;
  if (/^(?:\.\.?[/\\]|file:)/.test(specifier) || isAbsolute(specifier)) {
    throw new DecoderModuleError(`${specifier}: no such module: there is no ${path}`);
  }
  const { resolve: find } = createRequire(join(folder, "from-here.js"));
  try {
    return pathToFileURL(find(specifier)).href;
  } catch (error) {
    const entry = importEntry(specifier, find.paths(specifier) ?? []);
    if (entry !== undefined) return pathToFileURL(entry).href;
    throw new DecoderModuleError(
      `${specifier}: no built-in decoder, no file in ${folder}, and no package installed there`,
      { cause: error },
    );
  }
}

/** A file, or what the package.json of a folder names. */
function entryOf(path: string): string {
  return existsSync(join(path, "package.json")) ? (exportOf(path) ?? path) : path;
}

/** The entry of a package that has one for `import` alone, which `require.resolve` does not see. */
function importEntry(name: string, folders: readonly string[]): string | undefined {
  const installed = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  return installed && exportOf(installed);
}

/** The file that a package.json exports for `import`, or by default. */
function exportOf(folder: string): string | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  const { exports, main } = JSON.parse(readFileSync(file, "utf8")) as PackageJson;
  const entry = targetOf((exports as Conditions | undefined)?.["."] ?? exports) ?? main;
  return entry === undefined ? undefined : join(dirname(file), entry);
}

interface PackageJson {
  readonly exports?: Target;
  readonly main?: string;
}

/** A file of a package, or one for each condition. */
type Target = string | Conditions;
interface Conditions {
  readonly [condition: string]: Target;
}

/** The first target whose conditions are those of an import in Node. */
function targetOf(target: Target | undefined): string | undefined {
  if (target === undefined || typeof target === "string") return target;
  for (const [condition, inner] of Object.entries(target)) {
    if (!["node", "import", "default"].includes(condition)) continue;
    const found = targetOf(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
