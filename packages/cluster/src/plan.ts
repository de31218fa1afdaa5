import { invalidArgument } from "@arcwise/core/errors";
import { blobFile } from "./blobs/folder-store.ts";
import type { Hash } from "./blobs/hash.ts";
import type { Store } from "./blobs/store.ts";
import { type NamedRun, StepOutputs } from "./steps/step-outputs.ts";

/** The schedulers that plans are for. */
export const PLAN_FORMATS = ["kubernetes", "slurm", "make"] as const;
/** One of `PLAN_FORMATS`. */
export type PlanFormat = (typeof PLAN_FORMATS)[number];

/** Options of `planOf`. */
export interface PlanOptions {
  readonly format: PlanFormat;
  readonly run: Hash;
  /** Number of epochs of the training. */
  readonly epochs: number;
  /** Address of the store as the machines of the plan see it. */
  readonly address: string;
  /** With "kubernetes": the image, and the claim of the volume that is mounted at `address`. */
  readonly image?: string | undefined;
  readonly claim?: string | undefined;
}

/**
 * Returns the steps of a run for a scheduler: an Indexed Job of Kubernetes or an array of Slurm, with a process
 * per shard, all at the same time; or a makefile with a rule per step, whose targets are the files of a folder
 * store, for any number of processes.
 *
 * @throws ArcwiseError `missing-blob` when the store has no such run; `invalid-argument` for a makefile of a store in
 *   S3
 */
export async function planOf(store: Store, options: PlanOptions): Promise<string> {
  if (options.format === "make" && options.address.startsWith("s3://"))
    throw invalidArgument(
      "plan",
      "a folder as the store of a makefile, whose targets are files",
      options.address,
    );
  return WRITERS[options.format](options, await new StepOutputs(store).run(options.run));
}

type Writer = (options: PlanOptions, run: NamedRun) => string;

const WRITERS: Readonly<Record<PlanFormat, Writer>> = { kubernetes, slurm, make };

/** The words of the command of one shard. */
function commandOf({ run, epochs, address }: PlanOptions, shard: string): string[] {
  return [
    "arcwise",
    "step",
    "shard",
    "--store",
    address,
    "--run",
    run,
    "--shard",
    shard,
    "--epochs",
    `${epochs}`,
  ];
}

function kubernetes(options: PlanOptions, { run: { shards } }: NamedRun): string {
  const { run, image = "arcwise", claim = "arcwise-store", address } = options;
  const words = commandOf(options, "$(JOB_COMPLETION_INDEX)").map(
    (word) => `            - ${JSON.stringify(word)}`,
  );
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: arcwise-${run.slice(0, 12)}
spec:
  completionMode: Indexed
  completions: ${shards}
  parallelism: ${shards}
  backoffLimitPerIndex: 20
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: shard
          image: ${JSON.stringify(image)}
          command:
${words.join("\n")}
          volumeMounts:
            - name: store
              mountPath: ${JSON.stringify(address)}
      volumes:
        - name: store
          persistentVolumeClaim:
            claimName: ${JSON.stringify(claim)}
`;
}

function slurm(options: PlanOptions, { run: { shards } }: NamedRun): string {
  return `#!/bin/sh
#SBATCH --job-name=arcwise-${options.run.slice(0, 12)}
#SBATCH --array=0-${shards - 1}
#SBATCH --requeue
exec ${commandOf(options, "").map(quoted).join(" ").replace("''", '"$SLURM_ARRAY_TASK_ID"')}
`;
}

function make({ run: name, epochs, address }: PlanOptions, { run, names }: NamedRun): string {
  const target = (hash: Hash) => blobFile(address, hash).replaceAll("$", "$$$$");
  const step = (words: readonly (string | number)[]) => {
    const all = ["arcwise", "step", ...words, "--store", address, "--run", name];
    return all
      .map((word) => quoted(String(word)))
      .join(" ")
      .replaceAll("$", "$$$$");
  };
  const rules: string[] = [];
  for (let round = names.first; round < epochs * run.parts; round++) {
    const before = round > names.first ? ` ${target(names.mixture(round - 1))}` : "";
    const shards = Array.from({ length: run.shards }, (_, shard) => names.shard(round, shard));
    for (const [shard, hash] of shards.entries())
      rules.push(`${target(hash)}:${before}\n\t${step(["train-shard", "--round", round, "--shard", shard])}`);
    const mixture = target(names.mixture(round));
    rules.push(`${mixture}: ${shards.map(target).join(" ")}\n\t${step(["mix", "--round", round])}`);
  }
  const last = names.mixture(epochs * run.parts - 1);
  return `.PHONY: all\nall: ${target(last)}\n${rules.join("\n")}\n`;
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
