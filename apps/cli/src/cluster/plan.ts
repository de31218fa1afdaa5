import { Command, Option } from "commander";
import { type CommandFactory, integer, required } from "../command/options.ts";
import { UsageError } from "../errors.ts";
import { planFiles } from "../files/file-plan.ts";
import { shellWord } from "../files/io.ts";
import { writeOutput } from "../files/output.ts";

interface PlanArguments {
  readonly for: keyof typeof FORMATS;
  readonly processes: number;
  readonly image: string;
  readonly claim: string;
  readonly at?: string | undefined;
  readonly output: string;
}

/** `arcwise plan --for slurm|kubernetes|make --processes N -- train ... --store FOLDER` */
export const planCommand: CommandFactory = (io) => {
  const command = new Command("plan")
    .description("write the file with which an existing scheduler runs a training in several processes")
    .argument("<command...>", "after --: train and its flags, with --store")
    .addOption(
      new Option(
        "--for <scheduler>",
        "kubernetes: an Indexed Job; slurm: an array; make: a makefile, for make -j",
      ).choices(Object.keys(FORMATS)),
    )
    .option("--processes <n>", "number of processes", integer(1, 100_000))
    .option("--image <name>", "with kubernetes: the image that has arcwise", "arcwise")
    .option("--claim <name>", "with kubernetes: the claim of the volume that has all files", "arcwise-store")
    .option("--at <folder>", "with kubernetes: where the volume is mounted (the folder of --store)")
    .option("-o, --output <file>", "the file to write, - for the standard output", "-");
  return required(command, "--for <scheduler>", "--processes <n>").action(
    async (words: readonly string[], options: PlanArguments) => {
      const store = words[words.indexOf("--store") + 1];
      if (words[0] !== "train" || !words.includes("--store") || store === undefined)
        throw new UsageError(
          "expected a training with a store: arcwise plan ... -- train ... --store FOLDER",
        );
      const { output: path, ...plan } = options;
      const planned = await planFiles(io, { inputs: [], outputs: { "--output": path } });
      await writeOutput(io, planned["--output"], FORMATS[plan.for]({ ...plan, words, at: plan.at ?? store }));
    },
  );
};

interface Plan extends Required<Pick<PlanArguments, "processes" | "image" | "claim" | "at">> {
  /** The training. */
  readonly words: readonly string[];
}

/** The files of schedulers. Each process runs the training, and does some of its jobs. */
const FORMATS = {
  kubernetes: ({ words, processes, image, claim, at }: Plan) => `apiVersion: batch/v1
kind: Job
metadata:
  generateName: arcwise-
spec:
  completionMode: Indexed
  completions: ${processes}
  parallelism: ${processes}
  backoffLimitPerIndex: 20
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: train
          image: ${JSON.stringify(image)}
          command:
${commandOf(words, `$(JOB_COMPLETION_INDEX)/${processes}`)
  .map((word) => `            - ${JSON.stringify(word)}`)
  .join("\n")}
          volumeMounts:
            - name: store
              mountPath: ${JSON.stringify(at)}
      volumes:
        - name: store
          persistentVolumeClaim:
            claimName: ${JSON.stringify(claim)}
`,
  slurm: ({ words, processes }: Plan) => `#!/bin/sh
#SBATCH --job-name=arcwise
#SBATCH --array=0-${processes - 1}
#SBATCH --requeue
exec ${commandOf(words).map(shellWord).join(" ")} "$SLURM_ARRAY_TASK_ID/${processes}"
`,
  make({ words, processes }: Plan) {
    const names = Array.from({ length: processes }, (_, k) => `process-${k}`);
    const line = commandOf(words).map(shellWord).join(" ").replaceAll("$", "$$$$");
    const rules = names.map((name, k) => `${name}:\n\t${line} ${k}/${processes}\n`);
    return `.PHONY: all ${names.join(" ")}\nall: ${names.join(" ")}\n${rules.join("")}`;
  },
} as const;

function commandOf(words: readonly string[], ...process: readonly string[]): readonly string[] {
  return ["arcwise", ...words, "--queue", ...process];
}
