import type { BatchInput, ParsedBlock } from "./batch.ts";
import type { BlockParser } from "./block-parser.ts";
import type { Block } from "./blocks.ts";
import { DataError, EXIT } from "./errors.ts";
import { isSameFile } from "./file-plan.ts";
import { type FitOptions, type FitWatch, fitWatch } from "./input-fit.ts";
import { checkInterrupt } from "./interruption.ts";
import { displayName, type Io } from "./io.ts";
import { type Output, openOutput } from "./output.ts";
import { formatter, type OutputFormat } from "./output-format.ts";
import { type ParseProgress, parseProgress } from "./parse-progress.ts";
import { printLine } from "./printable.ts";

/** What comes with the sentences of a block from another file. */
export interface Companion {
  /** What belongs to the sentences of the next block. */
  next(block: Block): Promise<Partial<BatchInput>>;
  /** Called at the end of the input. @throws DataError when there is more than the input has sentences for */
  finish(): Promise<void>;
}

/** A file to parse. */
export interface FileParsing {
  readonly io: Io;
  readonly input: string;
  /** The sentences of the input, as `inputSource` cuts it into blocks. */
  readonly source: AsyncIterable<Block>;
  readonly output: string;
  /** The format to write sentences in; "conllu" leaves any format as it is. */
  readonly format: OutputFormat;
  readonly parser: BlockParser;
  /** What the input is held against. */
  readonly fit: Omit<FitOptions, "warn">;
  readonly companion: Companion | undefined;
}

/**
 * Parses a file block by block, shows progress, warns of input that does not fit the model, and writes a
 * summary. Memory: the blocks that the parser has room for.
 *
 * @returns the exit code
 * @throws DataError when an input that would be replaced has sentences that could not be parsed; then, and on
 *   any other error, nothing is left of the output
 */
export async function parseFile(file: FileParsing): Promise<number> {
  const { io, input, output: path, parser, fit } = file;
  const shown = await parseProgress(io, input, path);
  try {
    const output = await openOutput(io, path);
    try {
      const start = performance.now();
      const watch = fitWatch(displayName(input), parser.columns, {
        ...fit,
        warn: (text) => shown.line(`arcwise: ${text}`),
      });
      const total = await parseAll({ ...file, output, shown, fit: watch });
      if (total.lost > 0 && (await isSameFile(input, path))) {
        throw new DataError(
          `${path}: not replaced, since ${total.lost} of its sentences could not be parsed`,
        );
      }
      await output.close();
      const seconds = (performance.now() - start) / 1000;
      printLine(io, summary(total, seconds));
      return total.lost > 0 ? EXIT.incomplete : EXIT.ok;
    } catch (error) {
      shown.stop();
      await output.abandon();
      throw error;
    }
  } finally {
    await parser.close();
  }
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
  readonly source: AsyncIterable<Block>;
  readonly parser: BlockParser;
  readonly output: Output;
  readonly format: OutputFormat;
  readonly companion: Companion | undefined;
  readonly shown: ParseProgress;
  readonly fit: FitWatch;
}

/** Parses a file block by block; blocks are written in the order of the input, whichever is done first. */
async function parseAll(parsing: Parsing): Promise<Total> {
  const { io, input, source, parser, output, companion, shown, fit } = parsing;
  const formatted = formatter(parsing.format);
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
      shown.line(`arcwise: ${one.place}: not parsed: ${one.reason}`);
    }
    // All blocks but the last one are long enough to stand for the whole input.
    fit.check();
    await output.write(formatted(bytes));
    shown.add(size, total);
  };
  for await (const block of source) {
    checkInterrupt(io);
    const given = await companion?.next(block);
    const parsed = parser.parse({ ...block, file: displayName(input), ...given });
    // A failure is met when its turn comes, or not at all after an earlier one.
    parsed.catch(() => {});
    under.push({ bytes: block.bytes.length, parsed });
    if (under.length >= parser.capacity) await writeFirst();
  }
  while (under.length > 0) {
    checkInterrupt(io);
    await writeFirst();
  }
  await companion?.finish();
  shown.stop();
  return total;
}
