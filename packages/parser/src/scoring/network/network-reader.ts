import type { Random } from "@arcwise/core";
import { type EncodedSentence, WordFeatures, type WordTemplate } from "@arcwise/core/features";
import { sentenceBatch } from "@arcwise/neural";
import { buildTensorAlphabet, TensorAlphabet } from "../tensor/tensor-alphabet.ts";
import type { NetworkInput } from "./arc-network.ts";

/** Templates of the input of a network: attributes of the word itself. The network computes the context. */
export const NETWORK_TEMPLATES: readonly WordTemplate[] = [
  "word",
  "lemma",
  "upos",
  "xpos",
  "feats",
  "prefix",
  "suffix",
  "ending",
  "shape",
  "feat",
];

/** Returns the codes of the frequent features, which have embeddings. O(features of all words). */
export function networkCodes(sentences: readonly EncodedSentence[], minimum: number): Int32Array {
  return buildTensorAlphabet(sentences, new WordFeatures(NETWORK_TEMPLATES), minimum).codes;
}

/** Looks up the embeddings of the words of sentences. */
export class NetworkReader {
  readonly #features: WordFeatures;
  readonly #alphabet: TensorAlphabet;

  /** @param codes of the features that have an embedding, ascending */
  constructor(templates: readonly WordTemplate[], codes: Int32Array) {
    this.#features = new WordFeatures(templates);
    this.#alphabet = new TensorAlphabet(codes);
  }

  /**
   * Reads sentences in order of decreasing length. O(features).
   *
   * @param dropped in training: the share of features that are omitted at random
   */
  read(
    sentences: readonly EncodedSentence[],
    dropped?: { readonly rate: number; readonly stream: Random },
  ): NetworkInput {
    const batch = sentenceBatch(sentences.map(({ n }) => n + 1));
    const bound = dropped ? dropped.rate * 2 ** 32 : 0;
    const words = sentences.map((sentence) => {
      this.#features.prepare(sentence);
      const { start, codes } = this.#features;
      return Array.from({ length: sentence.n + 1 }, (_, i) => {
        const rows: number[] = [];
        for (let k = start[i]!; k < start[i + 1]!; k++) {
          const row = this.#alphabet.row(codes[k]!);
          if (row > 0 && !(dropped && dropped.stream.uint32() < bound)) rows.push(row - 1);
        }
        return rows;
      });
    });
    const byRow = Array.from({ length: batch.start.length - 1 }, (_, t) =>
      words.flatMap((positions) => (t < positions.length ? [positions[t]!] : [])),
    ).flat();
    const start = new Int32Array(byRow.length + 1);
    for (const [r, rows] of byRow.entries()) start[r + 1] = start[r]! + rows.length;
    return { batch, start, features: Int32Array.from(byRow.flat()) };
  }
}
