import { isResponsive, runInMainThread } from "./main-thread.ts";
import { superviseCommand } from "./supervisor.ts";

const { stdin, stdout, stderr } = process;
const streams = { stdin, stdout, stderr };
const argv = process.argv.slice(2);
const command = isResponsive(argv)
  ? runInMainThread(argv, streams)
  : superviseCommand(argv, streams, new URL("./command-thread.js", import.meta.url));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => command.stop());
process.exitCode = await command.code;
// A standard input that nobody reads to its end would keep the process alive.
stdin.destroy();
