import type { ParsingProblem, Sentence } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import { ArcwiseError } from "@arcwise/core/errors";
import { arcConfidence } from "@arcwise/decode-mst";
import { arcSums } from "../decoding/arc-sums.ts";
import { MAX_WORDS } from "../decoding/blocks.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { GivenColumns } from "../scoring/network/given-columns.ts";
import type { SummedArcs } from "../scoring/sentence-labels.ts";
import type { MarginalOptions, Marginals, Parse, Reading, ReadingOptions, ScoreShare } from "../types.ts";
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
export class TreeReading implements Reading {
  readonly words: Sentence;
  readonly #engine: ParsingEngine;
  readonly #read: ReadSentence;

  constructor(engine: ParsingEngine, read: ReadSentence) {
    this.words = read.words;
    this.#engine = engine;
    this.#read = read;
  }

  /** The sentence as the engine has read it. */
  get read(): ReadSentence {
    return this.#read;
  }

  best(options?: ReadingOptions): Parse {
    const { constraints } = readingOptions(options, "best");
    const engine = this.#engine;
    const at = engine.score(this.#read, constraints);
    return engine.named(at, engine.best(at));
  }

  kBest(k: number, options?: ReadingOptions): Parse[] {
    checkCount(k);
    const { constraints } = readingOptions(options, "kBest");
    const engine = this.#engine;
    const at = engine.score(this.#read, constraints);
    const parses = rankedTrees(engine, at, k).map((tree) => engine.named(at, tree));
    // Those of a decoder that is not exact come in the order in which they are found.
    return parses.sort((a, b) => b.score - a.score);
  }

  marginals(options?: MarginalOptions): Marginals {
    const engine = this.#engine;
    const { constraints, temperature: divisor = engine.temperature } = marginalOptions(options);
    if (this.words.length > MAX_WORDS) throw tooLong(this.words);
    const at = engine.score(this.#read, constraints);
    const { problem } = at.scored;
    const tree = engine.best(at);
    const shares = engine.sum(at);
    const sums = arcSums(engine.decoder, problem, shares.scores, tree.heads);
    const { logPartition, arcs: probabilities } = sums.at(divisor);
    const headProbabilities = arcConfidence(problem.arcs, probabilities, tree.heads);
    const { heads, labels, score, bound } = engine.named(at, tree);
    return {
      heads,
      labels,
      score,
      bound,
      headProbabilities,
      labelledProbabilities: headProbabilities.map((p, m) =>
        m === 0 ? 0 : p * this.#labelShare(at, shares, m, tree),
      ),
      arcs: problem.arcs,
      arcProbabilities: probabilities,
      logPartition,
      method: sums.method,
    };
  }

  /** Returns the probability of the label of a word among the labels of its arc. */
  #labelShare(at: Scored, shares: SummedArcs, m: number, { heads, labels }: EncodedTree): number {
    const { constrained } = at;
    const h = heads[m]!;
    const label = labels[m]!;
    if (constrained?.checked.labels.has(m)) return constrained.labels.share(h, m, label);
    const share = shares.logShare(h, m, label);
    return share === -Infinity ? this.#engine.shareOfUnusual(at, h, m, label) : exp(share);
  }

  columns(given: GivenColumns = {}): Record<string, string[]> {
    checkColumns(given, this.words.length);
    return this.#read.network?.columns(given) ?? {};
  }

  problem(options?: ReadingOptions): ParsingProblem {
    const { constraints } = readingOptions(options, "problem");
    return this.#engine.score(this.#read, constraints).scored.problem;
  }

  shares(heads: Int32Array): ScoreShare[] {
    checkHeads(heads, this.words.length);
    // As constraints, the arcs are candidates even if the pruner leaves them out.
    return this.#engine.shares(this.#engine.score(this.#read, { heads }), heads);
  }

  withWords(words: Sentence): TreeReading {
    checkWords(words, this.words.length);
    const own = copyWords(words);
    return new TreeReading(this.#engine, this.#engine.withWords(this.#read, own));
  }
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
