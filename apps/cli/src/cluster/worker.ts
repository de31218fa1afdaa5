import { counted } from "@arcwise/core/errors";
import { Command } from "commander";
import {
  type CommandFactory,
  integer,
  type QueueArguments,
  queueOptions,
  requireStore,
  type StoreArguments,
  withQueueOption,
  withStoreOptions,
} from "../command/options.ts";
import { printLine, untilStopped } from "../files/io.ts";
import { loadQueue } from "../modules/packages.ts";

interface WorkerArguments extends QueueArguments, StoreArguments {
  readonly threads: number;
  readonly onlyParse?: boolean | undefined;
  readonly module?: readonly string[] | undefined;
}

/** `arcwise worker --queue ADDRESS --store FOLDER` */
export const workerCommand: CommandFactory = (io) => {
  const command = new Command("worker").description(
    "do the jobs of trainings and parsings of a queue, until it is stopped",
  );
  return withStoreOptions(withQueueOption(command))
    .option("--threads <n>", "jobs that are done at a time", integer(1, 1024), 1)
    .option("--only-parse", "refuse the jobs of trainings")
    .option("--module <files...>", "modules of decoders, learners and features that trainings may run here")
    .addHelpText(
      "after",
      "\nCtrl-C gives the jobs that are being done back to the queue,\nand ends the worker.",
    )
    .action(async ({ threads, onlyParse, module: modules, ...options }: WorkerArguments) => {
      const { serveQueue } = await loadQueue();
      let jobs = 0;
      const worker = await serveQueue({
        ...queueOptions(io, options),
        ...requireStore(options),
        onlyParses: onlyParse,
        modules,
        threads,
        signal: io.signal,
        onDone: () => {
          jobs++;
        },
      });
      printLine(io, `worker of ${counted(threads, "thread")}: waiting for jobs`);
      await untilStopped(io);
      await worker.close({ now: true });
      printLine(io, `${counted(jobs, "job")} done`);
    });
};
