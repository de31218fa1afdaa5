import type { Sentence } from "@arcwise/core";
import { joinBlocks } from "../decoding/blocks.ts";
import type { GivenColumns } from "../scoring/network/given-columns.ts";
import type { Parse, Reading, Reduction } from "../types.ts";
import type { ParsingEngine } from "./engine.ts";
import { checkColumns, checkCount, checkWords, marginalOptions, readingOptions } from "./reading-options.ts";
import { copyWords, type TreeReading, tooLong } from "./tree-reading.ts";

/**
 * Returns the reading of a long sentence, which is parsed block by block, with the time and memory of its blocks.
 *
 * @param cuts number of words before each block, and of all words
 */
export function blockReading(
  engine: ParsingEngine,
  words: Sentence,
  blocks: readonly TreeReading[],
  cuts: readonly number[],
): Reading {
  const refuse = () => {
    throw tooLong(words);
  };
  return {
    words,
    best(options) {
      if (readingOptions(options, "best").constraints !== undefined) throw tooLong(words);
      const parses = blocks.map((block) => block.best());
      const { heads, links } = joinBlocks(parses, cuts);
      const labels = ["", ...parses.flatMap((parse) => parse.labels.slice(1))];
      const read = blocks.map((block) => block.read);
      const linked = engine.labelsOfArcs(words, read, { heads, labels }, links);
      for (const [k, m] of links.entries()) labels[m] = linked[k];
      const score = parses.reduce((sum, parse) => sum + parse.score, 0);
      return { heads, labels, score, bound: Infinity, reduced: joinReductions(parses) };
    },
    kBest(k, options) {
      checkCount(k);
      readingOptions(options, "kBest");
      return refuse();
    },
    marginals(options) {
      marginalOptions(options);
      return refuse();
    },
    problem(options) {
      readingOptions(options, "problem");
      return refuse();
    },
    shares: refuse,
    columns(given = {}) {
      checkColumns(given, words.length);
      const found = blocks.map((block, b) => block.columns(cutColumns(given, cuts[b], cuts[b + 1])));
      const names = Object.keys(found[0]);
      return Object.fromEntries(names.map((name) => [name, found.flatMap((block) => block[name])]));
    },
    withWords(given) {
      checkWords(given, words.length);
      const own = copyWords(given);
      const changed = blocks.map((block, b) => block.withWords(own.slice(cuts[b], cuts[b + 1])));
      return blockReading(engine, own, changed, cuts);
    },
  };
}

/** Returns what was left out of blocks that were parsed one by one. */
function joinReductions(parses: readonly Parse[]): Reduction {
  const reductions = parses.flatMap(({ reduced }) => reduced ?? []);
  const limits = reductions.flatMap(({ heads }) => heads ?? []);
  return {
    heads: limits.length === 0 ? undefined : Math.min(...limits),
    leftOut: [...new Set(reductions.flatMap(({ leftOut }) => leftOut))],
    blocks: parses.length,
  };
}

/** Returns given labels of the words `from` to before `end`. */
function cutColumns(given: GivenColumns, from: number, end: number): GivenColumns {
  const entries = Object.entries(given).map(
    ([name, { labels, trust }]) => [name, { labels: labels.slice(from, end), trust }] as const,
  );
  return Object.fromEntries(entries);
}
