import { Command } from "commander";
import {
  type CommandFactory,
  type QueueArguments,
  queueOptions,
  withQueueOption,
} from "../command/options.ts";
import { printable } from "../files/io.ts";
import { jsonText, printOutput } from "../files/output.ts";
import { loadQueue } from "../modules/packages.ts";

/** `arcwise status --queue ADDRESS` */
export const statusCommand: CommandFactory = (io) => {
  const command = new Command("status").description("show the workers and the jobs of a queue");
  return withQueueOption(command)
    .option("--json", "write the state as JSON")
    .action(async ({ json = false, ...options }: QueueArguments & { readonly json?: boolean }) => {
      const { queueStatus } = await loadQueue();
      const status = await queueStatus({ ...queueOptions(io, options), signal: io.signal });
      const { address, workers, waiting, delayed, active, dead } = status;
      const lines = [
        `${address}: ${workers} workers; jobs: ${active} running, ${waiting} waiting, ${delayed} repeated later, ` +
          `${dead.length} failed`,
        ...dead.map(({ job, inputs, reason }) => `failed: ${job} ${JSON.stringify(inputs)}: ${reason}`),
      ];
      await printOutput(io, json ? jsonText(status) : `${lines.map(printable).join("\n")}\n`);
    });
};
