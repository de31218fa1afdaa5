import type { Sentence } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import { ArcwiseError } from "@arcwise/core/errors";
import { arcConfidence } from "@arcwise/decode-mst";
import { arcSums } from "../decoding/arc-sums.ts";
import { MAX_WORDS } from "../decoding/blocks.ts";
import type { Marginals, Reading } from "../types.ts";
import type { ParsingEngine, ReadSentence, Scored } from "./engine.ts";
import { rankedTrees } from "./ranking.ts";
import {
  checkColumns,
  checkCount,
  checkHeads,
  checkWords,
  marginalOptions,
  readingOptions,
} from "./reading-options.ts";

/** The reading of a sentence that is parsed as a whole. */
export interface TreeReading extends Reading {
  /** The sentence as the engine has read it. */
  readonly read: ReadSentence;
  withWords(words: Sentence): TreeReading;
}

/** Returns the reading of a sentence that is parsed as a whole. */
export function treeReading(engine: ParsingEngine, read: ReadSentence): TreeReading {
  const { words } = read;
  return {
    ...{ words, read },
    best(options) {
      const at = engine.score(read, readingOptions(options, "best").constraints);
      return engine.named(at, engine.best(at));
    },
    kBest(k, options) {
      checkCount(k);
      const at = engine.score(read, readingOptions(options, "kBest").constraints);
      const parses = rankedTrees(engine, at, k).map((tree) => engine.named(at, tree));
      // Those of a decoder that is not exact come in the order in which they are found.
      return parses.sort((a, b) => b.score - a.score);
    },
    marginals(options) {
      const { constraints, temperature = engine.temperature } = marginalOptions(options);
      if (words.length > MAX_WORDS) throw tooLong(words);
      return marginalsOf(engine, engine.score(read, constraints), temperature);
    },
    columns(given = {}) {
      checkColumns(given, words.length);
      return read.network?.columns(given) ?? {};
    },
    problem: (options) => engine.score(read, readingOptions(options, "problem").constraints).scored.problem,
    shares(heads) {
      checkHeads(heads, words.length);
      // As constraints, the arcs are candidates even if the pruner leaves them out.
      return engine.shares(engine.score(read, { heads }), heads);
    },
    withWords(given) {
      checkWords(given, words.length);
      return treeReading(engine, engine.withWords(read, copyWords(given)));
    },
  };
}

function marginalsOf(engine: ParsingEngine, at: Scored, temperature: number): Marginals {
  const { problem } = at.scored;
  const tree = engine.best(at);
  const shares = engine.sum(at);
  const sums = arcSums(engine.decoder, problem, shares.scores, tree.heads);
  const { logPartition, arcs: arcProbabilities } = sums.at(temperature);
  const headProbabilities = arcConfidence(problem.arcs, arcProbabilities, tree.heads);
  const { heads, labels, score, bound } = engine.named(at, tree);
  /** Returns the probability of the label of a word among the labels of its arc. */
  const labelShare = (m: number) => {
    const [h, label] = [tree.heads[m], tree.labels[m]!];
    if (at.constrained?.checked.labels.has(m)) return at.constrained.labels.share(h, m, label);
    const share = shares.logShare(h, m, label);
    return share === -Infinity ? engine.shareOfUnusual(at, h, m, label) : exp(share);
  };
  return {
    ...{ heads, labels, score, bound, headProbabilities },
    labelledProbabilities: headProbabilities.map((p, m) => (m === 0 ? 0 : p * labelShare(m))),
    ...{ arcs: problem.arcs, arcProbabilities, logPartition, method: sums.method },
  };
}

/** Copies words, which may change later. */
export function copyWords(sentence: Sentence): Sentence {
  return sentence.map((word) => ({ ...word }));
}

/** Returns the error of operations that need a sentence as a whole. */
export function tooLong(sentence: Sentence): ArcwiseError {
  return new ArcwiseError(
    "invalid-data",
    `expected a sentence of at most ${MAX_WORDS} words, found ${sentence.length}: constraints, probabilities and ` +
      "k best trees are not computed for longer ones",
  );
}
