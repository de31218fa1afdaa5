import { type Decoder, type DependencyTree, PART_KINDS, type Scored, type Sentence } from "@arcwise/core";
import { ad3Decoder } from "@arcwise/decode-ad3";
import { createParser, type ParserModel } from "@arcwise/parser";
import { onItsParts } from "./other-decoders.ts";
import type { DecoderEntry, Variant, VariantSettings } from "./registry.ts";
import { decodeAll, rightHeads, type ScoredSentence, wordsIn } from "./scored-sentences.ts";
import { mean } from "./timing.ts";

/** Results of a decoder over all sentences, on the same scores as the others. */
export interface DecoderComparison {
  readonly decoder: string;
  readonly uas: number;
  readonly las: number;
  /** Sum of the scores of its trees, divided by that of the best trees. */
  readonly ofOptimum: number;
  /** Mean difference of the optimum and the score of its tree. */
  readonly short: number;
  /** Share of sentences whose tree scores as much as the best one. */
  readonly optimal: number;
  /** Words per second of decoding alone. */
  readonly wordsPerSecond: number;
}

export interface ComparisonResult {
  readonly treebank: string;
  readonly kinds: readonly string[];
  readonly sentences: number;
  readonly words: number;
  /**
   * Share of sentences whose optimum is certified. For the others, the best score of any decoder counts as
   * optimum.
   */
  readonly certified: number;
  readonly decoders: readonly DecoderComparison[];
}

export interface CompareOptions extends VariantSettings {
  /** Time limit of branch and bound per sentence, in milliseconds. */
  readonly limit: number;
  /** The decoders that are compared. */
  readonly entries: readonly DecoderEntry[];
  readonly onPass?: (name: string) => void;
}

/** All scored items of a problem besides arcs. */
const EVERYTHING: ReadonlySet<Scored> = new Set([...PART_KINDS, "global"]);

/** Relative tolerance of sums of a tree's score in different orders. */
const ROUNDING = 1e-9;

/**
 * Decodes the same scored sentences with all decoders, and labels their trees by the model. @throws
 * WrongAnswer
 */
export function compareDecoders(
  treebank: string,
  model: ParserModel,
  examples: readonly { readonly sentence: Sentence; readonly tree: DependencyTree }[],
  { limit, entries, onPass, ...settings }: CompareOptions,
): ComparisonResult {
  const exact: Variant = {
    label: "AD3 with branch and bound",
    make: () => ad3Decoder({ exact: { milliseconds: limit } }),
  };
  // Any decoder that handles all parts will do, as it only determines the parts of the problems.
  const parser = createParser(model, { decoder: ad3Decoder() });
  const sentences = examples.map(
    ({ sentence, tree }): ScoredSentence => ({ problem: parser.problem(sentence), gold: tree.heads }),
  );
  const kinds = sentences[0]?.problem.parts.map(({ kind }) => kind) ?? [];
  const contestants: Variant[] = [
    ...entries
      .flatMap((entry) => entry.variants?.(settings) ?? [entry])
      .map(({ label, make }) => ({ label, make: () => onItsParts(make(), EVERYTHING) })),
    exact,
  ];
  const runs = contestants.map(({ label, make }) => {
    onPass?.(label);
    const decoder = make();
    return decodeAll(label, (problem) => decoder.decode(problem), sentences);
  });
  const proofs = runs.at(-1)!.map(({ decoding }) => decoding.bound === decoding.score);
  const best = sentences.map((_, i) => Math.max(...runs.map((run) => run[i]!.decoding.score)));
  const words = wordsIn(sentences);
  const total = best.reduce((sum, score) => sum + score, 0);
  const decoders = contestants.map(({ label, make }, which): DecoderComparison => {
    onPass?.(`${label}: labels`);
    const run = runs[which]!;
    const scores = run.map(({ decoding }) => decoding.score);
    const time = run.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    const right = run.reduce(
      (sum, { decoding }, i) => sum + rightHeads(decoding.heads, sentences[i]!.gold),
      0,
    );
    return {
      decoder: label,
      uas: right / words,
      las: labelled(model, make(), examples) / words,
      ofOptimum: scores.reduce((sum, score) => sum + score, 0) / total,
      short: mean(scores.map((score, i) => Math.max(0, best[i]! - score))),
      optimal: mean(
        scores.map((score, i) => (score >= best[i]! - ROUNDING * (1 + Math.abs(best[i]!)) ? 1 : 0)),
      ),
      wordsPerSecond: (1000 * words) / time,
    };
  });
  return {
    treebank,
    kinds,
    sentences: sentences.length,
    words,
    certified: mean(proofs.map(Number)),
    decoders,
  };
}

/** Returns the number of words with the right head and label, in the trees of the parser with a decoder. */
function labelled(
  model: ParserModel,
  decoder: Decoder,
  examples: readonly { readonly sentence: Sentence; readonly tree: DependencyTree }[],
): number {
  const parser = createParser(model, { decoder });
  let right = 0;
  for (const { sentence, tree } of examples) {
    const { heads, labels } = parser.parse(sentence);
    for (let m = 1; m < heads.length; m++) {
      if (heads[m] === tree.heads[m] && labels[m] === tree.labels[m]) right++;
    }
  }
  return right;
}
