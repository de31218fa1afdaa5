import {
  type ConlluSentence,
  enhancedGraph,
  type SdpSentence,
  sdpGraph,
  sdpId,
  sdpWords,
  sentenceId,
  sentenceWords,
} from "@arcwise/conllu";
import { checkGraph, type DependencyGraph, type Sentence } from "@arcwise/core";
import { ArcwiseError, counted, invalidArgument } from "@arcwise/core/errors";
import { checkArgument, graph as isGraph, shaped } from "@arcwise/core/options";
import { checkCounts, checkForms, requirePairs, requireTreebanks } from "../pairs.ts";

/** The gold graph of a sentence and the predicted one. */
export interface GraphPair {
  readonly gold: DependencyGraph;
  readonly predicted: DependencyGraph;
}

/**
 * Returns the sentences of two SDP files with the same tokens as pairs of graphs. O(words · predicates).
 *
 * @throws SentenceMismatch when the two do not have the same sentences and forms
 */
export function sdpPairs(gold: readonly SdpSentence[], system: readonly SdpSentence[]): GraphPair[] {
  requirePairs(gold, "sdpPairs: gold");
  requirePairs(system, "sdpPairs: system");
  return pairsOf(gold, system, { words: sdpWords, graph: sdpGraph, id: sdpId });
}

/**
 * Returns the sentences of two CoNLL-U files with the same words as pairs of the graphs of DEPS, empty nodes
 * collapsed into paths. O(words).
 *
 * @throws SentenceMismatch when the two do not have the same sentences and forms
 * @throws ConlluError when DEPS is malformed
 */
export function enhancedPairs(
  gold: readonly ConlluSentence[],
  system: readonly ConlluSentence[],
): GraphPair[] {
  requireTreebanks(gold, system, "enhancedPairs");
  return pairsOf(gold, system, { words: sentenceWords, graph: enhancedGraph, id: sentenceId });
}

/** Functions that read the sentences of a format. */
interface GraphFormat<S> {
  readonly words: (sentence: S) => Sentence;
  readonly graph: (sentence: S) => DependencyGraph;
  readonly id: (sentence: S) => string | undefined;
}

function pairsOf<S>(gold: readonly S[], system: readonly S[], format: GraphFormat<S>): GraphPair[] {
  checkCounts(gold, system);
  return gold.map((sentence, s) => {
    checkForms(format.words(sentence), format.words(system[s]!), s + 1, format.id(sentence));
    return { gold: format.graph(sentence), predicted: format.graph(system[s]!) };
  });
}

const PAIR = shaped<GraphPair>("a pair of graphs", { gold: isGraph, predicted: isGraph });

/**
 * @throws ArcwiseError `invalid-argument` when a graph of a pair is invalid, or the two have different numbers of words
 */
export function checkGraphPair(pair: GraphPair, index: number): void {
  const where = `pair ${index}`;
  checkArgument(PAIR, pair, where);
  const { gold, predicted } = pair;
  if (gold.n !== predicted.n)
    throw invalidArgument(where, `${counted(gold.n, "word")} in both graphs`, String(predicted.n));
  const fault = checkGraph(gold) ?? checkGraph(predicted);
  if (fault !== undefined) throw new ArcwiseError("invalid-argument", `${where}: ${fault}`, { at: where });
}
