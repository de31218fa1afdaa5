import { rmSync } from "node:fs";
import { EXIT } from "../errors.ts";
import type { Io } from "../files/io.ts";
import { GRACE, type RunningCommand, type Streams } from "./supervisor.ts";

/** Commands that compute in threads of their own. */
const RESPONSIVE: readonly (string | undefined)[] = ["parse", "run", "serve", "annotate"];

/** Whether a command leaves the thread free that runs it, so that this may be the main one. */
export function isResponsive([name]: readonly string[]): boolean {
  return RESPONSIVE.includes(name);
}

/**
 * Runs a command in this thread, which stays free for signals because the command computes in threads of its
 * own. Asked to stop, it puts its files in order by itself; if that takes too long, or at the second request,
 * the process ends at once.
 */
export function runInMainThread(argv: readonly string[], streams: Streams): RunningCommand {
  const controller = new AbortController();
  const temporaries: string[] = [];
  let reload: (() => void) | undefined;
  let done = false;
  const io: Io = {
    ...streams,
    env: process.env,
    signal: controller.signal,
    responsive: true,
    onReload: (given) => {
      reload = given;
    },
    onOutputs: (outputs) => temporaries.push(...outputs.temporaries),
  };
  // Writers check their own results; a closed stderr is not an error.
  for (const stream of [streams.stdout, streams.stderr]) stream.on("error", () => {});
  const removeTemporaries = () => {
    for (const path of temporaries) rmSync(path, { force: true });
  };
  const kill = () => {
    if (done) return;
    removeTemporaries();
    streams.stderr.write("arcwise: stopped\n", () => process.exit(EXIT.interrupted));
  };
  const stop = () => {
    if (controller.signal.aborted) return kill();
    controller.abort();
    // A server lets its requests end.
    if (reload === undefined) setTimeout(kill, GRACE).unref();
  };
  const code = import("../run.ts").then(({ run }) => run(argv, io));
  return {
    code: code.finally(() => {
      done = true;
      removeTemporaries();
    }),
    stop,
    hangUp: () => (reload ?? stop)(),
  };
}
