import { Command, Option } from "commander";
import type { ParsedBlock } from "../batch.ts";
import { type BlockParser, blockParser } from "../block-parser.ts";
import { countSentences, sentenceBlocks } from "../blocks.ts";
import type { ConstraintReader } from "../constraints.ts";
import { DataError, EXIT, UsageError } from "../errors.ts";
import { checkFiles, given, isSameFile } from "../file-plan.ts";
import { readBytes } from "../input.ts";
import { type FitWatch, fitWatch } from "../input-fit.ts";
import { checkInterrupt } from "../interruption.ts";
import { displayName, type Io } from "../io.ts";
import { type CommandFactory, integer, positive, required } from "../options.ts";
import { type Output, openOutput } from "../output.ts";
import { type ParseProgress, parseProgress } from "../parse-progress.ts";
import { printable } from "../printable.ts";
import { forceThreadsOption, type ThreadArguments, threadsToUse } from "../threads.ts";

interface ParseArguments extends ThreadArguments {
  readonly model: string;
  readonly output: string;
  readonly decoder?: string;
  readonly restarts?: number;
  readonly exact?: boolean;
  readonly global?: string;
  readonly seconds?: number;
  readonly strict?: boolean;
  readonly report?: boolean;
  readonly kbest?: number;
  readonly marginals?: boolean;
  readonly constraints?: string;
  readonly tagger?: string;
}

/** The built-in decoders, as help lists them: the parser need not be loaded for that. */
export const PARSING_DECODERS = [
  "mst",
  "eisner",
  "projective",
  "hillclimb",
  "ad3",
  "mbr",
  "mbr-projective",
] as const;

/** Sentences are read and handed out in blocks of about this many bytes. */
const BLOCK_SIZE = 2 ** 16;

/** `arcwise parse --model M [IN] [-o OUT] ...` */
export const parseCommand: CommandFactory = (io, done) =>
  required(parseOptions(), "--model <file>").action((input: string, options: ParseArguments) =>
    parse(io, done, input, options),
  );

function parseOptions(): Command {
  return new Command("parse")
    .description("parse sentences: replaces HEAD and DEPREL of a CoNLL-U file and keeps everything else")
    .argument("[input]", "the file to parse, CoNLL-U; with tags, unless there is a tagger", "-")
    .option("--model <file>", "the model file, as train writes it")
    .option("-o, --output <file>", "the file to write", "-")
    .option(
      "--threads <n>",
      "parse on n threads, at most one a core; the output is the same, in the same order",
      integer(1, 1024),
      1,
    )
    .addOption(forceThreadsOption())
    .addOption(
      new Option(
        "--decoder <name>",
        `how the best tree is found, instead of as in training: ${PARSING_DECODERS.join(", ")}, or a module`,
      ),
    )
    .option("--restarts <n>", "climbs a sentence with the decoder hillclimb", integer(1))
    .option("--exact", "with the decoder ad3, search on until each tree is proven to be the best")
    .option(
      "--seconds <n>",
      "time for that proof, a sentence; without it the tree may not be the best",
      positive,
    )
    .option("--strict", "refuse input that lacks tags, features or lemmas that the model was trained with")
    .addOption(
      new Option(
        "--report",
        "write score and bound of each sentence as comments; with the decoder ad3 also how it was found",
      ).conflicts("kbest"),
    )
    .option("--global <module>", "the module of features of whole trees that the model was trained with")
    .option("--tagger <file>", "tag the words first, with a tagger that tag train wrote")
    .option("--kbest <k>", "write the k best analyses of each sentence, best first", integer(1, 2 ** 20))
    .option("--marginals", "write the probability of each arc to MISC, as ArcP=0.9731")
    .option(
      "--constraints <file>",
      "the same sentences with HEAD, DEPREL or both given for some words, and _ elsewhere",
    )
    .addHelpText(
      "after",
      "\nThe analyses of --kbest are sentences of their own, with -k1, -k2 ... after their sent_id " +
        "and comments\n# kbest = 1/5 and # score = 12.3456. No tree scores more than the bound of a " +
        "--report.",
    );
}

async function parse(
  io: Io,
  done: (code: number) => void,
  input: string,
  options: ParseArguments,
): Promise<void> {
  const {
    model,
    decoder,
    restarts,
    exact,
    seconds,
    report,
    global,
    tagger,
    kbest: kBest,
    marginals = false,
    constraints,
    output: path,
  } = options;
  if (input === "-" && constraints === "-") {
    throw new UsageError("only one of the input and the constraints can be the standard input");
  }
  await checkFiles(io, {
    inputs: given({ "--model": model, "--global": global, "--tagger": tagger, "--constraints": constraints }),
    outputs: given({ "--output": path }),
  });
  const parser = await blockParser(
    { model, decoder, restarts, exact, seconds, global, tagger, kBest, marginals, report },
    { threads: threadsToUse(io, options, "parsing"), apart: io.responsive === true, signal: io.signal },
  );
  const shown = parseProgress(io, input, path);
  try {
    const output = await openOutput(io, path);
    try {
      const start = performance.now();
      const reader = constraints === undefined ? undefined : await openConstraints(io, constraints);
      const { line } = await shown;
      const fit = fitWatch(displayName(input), parser.columns, {
        tagged: tagger !== undefined,
        strict: options.strict === true,
        warn: (text) => line(`arcwise: ${printable(text)}`),
      });
      const parsing = { io, input, parser, output, constraints: reader, shown: await shown, fit };
      const total = await parseAll(parsing);
      if (total.lost > 0 && (await isSameFile(input, path))) {
        throw new DataError(
          `${path}: not replaced, since ${total.lost} of its sentences could not be parsed`,
        );
      }
      await output.close();
      const seconds = (performance.now() - start) / 1000;
      io.stderr.write(`${summary(total, seconds)}\n`);
      if (total.lost > 0) done(EXIT.incomplete);
    } catch (error) {
      (await shown).stop();
      await output.abandon();
      throw error;
    }
  } finally {
    await parser.close();
  }
}

async function openConstraints(io: Io, path: string): Promise<ConstraintReader> {
  const { constraintReader } = await import("../constraints.ts");
  return constraintReader(io, path);
}

function summary({ sentences, words, lost }: Total, seconds: number): string {
  const speed = Math.round(words / seconds);
  const all = `${sentences} sentences, ${words} words in ${seconds.toFixed(2)} s: ${speed} words per second`;
  return lost === 0 ? all : `${all}; ${lost} sentences could not be parsed and are left out`;
}

interface Total {
  readonly sentences: number;
  readonly words: number;
  /** Sentences that could not be parsed. */
  readonly lost: number;
}

interface Parsing {
  readonly io: Io;
  readonly input: string;
  readonly parser: BlockParser;
  readonly output: Output;
  readonly constraints: ConstraintReader | undefined;
  readonly shown: ParseProgress;
  readonly fit: FitWatch;
}

/** Parses a file block by block; blocks are written in the order of the input, whichever is done first. */
async function parseAll({ io, input, parser, output, constraints, shown, fit }: Parsing): Promise<Total> {
  const total = { sentences: 0, words: 0, lost: 0 };
  const under: { readonly bytes: number; readonly parsed: Promise<ParsedBlock> }[] = [];
  const writeFirst = async () => {
    const { bytes: size, parsed } = under.shift()!;
    const { bytes, sentences, words, lost, counts } = await parsed;
    fit.add(counts);
    total.sentences += sentences;
    total.words += words;
    for (const one of lost) {
      total.lost += one.count;
      shown.line(`arcwise: ${printable(`${one.place}: not parsed: ${one.reason}`)}`);
    }
    // All blocks but the last one are long enough to stand for the whole input.
    fit.check();
    await output.write(bytes);
    shown.add(size, total);
  };
  for await (const block of sentenceBlocks(readBytes(io, input), BLOCK_SIZE)) {
    checkInterrupt(io);
    const given = await constraints?.next(countSentences(block));
    const parsed = parser.parse({ ...block, file: displayName(input), constraints: given });
    // A failure is met when its turn comes, or not at all after an earlier one.
    parsed.catch(() => {});
    under.push({ bytes: block.bytes.length, parsed });
    if (under.length >= parser.capacity) await writeFirst();
  }
  while (under.length > 0) {
    checkInterrupt(io);
    await writeFirst();
  }
  await constraints?.finish();
  shown.stop();
  return total;
}
