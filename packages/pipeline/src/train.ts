import { type ConlluSentence, sentenceWords } from "@arcwise/conllu";
import { invalidArgument } from "@arcwise/core/errors";
import { checkLearned, field } from "@arcwise/core/options";
import { columnWarnings, type TrainingWarning } from "@arcwise/core/training";
import { checkEncoder, termsOf, trainingWarnings } from "@arcwise/parser";
import { TAGGER_COLUMNS } from "@arcwise/sequence";
import { describe } from "./describe.ts";
import type { PipelineModel } from "./model-parts.ts";
import { type PipelineTrainOptions, type StepSettings, stepSettings } from "./train-options.ts";
import { isNetworkAlone, parserOptions, runTraining, treesOf } from "./train-stages.ts";
import { joinTreebanks } from "./treebanks/join-treebanks.ts";
import { type Treebank, treebanksOf } from "./treebanks/treebank.ts";

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
  const jackknife = isNetworkAlone(settings) || options.continue ? 0 : settings.jackknife;
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
  const { tokenizer, tagger, parser } = await runTraining({ sentences, cut, dev }, options, settings);
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

/** The columns of a row that models keep. */
const LEARNED = ["upos", "xpos", "feats", "lemma", "deprel"] as const;

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
