export {
  type CuttingPlaneOptions,
  type CuttingPlaneState,
  cuttingPlane,
  type Plane,
} from "./batch/cutting-plane.ts";
export type { DualityGap, DualOptions, DualResult } from "./batch/dual.ts";
export {
  type ExponentiatedGradientOptions,
  type ExponentiatedGradientState,
  exponentiatedGradient,
} from "./batch/exponentiated-gradient.ts";
export { type FrankWolfeOptions, type FrankWolfeState, frankWolfe } from "./batch/frank-wolfe.ts";
export { type AsyncLbfgsOptions, lbfgs, lbfgsInTurns } from "./batch/lbfgs.ts";
export type { Correction, LbfgsOptions, LbfgsState, Minimum } from "./batch/lbfgs-search.ts";
export {
  cuttingPlaneLearner,
  exponentiatedGradientLearner,
  frankWolfeLearner,
  type LbfgsLearnerOptions,
  lbfgsLearner,
} from "./batch/learners.ts";
export {
  hingeObjective,
  logLossObjective,
  type Objective,
  type ObjectiveOptions,
} from "./batch/objective.ts";
export type { ActiveOutput } from "./batch/pairwise-shares.ts";
export {
  localRunner,
  type MixingOptions,
  mixShards,
  type ShardRunner,
  trainByMixing,
} from "./distributed/mixing.ts";
export { MIXINGS, type Mixing } from "./distributed/mixing-names.ts";
export type { MixedShard, MixingProgress, MixingRound } from "./distributed/mixing-progress.ts";
export {
  type ShardCounts,
  type ShardResult,
  type ShardStep,
  type ShardStepOptions,
  type StateChange,
  shardExamples,
  trainShard,
} from "./distributed/mixing-shard.ts";
export { mixingShares, mixStates } from "./distributed/mixing-state.ts";
export { yieldToEventLoop } from "./event-loop.ts";
export type { GradientSink } from "./gradients.ts";
export {
  checkNeeds,
  type Learner,
  type LearnerProgress,
  type LearnerState,
  type LearnerTraining,
  type ScoreUnit,
  type StateVector,
} from "./learner.ts";
export { MaxentClassifier, type MaxentModel, maxentModel } from "./maxent/classifier.ts";
export type { MaxentMethod, MaxentOptions, MaxentProgress, MaxentResult } from "./maxent/course.ts";
export { DesignBuilder, type DesignOptions, type MaxentDesign, type MaxentFeature } from "./maxent/design.ts";
export { maxentObjective, trainMaxent } from "./maxent/train.ts";
export { AdaGrad, type AdaGradOptions } from "./online/adagrad.ts";
export type { AdamOptions } from "./online/adam.ts";
export { type CrfOptions, crf } from "./online/crf.ts";
export { EarlyStopping } from "./online/early-stopping.ts";
export { type KBestMiraOptions, kBestMira } from "./online/kbest-mira.ts";
export {
  crfLearner,
  kBestMiraLearner,
  learnerStateOf,
  miraLearner,
  type OnlineLearnerTraits,
  onlineLearner,
  onlineStateOf,
  perceptronLearner,
  svmLearner,
} from "./online/learners.ts";
export { type MiraOptions, mira } from "./online/mira.ts";
export type { OnlineLearner } from "./online/online-learner.ts";
export { type PerceptronOptions, type PerceptronUpdate, perceptron } from "./online/perceptron.ts";
export type { SgdOptions } from "./online/sgd.ts";
export type { OptimizerOptions } from "./online/steps.ts";
export { type PegasosOptions, type SvmOptions, svm } from "./online/svm.ts";
export {
  type OnlineProgress,
  type OnlineState,
  type OnlineTrainingOptions,
  trainOnline,
} from "./online/train-online.ts";
export {
  type Vote,
  type VotedPerceptron,
  type VotedPerceptronOptions,
  type VotedVector,
  votedOutput,
  votedPerceptron,
} from "./online/voted-perceptron.ts";
export { AveragedWeights } from "./online/weights.ts";
export type { SparseBlock } from "./sparse-block.ts";
export {
  MissingMethod,
  type PartModel,
  type SearchTrace,
  type StructuredTask,
  type TaskMethod,
  type Update,
  type WeightVector,
} from "./task.ts";
