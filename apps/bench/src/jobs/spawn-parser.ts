import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ChildMessage } from "./parser-child.ts";
import type { ParserJob, ParserRun, Tell } from "./parser-job.ts";

/** Thrown when training or parsing failed. */
export class ParserFailed extends Error {
  override readonly name = "ParserFailed";
}

/** Runs a job, in a process of its own or, in tests, in this one. */
export type RunParser = (job: ParserJob, tell: Tell) => Promise<ParserRun>;

const CHILD = fileURLToPath(new URL("./parser-child.js", import.meta.url));

/** Runs a job in a process of its own, so that its peak memory is the memory of one parser. */
export const runInChild: RunParser = (job, tell) =>
  new Promise((resolve, reject) => {
    const child = fork(CHILD, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child.on("message", (message: ChildMessage) => {
      if (message.kind === "progress") tell(message.text);
      else if (message.kind === "done") resolve(message.run);
      else reject(new ParserFailed(message.error));
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      reject(new ParserFailed(`the process of the parser ended early (${signal ?? `exit code ${code}`})`));
    });
    child.send(job);
  });
