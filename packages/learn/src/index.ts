export type { AdaGradOptions } from "./adagrad.ts";
export type { AdamOptions } from "./adam.ts";
export { type CrfOptions, crf } from "./crf.ts";
export {
  type CuttingPlaneOptions,
  type CuttingPlaneState,
  cuttingPlane,
  type Plane,
} from "./cutting-plane.ts";
export type { DualityGap, DualOptions, DualResult } from "./dual.ts";
export { EarlyStopping } from "./early-stopping.ts";
export {
  type ExponentiatedGradientOptions,
  type ExponentiatedGradientState,
  exponentiatedGradient,
} from "./exponentiated-gradient.ts";
export { type FrankWolfeOptions, type FrankWolfeState, frankWolfe } from "./frank-wolfe.ts";
export { type KBestMiraOptions, kBestMira } from "./kbest-mira.ts";
export { type Correction, type LbfgsOptions, type LbfgsState, lbfgs, type Minimum } from "./lbfgs.ts";
export { MaxentClassifier, type MaxentModel, maxentModel } from "./maxent/classifier.ts";
export { DesignBuilder, type DesignOptions, type MaxentDesign } from "./maxent/design.ts";
export {
  type MaxentMethod,
  type MaxentOptions,
  type MaxentProgress,
  type MaxentResult,
  maxentObjective,
  trainMaxent,
} from "./maxent/train.ts";
export {
  localRunner,
  type MixingOptions,
  mixShards,
  type ShardRunner,
  trainByMixing,
} from "./mixing.ts";
export type { MixedShard, MixingProgress, MixingRound } from "./mixing-progress.ts";
export {
  type ShardCounts,
  type ShardResult,
  type ShardStep,
  type ShardStepOptions,
  type StateChange,
  shardExamples,
  trainShard,
} from "./mixing-shard.ts";
export { MIXINGS, type Mixing, mixingShares, mixStates } from "./mixing-state.ts";
export { hingeObjective, logLossObjective, type Objective, type ObjectiveOptions } from "./objective.ts";
export { type MiraOptions, mira, type OnlineLearner } from "./online.ts";
export type { ActiveOutput } from "./pairwise-shares.ts";
export { type PerceptronOptions, type PerceptronUpdate, perceptron } from "./perceptron.ts";
export type { SgdOptions } from "./sgd.ts";
export type { SlopeSink } from "./slopes.ts";
export type { SparseBlock } from "./sparse-block.ts";
export type { OptimizerOptions } from "./steps.ts";
export { type PegasosOptions, type SvmOptions, svm } from "./svm.ts";
export type { PartModel, SearchTrace, StructuredTask, Update, WeightVector } from "./task.ts";
export {
  breather,
  type OnlineProgress,
  type OnlineState,
  type OnlineTrainingOptions,
  trainOnline,
} from "./train-online.ts";
export { AveragedWeights } from "./weights.ts";
