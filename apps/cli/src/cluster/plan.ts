import { Command, Option } from "commander";
import { type CommandFactory, integer, required } from "../command/options.ts";
import { writeOutput } from "../files/output.ts";
import { loadCluster } from "./load.ts";
import { requireStore, type StoreArguments, withStoreOption } from "./options.ts";

interface PlanArguments extends StoreArguments {
  readonly run: string;
  readonly epochs: number;
  readonly for: "kubernetes" | "slurm" | "make";
  readonly at?: string | undefined;
  readonly image?: string | undefined;
  readonly claim?: string | undefined;
  readonly output: string;
}

/** `arcwise plan --store FOLDER --run RUN --epochs N --for make|slurm|kubernetes` */
export const planCommand: CommandFactory = (io) => {
  const command = new Command("plan")
    .description("write the steps of a training for a scheduler that is there already")
    .option("--run <hash>", "the training, as train --queue plan prints it")
    .option("--epochs <n>", "epochs of the training", integer(1))
    .addOption(
      new Option(
        "--for <scheduler>",
        "kubernetes: an Indexed Job, slurm: an array, both with a process per shard; make: a rule per step",
      ).choices(["kubernetes", "slurm", "make"]),
    )
    .option("--at <folder>", "the path of the store where the steps run (the same as --store)")
    .option("--image <name>", "with kubernetes: the image that has arcwise", "arcwise")
    .option("--claim <name>", "with kubernetes: the claim of the volume that has the store", "arcwise-store")
    .option("-o, --output <file>", "the file to write, - for the standard output", "-");
  return required(withStoreOption(command), "--run <hash>", "--epochs <n>", "--for <scheduler>").action(
    async ({ run, epochs, for: format, at, image, claim, output: path, ...options }: PlanArguments) => {
      const { openStore, planOf } = await loadCluster();
      const store = await openStore(requireStore(options));
      const plan = await planOf(store, { format, run, epochs, address: at ?? store.address, image, claim });
      await writeOutput(io, path, plan);
    },
  );
};
