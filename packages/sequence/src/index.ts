export {
  type AutomatonFactory,
  type AutomatonLabeller,
  type AutomatonModel,
  type AutomatonTrainOptions,
  createAutomatonLabeller,
  trainAutomaton,
} from "./automaton/automaton-model.ts";
export {
  type ChainOptions,
  type ChainTraining,
  type ChainTrainOptions,
  type LabelledSentence,
  prepareChain,
  trainChain,
} from "./chain/chain-model.ts";
export { createLabeller, type Labeller } from "./chain/labeller.ts";
export { bioesToBio, bioForbidden, bioToBioes, chunkScores, chunksOf } from "./chunks/bio.ts";
export type { Gazetteer } from "./features/gazetteers.ts";
export {
  CHUNKING_TEMPLATES,
  gazetteerTemplates,
  NAMES_TEMPLATES,
  RATNAPARKHI_TEMPLATES,
  TAG_DICTIONARY,
  TAGGING_TEMPLATES,
} from "./features/template-sets.ts";
export {
  type JackknifeOptions,
  type JackknifeWork,
  jackknifeTags,
  jackknifeWork,
  partReports,
  taggingWork,
  tagPart,
} from "./tagging/jackknife.ts";
export {
  createTagger,
  loadTagger,
  saveTagger,
  TAGGER_COLUMNS,
  TAGGER_SETTINGS,
  type Tagger,
  type TaggerColumn,
  type TaggerModel,
  type TaggerSettings,
  type TaggerTrainOptions,
  trainTagger,
} from "./tagging/tagger.ts";
