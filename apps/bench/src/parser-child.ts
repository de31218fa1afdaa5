import { type ParserJob, type ParserRun, runParserJob } from "./parser-job.ts";

/** Messages of the process of a parser: progress, then the result. */
export type ChildMessage =
  | { readonly kind: "progress"; readonly text: string }
  | { readonly kind: "done"; readonly run: ParserRun }
  | { readonly kind: "refused"; readonly error: string };

function send(message: ChildMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}

/** Names of errors that refuse a combination of options. */
const REFUSALS: readonly string[] = [
  "UnsupportedPart",
  "UnsupportedCapability",
  "RangeError",
  "InvalidDecoder",
  "DecoderModuleError",
];

/** Runs the job that the parent sends, and ends. */
process.once("message", async (job: ParserJob) => {
  try {
    const run = await runParserJob(job, (text) => void send({ kind: "progress", text }));
    await send({ kind: "done", run });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isRefusal = REFUSALS.includes(error.name);
    await send({ kind: "refused", error: isRefusal ? error.message : (error.stack ?? error.message) });
  }
  process.disconnect();
});
