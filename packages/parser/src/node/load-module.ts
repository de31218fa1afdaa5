import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { importDefault, type ModuleErrorClass } from "../modules/import-default.ts";

/** The default export of a module, and the URL that other threads import it from. */
export interface DefaultExport {
  /** Undefined if the module does not have a default export. */
  readonly value: unknown;
  readonly url: string;
}

/**
 * Imports an ES module that a user names.
 *
 * @param specifier a path that begins with `./`, `../` or `/`, a `file:` URL, the name of a file in `folder`,
 *   or the name of a package that is installed there
 * @param folder the folder of relative paths, from which packages are resolved
 */
export async function loadModule(
  specifier: string,
  folder: string,
  Failure: ModuleErrorClass,
): Promise<DefaultExport> {
  const url = resolveModule(specifier, folder, Failure);
  return { value: await importDefault(url, specifier, Failure), url };
}

function resolveModule(specifier: string, folder: string, Failure: ModuleErrorClass): string {
  const path = specifier.startsWith("file:") ? fileURLToPath(specifier) : resolve(folder, specifier);
  if (existsSync(path)) return pathToFileURL(entryOf(path)).href;
  if (/^(?:\.\.?[/\\]|file:)/.test(specifier) || isAbsolute(specifier)) {
    throw new Failure(`${specifier}: no such module: there is no ${path}`);
  }
  const { resolve: find } = createRequire(join(folder, "from-here.js"));
  try {
    return pathToFileURL(find(specifier)).href;
  } catch (error) {
    const entry = importEntry(specifier, find.paths(specifier) ?? []);
    if (entry !== undefined) return pathToFileURL(entry).href;
    throw new Failure(`${specifier}: no file in ${folder}, and no package installed there`, { cause: error });
  }
}

/** The entry of a folder by its package.json; otherwise the path itself. */
function entryOf(path: string): string {
  return existsSync(join(path, "package.json")) ? (exportOf(path) ?? path) : path;
}

/** The entry of an installed package that exports one for `import` only, which `require.resolve` rejects. */
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
  readonly exports?: Target | undefined;
  readonly main?: string | undefined;
}

/** A file of a package, or one for each condition. */
type Target = string | Conditions;
interface Conditions {
  readonly [condition: string]: Target;
}

/** The first target whose conditions hold for an import in Node. */
function targetOf(target: Target | undefined): string | undefined {
  if (target === undefined || typeof target === "string") return target;
  for (const [condition, inner] of Object.entries(target)) {
    if (!["node", "import", "default"].includes(condition)) continue;
    const found = targetOf(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
