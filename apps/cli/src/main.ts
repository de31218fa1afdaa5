import { EXIT } from "./errors.ts";
import { run } from "./run.ts";

/*
 * The first Ctrl-C (or a request to end) lets the command put its files in order; the second one ends the
 * process at once, as it would without this handler.
 */
const controller = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
// Nobody left to read messages is no reason to fail.
process.stderr.on("error", () => {});

process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: controller.signal,
});
// A standard input that nobody reads to its end would keep the process alive.
if (process.exitCode !== EXIT.ok) process.stdin.destroy();
