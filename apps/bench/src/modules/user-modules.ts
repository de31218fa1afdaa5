import { existsSync, readFileSync } from "node:fs";

/**
 * Entries between packages: arrays whose layout is documented, and the parts that trainings and models are made of. Their
 * callers are TypeScript, and a value of another type is an error of the engine. All other entries are for users.
 */
const INTERNAL =
  /^@arcwise\/(?:core(?:$|\/(?!encoders|errors))|decode|learn|neural|sequence|parser|cli|bench|experiments|english)/;

/** Returns the modules of all entries for users of the packages that this one depends on, by their manifests. */
export async function userModules(): Promise<Readonly<Record<string, unknown>>[]> {
  const packages = Object.keys(manifestAt("package.json").dependencies ?? {});
  const entries = packages
    .filter((name) => name === "arcwise" || name.startsWith("@arcwise/"))
    .flatMap((name) =>
      Object.keys(manifestAt(`node_modules/${name}/package.json`).exports ?? {}).map(
        (entry) => name + entry.slice(1),
      ),
    )
    .filter((entry) => !INTERNAL.test(entry) && !entry.endsWith(".json"));
  return Promise.all(entries.map((entry) => import(/* @vite-ignore */ entry)));
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** Reads a manifest of this package, in whose folder or below this module is. */
function manifestAt(path: string): Manifest {
  let url = new URL(path, import.meta.url);
  for (let up = "../"; !existsSync(url); up += "../") url = new URL(up + path, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8")) as Manifest;
}
