/**
 * Counts the lines of each room of the repository: source, tests and Markdown.
 *
 *     node tools/line-counts.mjs [--write]
 *
 * A room is a package, an application, or another folder of the root. tools/line-ceilings.json has a ceiling for each
 * count: a change that needs more lines raises it, and its commit says why. `--write` sets all ceilings to 2 %, and at
 * least 50 lines, above the counts.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** @typedef {Record<string, { source: number, tests: number, markdown: number }>} LineCounts by room */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CEILINGS = join(ROOT, "tools", "line-ceilings.json");
const SOURCE = /\.(?:[cm]?[jt]s|tsx|css|html|vue|wat|py)$/;

/** @param {string} path */
function kindOf(path) {
  if (path.endsWith(".md")) return "markdown";
  if (!SOURCE.test(path)) return undefined;
  return /(?:^|\/)test\/|\.test\./.test(path) ? "tests" : "source";
}

/** @returns {LineCounts} the lines of the tracked files */
export function lineCounts() {
  /** @type {LineCounts} */
  const counts = {};
  for (const path of execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n")) {
    const kind = kindOf(path);
    if (kind === undefined) continue;
    const room = /^(?:(?:packages|apps)\/[^/]+|[^/]+(?=\/))/.exec(path)?.[0] ?? ".";
    counts[room] ??= { source: 0, tests: 0, markdown: 0 };
    counts[room][kind] += readFileSync(join(ROOT, path), "utf8").split("\n").length - 1;
  }
  return counts;
}

/**
 * Returns a line for each count that is above its ceiling, or has none.
 *
 * @param {LineCounts} counts
 * @param {LineCounts} ceilings
 */
export function aboveCeilings(counts, ceilings = JSON.parse(readFileSync(CEILINGS, "utf8"))) {
  return Object.entries(counts).flatMap(([room, kinds]) =>
    Object.entries(kinds)
      .filter(([kind, lines]) => lines > (ceilings[room]?.[kind] ?? 0))
      .map(([kind, lines]) => `${room}: ${lines} lines of ${kind}`),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { write: { type: "boolean" } } });
  const counts = lineCounts();
  const all = { source: 0, tests: 0, markdown: 0 };
  for (const count of Object.values(counts)) for (const kind of Object.keys(all)) all[kind] += count[kind];
  console.table({ ...counts, all });
  if (values.write) {
    const above = (lines) => lines + Math.max(50, Math.ceil(0.02 * lines));
    const ceilings = JSON.parse(JSON.stringify(counts), (_key, value) =>
      typeof value === "number" ? above(value) : value,
    );
    writeFileSync(CEILINGS, `${JSON.stringify(ceilings, null, 2)}\n`);
  }
}
