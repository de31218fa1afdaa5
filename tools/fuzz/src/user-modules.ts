import { readFileSync } from "node:fs";

/**
 * Entries between packages: arrays whose layout is documented, and the parts that trainings and models are made of. Their
 * callers are TypeScript, and a value of another type is an error of the engine. All other entries are for users.
 */
const INTERNAL =
  /^@arcwise\/(?:core(?:$|\/(?!encoders|errors))|decode|learn|neural|sequence|parser|graph-parser|cli|bench|server)/;

/** Returns the modules of all entries for users of the packages that this one depends on, by their manifests. */
export async function userModules(): Promise<Readonly<Record<string, unknown>>[]> {
  const entries = Object.keys(manifestOf("..").dependencies ?? {})
    .filter((name) => name.startsWith("@arcwise/"))
    .flatMap((name) =>
      Object.keys(manifestOf(`../node_modules/${name}`).exports ?? {}).map((entry) => name + entry.slice(1)),
    )
    .filter((entry) => !INTERNAL.test(entry) && !entry.endsWith(".json"));
  return Promise.all(entries.map((entry) => import(/* @vite-ignore */ entry)));
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(new URL(`${folder}/package.json`, import.meta.url), "utf8")) as Manifest;
}
