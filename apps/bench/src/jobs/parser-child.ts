import { EXIT, explain } from "@arcwise/cli/command";
import { type ParserJob, type ParserRun, runParserJob } from "./parser-job.ts";

/** Messages of the process of a parser: progress, then the result. */
export type ChildMessage =
  | { readonly kind: "progress"; readonly text: string }
  | { readonly kind: "done"; readonly run: ParserRun }
  | { readonly kind: "failed"; readonly error: string };

function send(message: ChildMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}

/** Runs the job that the parent sends, and ends. */
process.once("message", async (job: ParserJob) => {
  try {
    const run = await runParserJob(job, (text) => void send({ kind: "progress", text }));
    await send({ kind: "done", run });
  } catch (error) {
    const { code, message } = explain(error);
    // A fault of the program is reported with its stack, besides the line in the table.
    if (code === EXIT.internal && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    await send({ kind: "failed", error: message });
  }
  process.disconnect();
});
