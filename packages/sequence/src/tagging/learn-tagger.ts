import type { Sentence } from "@arcwise/core";
import { ArcwiseError } from "@arcwise/core/errors";
import { epochShare, identifiersOf, type TrainingProgress, TrainingReporter } from "@arcwise/core/training";
import type { JobContext } from "@arcwise/jobs";
import { compactChain } from "../chain/chain-file.ts";
import {
  type ChainModel,
  type ChainOptions,
  type LabelledSentence,
  trainChain,
} from "../chain/chain-model.ts";
import type { Gazetteer } from "../features/gazetteers.ts";
import {
  gazetteerTemplates,
  MORPHOLOGY_TEMPLATES,
  TAG_DICTIONARY,
  TAGGING_TEMPLATES,
} from "../features/template-sets.ts";
import type { LemmaModel } from "../lemmas/lemma-model.ts";
import { trainLemmas } from "../lemmas/lemma-training.ts";
import {
  createTagger,
  type LabelledColumn,
  TAGGER_COLUMNS,
  type TaggerColumn,
  type TaggerModel,
} from "./tagger.ts";

/**
 * Training options of each column. Columns with many labels use the labels that a word, or similar words,
 * had.
 */
const SETTINGS: Readonly<Record<LabelledColumn, ChainOptions>> = {
  upos: { templates: TAGGING_TEMPLATES },
  xpos: { templates: MORPHOLOGY_TEMPLATES, dictionary: TAG_DICTIONARY, pairs: "observed" },
  feats: { templates: MORPHOLOGY_TEMPLATES, dictionary: TAG_DICTIONARY, pairs: "observed" },
};

/** Maximum number of epochs of lemmas: on development sets further ones do not help. */
const LEMMA_EPOCHS = 4;

/** Settings that determine a tagger, in addition to its sentences. Plain data. */
export interface TaggerLearning {
  /** Default: the columns that the sentences have. */
  readonly columns?: readonly TaggerColumn[] | undefined;
  readonly epochs: number;
  readonly seed: number;
  readonly gazetteers?: readonly Gazetteer[] | undefined;
  /** Words of a lexicon, whose lemmas are learned as well. */
  readonly lexicon?: readonly Sentence[] | undefined;
  readonly dev?: readonly Sentence[] | undefined;
}

/** Progress of the learning, and what ends it. */
export type LearningRun = Pick<JobContext, "onProgress" | "signal">;

/** Learns a tagger. */
export async function learnTagger(
  sentences: readonly Sentence[],
  options: TaggerLearning,
  { onProgress, signal }: LearningRun,
): Promise<TaggerModel> {
  const { epochs, seed } = options;
  const columns = columnsOf(sentences, options.columns);
  const tags = columns.filter((name) => name !== "lemma");
  const report = columnReports(columns, options.dev, onProgress);
  const lists = (options.gazetteers ?? []).flatMap((_, k) => gazetteerTemplates(k + 1));
  const models: { name: LabelledColumn; model: ChainModel }[] = [];
  for (const name of tags) {
    const identifiers = identifiersOf(sentences, name);
    const examples = sentences.map((sentence) => exampleOf(sentence, name, identifiers));
    const total = examples.length;
    let words = 0;
    for (const { labels } of examples) words += labels.length;
    const { templates, ...settings } = SETTINGS[name];
    const model = await trainChain(examples, {
      ...settings,
      templates: [...templates, ...lists],
      gazetteers: options.gazetteers,
      epochs,
      seed,
      onProgress: ({ epoch, done, cost }) =>
        report.progress(name, { epoch, epochs, done, total, error: (cost / words) * (total / done) }),
      signal,
    });
    models.push({ name, model: compactChain(model) });
    report.columnDone(name, { columns: models });
  }
  const lemmas = columns.includes("lemma")
    ? await learnLemmas([...sentences, ...(options.lexicon ?? [])], { epochs, seed, signal }, report)
    : undefined;
  if (lemmas) report.columnDone("lemma", { columns: models, lemmas });
  const trainingWords = sentences.reduce((sum, { length }) => sum + length, 0);
  return {
    description: { columns, epochs, seed, trainingSentences: sentences.length, trainingWords },
    columns: models,
    lemmas,
  };
}

/** Progress within a column. */
interface ColumnProgress {
  readonly epoch: number;
  readonly epochs: number;
  readonly done: number;
  readonly total: number;
  /** Share of wrong labels so far in this epoch. */
  readonly error: number;
}

interface ColumnReports {
  progress(column: TaggerColumn, at: ColumnProgress): void;
  /** Reports the end of a column, with its score on the development set. */
  columnDone(column: TaggerColumn, model: Pick<TaggerModel, "columns" | "lemmas">): void;
}

/** Reports the progress of columns in sequence. The last report of each waits for its score. */
function columnReports(
  columns: readonly TaggerColumn[],
  dev: readonly Sentence[] | undefined,
  onProgress: (progress: TrainingProgress) => void,
): ColumnReports {
  const reporter = new TrainingReporter<"tagger">({ tagger: 1 }, onProgress);
  let last: ColumnProgress | undefined;
  const report = (
    column: TaggerColumn,
    { epoch, epochs, done, total, error }: ColumnProgress,
    score?: number,
  ): void => {
    const share = (columns.indexOf(column) + epochShare(epoch, epochs, done, total)) / columns.length;
    const common = { step: "tagger", target: column, epoch, epochs, epochDone: done === total } as const;
    reporter.report("tagger", {
      ...common,
      share,
      error: { share: error, of: column },
      dev: score === undefined ? undefined : { [column]: score },
    });
  };
  return {
    progress(column, at) {
      last = at;
      if (at.epoch < at.epochs || at.done < at.total) report(column, at);
    },
    columnDone(column, { columns: models, lemmas }) {
      const names = [...models.map(({ name }) => name), ...(lemmas ? (["lemma"] as const) : [])];
      const description = { columns: names, epochs: 0, seed: 0, trainingSentences: 0, trainingWords: 0 };
      const score = dev?.length ? accuracy({ description, columns: models, lemmas }, dev, column) : undefined;
      report(column, last!, score);
    },
  };
}

/** Returns the percentage of words whose value of a column is predicted. */
function accuracy(model: TaggerModel, sentences: readonly Sentence[], column: TaggerColumn): number {
  const { tag } = createTagger(model);
  let right = 0;
  let total = 0;
  for (const sentence of sentences) {
    total += sentence.length;
    for (const [i, word] of tag(sentence).entries())
      if ((word[column] ?? "") === (sentence[i][column] ?? "")) right++;
  }
  return (100 * right) / Math.max(1, total);
}

function learnLemmas(
  sentences: readonly Sentence[],
  { epochs: asked, seed, signal }: Pick<TaggerLearning, "epochs" | "seed"> & Pick<LearningRun, "signal">,
  report: ColumnReports,
): Promise<LemmaModel> {
  const epochs = Math.min(asked, LEMMA_EPOCHS);
  return trainLemmas(sentences, {
    epochs,
    seed,
    signal,
    onProgress: ({ epoch, done, total, errors }) =>
      report.progress("lemma", { epoch, epochs, done, total, error: errors / done }),
  });
}

/**
 * Returns the training data of a column: forms, and universal tags if they come before it.
 *
 * @param leftOut values that count as none
 */
function exampleOf(sentence: Sentence, name: LabelledColumn, leftOut: ReadonlySet<string>): LabelledSentence {
  const labels = sentence.map(({ [name]: value = "" }) => (leftOut.has(value) ? "" : value));
  if (name === "upos") return { sentence: sentence.map(({ form }) => ({ form })), labels };
  return { sentence: sentence.map(({ form, upos = "" }) => ({ form, upos })), labels };
}

/**
 * Returns the columns to learn: those requested, or those that are not empty.
 *
 * @throws ArcwiseError `invalid-data` without columns to learn
 */
export function columnsOf(
  sentences: readonly Sentence[],
  asked: readonly TaggerColumn[] | undefined,
): readonly TaggerColumn[] {
  const found = TAGGER_COLUMNS.filter((name) =>
    asked === undefined
      ? sentences.some((sentence) => sentence.some((word) => (word[name] ?? "") !== ""))
      : asked.includes(name),
  );
  if (found.length === 0)
    throw new ArcwiseError("invalid-data", "expected sentences with tags to learn from, found none");
  return found;
}
