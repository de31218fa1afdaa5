import { readFileSync } from "node:fs";

/** The version in package.json, in the folder of `src`, `dist` and `program`. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return manifest.version;
}
