import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));
const program = join(root, "apps", "cli", "bin", "arcwise.js");

/** Prints the processor time of a process at its end, in microseconds, on the standard error. */
const REPORT = `import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
if (isMainThread) process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeSync(2, "\\nprocessor time " + (user + system) + "\\n");
});`;

/**
 * Runs the command. Returns its standard output and its processor time in seconds; of a command whose standard error is
 * shown, the standard output alone.
 *
 * @throws Error when it fails
 */
export function arcwise(args, { isShown = false } = {}) {
  const stdio = ["ignore", "pipe", isShown ? "inherit" : "pipe"];
  const options = { encoding: "utf8", maxBuffer: 2 ** 30, stdio, env: { ...process.env, NO_COLOR: "1" } };
  const report = isShown ? [] : ["--import", `data:text/javascript,${encodeURIComponent(REPORT)}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...report, program, ...args], options);
  if (status !== 0) throw new Error(`arcwise ${args.join(" ")}: exit code ${status}\n${stderr ?? ""}`);
  return { stdout, seconds: Number(/^processor time (\d+)$/m.exec(stderr)?.[1]) / 1e6 };
}
