import { type AttachmentScores, attachmentScores, type BootstrapResult } from "@arcwise/evaluate";
import type { TrainingExample } from "@arcwise/parser";
import { readSplit, spreadEvenly, treebankName } from "../data/treebanks.ts";
import { difference, pairsOf } from "../measures/decoder-differences.ts";
import { formatDuration } from "../results/format.ts";
import type { Journal } from "../results/journal.ts";
import {
  type SentenceRights,
  type SentenceTrees,
  sentenceRights,
  shownSentences,
} from "../results/results.ts";
import type { ParserJob, ParserRun, Tell } from "./parser-job.ts";
import { ParserFailed, type RunParser } from "./spawn-parser.ts";

/** A parser that was trained and measured. */
export interface ParserResult extends Omit<ParserRun, "trees"> {
  readonly parser: string;
  readonly treebank: string;
  readonly options: ParserJob["options"];
  readonly split: ParserJob["split"];
  readonly scores: AttachmentScores;
  readonly rights: SentenceRights;
}

/** Differences of two parsers of a treebank, the second minus the first. */
export interface Comparison {
  readonly treebank: string;
  readonly first: string;
  readonly second: string;
  readonly uas: BootstrapResult;
  readonly las: BootstrapResult;
}

/** A combination of options that no parser has, or a parser that failed. */
export interface Refusal {
  readonly parser: string;
  readonly treebank: string;
  readonly reason: string;
}

/** Sentences of a treebank with the trees of its parsers, in the order of these. */
export interface ShownSentences {
  readonly treebank: string;
  /** At most `MAX_SHOWN` sentences, spread evenly. */
  readonly sentences: readonly SentenceTrees[];
}

export interface ParserComparison {
  readonly parsers: readonly ParserResult[];
  readonly shown: readonly ShownSentences[];
  readonly comparisons: readonly Comparison[];
  /** Scores of parsers that were trained with several seeds; empty with one seed. */
  readonly seeds: readonly SeedScores[];
  /** Combinations of options that do not exist. */
  readonly refused: readonly Refusal[];
  /** Parsers whose training or parsing ended with an error. */
  readonly failed: readonly Refusal[];
}

/** Scores of a parser that was trained with several seeds, in their order. */
export interface SeedScores {
  readonly parser: string;
  readonly treebank: string;
  readonly seeds: readonly number[];
  readonly uas: readonly number[];
  readonly las: readonly number[];
}

/** Settings of a comparison of parsers. */
export interface ParserContest {
  readonly run: RunParser;
  readonly journal: Journal;
  readonly seed: number;
  readonly tell: Tell;
  /** Number of seeds that each parser is trained with, from its own on. Default: 1. */
  readonly seeds?: number | undefined;
}

/**
 * Runs the jobs in sequence, scores their trees (all words, full labels), and compares the parsers of
 * each treebank with each other by a paired bootstrap test. With other seeds, jobs are run with each of them as
 * well, for their scores alone. Jobs that the journal knows are not run again.
 */
export async function compareParsers(
  jobs: readonly ParserJob[],
  { run, journal, seed, tell, seeds: seedCount = 1 }: ParserContest,
): Promise<Omit<ParserComparison, "refused">> {
  const parsers: ParserResult[] = [];
  const failed: Refusal[] = [];
  const seeds: SeedScores[] = [];
  const treesOf = new Map<ParserResult, ParserRun["trees"]>();
  const counter = new JobCounter(jobs.length * seedCount);
  const measure = (job: ParserJob): Promise<ParserRun> => {
    const key = JSON.stringify(job);
    const name = `${counter.next(!journal.has(key))}: ${treebankName(job.treebank)}, ${job.name}`;
    if (journal.has(key)) tell(`${name}: measured before`);
    return journal.once(key, () => run(job, (text) => tell(`${name}: ${text}`)));
  };
  for (const job of jobs) {
    const about = { parser: job.name, treebank: treebankName(job.treebank) };
    try {
      const { trees, ...measured } = await measure(job);
      const golds = goldsOf(job);
      const rights = sentenceRights(golds, trees);
      const scores = scoresOf(golds, trees);
      const result = { ...about, options: job.options, split: job.split, ...measured, scores, rights };
      parsers.push(result);
      treesOf.set(result, trees);
      if (seedCount === 1) continue;
      const first = seedOf(job);
      const all = [scores];
      for (let other = first + 1; other < first + seedCount; other++)
        all.push(scoresOf(golds, (await measure(withSeed(job, other))).trees));
      seeds.push({
        ...about,
        seeds: all.map((_, i) => first + i),
        uas: all.map(({ uas }) => uas),
        las: all.map(({ las }) => las),
      });
    } catch (error) {
      if (!(error instanceof ParserFailed)) throw error;
      failed.push({ ...about, reason: error.message });
    }
  }
  const comparisons = pairsOf(parsers).flatMap(([first, second]): Comparison[] => {
    const { treebank } = first;
    if (treebank !== second.treebank) return [];
    const test = (counted: "heads" | "arcs") => difference([first.rights, second.rights], counted, { seed });
    const names = { first: first.parser, second: second.parser };
    return [{ treebank, ...names, uas: test("heads"), las: test("arcs") }];
  });
  const shown = [...new Set(parsers.map(({ treebank }) => treebank))].map((treebank): ShownSentences => {
    const own = parsers.filter((one) => one.treebank === treebank).map((one) => treesOf.get(one)!);
    const golds = goldsOf(jobs.find((job) => treebankName(job.treebank) === treebank)!);
    return { treebank, sentences: shownSentences([...golds.keys()], golds, own) };
  });
  return { parsers, comparisons, seeds, shown, failed };
}

/** Counts jobs, and estimates the time that is left from those that ran. */
class JobCounter {
  readonly #count: number;
  readonly #begin = performance.now();
  #started = 0;
  #ran = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Counts a job that begins. @returns `7 of 17, 3 min left` */
  next(isRun: boolean): string {
    const left = this.#count - this.#started;
    const each = (performance.now() - this.#begin) / this.#ran;
    this.#started++;
    const time = this.#ran === 0 ? "" : `, ${formatDuration(each * left)} left`;
    if (isRun) this.#ran++;
    return `${this.#started} of ${this.#count}${time}`;
  }
}

function seedOf({ options }: ParserJob): number {
  const at = options.lastIndexOf("--seed");
  return at < 0 ? 1 : Number(options[at + 1]);
}

/** Returns the job with another seed of training, and a file of its own for the model. */
function withSeed(job: ParserJob, seed: number): ParserJob {
  const options = job.options.filter((_, i, all) => all[i] !== "--seed" && all[i - 1] !== "--seed");
  const seeded = [...options, "--seed", `${seed}`];
  const modelFile = job.modelFile?.replace(/\.model$/, `-seed-${seed}.model`);
  return { ...job, options: seeded, modelFile, parseWith: undefined };
}

function goldsOf({ treebank, split, sentences = Infinity }: ParserJob): TrainingExample[] {
  return spreadEvenly(readSplit(treebank, split), sentences);
}

function scoresOf(golds: readonly TrainingExample[], trees: ParserRun["trees"]): AttachmentScores {
  const pairs = golds.map(({ sentence, tree }, index) => {
    const { heads, labels } = trees[index]!;
    return { words: sentence, gold: tree, predicted: { heads: Int32Array.from(heads), labels } };
  });
  return attachmentScores(pairs);
}
