import type { SentenceEncoder } from "@arcwise/core/features";
import { withWords } from "../scoring/trees/tree-features.ts";
import { centredVectors } from "../scoring/vectors/centred-vectors.ts";
import {
  type QuantizedVectors,
  quantizeVectors,
  type WordVectors,
  withVectors,
} from "../scoring/vectors/word-vectors.ts";

/** Returns word vectors as a model keeps them; undefined without any. */
export function modelVectors(vectors: WordVectors | undefined): QuantizedVectors | undefined {
  return vectors && quantizeVectors(centredVectors(vectors));
}

/** The inputs of a network besides the features of words. */
interface NetworkInputs {
  readonly network: { readonly characters: boolean } | false;
  readonly vectors: QuantizedVectors | undefined;
  /** An encoder, or features, that read the words of a sentence. */
  readonly reader: object | undefined;
}

/** Returns an encoder of sentences with the inputs of a network. */
export function withInputs(
  encoder: SentenceEncoder,
  { network, vectors, reader }: NetworkInputs,
): SentenceEncoder {
  const characters = network !== false && network.characters ? network : undefined;
  return withWords(withVectors(encoder, vectors), reader ?? characters);
}
