import {
  type CommandFactory,
  type Io,
  type OutputOptions,
  Run,
  status,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import { dataFolder } from "@arcwise/bench/data";
import { integer } from "@arcwise/cli/command";
import { Command, Option } from "commander";
import { trainedSequences } from "../contestants.ts";
import type { SequenceData } from "../sequences/data.ts";
import { runSubject, SEQUENCE_TASKS, type SequenceResult } from "../sequences/experiments.ts";
import { sequenceSections } from "../sequences/sequence-sections.ts";

interface SequencesArguments extends OutputOptions {
  readonly task?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly data?: string | undefined;
  readonly epochs?: number | undefined;
  readonly seed: number;
}

/** `arcwise-bench sequences ...`: accuracy and speed of taggers, chunkers and named-entity recognisers. */
export const sequencesCommand: CommandFactory = (io) =>
  withOutputs(
    withQuick(new Command("sequences"), { task: ["chunking"], model: "averaged perceptron", epochs: 1 })
      .description("train sequence models, choose epochs on held-out data, measure on test data")
      .addOption(
        new Option("--task <name...>", "tasks; all unless said otherwise").choices(
          SEQUENCE_TASKS.map(({ name }) => name),
        ),
      )
      .option("--model <text>", "only models whose name has this text in it")
      .option("--data <dir>", "the folder with sequence/ and treebanks/ (ARCWISE_DATA, or ../shared)")
      .option("--epochs <n>", "most passes over the training data, instead of each model's own", integer(1))
      .option("--seed <n>", "random seed of the order of sentences and of the split of Brown", integer(0), 1),
  ).action((options: SequencesArguments) => sequences(io, options));

async function sequences(io: Io, options: SequencesArguments): Promise<void> {
  const { seed, epochs, data: folder = dataFolder(io.env), model: wanted = "" } = options;
  const tasks = SEQUENCE_TASKS.filter(
    ({ name }) => options.task === undefined || options.task.includes(name),
  );
  const run = new Run(io, options, folder);
  const results: SequenceResult[] = [];
  for (const task of tasks) {
    const subjects = task.subjects.filter(({ model }) => model.includes(wanted));
    let data: SequenceData | undefined;
    for (const subject of subjects) {
      const measure = (): Promise<SequenceResult> => {
        if (data === undefined) status(io, `reading ${task.title}`);
        data ??= task.data(folder, seed);
        return runSubject(task, data, subject, { seed, epochs, onEpoch: (line) => status(io, line) });
      };
      results.push(await run.once(`${task.name}: ${subject.model}`, measure));
    }
  }
  await run.publish({
    title: "Sequence labelling",
    sections: sequenceSections(tasks, results),
    seed,
    results: { sequences: results },
    contestants: trainedSequences(tasks, results),
  });
}
