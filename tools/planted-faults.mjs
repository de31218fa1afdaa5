/**
 * Tests the tests: plants the faults of tools/planted-faults.json in the sources, one at a time, and runs the tests that
 * must find each.
 *
 *     node tools/planted-faults.mjs [--only TEXT] [--json FILE]
 *
 * A fault replaces the text `from` of a file, which occurs there once, by `to`. The tests must pass before. `--only` plants
 * the faults whose name or file contains a text; `--json` writes the results. Ends with 1 when a fault is not found. Sources
 * are restored, also after Ctrl-C; the tests read them, without a build.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Runs tests until one fails; returns whether one did. */
function fails(tests) {
  const argv = ["exec", "vitest", "run", "--tags-filter=!slow", "--bail=1", "--reporter=dot", ...tests];
  const child = spawn("npm", argv, { cwd: ROOT, stdio: "ignore" });
  return new Promise((resolve) => child.once("close", (code) => resolve(code !== 0)));
}

/** Returns whether the tests of a fault find it. */
async function isFound({ file, from, to, tests }) {
  const path = join(ROOT, file);
  const source = readFileSync(path, "utf8");
  const occurrences = source.split(from).length - 1;
  if (occurrences !== 1)
    throw new Error(`${file}: expected one occurrence of "${from}", found ${occurrences}`);
  const restore = () => writeFileSync(path, source);
  const stop = () => {
    restore();
    process.exit(130);
  };
  process.once("SIGINT", stop);
  try {
    writeFileSync(
      path,
      source.replace(from, () => to),
    );
    return await fails(tests);
  } finally {
    process.off("SIGINT", stop);
    restore();
  }
}

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, json: { type: "string" } },
});
const all = JSON.parse(readFileSync(join(ROOT, "tools", "planted-faults.json"), "utf8"));
const chosen = all.filter(({ name, file }) => `${name}\n${file}`.includes(values.only));
if (await fails([...new Set(chosen.flatMap(({ tests }) => tests))]))
  throw new Error("expected tests that pass without a fault: run npm test");
const results = [];
for (const fault of chosen) {
  const found = await isFound(fault);
  console.log(`${found ? "found " : "MISSED"}  ${fault.file}: ${fault.name}`);
  results.push({ name: fault.name, file: fault.file, found });
}
const missed = results.filter(({ found }) => !found).length;
console.log(`${results.length - missed} of ${results.length} found`);
if (values.json) writeFileSync(values.json, JSON.stringify(results, undefined, 2));
process.exitCode = missed > 0 || results.length === 0 ? 1 : 0;
