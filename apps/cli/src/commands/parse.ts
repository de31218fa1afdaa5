import { Command } from "commander";
import type { ParsedBlock } from "../batch.ts";
import { sentenceBlocks } from "../blocks.ts";
import { displayName, type Io, type Output, openOutput, readBytes } from "../io.ts";
import { type CommandFactory, integer } from "../options.ts";
import { type BlockParser, blockParser } from "../pool.ts";
import { checkInterrupt } from "../sentences.ts";

interface ParseArguments {
  readonly model: string;
  readonly output: string;
  readonly threads: number;
}

/** Sentences are read and handed out in blocks of about this many bytes. */
const BLOCK_SIZE = 2 ** 16;

/** `arcwise parse --model M [IN] [-o OUT] [--threads N]` */
export const parseCommand: CommandFactory = (io) =>
  new Command("parse")
    .description("parse sentences: replaces HEAD and DEPREL of a CoNLL-U file and keeps everything else")
    .argument("[input]", "the file to parse, CoNLL-U with tags", "-")
    .requiredOption("--model <file>", "the model file, as train writes it")
    .option("-o, --output <file>", "the file to write", "-")
    .option(
      "--threads <n>",
      "parse on n threads; the output is the same, in the same order",
      integer(1, 1024),
      1,
    )
    .action((input: string, options: ParseArguments) => parse(io, input, options));

async function parse(io: Io, input: string, { model, output: path, threads }: ParseArguments): Promise<void> {
  const parser = await blockParser(model, threads);
  try {
    const output = await openOutput(io, path);
    try {
      const start = performance.now();
      const { sentences, words } = await parseAll(io, input, parser, output);
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
    const parsed = parser.parse(block, displayName(input));
    // A failure is met when its turn comes, or not at all after an earlier one.
    parsed.catch(() => {});
    under.push(parsed);
    if (under.length >= parser.capacity) await writeFirst();
  }
  while (under.length > 0) {
    checkInterrupt(io);
    await writeFirst();
  }
  return total;
}
