import { installCommand } from "@arcwise/core/node";
import { UsageError } from "../command/errors.ts";

/** Returns whether an import failed because a package is not installed. */
export function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return /^(?:ERR_)?MODULE_NOT_FOUND$/.test(code ?? "") && message.includes(name.split("/").at(-1)!);
}

/**
 * Returns the error for packages that are installed by those who use them, with the command that installs them where this
 * command finds them. A clone of the repository has them, and builds them.
 */
export function missingPackages(what: string, packages: readonly string[], cause: unknown): UsageError {
  const isClone = !import.meta.url.includes("/node_modules/");
  const command = isClone ? "npm run build, in the clone" : installCommand(import.meta.url, packages);
  return new UsageError(`${what}: ${command}`, { cause });
}
