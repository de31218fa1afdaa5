import { Command } from "commander";
import { type CommandFactory, integer, required } from "../command/options.ts";
import { printLine } from "../files/printable.ts";
import { loadCluster } from "./load.ts";
import { requireStore, type StoreArguments, withStoreOption } from "./options.ts";

interface StepArguments extends StoreArguments {
  readonly run: string;
  readonly round: number;
  readonly shard: number;
  readonly epochs: number;
}

/** `arcwise step train-shard|mix|shard --store FOLDER --run RUN ...` */
export const stepCommand: CommandFactory = (io) => {
  const command = new Command("step").description(
    "run one step of a training, as a scheduler or make does: arcwise plan writes the commands",
  );
  const stepOf = (name: string, description: string) =>
    withStoreOption(
      new Command(name)
        .description(description)
        .option("--run <hash>", "the training, as train --queue plan prints it"),
    );
  const round = (made: Command) => made.option("--round <n>", "from 0", integer(0));
  const shard = (made: Command) => made.option("--shard <n>", "from 0", integer(0));
  const trainShard = shard(round(stepOf("train-shard", "train on a shard in one round")));
  const mix = round(stepOf("mix", "mix the results of all shards of a round"));
  const whole = shard(stepOf("shard", "run all steps of a shard; shard 0 also mixes")).option(
    "--epochs <n>",
    "epochs of the training",
    integer(1),
  );
  const outcome = { run: "done", present: "was done before" } as const;
  required(trainShard, "--run <hash>", "--round <n>", "--shard <n>").action(
    async ({ run, round, shard, ...options }: StepArguments) => {
      const { openStore, StepExecutor, stepOrder } = await loadCluster();
      const executor = new StepExecutor(await openStore(requireStore(options)));
      const order = stepOrder("train-shard", { run, round, shard });
      printLine(
        io,
        `shard ${shard} of round ${round}: ${outcome[await executor.run(order, { signal: io.signal })]}`,
      );
    },
  );
  required(mix, "--run <hash>", "--round <n>").action(async ({ run, round, ...options }: StepArguments) => {
    const { openStore, StepExecutor, stepOrder } = await loadCluster();
    const executor = new StepExecutor(await openStore(requireStore(options)));
    const done = await executor.run(stepOrder("mix", { run, round }), { signal: io.signal });
    printLine(io, `mixture of round ${round}: ${outcome[done]}`);
  });
  required(whole, "--run <hash>", "--shard <n>", "--epochs <n>").action(
    async ({ run, shard, epochs, ...options }: StepArguments) => {
      const { openStore, runShard } = await loadCluster();
      const store = await openStore(requireStore(options));
      await runShard(store, { run, shard, epochs, signal: io.signal });
      printLine(io, `shard ${shard}: ${epochs} epochs done`);
    },
  );
  for (const made of [trainShard, mix, whole]) command.addCommand(made);
  return command;
};
