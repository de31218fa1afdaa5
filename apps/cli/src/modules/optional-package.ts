import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { installCommand } from "@arcwise/core/node";
import { UsageError } from "../errors.ts";

/** A package that is installed by those who use it. */
interface OptionalPackage {
  readonly name: string;
  /** The module to import. */
  readonly entry: string;
  /** The part that requires it, with a verb: `a server requires`. */
  readonly use: string;
  /** Other packages that it requires. */
  readonly others?: readonly string[];
}

/** Imports a package from next to this module, or else from the working folder. */
export async function importOptional<T>({ name, entry, use, others = [] }: OptionalPackage): Promise<T> {
  try {
    return (await import(entry)) as T;
  } catch (error) {
    if (!isMissing(error, name)) throw error;
  }
  try {
    return (await import(pathToFileURL(createRequire(resolve("package.json")).resolve(entry)).href)) as T;
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause;
    // A clone of the repository has it, and builds it.
    const isClone = !import.meta.url.includes("/node_modules/");
    const install = isClone
      ? "npm run build, in the clone"
      : installCommand(import.meta.url, [name, ...others]);
    throw new UsageError(`${use} the package ${name}: ${install}`, { cause });
  }
}

function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return /^(?:ERR_)?MODULE_NOT_FOUND$/.test(code ?? "") && message.includes(name.split("/").at(-1)!);
}
