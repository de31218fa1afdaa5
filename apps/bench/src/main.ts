import { run } from "./run.ts";
import { runInChild } from "./spawn-parser.ts";

process.exitCode = await run({
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  argv: process.argv.slice(2),
  runParser: runInChild,
});
