import { runInMainThread } from "./main-thread.ts";
import { superviseCommand } from "./supervisor.ts";

/** Commands that compute in threads of their own, so that the main thread can run them. */
const RESPONSIVE: readonly (string | undefined)[] = ["parse"];

const { stdin, stdout, stderr } = process;
const streams = { stdin, stdout, stderr };
const argv = process.argv.slice(2);
const command = RESPONSIVE.includes(argv[0])
  ? runInMainThread(argv, streams)
  : superviseCommand(argv, streams, new URL("./command-thread.js", import.meta.url));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => command.stop());
process.exitCode = await command.code;
// A standard input that nobody reads to its end would keep the process alive.
stdin.destroy();
