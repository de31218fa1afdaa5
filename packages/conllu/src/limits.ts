/**
 * The limits of what is read as one piece, which bound the memory that a damaged or malicious file can take.
 * Readers of all formats use them.
 */
export const READ_LIMITS = {
  /** The longest line, in UTF-16 code units. */
  lineLength: 2 ** 20,
  /** The longest sentence, in UTF-16 code units. */
  sentenceLength: 2 ** 24,
  /** The largest number of lines of a sentence: comments and rows. */
  sentenceLines: 2 ** 16,
} as const;
