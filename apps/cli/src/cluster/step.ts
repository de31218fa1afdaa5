import type { ChunkFormat, ChunkInput, EvaluationInput } from "@arcwise/cluster";
import { counted } from "@arcwise/core/errors";
import { type Place, share } from "@arcwise/jobs";
import { Command, Option } from "commander";
import { graphNote } from "../analysis/input-fit.ts";
import { type CommandFactory, required, type StoreArguments, withStoreOptions } from "../command/options.ts";
import { DataError } from "../errors.ts";
import { given, planFiles } from "../files/file-plan.ts";
import { fileBytes } from "../files/input.ts";
import { type Io, printLine } from "../files/io.ts";
import { jsonText, printOutput, writeOutput } from "../files/output.ts";
import { loadCluster } from "../modules/packages.ts";
import { openPlace } from "./places.ts";

interface JobCommand {
  readonly help: string;
  /** All are required. */
  readonly options: readonly Option[];
  run(io: Io, place: Place, flags: Readonly<Record<string, string>>): Promise<void>;
}

const MODEL = new Option("--model <file>", "a model file");

/** The jobs that a command does with files. */
const JOBS: Readonly<Record<string, JobCommand>> = {
  "parse-chunk": {
    help: "parse a file",
    options: [
      MODEL,
      new Option("--chunk <file>", "a file"),
      new Option(
        "--format <format>",
        "of the file; lines, no-lines: text of which each line ends a sentence, or none does",
      ).choices(["conllu", "text", "lines", "no-lines"]),
      new Option("--tags <which>", "tags of CoNLL-U").choices(["given", "predicted"]),
    ],
    async run(io, place, { model, chunk, format, tags, output = "-" }) {
      const inputs = given({ "--model": model, "--chunk": chunk });
      const planned = await planFiles(io, { inputs, outputs: { "--output": output } });
      const { parseChunk } = await loadCluster();
      const { text, error, failed, counts, facts } = await place.do(
        parseChunk,
        {
          model: share<Uint8Array>(await fileBytes(model!)),
          chunk: await textOf(chunk!),
          format: format as ChunkFormat,
          tags: tags as ChunkInput["tags"],
        },
        { signal: io.signal },
      );
      if (error !== undefined) throw new DataError(`${chunk}: ${error}`);
      if (failed > 0) printLine(io, `${counted(failed, "sentence")} could not be parsed`);
      const note = graphNote(counts, tags === "given" ? "drop" : undefined, facts?.graphs);
      if (note !== undefined) printLine(io, `arcwise: ${note}`);
      await writeOutput(io, planned["--output"], text);
    },
  },
  evaluate: {
    help: "parse a treebank, and print the metrics of the CoNLL 2018 shared task as JSON",
    options: [
      MODEL,
      new Option("--gold <file>", "a treebank"),
      new Option("--from <input>", "the input given to the model, of the treebank").choices([
        "text",
        "words",
        "tagged",
      ]),
    ],
    async run(io, place, { model, gold, from }) {
      const { evaluateModel } = await loadCluster();
      const evaluation = await place.do(
        evaluateModel,
        {
          model: share<Uint8Array>(await fileBytes(model!)),
          gold: await textOf(gold!),
          from: from as EvaluationInput,
        },
        { signal: io.signal },
      );
      await printOutput(io, jsonText(evaluation));
    },
  },
};

async function textOf(path: string) {
  return share({ text: (await fileBytes(path)).toString("utf8") });
}

/** `arcwise step NAME --store FOLDER ...` */
export const stepCommand: CommandFactory = (io) => {
  const command = new Command("step").description(
    "do one job with files, as a scheduler does, unless its output is in the store",
  );
  for (const [name, { help, options, run }] of Object.entries(JOBS)) {
    const made = withStoreOptions(new Command(name).description(help));
    for (const option of options) made.addOption(option);
    if (name === "parse-chunk") made.option("-o, --output <file>", "the file to write (the standard output)");
    command.addCommand(
      required(made, ...options.map(({ flags }) => flags)).action(async (flags: StoreArguments) => {
        const place = await openPlace(io, { ...flags, queue: undefined }, 1);
        try {
          await run(io, place, flags as Readonly<Record<string, string>>);
        } finally {
          await place.close();
        }
      }),
    );
  }
  return command;
};
