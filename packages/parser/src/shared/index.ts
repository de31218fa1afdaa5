export { storedDecoderName } from "../decoding/decoders.ts";
export {
  type Choice,
  type DecoderMaker,
  exactness,
  type Factory,
  type FactoryModule,
  isModule,
  makeDecoder,
  type PurposeRequest,
  requireScored,
} from "../decoding/make-decoder.ts";
export { columnShares } from "../model/column-shares.ts";
export {
  ARC_TEMPLATES,
  checkFeatureNames,
  ENCODER,
  LABEL_FILTER,
  LABELS,
  templates,
} from "../model/common-checks.ts";
export { FEATURES } from "../model/features-version.ts";
export { profileOf } from "../model/input-profile.ts";
export { NETWORK } from "../model/network-model.ts";
export { type CrossFit, candidateHistogram, crossFit, eachSentence } from "../pruning/cross-fit.ts";
export { type FoldJob, foldJob, type PrunerGradient } from "../pruning/prune-jobs.ts";
export { copyWords } from "../reading/tree-reading.ts";
export { ArcScorer } from "../scoring/arcs/arc-scorer.ts";
export { type LabelFilter, TAGS } from "../scoring/arcs/label-filter.ts";
export { modelEncoder } from "../scoring/network/network-scorer.ts";
export type { QuantizedNetwork } from "../scoring/network/quantized-network.ts";
export {
  logSoftmax,
  MIN_SCORE,
  SentenceNetworks,
  writeLabelScores,
} from "../scoring/network/sentence-networks.ts";
export { encodedInput } from "../scoring/vectors/encoded-input.ts";
export { describeVectors } from "../scoring/vectors/word-vectors.ts";
export { statesOf } from "../training/checkpoint.ts";
export { type CountedTask, RunningMean } from "../training/counted-task.ts";
export { checkExamples, treeFault } from "../training/examples.ts";
export { type Family, type FamilyContext, trainFamily } from "../training/family.ts";
export { learnerOf } from "../training/learners.ts";
export { modelVectors, withInputs } from "../training/network-input.ts";
export { networkEpochJob } from "../training/network-learner.ts";
export { NETWORK_OPTIONS } from "../training/network-options.ts";
export {
  type NetworkTask,
  type NetworkWork,
  shapedWork,
  taskOf,
} from "../training/network-task.ts";
export { DEFAULT_PRESET, type Preset } from "../training/presets.ts";
export { printOfEncoder, RUN_OPTIONS, type RunOptions } from "../training/run.ts";
export { networkEpochs } from "../training/settings.ts";
export { differences } from "../training/settings-description.ts";
export { trainNetworks } from "../training/stages/network.ts";
export { learnWeights, type WeightsPlan } from "../training/stages/weights.ts";
export { incompatible, joinPreset, ownSettings, refuseFeatures } from "../training/terms.ts";
export { decoderOption, LEARNER_OPTION, TERMS_OPTION, type Term } from "../training/train-options.ts";
