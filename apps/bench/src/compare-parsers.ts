import {
  type AttachmentScores,
  attachmentScores,
  type BootstrapResult,
  pairedBootstrap,
  sentenceCounts,
  type TreePair,
} from "@arcwise/evaluate";
import type { ParserJob, ParserRun, Tell } from "./parser-job.ts";
import { ParserRefused, type RunParser } from "./spawn-parser.ts";
import { readSplit, treebankName } from "./treebanks.ts";

/** A parser that was trained and measured. */
export interface ParserResult extends Omit<ParserRun, "trees"> {
  readonly parser: string;
  readonly treebank: string;
  readonly options: ParserJob["options"];
  readonly split: ParserJob["split"];
  readonly scores: AttachmentScores;
}

/** Differences of two parsers of a treebank, the second minus the first. */
export interface Comparison {
  readonly treebank: string;
  readonly first: string;
  readonly second: string;
  readonly uas: BootstrapResult;
  readonly las: BootstrapResult;
}

/** A combination of options that no parser has. */
export interface Refusal {
  readonly parser: string;
  readonly treebank: string;
  readonly reason: string;
}

export interface ParserComparison {
  readonly parsers: readonly ParserResult[];
  readonly comparisons: readonly Comparison[];
  readonly refused: readonly Refusal[];
}

/** Returns the name of a parser in tables. */
export function parserName({ decoder, order, learner, labels }: ParserJob["options"]): string {
  const learned = learner === undefined || learner === "mira" ? "" : `, ${learner}`;
  const labelled = labels?.labeller === undefined ? "" : `, ${labels.labeller} labels`;
  return `Arcwise ${decoder} order ${order}${learned}${labelled}`;
}

/**
 * Runs the jobs one after the other, scores their trees (all words, full labels), and compares the parsers of
 * each treebank with each other by a paired bootstrap test.
 */
export async function compareParsers(
  jobs: readonly ParserJob[],
  run: RunParser,
  seed: number,
  tell: Tell,
): Promise<ParserComparison> {
  const parsers: ParserResult[] = [];
  const refused: Refusal[] = [];
  const pairs = new Map<ParserResult, readonly TreePair[]>();
  for (const job of jobs) {
    const parser = parserName(job.options);
    const treebank = treebankName(job.treebank);
    try {
      const { trees, ...measured } = await run(job, (text) => tell(`${treebank}, ${parser}: ${text}`));
      const scored = treePairs(job, trees);
      const about = { parser, treebank, options: job.options, split: job.split };
      const result: ParserResult = { ...about, ...measured, scores: attachmentScores(scored) };
      parsers.push(result);
      pairs.set(result, scored);
    } catch (error) {
      if (!(error instanceof ParserRefused)) throw error;
      refused.push({ parser, treebank, reason: error.message });
    }
  }
  return { parsers, comparisons: compareAll(parsers, pairs, seed), refused };
}

function treePairs(job: ParserJob, trees: ParserRun["trees"]): TreePair[] {
  return readSplit(job.treebank, job.split).map(({ sentence, tree }, index) => {
    const { heads, labels } = trees[index]!;
    return { words: sentence, gold: tree, predicted: { heads: Int32Array.from(heads), labels } };
  });
}

function compareAll(
  parsers: readonly ParserResult[],
  pairs: ReadonlyMap<ParserResult, readonly TreePair[]>,
  seed: number,
): Comparison[] {
  return parsers.flatMap((first, index) =>
    parsers
      .slice(index + 1)
      .filter(({ treebank }) => treebank === first.treebank)
      .map((second) => {
        const test = (metric: "uas" | "las"): BootstrapResult =>
          pairedBootstrap(
            {
              a: sentenceCounts(pairs.get(first)!, metric),
              b: sentenceCounts(pairs.get(second)!, metric),
            },
            { seed },
          );
        const names = { first: first.parser, second: second.parser };
        return { treebank: first.treebank, ...names, uas: test("uas"), las: test("las") };
      }),
  );
}
