import { DECODER_NAMES } from "@arcwise/parser";
import { Command, Option } from "commander";
import type { ParsedBlock } from "../batch.ts";
import { countSentences, sentenceBlocks } from "../blocks.ts";
import { type ConstraintReader, constraintReader } from "../constraints.ts";
import { UsageError } from "../errors.ts";
import { checkFiles, given } from "../file-plan.ts";
import { readBytes } from "../input.ts";
import { displayName, type Io } from "../io.ts";
import { type CommandFactory, integer, required } from "../options.ts";
import { type Output, openOutput } from "../output.ts";
import { type BlockParser, blockParser } from "../pool.ts";
import { checkInterrupt } from "../sentences.ts";

interface ParseArguments {
  readonly model: string;
  readonly output: string;
  readonly threads: number;
  readonly decoder?: string;
  readonly restarts?: number;
  readonly exact?: boolean;
  readonly report?: boolean;
  readonly kbest?: number;
  readonly marginals?: boolean;
  readonly constraints?: string;
  readonly tagger?: string;
}

/** Sentences are read and handed out in blocks of about this many bytes. */
const BLOCK_SIZE = 2 ** 16;

/** `arcwise parse --model M [IN] [-o OUT] ...` */
export const parseCommand: CommandFactory = (io) =>
  required(parseOptions(), "--model <file>").action((input: string, options: ParseArguments) =>
    parse(io, input, options),
  );

function parseOptions(): Command {
  return new Command("parse")
    .description("parse sentences: replaces HEAD and DEPREL of a CoNLL-U file and keeps everything else")
    .argument("[input]", "the file to parse, CoNLL-U; with tags, unless there is a tagger", "-")
    .option("--model <file>", "the model file, as train writes it")
    .option("-o, --output <file>", "the file to write", "-")
    .option(
      "--threads <n>",
      "parse on n threads; the output is the same, in the same order",
      integer(1, 1024),
      1,
    )
    .addOption(
      new Option("--decoder <name>", "how the best tree is found, instead of as in training").choices(
        DECODER_NAMES,
      ),
    )
    .option("--restarts <n>", "climbs a sentence with the decoder hillclimb", integer(1))
    .option("--exact", "with the decoder ad3, search on until each tree is proven to be the best")
    .addOption(
      new Option(
        "--report",
        "write score and bound of each sentence as comments; with the decoder ad3 also how it was found",
      ).conflicts("kbest"),
    )
    .option("--tagger <file>", "tag the words first, with a tagger that tag train wrote")
    .option("--kbest <k>", "write the k best analyses of each sentence, best first", integer(1, 2 ** 20))
    .option("--marginals", "write the probability of each arc to MISC, as ArcP=0.9731")
    .option(
      "--constraints <file>",
      "the same sentences with HEAD, DEPREL or both given for some words, and _ elsewhere",
    )
    .addHelpText(
      "after",
      "\nThe analyses of --kbest are sentences of their own, with -k1, -k2 ... after their sent_id and comments\n" +
        "# kbest = 1/5 and # score = 12.3456. No tree scores more than the bound of a --report.",
    );
}

async function parse(io: Io, input: string, options: ParseArguments): Promise<void> {
  const {
    model,
    decoder,
    restarts,
    exact,
    report,
    tagger,
    kbest: kBest,
    marginals = false,
    constraints,
    output: path,
    threads,
  } = options;
  if (input === "-" && constraints === "-") {
    throw new UsageError("only one of the input and the constraints can be the standard input");
  }
  await checkFiles(io, {
    inputs: given({ "--model": model, "--tagger": tagger, "--constraints": constraints }),
    outputs: given({ "--output": path }),
  });
  const parser = await blockParser(
    { model, decoder, restarts, exact, tagger, kBest, marginals, report },
    threads,
  );
  try {
    const output = await openOutput(io, path);
    try {
      const start = performance.now();
      const reader = constraints === undefined ? undefined : constraintReader(io, constraints);
      const { sentences, words } = await parseAll(io, input, parser, output, reader);
      await output.close();
      const seconds = (performance.now() - start) / 1000;
      const speed = Math.round(words / seconds);
      io.stderr.write(
        `${sentences} sentences, ${words} words in ${seconds.toFixed(2)} s: ${speed} words per second\n`,
      );
    } catch (error) {
      await output.abandon();
      throw error;
    }
  } finally {
    await parser.close();
  }
}

/** Parses a file block by block; blocks are written in the order of the input, whichever is done first. */
async function parseAll(
  io: Io,
  input: string,
  parser: BlockParser,
  output: Output,
  constraints: ConstraintReader | undefined,
): Promise<{ sentences: number; words: number }> {
  const total = { sentences: 0, words: 0 };
  const under: Promise<ParsedBlock>[] = [];
  const writeFirst = async () => {
    const { bytes, sentences, words } = await under.shift()!;
    total.sentences += sentences;
    total.words += words;
    await output.write(bytes);
  };
  for await (const block of sentenceBlocks(readBytes(io, input), BLOCK_SIZE)) {
    checkInterrupt(io);
    const given = await constraints?.next(countSentences(block));
    const parsed = parser.parse({ ...block, file: displayName(input), constraints: given });
    // A failure is met when its turn comes, or not at all after an earlier one.
    parsed.catch(() => {});
    under.push(parsed);
    if (under.length >= parser.capacity) await writeFirst();
  }
  while (under.length > 0) {
    checkInterrupt(io);
    await writeFirst();
  }
  await constraints?.finish();
  return total;
}
