export { Adam, type AdamStep, fallingRate, LazyAdam, type LazyStep } from "./adam.ts";
export { ByteTable } from "./byte-table.ts";
export { exponential, LEAK, logarithm, power, sigmoid, tanh } from "./functions.ts";
export {
  type BiaffineGradients,
  type BiaffineShape,
  type BiaffineTrace,
  biaffineAt,
  biaffineBackward,
  biaffineForward,
  biaffineSize,
} from "./layers/biaffine.ts";
export {
  type Activation,
  type DenseGradients,
  type DenseShape,
  type DenseTrace,
  denseAt,
  denseBackward,
  denseForward,
  denseSize,
  initializeDense,
} from "./layers/dense.ts";
export { dropout, dropoutFactors, multiplyInPlace } from "./layers/dropout.ts";
export {
  type ElmanGradients,
  type ElmanShape,
  type ElmanTrace,
  elmanAt,
  elmanBackward,
  elmanForward,
  elmanSize,
  elmanStep,
} from "./layers/elman.ts";
export {
  type EmbeddingGradients,
  type EmbeddingShape,
  embeddingAt,
  embeddingBackward,
  embeddingForward,
  embeddingSize,
  type Lookups,
} from "./layers/embedding.ts";
export {
  type EncoderDropout,
  type EncoderGradients,
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
export {
  initializeLstm,
  type LstmGradients,
  type LstmShape,
  type LstmTrace,
  lstmAt,
  lstmBackward,
  lstmForward,
  lstmRead,
  lstmSize,
} from "./layers/lstm.ts";
export {
  type PairGradients,
  type PairInputs,
  type PairShape,
  type PairTrace,
  pairAt,
  pairBackward,
  pairForward,
  pairInputs,
  pairSize,
  type RowPair,
} from "./layers/pairs.ts";
export { logisticLoss } from "./logistic.ts";
export { LANES, type Matrix, MatrixMemory, matrix, padded, transposed } from "./matrices.ts";
export { fillNormal, Parameters } from "./parameters.ts";
export { addColumnSums, addRows, columnFrom, copyRows, fillRows, moved, rowFrom } from "./rows.ts";
export {
  gatherSentence,
  rowsOf,
  type SentenceBatch,
  scatterSentence,
  sentenceBatch,
} from "./sentence-batch.ts";
export { type Choice, logSumExponentials, softmaxLoss, softmaxLosses } from "./softmax.ts";
export type { NgramOptions } from "./vectors/subwords.ts";
export {
  trainWordVectors,
  type WordVectorProgress,
  type WordVectorTable,
  type WordVectorTrainOptions,
} from "./vectors/word-vectors.ts";
