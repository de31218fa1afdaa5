import { run } from "./run.ts";

process.exitCode = await run({
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  argv: process.argv.slice(2),
});
