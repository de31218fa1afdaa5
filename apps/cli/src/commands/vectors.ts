import { trainWordVectors } from "@arcwise/neural";
import { lexiconVectors, type WordVectors } from "@arcwise/parser";
import { modelFile } from "@arcwise/pipeline/node";
import { Command, Option } from "commander";
import { type Cutting, textWords } from "../analysis/text-words.ts";
import { DataError, Interrupted, UsageError } from "../command/errors.ts";
import { type CommandFactory, integer, required } from "../command/options.ts";
import { type ShortHelp, withShortHelp } from "../command/short-help.ts";
import { given, planFiles } from "../files/file-plan.ts";
import { displayName, type Io } from "../files/io.ts";
import { type Output, writeWith } from "../files/output.ts";
import { trainingDisplay, verboseOption } from "../training/training-display.ts";
import { seedOption } from "../training/training-options.ts";
import { linesOf } from "../training/vectors.ts";

interface VectorArguments {
  readonly verbose?: boolean | undefined;
  readonly text?: readonly string[] | undefined;
  readonly lexicon?: string | undefined;
  readonly out: string;
  readonly model?: string | undefined;
  readonly spaces?: boolean | undefined;
  readonly objective: "skip-gram" | "cbow";
  readonly dimension: number;
  readonly window: number;
  readonly epochs: number;
  readonly minCount: number;
  readonly ngrams: boolean;
  readonly seed: number;
}

/** `arcwise vectors --text FILE... --out FILE ...`, `arcwise vectors --lexicon FILE --out FILE` */
export const vectorsCommand: CommandFactory = (io) => {
  const command = new Command("vectors")
    .description("learn vectors of words from raw text, or take them from a lexicon, for train --vectors")
    .option("--text <file...>", "texts in UTF-8, whose lines are sentences or paragraphs")
    .addOption(
      new Option(
        "--lexicon <file>",
        "a lexicon in the format of UniMorph: a vector says which attributes a word has",
      ).conflicts(["text", ...OF_TEXT]),
    )
    .option("--out <file>", "the file to write, in the text format of word2vec")
    .addOption(
      new Option("--model <file>", "cut the text by the tokeniser of a model of train --for text").conflicts(
        "spaces",
      ),
    )
    .option("--spaces", "words are those between spaces")
    .addOption(
      new Option("--objective <name>", "a word predicts its context (skip-gram), or the other way round")
        .choices(["skip-gram", "cbow"])
        .default("skip-gram"),
    )
    .option("--dimension <n>", "entries per vector", integer(1, 4096), 100)
    .option("--window <n>", "words of a context on either side", integer(1, 1000), 5)
    .option("--epochs <n>", "training epochs", integer(1), 5)
    .option(
      "--min-count <n>",
      "leave out words that occur fewer times, attributes of fewer words",
      integer(1),
      5,
    )
    .option("--no-ngrams", "vectors of whole words, without vectors of their character n-grams")
    .addOption(seedOption("random seed: the same text, options and seed give the same file"))
    .addOption(verboseOption());
  withShortHelp(command, SHORT_HELP);
  return required(command, "--out <file>").action((options: VectorArguments) => {
    const { text, lexicon } = options;
    if (lexicon !== undefined) return vectorsOfLexicon(io, lexicon, options);
    if (text === undefined) throw new UsageError("vectors requires --text FILE or --lexicon FILE");
    return vectorsOfText(io, text, options);
  });
};

const SHORT_HELP: ShortHelp = {
  options: {
    "--text": "texts in UTF-8, whose lines are sentences or paragraphs",
    "--lexicon": "a lexicon in the format of UniMorph, instead of texts",
    "--out": "the file to write, for train --vectors (required)",
    "--model": "cut the text into words as this model does",
    "--dimension": "entries per vector (100)",
    "--epochs": "training epochs (5)",
  },
  examples: [
    ["arcwise vectors --text corpus.txt --out words.vec", ""],
    ["arcwise vectors --text corpus.txt --model english --out words.vec", ""],
    ["arcwise vectors --lexicon fra.tsv --out words.vec", ""],
  ],
};

/** Options that are for texts alone. */
const OF_TEXT = ["model", "spaces", "objective", "dimension", "window", "epochs", "ngrams", "seed"];

async function vectorsOfLexicon(
  io: Io,
  lexicon: string,
  { out, minCount }: Pick<VectorArguments, "out" | "minCount">,
): Promise<void> {
  const files = { inputs: given({ "--lexicon": lexicon }), outputs: { "--out": out } };
  const planned = await planFiles(io, files);
  const source = displayName(lexicon);
  let table: WordVectors | undefined;
  await writeWith(io, planned["--out"], async (output) => {
    table = await lexiconVectors(linesOf(io, lexicon), { source, minimumCount: minCount });
    await writeVectors(output, table);
  });
  trainingDisplay(io).line(`wrote vectors of ${table!.words.length} words: ${table!.dimension} attributes`);
}

async function vectorsOfText(io: Io, text: readonly string[], options: VectorArguments): Promise<void> {
  const { out, spaces, dimension, window, epochs, minCount, objective, seed } = options;
  const model = options.model === undefined ? undefined : await modelFile(options.model);
  const texts = text.map((path, k): [string, string] => [`--text ${k + 1}`, path]);
  const planned = await planFiles(io, {
    inputs: given({ "--model": model, ...Object.fromEntries(texts) }),
    outputs: { "--out": out },
  });
  const cutting: Cutting = model === undefined ? { words: spaces === true ? "spaces" : "rule" } : { model };
  const shown = trainingDisplay(io, options);
  const start = performance.now();
  let count = 0;
  let written = "";
  const counted = async function* (): AsyncGenerator<readonly string[]> {
    for await (const words of textWords(io, text, cutting)) {
      count += words.length;
      yield words;
    }
  };
  try {
    await writeWith(io, planned["--out"], async (output) => {
      const table = await trainWordVectors(counted(), {
        ...{ objective, dimension, window, epochs, minimumCount: minCount, seed },
        ngrams: !options.ngrams ? (false as const) : undefined,
        signal: io.signal,
        onProgress: (at) => shown.show(at),
      });
      const seconds = (performance.now() - start) / 1000;
      await writeVectors(output, table);
      written =
        `wrote ${table.words.length} vectors after ${seconds.toFixed(1)} s: ` +
        `${Math.round((count * epochs) / seconds)} words per second and epoch`;
    });
    shown.line(written);
  } catch (error) {
    if (io.signal.aborted) throw new Interrupted("stopped: nothing is kept");
    if (error instanceof RangeError)
      throw new DataError(`${text.join(", ")}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    shown.stop();
  }
}

/** Lines that are written at a time. */
const LINES = 1000;

/** Writes a line with the numbers of words and of dimensions, then a line a word. */
async function writeVectors(output: Output, { dimension, words, values }: WordVectors): Promise<void> {
  let text = `${words.length} ${dimension}\n`;
  for (const [w, word] of words.entries()) {
    const vector = values.subarray(w * dimension, (w + 1) * dimension);
    text += `${word} ${Array.from(vector, (value) => +value.toPrecision(5)).join(" ")}\n`;
    if (w % LINES !== LINES - 1) continue;
    await output.write(text);
    text = "";
  }
  await output.write(text);
}
