import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "@arcwise/core";
import {
  saveGraphParser,
  saveParser,
  type TrainOptions,
  trainGraphParser,
  trainParser,
} from "@arcwise/parser";
import { SAMPLE } from "../data/treebanks.ts";
import { type Area, Fault, type FuzzContext, type Fuzzer, type Outcome, pick, refusalOf } from "./area.ts";
import { checkCommand, runHere } from "./commands.ts";
import { type Forgery, putTogether, takeApart } from "./forge.ts";
import { changedFile, GRAPH_EXAMPLES, quickExamples } from "./models.ts";
import { withFewerPatches } from "./reductions.ts";

/** Errors that refuse a checkpoint: damaged, or of another training. */
const REFUSALS: ReadonlySet<string> = new Set(["ModelError"]);
/** One in this many trials runs a command. */
const EVERY_COMMAND = 15;
const EPOCHS = 2;

/** Trainings that together have all kinds of vectors in their states. */
const TRAININGS: Readonly<Record<string, TrainOptions>> = {
  mira: {},
  svm: { learner: "svm" },
  "kbest-mira": { learner: "kbest-mira" },
  lbfgs: { learner: "lbfgs" },
  "frank-wolfe": { learner: "frank-wolfe" },
  "exponentiated-gradient": { learner: "exponentiated-gradient" },
  shards: { shards: { count: 2 } },
  network: { network: { units: 4, epochs: 2 } },
  "network alone": { terms: ["network"], epochs: undefined, network: { units: 4, epochs: 2 } },
};

/** A training that can be resumed, and a sound checkpoint of it. */
interface Training {
  readonly name: string;
  readonly file: Uint8Array;
  readonly parts: Forgery;
  /** Resumes from a checkpoint and returns the bytes of the model. */
  resume(state: Uint8Array): Promise<Uint8Array>;
}

/** Resumes trainings from damaged and crafted checkpoints, and from checkpoints of other trainings. */
export const checkpoints: Area = checkpointsOf();

/** Returns the area with some of the trainings. */
export function checkpointsOf(names: readonly string[] = [...Object.keys(TRAININGS), "graph"]): Area {
  return {
    name: "checkpoints",
    description: "trainings resumed from changed checkpoints, and from checkpoints of other learners",
    share: 2,
    prepare: async (context) => {
      const trainings: Training[] = [];
      for (const name of names) trainings.push(await (name === "graph" ? graphs() : trees(name)));
      return new CheckpointFuzzer(context, trainings);
    },
  };
}

async function trees(name: string): Promise<Training> {
  const examples = quickExamples();
  const options: TrainOptions = { preset: "linear", epochs: EPOCHS, prune: false, ...TRAININGS[name] };
  return trainingOf(name, 0, async (run) => saveParser(await trainParser(examples, { ...options, ...run })));
}

async function graphs(): Promise<Training> {
  const options = { preset: "linear", epochs: EPOCHS, network: { units: 4, epochs: 2 } } as const;
  return trainingOf("graph", -1, async (run) =>
    saveGraphParser(await trainGraphParser(GRAPH_EXAMPLES, { ...options, ...run })),
  );
}

/** Runs a training. @param which the index of the checkpoint that is changed, from the end if negative */
async function trainingOf(
  name: string,
  which: number,
  train: (run: Pick<TrainOptions, "onCheckpoint" | "resume">) => Promise<Uint8Array>,
): Promise<Training> {
  const states: Uint8Array[] = [];
  await train({ onCheckpoint: (state) => void states.push(state) });
  const file = states.at(which)!;
  return { name, file, parts: takeApart(file), resume: (resume) => train({ resume }) };
}

class CheckpointFuzzer implements Fuzzer {
  readonly #context: FuzzContext;
  readonly #trainings: readonly Training[];
  /** The training of the last trial; undefined when it was a command. */
  #last: Training | undefined;

  constructor(context: FuzzContext, trainings: readonly Training[]) {
    this.#context = context;
    this.#trainings = trainings;
  }

  async try(stream: Random): Promise<Outcome> {
    this.#last = undefined;
    if (stream.int(EVERY_COMMAND) === 0) return this.#command(stream);
    const training = pick(stream, this.#trainings);
    const other = pick(stream, this.#trainings);
    const bytes = stream.int(4) === 0 ? mixed(training.parts, other.parts) : changedFile(training, stream);
    this.#last = training;
    return resumed(training, bytes);
  }

  async shrink(fault: Fault): Promise<Fault> {
    const training = this.#last;
    if (training === undefined) return fault;
    return withFewerPatches(fault, training.parts, (bytes) => resumed(training, bytes));
  }

  /** Resumes a training of the command from a changed checkpoint of it. */
  async #command(stream: Random): Promise<Outcome> {
    const { folder } = this.#context;
    const [train, model] = [join(folder, "train.conllu"), join(folder, "model")];
    const files = ["--train", train, "--model", model];
    const settings = { preset: "linear", parser: { epochs: EPOCHS, prune: false } };
    const argv = ["train", "--for", "tagged", "--verbose", ...files, "--settings", JSON.stringify(settings)];
    const sound = await this.#keptByCommand(train, argv);
    const bytes = changedFile({ file: sound, parts: takeApart(sound) }, stream);
    writeFileSync(`${model}.checkpoint`, bytes);
    const result = await runHere([...argv, "--resume"]);
    checkCommand(argv, result, bytes);
    if ((result.code === 0) !== existsSync(model)) throw new Fault(`ended with ${result.code}`, bytes);
    for (const file of [model, `${model}.checkpoint`]) rmSync(file, { force: true });
    return result.code === 0 ? "survived" : "refused";
  }

  #kept: Uint8Array | undefined;

  /** Returns the checkpoint of the command when it is stopped after its first epoch. */
  async #keptByCommand(train: string, argv: readonly string[]): Promise<Uint8Array> {
    if (this.#kept !== undefined) return this.#kept;
    const text = readFileSync(join(SAMPLE, "dev.conllu"), "utf8");
    writeFileSync(train, `${text.split("\n\n").slice(0, 3).join("\n\n")}\n\n`);
    const controller = new AbortController();
    const result = await runHere(argv, {
      signal: controller.signal,
      // The state after the first epoch is saved before the second one ends.
      onMessage: (message) => void (message.includes("weights 1/") && controller.abort()),
    });
    const kept = `${argv[argv.indexOf("--model") + 1]}.checkpoint`;
    if (!existsSync(kept)) throw new Error(`expected a checkpoint, found none: ${result.err}`);
    this.#kept = new Uint8Array(readFileSync(kept));
    return this.#kept;
  }
}

async function resumed(training: Training, bytes: Uint8Array): Promise<Outcome> {
  try {
    await training.resume(bytes);
    return "survived";
  } catch (error) {
    return refusalOf(REFUSALS, bytes, error);
  }
}

interface State {
  readonly sections: unknown;
  readonly header: { readonly run: unknown };
}

/** Returns a checkpoint of this training with the state of another one. */
function mixed(own: Forgery, { json, bodies }: Forgery): Uint8Array {
  const { run } = (own.json as State).header;
  const other = json as State;
  return putTogether({ json: { ...other, header: { ...other.header, run } }, bodies });
}
