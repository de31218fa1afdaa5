import { checkSources, type Run } from "@arcwise/bench/command";
import { SAMPLE, type Split, treebankName } from "@arcwise/bench/data";
import { type ScoredSentence, scoredBy } from "@arcwise/bench/measures";
import { integer, list, oneOf, string } from "@arcwise/core/options";

/** The facts of an option that is a number from 1. */
export function natural(flag: string, help: string) {
  return { check: integer(1), help, flag };
}

/** The facts of an option that is a list of numbers from 1. */
export function naturals(flag: string, help: string) {
  return { check: list(integer(1)), help, flag };
}

/** The seed of an experiment; its help says of what. */
export const SEED = { check: integer(0), default: 1, flag: "--seed <n>" } as const;

/** The number of training sentences. */
export const SENTENCES = natural("--sentences <n>", "learn from the first sentences only");

/** The number of test sentences. */
export const TEST = natural("--test <n>", "test on the first sentences only");

/** A treebank to train a parser on. */
export const TREEBANK = {
  check: string,
  help: "a folder with files *train.conllu, *dev.conllu",
  defaultHelp: "the sample",
  default: SAMPLE,
  flag: "--treebank <dir>",
} as const;

/** The order of a parser; an experiment has its own default. */
export const ORDER = {
  check: oneOf(1, 2, 3),
  help: "arcs of the largest parts that are scored",
  flag: "--order <n>",
} as const;

/** The epochs of a training; an experiment has its own default. */
export const EPOCHS = natural("--epochs <n>", "epochs over the training split");

/** Trained models, the treebank of each, and the sentences to score. */
export const MODELS = {
  model: {
    check: list(string, { min: 1 }),
    help: "a model for each treebank",
    required: true,
    flag: "--model <file...>",
  },
  treebank: {
    check: list(string, { min: 1 }),
    help: "folders with files *train.conllu, *dev.conllu, *test.conllu",
    required: true,
    flag: "--treebank <dir...>",
  },
  split: {
    check: oneOf("train", "dev", "test"),
    help: "the split whose sentences are scored",
    default: "test",
    flag: "--split <name>",
  },
  sentences: natural("--sentences <n>", "only n sentences, spread evenly over the split"),
} as const;

/** The values of `MODELS`. */
interface Models {
  readonly model: readonly string[];
  readonly treebank: readonly string[];
  readonly split: Split;
  readonly sentences: number | undefined;
}

/** Tells the name of a pass over the sentences, and keeps what it measures. */
export type Step = <Result>(pass: string, measure: () => Result) => Promise<Result>;

/** Yields the results of each model on its treebank, of the sentences with its scores. */
export async function* eachModel<Result>(
  { model, treebank, split, sentences: most }: Models,
  run: Run,
  measure: (treebank: string, sentences: readonly ScoredSentence[], step: Step) => Promise<Result>,
): AsyncGenerator<Result, void> {
  checkSources(model, treebank, split);
  for (const [i, folder] of treebank.entries()) {
    const name = treebankName(folder);
    const keep = run.under(`${i} ${folder}`);
    const tell = (pass: string) => run.tell(`${name}: ${pass}`);
    yield await keep("all", async () => {
      tell("scoring");
      return measure(name, await scoredBy(model[i]!, folder, split, most), (pass, work) =>
        keep(pass, () => {
          tell(pass);
          return work();
        }),
      );
    });
  }
}
