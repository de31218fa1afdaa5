export { ByteTable, tableEntries } from "./byte-table.ts";
export { exponential } from "./functions.ts";
export { type BiaffineShape, type BiaffineTrace, biaffineLayer } from "./layers/biaffine.ts";
export { type DenseGradients, type DenseShape, type DenseTrace, denseLayer } from "./layers/dense.ts";
export { dropout, multiplyInPlace } from "./layers/dropout.ts";
export { elmanLayer } from "./layers/elman.ts";
export { type EmbeddingShape, embeddingLayer, type Lookups } from "./layers/embedding.ts";
export {
  type EncoderDropout,
  type EncoderGradients,
  type EncoderShape,
  type EncoderTrace,
  type EncoderWidths,
  encoderLayers,
  type LayerWeights,
  roundLayers,
} from "./layers/encoder.ts";
export type { KnownInputs } from "./layers/lstm.ts";
export { type PairInputs, type PairShape, pairLayer, type RowPair } from "./layers/pairs.ts";
export { logisticLoss } from "./logistic.ts";
export { MatrixMemory } from "./matrices.ts";
export { type ByteMatrix, LANES, type Matrix, matrix, padded, transposed } from "./matrix.ts";
export { fillNormal, Parameters } from "./parameters.ts";
export { addRows, copyRows, rowFrom } from "./rows.ts";
export {
  gatherSentence,
  rowsOf,
  type SentenceBatch,
  scatterSentence,
  sentenceBatch,
  sequenceRows,
} from "./sentence-batch.ts";
export { logSumExponentials, softmaxLoss, softmaxLosses } from "./softmax.ts";
export { type BatchLoss, fallingRate, Trainer, type TrainerState } from "./trainer.ts";
