export { BeamSearch } from "./beam.ts";
export {
  bioesToBio,
  bioForbidden,
  bioToBioes,
  type Chunk,
  type ChunkCounts,
  type ChunkScores,
  chunkScores,
  chunksOf,
} from "./bio.ts";
export {
  type ChainProblem,
  completeLattice,
  type Labelling,
  type Lattice,
  latticeOf,
  NoLabelling,
  scoreLabelling,
  validateChain,
} from "./chain.ts";
export {
  type ChainConfiguration,
  type ChainModel,
  type ChainOptions,
  type ChainTraining,
  type ChainTrainOptions,
  type LabelledSentence,
  prepareChain,
  trainChain,
} from "./chain-model.ts";
export type { PreparedSequence } from "./chain-scorer.ts";
export type { ChainExample, ChainTask } from "./chain-task.ts";
export type { DictionaryData, DictionaryLevel } from "./dictionary.ts";
export type { FeatureSpaceData } from "./feature-space.ts";
export { type ChainSums, ForwardBackward } from "./forward-backward.ts";
export {
  type BaumWelchOptions,
  baumWelch,
  decodeHmm,
  type Hmm,
  type HmmOptions,
  type HmmSequence,
  hmmDecoder,
  randomHmm,
  trainHmm,
} from "./hmm.ts";
export { type JackknifeOptions, jackknifeTags } from "./jackknife.ts";
export { kBestLabellings } from "./kbest.ts";
export {
  createLabeller,
  type Labeller,
  type LabellerOptions,
  type LabelOptions,
  type LabelProbability,
} from "./labeller.ts";
export {
  createNeuralLabeller,
  type NeuralModel,
  type NeuralShape,
  type NeuralTrainOptions,
  trainNeural,
} from "./neural-training.ts";
export {
  createTagger,
  loadTagger,
  saveTagger,
  TAGGER_COLUMNS,
  type Tagger,
  type TaggerColumn,
  type TaggerModel,
  type TaggerProgress,
  type TaggerTrainOptions,
  trainTagger,
} from "./tagger.ts";
export {
  CHUNKING_TEMPLATES,
  NAMES_TEMPLATES,
  RATNAPARKHI_TEMPLATES,
  TAG_DICTIONARY,
  TAGGING_TEMPLATES,
} from "./template-sets.ts";
export { SEQUENCE_ATTRIBUTES, type SequenceAttribute, type SequenceTemplate } from "./templates.ts";
export { Viterbi, viterbi } from "./viterbi.ts";
