export type { AdaGradOptions } from "./adagrad.ts";
export { crf } from "./crf.ts";
export { type KBestMiraOptions, kBestMira } from "./kbest-mira.ts";
export { type MiraOptions, mira, type OnlineLearner, perceptron } from "./online.ts";
export type { StructuredTask, Update } from "./task.ts";
export {
  breather,
  type OnlineProgress,
  type OnlineState,
  type OnlineTrainingOptions,
  trainOnline,
} from "./train-online.ts";
export { AveragedWeights } from "./weights.ts";
