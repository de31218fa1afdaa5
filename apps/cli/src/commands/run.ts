import type { PipelinePart } from "@arcwise/pipeline";
import { Command, Option } from "commander";
import { OUTPUT_FORMATS, type OutputFormat } from "../analysis/output-format.ts";
import { INPUT_FORMATS, type InputFormat } from "../analysis/text-source.ts";
import { EXIT } from "../errors.ts";
import { checkFiles, given } from "../file-plan.ts";
import type { Io } from "../io.ts";
import type { CommandFactory } from "../options.ts";
import { forceThreadsOption, type ThreadArguments, threadsOption, threadsToUse } from "../threads.ts";

interface RunArguments extends ThreadArguments {
  readonly output: string;
  readonly input: InputFormat;
  readonly lines?: boolean;
  readonly outputFormat: OutputFormat;
  readonly decoder?: string;
  readonly global?: string;
}

/** `arcwise run MODEL [IN] [-o OUT] ...` */
export const runCommand: CommandFactory = (io, done) =>
  new Command("run")
    .description("cut raw text into sentences and words, tag them, and parse them")
    .argument("<model>", "the model file, as train writes it")
    .argument("[input]", "the text", "-")
    .option("-o, --output <file>", "the file to write", "-")
    .addOption(
      new Option("--input <format>", "text; or words that are tagged and parsed: a word a line, CoNLL-U")
        .choices(INPUT_FORMATS)
        .default("text"),
    )
    .option("--lines", "each line of the text ends a sentence")
    .addOption(
      new Option("--output-format <format>", "CoNLL-U; or a line of JSON a sentence, as data of displaCy too")
        .choices(OUTPUT_FORMATS)
        .default("conllu"),
    )
    .option("--decoder <name>", "how the best tree is found, instead of as in training: see parse --help")
    .option("--global <module>", "the module of features of whole trees that the model was trained with")
    .addOption(threadsOption("tag and parse on n threads, at most one a core; the output is the same"))
    .addOption(forceThreadsOption())
    .action((model: string, input: string, options: RunArguments) =>
      runPipeline(io, done, model, input, options),
    );

async function runPipeline(
  io: Io,
  done: (code: number) => void,
  model: string,
  input: string,
  options: RunArguments,
): Promise<void> {
  const [{ sentenceSource }, { loadThreads }, { analyseSentences }, { partsOf }] = await Promise.all([
    import("../analysis/source.ts"),
    import("../analysis/load-threads.ts"),
    import("../analysis/analyse-sentences.ts"),
    import("../analysis/parts-of.ts"),
  ]);
  const { decoder, global, output, outputFormat: format, input: inputFormat, lines = false } = options;
  await checkFiles(io, {
    inputs: given({ "the model": model, "the input": input, "--global": global }),
    outputs: given({ "--output": output }),
  });
  const threads = threadsToUse(io, options, "parsing");
  const source = await sentenceSource(io, input, inputFormat, { model, lines });
  const parts: PipelinePart[] = ["tagger", "parser"];
  if ((await partsOf(model)).includes("graphs")) parts.push("graphs");
  const pipeline = await loadThreads(io, { model, parts, decoder, global }, threads, {});
  const fit = { tagged: true, option: "another model", strict: false };
  const code = await analyseSentences({ io, input, output, format, source, pipeline, settings: {}, fit });
  if (code !== EXIT.ok) done(code);
}
