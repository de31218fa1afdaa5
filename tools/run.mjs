/**
 * Runs pnpm in the version that package.json pins, which npm downloads if it is not cached:
 *
 *     node tools/run.mjs [--quiet] ARGUMENTS OF PNPM
 *
 * It requires only Node, npm and git. Before a script or a program, pnpm installs what is missing or has changed
 * (`verifyDepsBeforeRun` of pnpm-workspace.yaml), so that all scripts of package.json work in a fresh clone. With
 * `--quiet`, what is printed is shown only if the run fails; a run that takes longer is announced.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

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

/** Returns program, arguments and options that run pnpm. */
function pnpmCommand(args, settings) {
  const command = ["exec", "--yes", `--package=${packageManager}`, "--", "pnpm", ...args];
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const options = { ...settings, env };
  // npm passes its own path to scripts; in plain `node tools/run.mjs`, npm is on the PATH.
  const npm = process.env.npm_execpath;
  if (npm?.endsWith("npm-cli.js")) return [process.execPath, [npm, ...command], options];
  return ["npm", command, { ...options, shell: process.platform === "win32" }];
}

/** Runs pnpm to its end. @param settings of `spawnSync` */
export function pnpm(args, settings) {
  return spawnSync(...pnpmCommand(args, settings));
}

/** Milliseconds after which a quiet run is announced. */
const PATIENCE = 2000;

/** Runs pnpm, and prints its output only if it fails. Returns the exit code. */
async function quietly(args) {
  const child = spawn(...pnpmCommand(args, { stdio: ["ignore", "pipe", "pipe"] }));
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(chunk));
  const announcement = setTimeout(
    () => console.error("building what has changed; the first time takes minutes ..."),
    PATIENCE,
  );
  const [status] = await once(child, "close");
  clearTimeout(announcement);
  if (status !== 0) process.stderr.write(Buffer.concat(printed));
  return status;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkNode();
  const [first, ...rest] = process.argv.slice(2);
  if (first === "--quiet") {
    process.exitCode = (await quietly(rest)) ?? 1;
  } else {
    const { status, error } = pnpm(process.argv.slice(2), { stdio: "inherit" });
    if (error !== undefined) console.error(`npm: ${error.message}`);
    process.exitCode = status ?? 1;
  }
}
