import { type ConlluSentence, partialTree, sentenceTree, sentenceWords } from "@arcwise/conllu";
import type { DependencyTree, Sentence } from "@arcwise/core";
import { invalidArgument } from "@arcwise/core/errors";
import { checkLearned, field } from "@arcwise/core/options";
import {
  columnWarnings,
  type TrainingProgress,
  TrainingReporter,
  type TrainingWarning,
} from "@arcwise/core/training";
import { here, type Place, runStages, type StageTable } from "@arcwise/jobs";
import {
  checkEncoder,
  type ParserModel,
  type TrainingExample,
  type TrainOptions,
  termsOf,
  trainingWarnings,
  trainingWork,
  trainParser,
} from "@arcwise/parser";
import {
  columnsOf,
  createTagger,
  jackknifeTags,
  TAGGER_COLUMNS,
  type TaggerColumn,
  type TaggerModel,
  taggingWork,
  trainTagger,
} from "@arcwise/sequence";
import { type TokenizerModel, trainTokenizer } from "@arcwise/tokenize";
import { keptSteps, statesOfParser, treebankPrint } from "./checkpoint.ts";
import { describe } from "./describe.ts";
import type { PipelineModel } from "./model-parts.ts";
import { columnsOfNetwork, networkColumns } from "./retagging.ts";
import { type PipelineTrainOptions, type StepSettings, stepSettings } from "./train-options.ts";
import { joinTreebanks } from "./treebanks/join-treebanks.ts";
import { type Treebank, treebanksOf } from "./treebanks/treebank.ts";

/** Epochs of the taggers that tag parts of the treebank. */
const JACKKNIFE_EPOCHS = 5;

/**
 * Trains all steps from raw text to trees on a treebank, or on several: the tokeniser, the tagger, and the parser
 * on tags that taggers predicted. The same sentences, options and seed give the same model.
 *
 * Sentences with typing errors, by `CorrectForm` of MISC, are learned as they would be written without them as
 * well. Paragraphs of several treebanks alternate in proportion to their sizes and weights. The tokeniser does not learn from
 * sentences that a parser annotated (`silver`); the other steps learn from them as from all others. Words without a lemma
 * say nothing about lemmas; the words of `lexicon` say nothing else.
 *
 *     const model = await trainPipeline([{ sentences: web }, { sentences: news, weight: 2 }], { dev });
 *
 * Cost: the steps, and `jackknife` taggers.
 *
 * @throws what `trainTokenizer`, `trainTagger`, `jackknifeTags` and `trainParser` throw
 * @throws ModelError when the checkpoint is damaged, or belongs to another training
 *
 * @example
 * const treebank = parseConllu(await readFile("train.conllu", "utf8"));
 * const model = await trainPipeline(treebank, { preset: "linear", seed: 1 });
 * const nlp = createPipeline(model);
 */
export async function trainPipeline(
  given: readonly ConlluSentence[] | readonly Treebank[],
  options: PipelineTrainOptions = {},
): Promise<PipelineModel> {
  const settings = stepSettings(options);
  const { seed } = settings;
  // A network alone predicts tags itself, and learns from words alone.
  const jackknife = isAlone(settings) || options.continue ? 0 : settings.jackknife;
  const { onWarning, encoder } = options;
  checkEncoder(encoder, termsOf(settings.parser).includes("network"));
  const treebanks = treebanksOf(given, "trainPipeline: treebanks");
  const devs = options.dev && treebanksOf(options.dev, "trainPipeline: dev");
  const sentences = joinTreebanks(treebanks, settings);
  const gold = treebanks.filter(({ silver }) => !silver);
  const cut = gold.length === treebanks.length ? sentences : joinTreebanks(gold, settings);
  const dev = devs?.flatMap((own) => own.sentences);
  checkLearnable(sentences);
  if (cut.length === 0 && settings.tokenizer !== false && options.continue === undefined)
    throw invalidArgument("trainPipeline: treebanks", "one that is not silver, for the tokeniser", "none");
  if (onWarning) for (const warning of warningsOf(sentences, options, settings)) onWarning(warning);
  const training = new PipelineTraining({ sentences, cut }, { ...options, dev }, settings);
  const { tokenizer, tagger, parser } = await training.run();
  const { graphs, description: before } = options.continue ?? {};
  const learned = gold.reduce((sum, own) => sum + own.sentences.length, 0);
  const trainingSentences = learned + (before?.trainingSentences ?? 0);
  const model: PipelineModel = {
    description: { seed, trainingSentences, jackknife: before?.jackknife ?? jackknife },
    tokenizer,
    tagger,
    parser,
    graphs,
  };
  const scored = tokenizer === undefined ? undefined : devs;
  return {
    ...model,
    description: await describe(model, { treebanks, devs: scored, settings, options }),
  };
}

/** Returns whether the parser is a network alone, which predicts tags as well. */
function isAlone({ parser }: StepSettings): boolean {
  return !termsOf(parser).includes("features");
}

/** The columns of a row that models keep. */
const LEARNED = ["upos", "xpos", "feats", "lemma", "deprel"] as const;

/** @throws ArcwiseError `invalid-argument` without sentences; `invalid-data` on a tag, lemma or label that no file holds */
function checkLearnable(sentences: readonly ConlluSentence[]): void {
  if (sentences.length === 0)
    throw invalidArgument("trainPipeline: treebanks", "sentences to learn from", "none");
  for (const { rows } of sentences)
    for (const row of rows) for (const name of LEARNED) checkLearned(field, row[name], name);
}

/** Returns warnings about the trees, and about columns that the tagger learns. */
function warningsOf(
  sentences: readonly ConlluSentence[],
  options: PipelineTrainOptions,
  { tagger, ...settings }: StepSettings,
): TrainingWarning[] {
  const words = sentences.map(sentenceWords);
  const { columns = TAGGER_COLUMNS } = tagger;
  const treeOf = treesOf(options);
  const examples = sentences.map((sentence, s) => ({ sentence: words[s]!, tree: treeOf(sentence) }));
  return [
    ...trainingWarnings(examples, parserOptions(options, settings)),
    ...columnWarnings(
      words,
      columns.filter((name) => name !== "lemma"),
    ),
  ];
}

/** Returns the function from a sentence to its tree, which may be annotated in part. */
function treesOf({ partial }: PipelineTrainOptions): (sentence: ConlluSentence) => DependencyTree {
  return partial === true ? partialTree : sentenceTree;
}

/** Returns the options of the training of the parser that its data do not determine. */
function parserOptions(
  { continue: model, partial, encoder }: PipelineTrainOptions,
  { preset, parser }: Pick<StepSettings, "preset" | "parser">,
): TrainOptions {
  const given = { ...parser, partial, encoder };
  return model ? { ...given, continue: model.parser } : { preset, ...given };
}

/** Estimated microseconds that a tokeniser takes: small treebanks get more epochs. */
const TOKENIZER_WORK = { least: 5e7, word: 700 };

/** Options of a training with one development set. */
type JoinedOptions = Omit<PipelineTrainOptions, "dev"> & {
  readonly dev: readonly ConlluSentence[] | undefined;
};

/** The outputs of the stages of a training. */
interface Stages {
  readonly tokenizer: TokenizerModel | undefined;
  /** With a network alone, it finds lemmas; undefined if the words lack lemmas. */
  readonly tagger: TaggerModel | undefined;
  /** The sentences that the parser learns from. */
  readonly tagged: readonly Sentence[];
  readonly parser: ParserModel;
}

/** The sentences of a training. */
interface TrainingSentences {
  readonly sentences: readonly ConlluSentence[];
  /** The sentences that the tokeniser learns to cut: those that people annotated. */
  readonly cut: readonly ConlluSentence[];
}

/** The options that all steps have. */
interface StepRun {
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly place: Place;
  readonly onProgress: (at: TrainingProgress) => void;
}

/** The stages of a training, each of which is kept in the checkpoint once it is done. */
class PipelineTraining {
  readonly #sentences: readonly ConlluSentence[];
  readonly #cut: readonly ConlluSentence[];
  readonly #words: readonly Sentence[];
  readonly #options: JoinedOptions;
  readonly #settings: StepSettings;
  readonly #isAlone: boolean;
  /** The columns of tags and lemmas to learn. */
  readonly #columns: readonly TaggerColumn[];
  readonly #place: Place;
  #kept!: Awaited<ReturnType<typeof keptSteps>>;

  constructor({ sentences, cut }: TrainingSentences, options: JoinedOptions, settings: StepSettings) {
    this.#sentences = sentences;
    this.#cut = cut;
    this.#words = sentences.map(sentenceWords);
    this.#options = options;
    this.#settings = settings;
    this.#isAlone = isAlone(settings);
    this.#columns = options.continue ? [] : columnsOf(this.#words, settings.tagger.columns);
    this.#place = options.place ?? here();
  }

  /** Returns the fingerprint of the steps before the parser. */
  #print(): string {
    const { seed, jackknife, tokenizer, tagger, parser } = this.#settings;
    const { continue: model, partial, lexicon } = this.#options;
    return treebankPrint(this.#sentences, {
      seed,
      jackknife,
      tokenizer,
      tagger,
      terms: this.#isAlone ? parser.terms : undefined,
      partial,
      isContinued: model !== undefined || undefined,
      cut: this.#cut === this.#sentences ? undefined : treebankPrint(this.#cut, {}),
      lexicon: lexicon && treebankPrint(lexicon, {}),
    });
  }

  /** Runs all stages: in sequence, or at the same time in a place for several jobs. */
  async run(): Promise<Stages> {
    this.#kept = await keptSteps(this.#options.checkpoint, this.#print());
    const reporter = new TrainingReporter<keyof Stages>(this.#work(), this.#options.onProgress);
    const common = (stage: keyof Stages, signal: AbortSignal): StepRun => ({
      ...{ seed: this.#settings.seed, signal, place: this.#place },
      onProgress: (at) => reporter.report(stage, at, at.trainingShare),
    });
    const table: StageTable<Stages> = {
      tokenizer: (_, signal) => this.#tokenizer(common("tokenizer", signal)),
      tagger: (_, signal) => this.#tagger(common("tagger", signal)),
      tagged: (_, signal) => this.#tagged(common("tagged", signal)),
      parser: async ({ tagged, tagger }, signal) =>
        this.#parser(await tagged, await tagger, common("parser", signal)),
    };
    return runStages(table, { inSequence: this.#place.width === 1, signal: this.#options.signal });
  }

  /** Returns the estimated work of the stages that are not done. */
  #work(): Readonly<Record<keyof Stages, number>> {
    const { tagger, tokenizer, jackknife } = this.#settings;
    const words = this.#words;
    const count = words.reduce((sum, { length }) => sum + length, 0);
    const parser = trainingWork(count, parserOptions(this.#options, this.#settings));
    if (this.#options.continue) return { tokenizer: 0, tagger: 0, tagged: 0, parser };
    const { epochs } = tagger;
    const { columns } = this.#taggerSettings();
    const kept = this.#kept;
    const cut = (count * this.#cut.length) / this.#sentences.length;
    const part = taggingWork(words, { columns, epochs: Math.min(JACKKNIFE_EPOCHS, epochs) });
    return {
      tokenizer:
        tokenizer === false || kept.tokenizer.isDone
          ? 0
          : Math.max(TOKENIZER_WORK.least, cut * TOKENIZER_WORK.word),
      tagger: kept.tagger.isDone ? 0 : taggingWork(words, { columns, epochs }),
      tagged: kept.tagged.isDone || this.#isAlone ? 0 : part * Math.max(0, jackknife - 1),
      parser,
    };
  }

  async #tokenizer(run: StepRun): Promise<TokenizerModel | undefined> {
    const { tokenizer: settings } = this.#settings;
    if (this.#options.continue) return this.#options.continue.tokenizer;
    if (settings === false) return undefined;
    const { dev } = this.#options;
    return this.#kept.tokenizer.output(() => trainTokenizer(this.#cut, { ...settings, ...run, dev }));
  }

  /** The settings of the tagger, which finds lemmas alone where a network finds the tags. */
  #taggerSettings(): StepSettings["tagger"] {
    const { tagger } = this.#settings;
    return this.#isAlone ? { ...tagger, columns: this.#columns.filter((name) => name === "lemma") } : tagger;
  }

  async #tagger(run: StepRun): Promise<TaggerModel | undefined> {
    if (this.#options.continue) return this.#options.continue.tagger;
    const settings = this.#taggerSettings();
    if (settings.columns?.length === 0) return undefined;
    const [dev, lexicon] = [this.#options.dev, this.#options.lexicon].map((own) => own?.map(sentenceWords));
    return this.#kept.tagger.output(() => trainTagger(this.#words, { ...settings, ...run, dev, lexicon }));
  }

  /**
   * Returns the sentences that the parser learns from; with 0 parts or one sentence, those with the tags of the treebank;
   * of a model that is continued, with the tags of its tagger; for a network alone, words without tags.
   */
  async #tagged(run: StepRun): Promise<readonly Sentence[]> {
    const { jackknife, tagger } = this.#settings;
    const parts = Math.min(jackknife, this.#words.length);
    if (this.#isAlone) return this.#words.map(untagged);
    const model = this.#options.continue;
    if (model) return model.tagger ? this.#words.map(createTagger(model.tagger).tag) : this.#words;
    if (parts < 2) return this.#words;
    const epochs = Math.min(JACKKNIFE_EPOCHS, tagger.epochs);
    const options = { columns: tagger.columns, epochs, parts, ...run };
    return this.#kept.tagged.output(() => jackknifeTags(this.#words, options));
  }

  async #parser(
    tagged: readonly Sentence[],
    tagger: TaggerModel | undefined,
    run: StepRun,
  ): Promise<ParserModel> {
    const { dev, checkpoint } = this.#options;
    const treeOf = treesOf(this.#options);
    const examples = tagged.map((sentence, s) => ({ sentence, tree: treeOf(this.#sentences[s]!) }));
    return trainParser(examples, {
      ...parserOptions(this.#options, this.#settings),
      network: this.#network(tagged),
      ...run,
      dev: dev && predicted(dev, this.#isAlone ? undefined : tagger),
      checkpoint: checkpoint && statesOfParser(checkpoint),
    });
  }

  /** Returns the settings of the network, with the columns that it learns; undefined if it is not one of the terms. */
  #network(tagged: readonly Sentence[]): TrainOptions["network"] {
    const { parser } = this.#settings;
    if (!termsOf(parser).includes("network")) return undefined;
    const { continue: model, partial = false } = this.#options;
    const names = model ? columnsOfNetwork(model.parser!) : this.#columns;
    const given = this.#isAlone ? undefined : tagged;
    const columns = networkColumns(this.#words, given, names, { partial, continued: model?.parser });
    return { ...parser.network, ...(model ? {} : { characters: true }), columns };
  }
}

function untagged(sentence: Sentence): Sentence {
  return sentence.map(({ form }) => ({ form }));
}

/** The sentences of a development set with predicted tags, or without a tagger of their words alone. */
function predicted(dev: readonly ConlluSentence[], tagger: TaggerModel | undefined): TrainingExample[] {
  const tag = tagger === undefined ? untagged : createTagger(tagger).tag;
  return dev.map((sentence) => ({ sentence: tag(sentenceWords(sentence)), tree: sentenceTree(sentence) }));
}
