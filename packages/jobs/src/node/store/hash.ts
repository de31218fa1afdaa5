import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { checkArgument, satisfying } from "@arcwise/core/options";

/** The name of a blob: a SHA-256 as 64 hexadecimal digits. */
export type Hash = string;

/** Accepts names of blobs. */
export const blobName = satisfying(
  "the name of a blob, of 64 hexadecimal digits",
  (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value),
);

/**
 * Returns a name from which a path or a key is about to be made.
 *
 * @throws ArcwiseError `invalid-argument` if it is not the name of a blob
 */
export function requireName(name: Hash): Hash {
  checkArgument(blobName, name, "store");
  return name;
}

/** The versions of the program and of the formats of blobs, a part of every name: others may compute something else. */
export const VERSION = { program: versionAbove(import.meta.url), format: 7 } as const;

/** Returns the version of the package of a module. All packages of Arcwise have the same version. */
function versionAbove(module: string): string {
  let manifest = new URL("package.json", module);
  while (!existsSync(manifest)) manifest = new URL("../package.json", manifest);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version;
}

/** Returns the SHA-256 of pieces in sequence. O(bytes). */
export function hashOf(...pieces: readonly (string | Uint8Array)[]): Hash {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}
