import { Command, Option } from "commander";
import { EXIT } from "../errors.ts";
import { checkFiles, given } from "../file-plan.ts";
import type { Io } from "../io.ts";
import type { CommandFactory } from "../options.ts";
import { OUTPUT_FORMATS, type OutputFormat } from "../output-format.ts";
import { INPUT_FORMATS, type InputFormat } from "../text-source.ts";
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
      runPipeline(io, done, { model, input, options }),
    );

interface Run {
  readonly model: string;
  readonly input: string;
  readonly options: RunArguments;
}

async function runPipeline(
  io: Io,
  done: (code: number) => void,
  { model, input, options }: Run,
): Promise<void> {
  const [{ blockParser }, { parseFile }, { inputSource }] = await Promise.all([
    import("../block-parser.ts"),
    import("../parse-file.ts"),
    import("../input-source.ts"),
  ]);
  const { decoder, global, output } = options;
  await checkFiles(io, {
    inputs: given({ "the model": model, "the input": input, "--global": global }),
    outputs: given({ "--output": output }),
  });
  const source = await inputSource(io, input, options.input, { model, lines: options.lines === true });
  const parser = await blockParser(
    { model, decoder, global, tagger: model, marginals: false },
    { threads: threadsToUse(io, options, "parsing"), apart: io.responsive === true, signal: io.signal },
  );
  const code = await parseFile({
    io,
    input,
    output,
    parser,
    source,
    format: options.outputFormat,
    fit: { tagged: true, option: "another model", strict: false },
    companion: undefined,
  });
  if (code !== EXIT.ok) done(code);
}
