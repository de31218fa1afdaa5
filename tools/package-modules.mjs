/**
 * Joins the modules of the package in the current directory into one file an entry, and files of what entries
 * share: `dist/index.js`, `dist/node/index.js`, and so on, with source maps. Node needs more time to find and
 * link five hundred modules than to read them. Removes what an earlier build left in `dist`; `tsc` adds the
 * declarations, a file a module.
 *
 *     node ../../tools/package-modules.mjs
 *
 * Entries are the exports of its `package.json`, the modules that a module starts as a thread by
 * `new URL("./NAME-worker.js", import.meta.url)`, and `NAME-jobs.ts`, from which threads import jobs.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { rolldown } from "rolldown";

const SOURCES = "src";
const manifest = JSON.parse(readFileSync("package.json", "utf8"));

/** The modules of exports. */
const exported = Object.values(manifest.exports).flatMap((entry) => entry["@arcwise/source"] ?? []);
/** The modules that run as threads. */
const threads = readdirSync(SOURCES, { recursive: true }).filter((file) =>
  /-(?:worker|jobs)\.ts$/.test(file),
);
const input = Object.fromEntries(
  [...exported.map((file) => relative(SOURCES, file)), ...threads].map((file) => [
    file.replace(/\.ts$/, ""),
    join(SOURCES, file),
  ]),
);

rmSync("dist", { recursive: true, force: true });
const bundle = await rolldown({ input, external: /^[^./]/, platform: "neutral" });
const { output } = await bundle.write({
  dir: "dist",
  format: "esm",
  sourcemap: true,
  chunkFileNames: "[name].js",
});
await bundle.close();

/** A thread is looked for next to the file that starts it. */
for (const { fileName, code } of output.filter(({ type }) => type === "chunk")) {
  for (const [, thread] of code.matchAll(/new URL\("\.\/([\w-]+\.js)", import\.meta\.url\)/g)) {
    const neighbour = join(dirname(fileName), thread);
    if (!output.some((file) => file.fileName === neighbour))
      throw new Error(`${manifest.name}: ${basename(fileName)} starts ${thread}, which is not next to it`);
  }
}
