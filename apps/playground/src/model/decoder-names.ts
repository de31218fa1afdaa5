/** The decoders that the page offers on the scores of a sentence, and how each finds its tree. */
export const DECODER_NAMES = {
  mst: "Chu-Liu/Edmonds: the best tree, by arcs",
  eisner: "Eisner: the best projective tree, by arcs",
  projective: "Projective: the best projective tree, by parts",
  hillclimb: "Hill climbing: a local optimum",
  ad3: "AD3: dual decomposition, with a bound",
} as const;

/** The name of a decoder of `DECODER_NAMES`. */
export type DecoderName = keyof typeof DECODER_NAMES;
