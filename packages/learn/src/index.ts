export type { AdaGradOptions } from "./adagrad.ts";
export { crf } from "./crf.ts";
export { type KBestMiraOptions, kBestMira } from "./kbest-mira.ts";
export {
  localRunner,
  type MixedShard,
  type MixingOptions,
  type MixingProgress,
  type MixingRound,
  mixShards,
  type ShardRunner,
  trainByMixing,
} from "./mixing.ts";
export {
  type ShardCounts,
  type ShardResult,
  type ShardStep,
  type ShardStepOptions,
  shardExamples,
  trainShard,
} from "./mixing-shard.ts";
export { type Mixing, mixingShares, mixStates } from "./mixing-state.ts";
export { type MiraOptions, mira, type OnlineLearner } from "./online.ts";
export { type PerceptronOptions, type PerceptronUpdate, perceptron } from "./perceptron.ts";
export type { PartModel, SearchTrace, StructuredTask, Update, WeightVector } from "./task.ts";
export {
  breather,
  type OnlineProgress,
  type OnlineState,
  type OnlineTrainingOptions,
  trainOnline,
} from "./train-online.ts";
export { AveragedWeights } from "./weights.ts";
