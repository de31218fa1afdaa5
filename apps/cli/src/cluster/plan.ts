import { Command, Option } from "commander";
import { type CommandFactory, required } from "../command/options.ts";
import { planFiles } from "../files/file-plan.ts";
import { writeOutput } from "../files/output.ts";
import { loadCluster } from "./load.ts";
import { requireStore, type StoreArguments, withStoreOption } from "./options.ts";

interface PlanArguments extends StoreArguments {
  readonly for: "kubernetes" | "slurm" | "make";
  readonly at?: string | undefined;
  readonly image?: string | undefined;
  readonly claim?: string | undefined;
  readonly output: string;
}

/** `arcwise plan PLAN --store FOLDER --for make|slurm|kubernetes` */
export const planCommand: CommandFactory = (io) => {
  const command = new Command("plan")
    .description("write the next steps of a training for a scheduler that is there already")
    .argument("<plan>", "the name of the plan, as train --queue plan prints it")
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
  return required(withStoreOption(command), "--for <scheduler>").action(
    async (plan: string, { for: format, at, image, claim, output: path, ...options }: PlanArguments) => {
      const { openStores, planOf } = await loadCluster();
      const store = await openStores(requireStore(options));
      const text = await planOf(store, { format, plan, address: at ?? store.address, image, claim });
      const planned = await planFiles(io, { inputs: [], outputs: { "--output": path } });
      await writeOutput(io, planned["--output"], text);
    },
  );
};
