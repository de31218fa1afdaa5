import { superviseCommand } from "./supervisor.ts";

const { stdin, stdout, stderr } = process;
const thread = new URL("./command-thread.js", import.meta.url);
const command = superviseCommand(process.argv.slice(2), { stdin, stdout, stderr }, thread);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => command.stop());
process.exitCode = await command.code;
// A standard input that nobody reads to its end would keep the process alive.
stdin.destroy();
