import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { joinPieces } from "@arcwise/core/container";
import type { Checkpoint } from "@arcwise/core/training";
import { saveGraphParser, trainGraphParser } from "@arcwise/graph-parser";
import { saveParser, type TrainOptions, trainParser } from "@arcwise/parser";
import fc from "fast-check";
import { type Area, Fault, type Outcome, refusalOf } from "./area.ts";
import { putTogether, takeApart } from "./container.ts";
import { type ContainerEdits, containerEdits, editContainer } from "./container-edits.ts";
import { checkCommand, runHere } from "./programs.ts";
import { GRAPH_EXAMPLES, sampleText, shortExamples } from "./samples.ts";

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

/** A training that can be resumed, and a sound state of its checkpoint. */
interface Training {
  readonly file: Uint8Array;
  resume(state: Uint8Array): Promise<unknown>;
}

async function trees(name: string): Promise<Training> {
  const options = { preset: "linear", epochs: EPOCHS, prune: false, ...TRAININGS[name] } as const;
  const examples = shortExamples();
  return trainingOf(0, async (checkpoint) =>
    saveParser(await trainParser(examples, { ...options, checkpoint })),
  );
}

async function graphs(): Promise<Training> {
  const options = { preset: "linear", epochs: EPOCHS, network: { units: 4, epochs: 2 } } as const;
  return trainingOf(-1, async (checkpoint) =>
    saveGraphParser(await trainGraphParser(GRAPH_EXAMPLES, { ...options, checkpoint })),
  );
}

/** Runs a training. @param which the index of the state that is changed, in the order of writing; -1: the last one */
async function trainingOf(
  which: number,
  train: (checkpoint: Checkpoint) => Promise<Uint8Array>,
): Promise<Training> {
  const writes: (readonly [name: string, state: Uint8Array])[] = [];
  const checkpoint = (states: ReadonlyMap<string, Uint8Array>): Checkpoint => ({
    read: async (name) => states.get(name),
    write: async (name, state) => void writes.push([name, joinPieces(state)]),
  });
  await train(checkpoint(new Map()));
  const before = writes.slice(0, which === -1 ? undefined : which + 1);
  const [name, file] = before.at(-1)!;
  return { file, resume: (state) => train(checkpoint(new Map([...before, [name, state]]))) };
}

/** A training, and the changed state that it resumes from; the state may be of another training. */
interface CheckpointInput {
  readonly training: string;
  readonly state: ContainerEdits | { readonly of: string };
}

/** The training of the command. */
const COMMAND = "command";

/** Returns the area with some of the trainings; of all of them, the command is one. */
export function checkpointsOf(names: readonly string[]): Area<CheckpointInput> {
  return {
    name: "checkpoints",
    description: "trainings resumed from changed checkpoints, and from checkpoints of other learners",
    share: 2,
    prepare: async ({ folder }) => {
      const trainings = new Map<string, Training>();
      for (const name of names) trainings.set(name, await (name === "graph" ? graphs() : trees(name)));
      const command = await commandTraining(folder);
      const inputs = names.map((name) =>
        fc.record({
          training: fc.constant(name),
          state: fc.oneof(
            { weight: 3, arbitrary: containerEdits(trainings.get(name)!.file) },
            fc.record({ of: fc.constantFrom(...names) }),
          ),
        }),
      );
      const commands = containerEdits(command.file).map((state) => ({ training: COMMAND, state }));
      return {
        inputs: fc.oneof({ weight: 14, arbitrary: fc.oneof(...inputs) }, commands),
        async try({ training: name, state }) {
          const training = name === COMMAND ? command : trainings.get(name)!;
          const bytes =
            "of" in state
              ? stateOf(training.file, trainings.get(state.of)!.file)
              : editContainer(training.file, state);
          if (name === COMMAND) return command.resume(bytes);
          try {
            await training.resume(bytes);
            return "survived";
          } catch (error) {
            return refusalOf(["ModelError"], bytes, error);
          }
        },
      };
    },
  };
}

/** Resumes trainings from damaged checkpoints, and from checkpoints of other trainings. */
export const checkpoints: Area<CheckpointInput> = checkpointsOf([...Object.keys(TRAININGS), "graph"]);

interface State {
  readonly header: { readonly run: unknown };
}

/** Returns a checkpoint of a training with the state of another one. */
function stateOf(training: Uint8Array, other: Uint8Array): Uint8Array {
  const { run } = (takeApart(training).json as State).header;
  const { json, bodies } = takeApart(other);
  const { header } = json as State;
  return putTogether({ json: { ...(json as State), header: { ...header, run } }, bodies });
}

/** Returns the training of the command, stopped after its first epoch. */
async function commandTraining(own: string) {
  const [train, model] = [join(own, "train.conllu"), join(own, "model")];
  writeFileSync(train, sampleText(3));
  const settings = JSON.stringify({ preset: "linear", parser: { epochs: EPOCHS, prune: false } });
  const argv = ["train", "--for", "tagged", "--verbose", "--train", train, "--model", model];
  const controller = new AbortController();
  const stopped = await runHere([...argv, "--settings", settings], {
    signal: controller.signal,
    // The state after the first epoch is saved before the second one ends.
    onMessage: (message) => void (message.includes("weights 1/") && controller.abort()),
  });
  const folder = `${model}.checkpoint`;
  const checkpoint = join(folder, "weights.state");
  if (!existsSync(checkpoint)) throw new Error(`expected a checkpoint, found none: ${stopped.err}`);
  return {
    file: new Uint8Array(readFileSync(checkpoint)),
    async resume(bytes: Uint8Array): Promise<Outcome> {
      mkdirSync(folder, { recursive: true });
      writeFileSync(checkpoint, bytes);
      const line = [...argv, "--settings", settings, "--resume"];
      const result = await runHere(line);
      checkCommand(line, result, bytes);
      if ((result.code === 0) !== existsSync(model)) throw new Fault(`ended with ${result.code}`, bytes);
      for (const path of [model, folder]) rmSync(path, { recursive: true, force: true });
      return result.code === 0 ? "survived" : "refused";
    },
  };
}
