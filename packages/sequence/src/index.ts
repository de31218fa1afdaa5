export type { ChainExample, PreparedSequence } from "./chain/chain-example.ts";
export {
  type ChainConfiguration,
  type ChainModel,
  type ChainOptions,
  type ChainTraining,
  type ChainTrainOptions,
  type LabelledSentence,
  prepareChain,
  trainChain,
} from "./chain/chain-model.ts";
export type { ChainTask } from "./chain/chain-task.ts";
export {
  createLabeller,
  type Labeller,
  type LabellerOptions,
  type LabelOptions,
  type LabelProbability,
} from "./chain/labeller.ts";
export {
  bioesToBio,
  bioForbidden,
  bioToBioes,
  type Chunk,
  type ChunkCounts,
  type ChunkScores,
  chunkScores,
  chunksOf,
} from "./chunks/bio.ts";
export type { DictionaryData, DictionaryLevel } from "./features/dictionary.ts";
export type { FeatureSpaceData } from "./features/feature-space.ts";
export {
  CHUNKING_TEMPLATES,
  NAMES_TEMPLATES,
  RATNAPARKHI_TEMPLATES,
  TAG_DICTIONARY,
  TAGGING_TEMPLATES,
} from "./features/template-sets.ts";
export { SEQUENCE_ATTRIBUTES, type SequenceAttribute, type SequenceTemplate } from "./features/templates.ts";
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
} from "./hmm/hmm.ts";
export { BeamSearch } from "./inference/beam.ts";
export {
  type ChainProblem,
  completeLattice,
  type Labelling,
  type Lattice,
  latticeOf,
  NoLabelling,
  scoreLabelling,
  validateChain,
} from "./inference/chain-problem.ts";
export { type ChainSums, ForwardBackward } from "./inference/forward-backward.ts";
export { kBestLabellings } from "./inference/kbest.ts";
export { Viterbi, viterbi } from "./inference/viterbi.ts";
export type { TagLemmas } from "./lemmas/lemma-lexicon.ts";
export type { LemmaException, LemmaModel } from "./lemmas/lemma-model.ts";
export { createNeuralLabeller, type NeuralModel, type NeuralShape } from "./neural/neural-model.ts";
export { type NeuralTrainOptions, trainNeural } from "./neural/neural-training.ts";
export {
  type JackknifeOptions,
  type JackknifeWork,
  jackknifeTags,
  jackknifeWork,
  tagPart,
} from "./tagging/jackknife.ts";
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
} from "./tagging/tagger.ts";
