export { Adam } from "./adam.ts";
export {
  type BiaffineShape,
  type BiaffineTrace,
  biaffineAt,
  biaffineBackward,
  biaffineForward,
  biaffineSize,
} from "./biaffine.ts";
export { type DenseShape, denseAt, denseBackward, denseForward, denseSize } from "./dense.ts";
export { exponential, LEAK, tanh } from "./functions.ts";
export { type LstmShape, type LstmTrace, lstmAt, lstmBackward, lstmForward, lstmSize } from "./lstm.ts";
export { LANES, type Matrix, MatrixMemory, matrix, padded, transposed } from "./matrices.ts";
export { addColumnSums, columnFrom, copyRows, fillRows, moved } from "./rows.ts";
export { rowsOf, type SentenceBatch, sentenceBatch } from "./sentence-batch.ts";
