import { invalidArgument } from "@arcwise/core/errors";
import { blobFile } from "./blobs/folder-store.ts";
import type { Hash } from "./blobs/hash.ts";
import type { Store } from "./blobs/store.ts";
import { type PlannedProcess, readPlan } from "./planner.ts";
import { type NamedRun, StepOutputs } from "./steps/step-outputs.ts";
import { nameBefore, roundName, roundsFrom, sliceName } from "./steps/train-network.ts";
import { type PartSettings, partName } from "./steps/train-part.ts";

/** The schedulers that plans are for. */
export const PLAN_FORMATS = ["kubernetes", "slurm", "make"] as const;
/** One of `PLAN_FORMATS`. */
export type PlanFormat = (typeof PLAN_FORMATS)[number];

/** Options of `planOf`. */
export interface PlanOptions {
  readonly format: PlanFormat;
  /** The plan, by the name that `TrainingPlanner.write` returns. */
  readonly plan: Hash;
  /** Address of the store as the machines of the plan see it. */
  readonly address: string;
  /** With "kubernetes": the image, and the claim of the volume that is mounted at `address`. */
  readonly image?: string | undefined;
  readonly claim?: string | undefined;
}

/**
 * Returns a plan for a scheduler: an Indexed Job of Kubernetes or an array of Slurm, with all processes at the same
 * time; or a makefile with a rule per step, whose targets are the files of a folder store, for any number of processes.
 *
 * @throws ArcwiseError `missing-blob` when the store has no such plan; `invalid-argument` for a makefile of a store in
 *   S3
 */
export async function planOf(store: Store, options: PlanOptions): Promise<string> {
  const { format, address, plan } = options;
  if (format === "make" && address.startsWith("s3://"))
    throw invalidArgument("plan", "a folder as the store of a makefile, whose targets are files", address);
  const { processes } = await readPlan(store, plan);
  switch (format) {
    case "kubernetes":
      return kubernetes(options, processes.length);
    case "slurm":
      return slurm(options, processes.length);
    case "make":
      return makefile(store, address, processes);
  }
}

/** The words of the command of one process. */
function commandOf({ plan, address }: PlanOptions, index: string): string[] {
  return ["arcwise", "step", "process", "--store", address, "--plan", plan, "--index", index];
}

function kubernetes(options: PlanOptions, processes: number): string {
  const { plan, image = "arcwise", claim = "arcwise-store", address } = options;
  const words = commandOf(options, "$(JOB_COMPLETION_INDEX)").map(
    (word) => `            - ${JSON.stringify(word)}`,
  );
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: arcwise-${plan.slice(0, 12)}
spec:
  completionMode: Indexed
  completions: ${processes}
  parallelism: ${processes}
  backoffLimitPerIndex: 20
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: step
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

function slurm(options: PlanOptions, processes: number): string {
  return `#!/bin/sh
#SBATCH --job-name=arcwise-${options.plan.slice(0, 12)}
#SBATCH --array=0-${processes - 1}
#SBATCH --requeue
exec ${commandOf(options, "").map(quoted).join(" ").replace("''", '"$SLURM_ARRAY_TASK_ID"')}
`;
}

/** A file of a makefile: the output of a step, what it needs, and the words of its command. */
interface Rule {
  readonly target: Hash;
  readonly needs: readonly Hash[];
  readonly words: readonly (string | number)[];
}

async function makefile(
  store: Store,
  address: string,
  processes: readonly PlannedProcess[],
): Promise<string> {
  const outputs = new StepOutputs(store);
  const rules: Rule[] = [];
  const goals: Hash[] = [];
  for (const process of processes) {
    // The first process of a training stands for all of them.
    if (process.work !== "part" && process.shard > 0) continue;
    const own =
      process.work === "part"
        ? [partRule(process.settings)]
        : process.work === "network"
          ? networkRules(process)
          : shardRules(await outputs.run(process.run), process);
    rules.push(...own);
    goals.push(...own.slice(-1).map(({ target }) => target));
  }
  const file = (hash: Hash) => blobFile(address, hash).replaceAll("$", "$$$$");
  const lines = rules.map(({ target, needs, words }) => {
    const command = ["arcwise", "step", ...words, "--store", address].map((word) => quoted(String(word)));
    return `${[`${file(target)}:`, ...needs.map(file)].join(" ")}\n\t${command.join(" ").replaceAll("$", "$$$$")}`;
  });
  return `.PHONY: all\nall: ${goals.map(file).join(" ")}\n${lines.join("\n")}\n`;
}

function partRule(settings: PartSettings): Rule {
  const { step, work, part } = settings;
  const words = ["train-part", "--step", step, "--work", work];
  if (part !== undefined) words.push("--part", String(part));
  return { target: partName(settings), needs: [], words };
}

function shardRules(
  { run, names }: NamedRun,
  { run: name, epochs }: Extract<PlannedProcess, { readonly work: "shard" }>,
): readonly Rule[] {
  const rules: Rule[] = [];
  for (let round = names.first; round < epochs * run.parts; round++) {
    const needs = round > names.first ? [names.mixture(round - 1)] : [];
    const at = ["--run", name, "--round", round];
    const shards = Array.from({ length: run.shards }, (_, shard) => ({
      target: names.shard(round, shard),
      needs,
      words: ["train-shard", ...at, "--shard", shard],
    }));
    const mixture = { target: names.mixture(round), needs: targetsOf(shards), words: ["mix", ...at] };
    rules.push(...shards, mixture);
  }
  return rules;
}

function networkRules({
  first,
  epochs,
}: Extract<PlannedProcess, { readonly work: "network" }>): readonly Rule[] {
  const rules: Rule[] = [];
  for (const at of roundsFrom(first, epochs)) {
    const before = nameBefore(at, first);
    const needs = before === undefined ? [] : [before];
    const { order, epoch, rounds, round, shards: count } = at;
    const flags = [
      "--order",
      order,
      "--epoch",
      epoch,
      "--rounds",
      rounds,
      "--round",
      round,
      "--shards",
      count,
    ];
    const shards = Array.from({ length: count }, (_, shard) => ({
      target: sliceName({ ...at, shard }),
      needs,
      words: ["train-network", ...flags, "--shard", shard],
    }));
    rules.push(...shards);
    if (count > 1)
      rules.push({ target: roundName(at), needs: targetsOf(shards), words: ["average-network", ...flags] });
  }
  return rules;
}

function targetsOf(rules: readonly Rule[]): readonly Hash[] {
  return rules.map(({ target }) => target);
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
