import { type ConlluSentence, partialTree, sentenceTree, sentenceWords } from "@arcwise/conllu";
import type { DependencyTree, Sentence } from "@arcwise/core";
import { type TrainingProgress, TrainingReporter } from "@arcwise/core/training";
import { here, type Place, runStages, type StageOutputs, type StageTable } from "@arcwise/jobs";
import {
  type ParserModel,
  type TrainingExample,
  type TrainOptions,
  termsOf,
  trainingWork,
  trainParser,
} from "@arcwise/parser";
import {
  columnsOf,
  createTagger,
  jackknifeTags,
  type TaggerColumn,
  type TaggerModel,
  taggingWork,
  trainTagger,
} from "@arcwise/sequence";
import { type TokenizerModel, trainTokenizer } from "@arcwise/tokenize";
import { type KeptSteps, keptSteps, type Step, statesOfParser, treebankPrint } from "./checkpoint.ts";
import type { PipelineModel } from "./model-parts.ts";
import { columnsOfNetwork, networkColumns } from "./retagging.ts";
import type { PipelineTrainOptions, StepSettings } from "./train-options.ts";

/** Epochs of the taggers that tag parts of the treebank. */
const JACKKNIFE_EPOCHS = 5;

/** Estimated microseconds that a tokeniser takes: small treebanks get more epochs. */
const TOKENIZER_WORK = { least: 5e7, word: 700 };

/** The outputs of the stages of a training. */
interface Stages {
  readonly tokenizer: TokenizerModel | undefined;
  /** With a network alone, it finds lemmas; undefined if the words lack lemmas. */
  readonly tagger: TaggerModel | undefined;
  /**
   * The sentences that the parser learns from: with the tags of taggers that have not seen them; with 0 parts or one
   * sentence, with the tags of the treebank; of a model that is continued, with the tags of its tagger; for a network alone,
   * without tags.
   */
  readonly tagged: readonly Sentence[];
  readonly parser: ParserModel;
}

/** The options that the trainings of all stages have. */
interface StageRun {
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly place: Place;
  readonly onProgress: (at: TrainingProgress) => void;
}

type Stage<Output> = Step<Output, [run: StageRun, of: StageOutputs<Stages>]>;

/** The sentences of a training. */
interface TrainingSentences {
  readonly sentences: readonly ConlluSentence[];
  /** The sentences that the tokeniser learns to cut: those that people annotated. */
  readonly cut: readonly ConlluSentence[];
  readonly dev: readonly ConlluSentence[] | undefined;
}

/** The input of all stages. */
interface Training extends TrainingSentences {
  readonly options: PipelineTrainOptions;
  readonly settings: StepSettings;
  readonly words: readonly Sentence[];
  /** The columns of tags and lemmas to learn. */
  readonly columns: readonly TaggerColumn[];
}

type StagesOf<Names extends keyof Stages> = { readonly [Name in Names]: Stage<Stages[Name]> };

/** Runs all stages of a training: in sequence, or at the same time in a place for several jobs. */
export async function runTraining(
  data: TrainingSentences,
  options: PipelineTrainOptions,
  settings: StepSettings,
): Promise<Stages> {
  const { continue: model, place = here(), signal, onProgress } = options;
  const words = data.sentences.map(sentenceWords);
  const columns = model ? columnsOfNetwork(model.parser!) : columnsOf(words, settings.tagger.columns);
  const training: Training = { ...data, options, settings, words, columns };
  const kept = await keptSteps(options.checkpoint, printOf(training));
  const stages: StagesOf<keyof Stages> = {
    ...(model ? givenStages(training, model) : learnedStages(training, kept)),
    parser: parserStage(training),
  };
  const names = Object.keys(stages) as (keyof Stages)[];
  const work = Object.fromEntries(names.map((name) => [name, stages[name].work]));
  const reporter = new TrainingReporter<keyof Stages>(work, onProgress);
  const table = names.map((name) => {
    const report = (at: TrainingProgress) => reporter.report(name, at, at.trainingShare);
    const common = { seed: settings.seed, place, onProgress: report };
    const run = (of: StageOutputs<Stages>, either: AbortSignal) =>
      stages[name].run({ ...common, signal: either }, of);
    return [name, run] as const;
  });
  return runStages(Object.fromEntries(table) as unknown as StageTable<Stages>, {
    inSequence: place.width === 1,
    signal,
  });
}

/** Returns the fingerprint of the stages before the parser. */
function printOf({ sentences, cut, options, settings }: Training): string {
  const { seed, jackknife, tokenizer, tagger, parser } = settings;
  const { continue: model, partial, lexicon } = options;
  return treebankPrint(sentences, {
    seed,
    jackknife,
    tokenizer,
    tagger,
    terms: isNetworkAlone(settings) ? parser.terms : undefined,
    partial,
    isContinued: model !== undefined || undefined,
    cut: cut === sentences ? undefined : treebankPrint(cut, {}),
    lexicon: lexicon && treebankPrint(lexicon, {}),
  });
}

/** Returns a stage that takes no time. */
function done<Output>(run: () => Output): Stage<Output> {
  return { work: 0, run };
}

/** Returns the stages before the parser of a model that is continued, whose other steps stay as they are. */
function givenStages(
  { words, settings }: Training,
  { tokenizer, tagger }: PipelineModel,
): StagesOf<"tokenizer" | "tagger" | "tagged"> {
  const tagged = tagger ? () => words.map(createTagger(tagger).tag) : () => words;
  return {
    tokenizer: done(() => tokenizer),
    tagger: done(() => tagger),
    tagged: done(isNetworkAlone(settings) ? () => words.map(untagged) : tagged),
  };
}

/** Returns the stages before the parser, whose outputs the checkpoint keeps. */
function learnedStages(
  { sentences, cut, dev, words, columns: found, options: { lexicon }, settings }: Training,
  kept: KeptSteps,
): StagesOf<"tokenizer" | "tagger" | "tagged"> {
  const { tokenizer, jackknife } = settings;
  const isAlone = isNetworkAlone(settings);
  // A network that finds the tags leaves the lemmas to the tagger.
  const tagger = isAlone
    ? { ...settings.tagger, columns: found.filter((name) => name === "lemma") }
    : settings.tagger;
  const { columns, epochs } = tagger;
  const jackknifing = { columns, epochs: Math.min(JACKKNIFE_EPOCHS, epochs) };
  const parts = Math.min(jackknife, words.length);
  const share = cut.length / sentences.length;
  return {
    tokenizer:
      tokenizer === false
        ? done(() => undefined)
        : kept.tokenizer({
            work: Math.max(TOKENIZER_WORK.least, share * wordsIn(words) * TOKENIZER_WORK.word),
            run: (run) => trainTokenizer(cut, { ...tokenizer, ...run, dev }),
          }),
    tagger:
      columns?.length === 0
        ? done(() => undefined)
        : kept.tagger({
            work: taggingWork(words, { columns, epochs }),
            run: (run) => {
              const [own, others] = [dev, lexicon].map((sentences) => sentences?.map(sentenceWords));
              return trainTagger(words, { ...tagger, ...run, dev: own, lexicon: others });
            },
          }),
    tagged:
      isAlone || parts < 2
        ? done(() => (isAlone ? words.map(untagged) : words))
        : kept.tagged({
            work: taggingWork(words, jackknifing) * (jackknife - 1),
            run: (run) => jackknifeTags(words, { ...jackknifing, parts, ...run }),
          }),
  };
}

function parserStage({ sentences, dev, words, columns, options, settings }: Training): Stage<ParserModel> {
  const { continue: model, partial = false, checkpoint } = options;
  const { network, ...given } = parserOptions(options, settings);
  const isAlone = isNetworkAlone(settings);
  const treeOf = treesOf(options);
  return {
    work: trainingWork(wordsIn(words), { network, ...given }),
    async run(run, of) {
      const [tagged, tagger] = [await of.tagged, await of.tagger];
      const examples = tagged.map((sentence, s) => ({ sentence, tree: treeOf(sentences[s]!) }));
      const learned = () =>
        networkColumns(words, isAlone ? undefined : tagged, columns, { partial, continued: model?.parser });
      return trainParser(examples, {
        ...given,
        network: termsOf(settings.parser).includes("network")
          ? { ...network, ...(model ? {} : { characters: true }), columns: learned() }
          : undefined,
        ...run,
        dev: dev && predicted(dev, isAlone ? undefined : tagger),
        checkpoint: checkpoint && statesOfParser(checkpoint),
      });
    },
  };
}

function wordsIn(sentences: readonly Sentence[]): number {
  return sentences.reduce((sum, { length }) => sum + length, 0);
}

/** Returns the options of the training of the parser that its data do not determine. */
export function parserOptions(
  { continue: model, partial, encoder }: PipelineTrainOptions,
  { preset, parser }: Pick<StepSettings, "preset" | "parser">,
): TrainOptions {
  const given = { ...parser, partial, encoder };
  return model ? { ...given, continue: model.parser } : { preset, ...given };
}

/** Returns whether the parser is a network alone, which predicts tags as well. */
export function isNetworkAlone({ parser }: StepSettings): boolean {
  return !termsOf(parser).includes("features");
}

/** Returns the function from a sentence to its tree, which may be annotated in part. */
export function treesOf({ partial }: PipelineTrainOptions): (sentence: ConlluSentence) => DependencyTree {
  return partial === true ? partialTree : sentenceTree;
}

function untagged(sentence: Sentence): Sentence {
  return sentence.map(({ form }) => ({ form }));
}

/** The sentences of a development set with predicted tags, or without a tagger of their words alone. */
function predicted(dev: readonly ConlluSentence[], tagger: TaggerModel | undefined): TrainingExample[] {
  const tag = tagger === undefined ? untagged : createTagger(tagger).tag;
  return dev.map((sentence) => ({ sentence: tag(sentenceWords(sentence)), tree: sentenceTree(sentence) }));
}
