import { enhance, sentenceId } from "@arcwise/conllu";
import { counted, hasCode } from "@arcwise/core/errors";
import { Command, Option } from "commander";
import { graphNote } from "../analysis/input-fit.ts";
import { checkLayout, formatOfOutput, layoutOption, pageTitle } from "../analysis/output-format.ts";
import type { DrawingOptions } from "../analysis/sentence-writer.ts";
import type { CommandFactory } from "../command/options.ts";
import { type AnnotatedSentence, countLosses, describeLosses, type Losses } from "../convert/annotated.ts";
import { fileNames, isFolder } from "../convert/file-names.ts";
import { readAnnotated } from "../convert/read.ts";
import { type ConvertWriter, convertWriter, WRITTEN_FORMATS, type WrittenFormat } from "../convert/write.ts";
import { DataError, UsageError } from "../errors.ts";
import { given, planFiles } from "../files/file-plan.ts";
import { writeFolder } from "../files/folder.ts";
import { TREEBANK_FORMATS, type TreebankFormat, withFormat } from "../files/input.ts";
import { hasColour, type Io, printLine } from "../files/io.ts";
import { writeWith } from "../files/output.ts";
import { inSource, type ReadSentence, sentencesBy } from "../files/sentences.ts";

interface ConvertArguments {
  readonly from?: TreebankFormat | undefined;
  readonly to?: WrittenFormat | undefined;
  readonly deps?: "enhance" | undefined;
  readonly layout?: DrawingOptions["layout"];
  readonly output: string;
}

const AFTER_HELP = `
conllu, conllx, conll2009, sdp (2014 and 2015 are read, 2015 is written) are
tables of words; json is a list of sentences, jsonl a line for each; brackets a
projective tree per line: (root (nsubj Dogs/NOUN) bark/VERB). The others are
written only: the raw text, trees in characters, drawings (tikz: for
tikz-dependency of LaTeX), the data of displaCy. A warning counts what the
format of the output cannot hold, unless it is a drawing.`;

/** `arcwise convert [--from F] [--to F] [INPUT...] [-o OUT]` */
export const convertCommand: CommandFactory = (io) =>
  new Command("convert")
    .description("convert treebanks from one format to another")
    .argument("[inputs...]", "the files to convert; the standard input by default")
    .addOption(
      new Option("--from <format>", "the format of the inputs; by default their content decides").choices(
        TREEBANK_FORMATS,
      ),
    )
    .addOption(
      new Option("--to <format>", "the format of the output; by default as its name ends").choices(
        WRITTEN_FORMATS,
      ),
    )
    .addOption(
      new Option(
        "--deps <how>",
        "enhance: replace DEPS and empty nodes by what follows from the trees by rules of English",
      ).choices(["enhance"]),
    )
    .addOption(layoutOption())
    .option(
      "-o, --output <file>",
      "the output; in a folder, which ends with a slash, a file per sentence",
      "-",
    )
    .addHelpText("after", AFTER_HELP)
    .action((inputs: string[], options: ConvertArguments) =>
      convert(io, inputs.length === 0 ? ["-"] : inputs, options),
    );

async function convert(io: Io, inputs: readonly string[], options: ConvertArguments): Promise<void> {
  const { output: path, layout, deps } = options;
  const to = writtenFormat(options);
  checkLayout(layout, to);
  const enhancer = deps && (await openEnhancer());
  const job = { inputs, to, path, from: options.from, enhanced: enhancer?.enhanced, losses: new Map() };
  const drawing = { layout, hasColour: hasColour(io, path) };
  if (path !== "-" && (await isFolder(path))) await convertToFolder(io, job, drawing);
  else await convertToFile(io, job, { ...drawing, title: pageTitle(inputs) });
  const { losses } = job;
  if (losses.size > 0) printLine(io, `arcwise: warning: ${to} cannot hold: ${describeLosses(losses)}`);
  const note = enhancer && graphNote(enhancer.counts, deps);
  if (note !== undefined) printLine(io, `arcwise: ${note}`);
}

interface Conversion {
  readonly inputs: readonly string[];
  readonly from: TreebankFormat | undefined;
  readonly to: WrittenFormat;
  /** The output. */
  readonly path: string;
  /** Returns a sentence with other DEPS. */
  readonly enhanced: ((sentence: AnnotatedSentence) => AnnotatedSentence) | undefined;
  readonly losses: Losses;
}

/** Returns a function that makes DEPS from trees, and counts the graphs that it replaces. */
async function openEnhancer() {
  const { countReplacedGraph, noInput } = await import("@arcwise/pipeline");
  const counts = noInput();
  const enhanced = (sentence: AnnotatedSentence): AnnotatedSentence => {
    countReplacedGraph(counts, sentence, true);
    return { ...sentence, ...enhance(sentence) };
  };
  return { counts, enhanced };
}

async function convertToFile(io: Io, job: Conversion, drawing: DrawingOptions): Promise<void> {
  // New DEPS leave everything else as it is.
  const isReplaceable = job.enhanced !== undefined && job.to === "conllu" && job.inputs.length === 1;
  const inputs = given({ "the input": job.inputs }).map((file) => ({ ...file, isReplaceable }));
  const planned = await planFiles(io, { inputs, outputs: { "--output": job.path } });
  const writer = await convertWriter(job.to, drawing);
  await writeWith(io, planned["--output"], async (output) => {
    if (writer.start !== undefined) await output.write(writer.start);
    for await (const read of readInputs(io, job)) await output.write(textOf(writer, read, job));
    if (writer.end !== undefined) await output.write(writer.end());
  });
}

/** Writes a file per sentence. */
async function convertToFolder(io: Io, job: Conversion, drawing: DrawingOptions): Promise<void> {
  const nameFor = fileNames(job.to);
  const files = async function* () {
    for await (const read of readInputs(io, job)) {
      const id = sentenceId(read.sentence);
      const writer = await convertWriter(job.to, { ...drawing, title: id });
      const text = textOf(writer, read, job);
      yield { name: nameFor(id), content: `${writer.start ?? ""}${text}${writer.end?.() ?? ""}` };
    }
  };
  const count = await writeFolder(
    io,
    { inputs: given({ "the input": job.inputs }), folder: job.path },
    files(),
  );
  printLine(io, `wrote ${counted(count, "file")} into ${job.path}`);
}

function readInputs(
  io: Io,
  { inputs, from, enhanced }: Conversion,
): AsyncGenerator<ReadSentence<AnnotatedSentence>> {
  return sentencesBy(io, inputs, async function* read(bytes, { file }) {
    for await (const sentence of readAnnotated(await withFormat(bytes, from), file))
      yield enhanced === undefined ? sentence : inSentence(file, sentence, () => enhanced(sentence));
  });
}

/** Returns the text of a sentence, and counts what the format cannot hold. */
function textOf(
  writer: ConvertWriter,
  { file, sentence }: ReadSentence<AnnotatedSentence>,
  { losses }: Conversion,
): string {
  const { text, held } = inSentence(file, sentence, () => writer.sentence(sentence, file));
  countLosses(sentence, held, losses);
  return text;
}

/** Returns the format of the output; CoNLL-U by default for new DEPS. */
function writtenFormat({ output, to, deps }: ConvertArguments): WrittenFormat {
  const format = formatOfOutput({ output, given: to, formats: WRITTEN_FORMATS, option: "--to" });
  if (format !== undefined) return format;
  if (deps !== undefined) return "conllu";
  throw new UsageError(
    `expected --to FORMAT (${WRITTEN_FORMATS.join(", ")}), or a name of the output that says it`,
  );
}

/** @throws DataError, ConlluError with the place of the sentence */
function inSentence<T>(file: string, { place, line, comments }: AnnotatedSentence, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!hasCode(error, "invalid-argument")) throw inSource(error, file, place);
    const at = place ?? line + comments.length;
    throw new DataError(`${file}:${at}: ${error.message}`, { cause: error, file, line: at });
  }
}
