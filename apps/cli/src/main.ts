import { closedStream, isOutputClosed, namesOutput, standardInput } from "./files/io.ts";
import { isResponsive, runInMainThread } from "./threads/main-thread.ts";
import { superviseCommand } from "./threads/supervisor.ts";

const { stderr } = process;
const stdin = standardInput();
const argv = process.argv.slice(2);
const stdout = namesOutput(argv) && isOutputClosed() ? closedStream() : process.stdout;
const streams = { stdin, stdout, stderr };
const command = isResponsive(argv)
  ? runInMainThread(argv, streams)
  : superviseCommand(argv, streams, new URL("./command-thread.js", import.meta.url));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  // The program of the package has ended the process at a signal so far. A signal that waits for its listener would be lost
  // without one: the new listener comes before the old one goes.
  const { stop, hangUp = stop } = command;
  const earlier = process.listeners(signal);
  process.on(signal, signal === "SIGHUP" ? hangUp : stop);
  for (const listener of earlier) process.off(signal, listener);
}
process.exitCode = await command.code;
// A standard input that is not read to its end would keep the process alive.
stdin.destroy();
