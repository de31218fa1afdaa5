export {
  type AutomatonFactory,
  type AutomatonModel,
  createAutomatonLabeller,
  trainAutomaton,
} from "./chain/automaton-model.ts";
export {
  type ChainOptions,
  type ChainTraining,
  type ChainTrainOptions,
  type LabelledSentence,
  prepareChain,
  trainChain,
} from "./chain/chain-model.ts";
export { createLabeller } from "./chain/labeller.ts";
export { bioForbidden, chunkLabels, chunkScores, chunksOf } from "./chunks/bio.ts";
export type { Gazetteer } from "./features/gazetteers.ts";
export {
  CHUNKING_TEMPLATES,
  gazetteerTemplates,
  NAMES_TEMPLATES,
  RATNAPARKHI_TEMPLATES,
  TAG_DICTIONARY,
  TAGGING_TEMPLATES,
} from "./features/template-sets.ts";
export { automatonOf, gramAutomaton, type LabelAutomaton } from "./inference/automaton.ts";
export { jackknifeTags, taggingWork } from "./tagging/jackknife.ts";
export { columnsOf } from "./tagging/learn-tagger.ts";
export { TAGGER_SETTINGS } from "./tagging/settings.ts";
export {
  createTagger,
  loadTagger,
  saveTagger,
  TAGGER_COLUMNS,
  type Tagger,
  type TaggerColumn,
  type TaggerModel,
} from "./tagging/tagger.ts";
export { TAGGER_JOBS } from "./tagging/tagger-jobs.ts";
export { type TaggerTrainOptions, trainTagger } from "./tagging/train-tagger.ts";
