export { exponentiatedGradient } from "./batch/exponentiated-gradient.ts";
export { frankWolfe } from "./batch/frank-wolfe.ts";
export { lbfgs } from "./batch/lbfgs.ts";
export {
  exponentiatedGradientLearner,
  frankWolfeLearner,
  lbfgsLearner,
} from "./batch/learners.ts";
export { hingeObjective, logLossObjective, type Objective } from "./batch/objective.ts";
export { mixShards, runShardsHere, type ShardRunner } from "./distributed/mixing.ts";
export type { Mixing } from "./distributed/mixing-names.ts";
export { type ShardResult, trainShard } from "./distributed/mixing-shard.ts";
export { mixStates } from "./distributed/mixing-state.ts";
export { type ShardJob, shardJob } from "./distributed/shard-job.ts";
export { runShardsAt } from "./distributed/shards-at.ts";
export { yieldToEventLoop } from "./event-loop.ts";
export type { GradientSink } from "./gradients.ts";
export type { Learner, LearnerState } from "./learner.ts";
export { AdaGrad } from "./online/adagrad.ts";
export { crf } from "./online/crf.ts";
export { kBestMira } from "./online/kbest-mira.ts";
export {
  crfLearner,
  kBestMiraLearner,
  learnerStateOf,
  miraLearner,
  onlineLearner,
  onlineStateOf,
  perceptronLearner,
  svmLearner,
} from "./online/learners.ts";
export { mira } from "./online/mira.ts";
export type { OnlineLearner } from "./online/online-learner.ts";
export { perceptron } from "./online/perceptron.ts";
export { svm } from "./online/svm.ts";
export {
  type OnlineProgress,
  type OnlineState,
  type OnlineTrainingOptions,
  stateOf,
  trainOnline,
} from "./online/train-online.ts";
export { votedOutput, votedPerceptron } from "./online/voted-perceptron.ts";
export { AveragedWeights } from "./online/weights.ts";
export { requireLearner, requireWeights } from "./require-learner.ts";
export type { PartModel, SearchTrace, StructuredTask, TaskMethod, Update, WeightVector } from "./task.ts";
