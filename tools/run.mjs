/**
 * Runs pnpm in the version that package.json pins, which npm downloads if it is not cached:
 *
 *     node tools/run.mjs ARGUMENTS OF PNPM
 *
 * It requires only Node, npm and git. Before a script or a program, pnpm installs what is missing or has changed
 * (`verifyDepsBeforeRun` of pnpm-workspace.yaml), so that all scripts of package.json work in a fresh clone.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { engines, packageManager } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);

/** Ends the run if Node is older than `engines.node` (">=MAJOR.MINOR"). */
function checkNode() {
  const [major, minor] = engines.node.replace(">=", "").split(".").map(Number);
  const [hasMajor, hasMinor] = process.versions.node.split(".").map(Number);
  if (hasMajor > major || (hasMajor === major && hasMinor >= minor)) return;
  console.error(
    `Arcwise needs Node ${engines.node}; this is Node ${process.versions.node} (${process.execPath}).`,
  );
  process.exit(1);
}

function pnpm(args) {
  const command = ["exec", "--yes", `--package=${packageManager}`, "--", "pnpm", ...args];
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const options = { stdio: "inherit", env };
  // npm passes its own path to scripts; in plain `node tools/run.mjs`, npm is on the PATH.
  const npm = process.env.npm_execpath;
  if (npm?.endsWith("npm-cli.js")) return spawnSync(process.execPath, [npm, ...command], options);
  return spawnSync("npm", command, { ...options, shell: process.platform === "win32" });
}

checkNode();
const { status, error } = pnpm(process.argv.slice(2));
if (error !== undefined) console.error(`npm: ${error.message}`);
process.exitCode = status ?? 1;
