import type { ParsingProblem, Sentence } from "@arcwise/core";
import { joinBlocks } from "../decoding/blocks.ts";
import type { GivenColumns } from "../scoring/network/given-columns.ts";
import type { MarginalOptions, Marginals, Parse, Reading, ReadingOptions, ScoreShare } from "../types.ts";
import type { ParsingEngine } from "./engine.ts";
import { checkColumns, checkCount, checkWords, marginalOptions, readingOptions } from "./reading-options.ts";
import { copyWords, type TreeReading, tooLong } from "./tree-reading.ts";

/** The reading of a long sentence, which is parsed block by block, with the time and memory of its blocks. */
export class BlockReading implements Reading {
  readonly words: Sentence;
  readonly #engine: ParsingEngine;
  readonly #blocks: readonly TreeReading[];
  /** Number of words before each block, and of all words. */
  readonly #cuts: readonly number[];

  constructor(
    engine: ParsingEngine,
    words: Sentence,
    blocks: readonly TreeReading[],
    cuts: readonly number[],
  ) {
    this.words = words;
    this.#engine = engine;
    this.#blocks = blocks;
    this.#cuts = cuts;
  }

  best(options?: ReadingOptions): Parse {
    const { constraints } = readingOptions(options, "best");
    if (constraints !== undefined) throw tooLong(this.words);
    const parses = this.#blocks.map((block) => block.best());
    const { heads, links } = joinBlocks(parses, this.#cuts);
    const labels = ["", ...parses.flatMap((parse) => parse.labels.slice(1))];
    const read = this.#blocks.map((block) => block.read);
    const linked = this.#engine.labelsOfArcs(this.words, read, { heads, labels }, links);
    for (const [k, m] of links.entries()) labels[m] = linked[k]!;
    const reductions = parses.flatMap(({ reduced }) => (reduced === undefined ? [] : [reduced]));
    const limits = reductions.flatMap((reduced) => (reduced.heads === undefined ? [] : [reduced.heads]));
    return {
      heads,
      labels,
      score: parses.reduce((sum, { score }) => sum + score, 0),
      bound: Infinity,
      reduced: {
        heads: limits.length === 0 ? undefined : Math.min(...limits),
        leftOut: [...new Set(reductions.flatMap(({ leftOut }) => leftOut))],
        blocks: parses.length,
      },
    };
  }

  kBest(k: number, options?: ReadingOptions): Parse[] {
    checkCount(k);
    readingOptions(options, "kBest");
    throw tooLong(this.words);
  }

  marginals(options?: MarginalOptions): Marginals {
    marginalOptions(options);
    throw tooLong(this.words);
  }

  problem(options?: ReadingOptions): ParsingProblem {
    readingOptions(options, "problem");
    throw tooLong(this.words);
  }

  shares(): ScoreShare[] {
    throw tooLong(this.words);
  }

  columns(given: GivenColumns = {}): Record<string, string[]> {
    checkColumns(given, this.words.length);
    const found = this.#blocks.map((block, b) =>
      block.columns(cutColumns(given, this.#cuts[b]!, this.#cuts[b + 1]!)),
    );
    const names = Object.keys(found[0]!);
    return Object.fromEntries(names.map((name) => [name, found.flatMap((block) => block[name]!)]));
  }

  withWords(words: Sentence): BlockReading {
    checkWords(words, this.words.length);
    const own = copyWords(words);
    const blocks = this.#blocks.map((block, b) =>
      block.withWords(own.slice(this.#cuts[b], this.#cuts[b + 1])),
    );
    return new BlockReading(this.#engine, own, blocks, this.#cuts);
  }
}

/** Returns given labels of the words `from` to before `end`. */
function cutColumns(given: GivenColumns, from: number, end: number): GivenColumns {
  const entries = Object.entries(given).map(
    ([name, { labels, trust }]) => [name, { labels: labels.slice(from, end), trust }] as const,
  );
  return Object.fromEntries(entries);
}
