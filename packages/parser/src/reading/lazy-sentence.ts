import type { Sentence } from "@arcwise/core";
import type { EncodedSentence, SentenceEncoder } from "@arcwise/core/features";

/**
 * Returns a sentence that is encoded when one of its codes is first read: a network that knows its words needs none of
 * them.
 */
export function lazySentence(encoder: SentenceEncoder, words: Sentence): EncodedSentence {
  let encoded: EncodedSentence | undefined;
  const codes = () => {
    encoded ??= encoder.encode(words);
    return encoded;
  };
  return {
    n: words.length,
    words,
    get columns() {
      return codes().columns;
    },
    get featStart() {
      return codes().featStart;
    },
    get feats() {
      return codes().feats;
    },
    get tag() {
      return codes().tag;
    },
    get counts() {
      return codes().counts;
    },
    get morphology() {
      return codes().morphology;
    },
    get vectors() {
      return codes().vectors;
    },
  };
}
