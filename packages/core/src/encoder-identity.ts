/** The identity of an encoder, which a model stores. Plain data. */
export interface EncoderIdentity {
  /** A name to recognise it by, in messages and in paths, such as "minilm-en". */
  readonly name: string;
  /** Length of the vector of a word, from 1 to `MAX_ENCODER_WIDTH`. */
  readonly width: number;
  /**
   * Identifies all that vectors depend on: weights, tokeniser, layers, pooling. Encoders of one fingerprint give the same
   * vectors, up to rounding. Vectors are kept under it, and a model refuses an encoder of another one.
   */
  readonly fingerprint: string;
  /**
   * The parts of the fingerprint by their names, such as layers: "2, 3, 4", for messages that say in what two encoders
   * differ. Default: unknown.
   */
  readonly parts?: Readonly<Record<string, string>> | undefined;
}

/** Maximum length of the vector of a word. */
export const MAX_ENCODER_WIDTH = 2 ** 14;

/** Returns whether a value is parts of a fingerprint, or undefined. */
export function areParts(value: unknown): value is EncoderIdentity["parts"] {
  if (value === undefined) return true;
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord && Object.values(value).every((part) => typeof part === "string");
}
