import { Readable } from "node:stream";
import { run } from "@arcwise/cli";

const sentence = "1\tSleep\tsleep\tVERB\t_\t_\t2\troot\t_\t_\n\n";
const code = await run(["validate", "--level", "2", "-"], {
  stdin: Readable.from([sentence]),
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: new AbortController().signal,
});

// code is 1: a sentence of one word has no word 2 that could be a head

export { code };
