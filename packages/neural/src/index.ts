export { Adam, fallingRate, LazyAdam } from "./adam.ts";
export { ByteTable, tableEntries } from "./byte-table.ts";
export { exponential } from "./functions.ts";
export {
  type BiaffineShape,
  type BiaffineTrace,
  biaffineAt,
  biaffineBackward,
  biaffineForward,
  biaffineSize,
} from "./layers/biaffine.ts";
export {
  type DenseGradients,
  type DenseShape,
  type DenseTrace,
  denseAt,
  denseBackward,
  denseForward,
  denseSize,
  initializeDense,
} from "./layers/dense.ts";
export { dropout, multiplyInPlace } from "./layers/dropout.ts";
export {
  type ElmanShape,
  elmanAt,
  elmanBackward,
  elmanForward,
  elmanSize,
  elmanStep,
} from "./layers/elman.ts";
export {
  type EmbeddingShape,
  embeddingAt,
  embeddingBackward,
  embeddingForward,
  embeddingSize,
  type Lookups,
} from "./layers/embedding.ts";
export {
  type EncoderDropout,
  type EncoderShape,
  type EncoderTrace,
  type EncoderWidths,
  encoderAt,
  encoderBackward,
  encoderForward,
  encoderRead,
  encoderSize,
  encoderWeights,
  initializeEncoder,
  type LayerWeights,
  roundLayers,
} from "./layers/encoder.ts";
export type { LstmShape } from "./layers/lstm.ts";
export {
  type PairInputs,
  type PairShape,
  pairAt,
  pairBackward,
  pairForward,
  pairInputs,
  pairSize,
  type RowPair,
} from "./layers/pairs.ts";
export { logisticLoss } from "./logistic.ts";
export { type ByteMatrix, LANES, type Matrix, MatrixMemory, matrix, padded, transposed } from "./matrices.ts";
export { fillNormal, Parameters } from "./parameters.ts";
export { copyRows, rowFrom } from "./rows.ts";
export {
  gatherSentence,
  rowsOf,
  type SentenceBatch,
  scatterSentence,
  sentenceBatch,
} from "./sentence-batch.ts";
export { logSumExponentials, softmaxLoss, softmaxLosses } from "./softmax.ts";
export { trainWordVectors } from "./vectors/word-vectors.ts";
