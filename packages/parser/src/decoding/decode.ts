import { checkTree, type Decoder, hasCapability } from "@arcwise/core";
import { ArcwiseError } from "@arcwise/core/errors";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { ScoredSentence } from "../scoring/sentence-scorer.ts";
import type { ParseReport } from "../types.ts";

/** A tree from a decoder, and the decoder's report. */
export interface DecodedTree extends EncodedTree {
  readonly score: number;
  readonly bound: number;
  /** Present for decoders with `decodeWithReport`. */
  readonly report?: ParseReport | undefined;
}

/** Returns the best tree of a scored sentence, each arc with the label of its score. */
export function decodeSentence(scored: ScoredSentence, decoder: Decoder): DecodedTree {
  const { problem } = scored;
  const reported = hasCapability(decoder, "decodeWithReport") ? decoder.decodeWithReport(problem) : undefined;
  const { heads, score, bound } = reported ?? decoder.decode(problem);
  requireTree(heads, decoder);
  const { labels } = scored.labelled(heads);
  const found = { heads, labels, score, bound };
  return reported ? { ...found, report: { status: reported.status, counts: reported.counts } } : found;
}

function requireTree(heads: Int32Array, { name, singleRoot }: Decoder): void {
  const fault = checkTree(heads, { singleRoot });
  if (fault !== undefined) {
    throw new ArcwiseError("invalid-sentence", `the decoder "${name}" returned no tree: ${fault}`);
  }
}

/** Counts words with a wrong head, and with a wrong head or label. */
export function countErrors(gold: EncodedTree, predicted: EncodedTree): { heads: number; labelled: number } {
  let heads = 0;
  let labelled = 0;
  for (let m = 1; m < gold.heads.length; m++) {
    if (gold.heads[m] !== predicted.heads[m]) heads++;
    if (gold.heads[m] !== predicted.heads[m] || gold.labels[m] !== predicted.labels[m]) labelled++;
  }
  return { heads, labelled };
}
