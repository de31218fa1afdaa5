import { readFileSync } from "node:fs";

/** Returns the version in package.json, in the folder of `src` and `dist`. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return manifest.version;
}
