import type { MultiwordRules } from "./multiword.ts";
import type { NetworkShape } from "./network/layout.ts";

/** A trained network with the features that it knows. */
export interface NetworkData {
  readonly shape: NetworkShape;
  /** Keys of the known features. */
  readonly keys: Int32Array;
  /** Embeddings, which are multiples of `scale`, then layers. */
  readonly parameters: Float32Array;
  readonly scale: number;
}

/** Scores of a tokeniser on a development set: F1 in percent. */
export interface TokenizerScores {
  readonly tokens: number;
  readonly sentences: number;
  readonly words: number;
}

/** A trained tokeniser. Plain data. */
export interface TokenizerModel {
  readonly description: {
    readonly seed: number;
    readonly trainingSentences: number;
    readonly trainingTokens: number;
    /** Its score on the development set, if training had one. */
    readonly dev?: TokenizerScores | undefined;
  };
  /** Whether the network of characters reads the features of `WIDE_CHARACTER_FEATURES`. Default: it does not. */
  readonly isWide?: boolean | undefined;
  /** Pairs of classes of characters between which tokens may have a space, as `spacedPair` numbers them. */
  readonly spacedPairs: readonly number[];
  /** The cost of a sentence, as a probability: a larger cost gives fewer sentences. */
  readonly sentenceCost: number;
  readonly multiword: MultiwordRules;
  /** Whether a token ends after a character, and with three classes whether a word ends within a token. */
  readonly characters: NetworkData;
  /** Whether a sentence ends after a token, and whether it is a multiword token. */
  readonly tokens: NetworkData;
}
