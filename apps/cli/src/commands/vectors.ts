import { lexiconVectors, type WordVectors } from "@arcwise/parser";
import { Command, Option } from "commander";
import { type CommandFactory, integer, required, type ShortHelp, withShortHelp } from "../command/options.ts";
import { UsageError } from "../errors.ts";
import { given, planFiles } from "../files/file-plan.ts";
import { displayName, type Io } from "../files/io.ts";
import { type Output, writeWith } from "../files/output.ts";
import { trainingDisplay } from "../training/training-display.ts";
import { linesOf } from "../training/vectors.ts";

interface VectorArguments {
  readonly lexicon: string;
  readonly out: string;
  readonly minCount: number;
}

/** `arcwise vectors --lexicon FILE --out FILE` */
export const vectorsCommand: CommandFactory = (io) => {
  const command = new Command("vectors")
    .description("make vectors of words from a lexicon, for train --vectors")
    .option(
      "--lexicon <file>",
      "a lexicon in the format of UniMorph: a vector says which attributes a word has",
    )
    .option("--out <file>", "the file to write, in the text format of word2vec")
    .option("--min-count <n>", "leave out attributes of fewer words", integer(1), 5)
    .addOption(new Option("--text <file...>").hideHelp().argParser(refuseText));
  withShortHelp(command, SHORT_HELP);
  return required(command, "--lexicon <file>", "--out <file>").action((options: VectorArguments) =>
    vectorsOfLexicon(io, options),
  );
};

const SHORT_HELP: ShortHelp = {
  options: {
    "--lexicon": "a lexicon in the format of UniMorph (required)",
    "--out": "the file to write, for train --vectors (required)",
  },
  examples: [["arcwise vectors --lexicon fra.tsv --out words.vec", ""]],
};

function refuseText(): never {
  throw new UsageError(
    "vectors --text learned vectors until version 0.3: learn them with fastText or word2vec, and give their file to " +
      "train --vectors",
  );
}

async function vectorsOfLexicon(io: Io, { lexicon, out, minCount }: VectorArguments): Promise<void> {
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
