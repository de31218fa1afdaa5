import type { EncoderIdentity } from "./encoder-identity.ts";

/** The vector of a word in its sentence by an encoder. Plain data. */
export interface WordVector {
  readonly encoder: EncoderIdentity;
  /** `width` 16-bit floats, see `toHalves` of `@arcwise/core/encoders`. */
  readonly values: Uint16Array;
}

/** A word with its annotation. Absent annotation is the same as the empty string. */
export interface Word {
  readonly form: string;
  readonly lemma?: string | undefined;
  /** Universal (coarse) part-of-speech tag. */
  readonly upos?: string | undefined;
  /** Language-specific (fine) part-of-speech tag. */
  readonly xpos?: string | undefined;
  /** Morphological features as CoNLL-U writes them: `Case=Nom|Number=Sing`. */
  readonly feats?: string | undefined;
  /** Its vector, which `encodeWords` of `@arcwise/core/encoders` adds: models that were trained with an encoder need it. */
  readonly vector?: WordVector | undefined;
}

/** The words of a sentence in order. Word `i` of a tree is `sentence[i - 1]`: position 0 is the root. */
export type Sentence = readonly Word[];

/**
 * A labelled dependency tree over words 1..n and the artificial root 0. `heads` and `labels` have
 * n + 1 entries; `heads[0] === -1` and `labels[0] === ""`.
 */
export interface DependencyTree {
  readonly heads: Int32Array;
  readonly labels: readonly string[];
}
