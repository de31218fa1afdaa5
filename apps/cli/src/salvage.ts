import { ArcwiseError } from "@arcwise/core/errors";
import type { BatchInput, LostSentences, ParsedBlock } from "./batch.ts";
import { countSentences, cutBlock, sentenceStarts } from "./blocks.ts";
import { addCounts, noInput } from "./input-fit.ts";

/** A thread ended without an answer, as when its memory ran out. */
export class ThreadDied extends ArcwiseError {
  override readonly name = "ThreadDied";
  /** The index in its block of the sentence that was under way; undefined: none was. */
  readonly sentence: number | undefined;

  constructor(message: string, sentence: number | undefined, options?: ErrorOptions) {
    super("thread-lost", message, options);
    this.sentence = sentence;
  }
}

/** Times that a sentence is tried of which threads die: the memory may have been short for another reason. */
const ATTEMPTS = 2;

/**
 * Parses a block in threads that may die of one of its sentences. That sentence is tried once more by itself,
 * and reported as lost when it fails again; those before and after it are parsed.
 *
 * Cost: two threads a lost sentence, and the sentences before it are parsed twice.
 *
 * @param parse parses a block in a thread; throws `ThreadDied`
 */
export async function parseDespiteDeaths(
  parse: (input: BatchInput) => Promise<ParsedBlock>,
  input: BatchInput,
  attempts = ATTEMPTS,
): Promise<ParsedBlock> {
  try {
    return await parse(input);
  } catch (error) {
    if (!(error instanceof ThreadDied)) throw error;
    const { before, guilty, after } = around(input, error.sentence);
    if (before !== undefined || after !== undefined) {
      const pieces = [
        before && parseDespiteDeaths(parse, before),
        parseDespiteDeaths(parse, guilty, attempts - 1),
        after && parseDespiteDeaths(parse, after),
      ];
      return joined(await Promise.all(pieces.filter((piece) => piece !== undefined)));
    }
    if (attempts > 1) return parseDespiteDeaths(parse, input, attempts - 1);
    const lost = lostBlock(input, error.message);
    return { bytes: new Uint8Array(0), sentences: lost.count, words: 0, lost: [lost], counts: noInput() };
  }
}

interface Around {
  readonly before: BatchInput | undefined;
  readonly guilty: BatchInput;
  readonly after: BatchInput | undefined;
}

/** Cuts a sentence out of its block; the whole block is guilty when the sentence is not known. */
function around(input: BatchInput, sentence: number | undefined): Around {
  const starts = sentenceStarts(input);
  if (sentence === undefined || sentence >= starts.length || starts.length === 1) {
    return { before: undefined, guilty: input, after: undefined };
  }
  const ends = [starts[sentence]!, starts[sentence + 1]].filter((end) => end !== undefined);
  // What stands before the first sentence, such as blank lines, stays with it.
  const pieces = cutBlock(input, sentence === 0 ? ends.slice(1) : ends);
  const { file, constraints, trees, words } = input;
  const piece = (from: number, to: number) => {
    const block = pieces.shift()!;
    return {
      ...block,
      file,
      constraints: constraints?.slice(from, to),
      trees: trees?.slice(from, to),
      words: words?.slice(from, to),
    };
  };
  return {
    before: sentence === 0 ? undefined : piece(0, sentence),
    guilty: piece(sentence, sentence + 1),
    after: sentence === starts.length - 1 ? undefined : piece(sentence + 1, starts.length),
  };
}

/** The results of consecutive pieces of a block as those of the block. */
function joined(pieces: readonly ParsedBlock[]): ParsedBlock {
  const counts = noInput();
  for (const piece of pieces) addCounts(counts, piece.counts);
  return {
    bytes: new Uint8Array(Buffer.concat(pieces.map(({ bytes }) => bytes))),
    sentences: pieces.reduce((sum, { sentences }) => sum + sentences, 0),
    words: pieces.reduce((sum, { words }) => sum + words, 0),
    lost: pieces.flatMap(({ lost }) => lost),
    counts,
  };
}

/**
 * The sentences of a block none of which could be parsed, by their lines and the first of their `sent_id`s.
 */
export function lostBlock(input: BatchInput, reason: string): LostSentences {
  const { bytes, file, line } = input;
  const count = countSentences(input);
  const text = new TextDecoder().decode(bytes);
  const ids = [...text.matchAll(/^#\s*sent_id\s*=\s*(\S+)/gm)].map(([, id]) => id!);
  if (count === 1) {
    return { place: `${file}:${line}${ids.length === 1 ? `: sentence ${ids[0]}` : ""}`, count, reason };
  }
  const last = line + text.trimEnd().split("\n").length - 1;
  const named =
    ids.length <= MAX_IDS ? ids.join(", ") : `${ids.slice(0, MAX_IDS).join(", ")}, ..., ${ids.at(-1)}`;
  return { place: `${file}:${line}-${last}: ${count} sentences${named && ` (${named})`}`, count, reason };
}

/** The most `sent_id`s that are listed of a block. */
const MAX_IDS = 5;
