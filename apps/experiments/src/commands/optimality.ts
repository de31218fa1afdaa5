import {
  type CommandFactory,
  formatInteger,
  type Io,
  Run,
  share,
  status,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import { checkTreebanks, readSplit, treebankName, treebanksStamp } from "@arcwise/bench/data";
import { left, right, type Section } from "@arcwise/bench/report";
import { integer, integers, seedOption } from "@arcwise/cli/command";
import type { ParsingProblem } from "@arcwise/core";
import { Command } from "commander";
import { CONDITION_LOSSES, prepareCondition, trainCondition } from "../climbing/measure-condition.ts";
import {
  type ClimbedSentence,
  climbSentence,
  type OptimalShare,
  optimalShares,
} from "../climbing/measure-optimality.ts";
import { type TrainingArguments, withTraining } from "./training.ts";

interface OptimalityArguments extends TrainingArguments {
  readonly dev?: number | undefined;
  readonly climbs?: readonly number[] | undefined;
  readonly seed: number;
}

const LENGTHS = [
  [1, 10],
  [11, 20],
  [21, 30],
  [31, 40],
  [41, Infinity],
  [1, Infinity],
] as const;
const AGGRESSIVENESS = 0.1;
/** Number of sentences of an entry of the run. */
const BLOCK = 5;

const CLIMBS = [1, 2, 5, 10, 20, 50];

/** With `--quick`. */
const FEW = { epochs: 1, sentences: 40, dev: 10, climbs: [1, 5] };

/** `arcwise-experiments optimality ...`: hill climbing against the proved best tree, by climbs and length. */
export const optimalityCommand: CommandFactory = (io) =>
  withOutputs(
    withTraining(withQuick(new Command("optimality"), FEW), { order: 2, epochs: 5 })
      .description("measure how often climbs find the best tree, which AD3 with branch and bound proves")
      .option("--dev <n>", "measure on the first sentences only", integer(1))
      .option("--climbs <n...>", "numbers of climbs (1 2 5 10 20 50)", integers(1))
      .addOption(seedOption("random seed of the order of sentences and of the starts")),
  ).action((options: OptimalityArguments) => optimality(io, options));

async function optimality(io: Io, options: OptimalityArguments): Promise<void> {
  const { treebank, sentences, climbs = CLIMBS } = options;
  checkTreebanks([treebank], ["train", "dev"]);
  const run = new Run(io, options, treebanksStamp([treebank]));
  const train = readSplit(treebank, "train").slice(0, sentences);
  const dev = readSplit(treebank, "dev").slice(0, options.dev);
  const climbed = await climbedSentences(io, train, dev, options, run);
  const shares = optimalShares(climbed, LENGTHS, climbs);
  const name = treebankName(treebank);
  await run.publish({
    title: `Optimality of hill climbing: ${name}, ${train.length} training sentences`,
    sections: [section(climbed, shares, climbs)],
    seed: options.seed,
    results: { sentences: climbed, shares },
    contestants: shares.at(-1)!.optimal.map((optimal, k) => ({
      group: name,
      name: `${climbs[k]} climbs`,
      measures: { optimal: share(optimal / 100) },
    })),
  });
}

type Split = ReturnType<typeof readSplit>;

/**
 * Trains a parser with the usual loss, and climbs on its scores of the development split. A block of sentences is an
 * entry of the journal; the parser is trained again if a block is missing.
 */
async function climbedSentences(
  io: Io,
  train: Split,
  dev: Split,
  options: OptimalityArguments,
  run: Run,
): Promise<ClimbedSentence[]> {
  const { climbs = CLIMBS, seed } = options;
  let scorer: Scorer | undefined;
  const climbed: ClimbedSentence[] = [];
  for (let from = 0; from < dev.length; from += BLOCK) {
    const sentences = dev.slice(from, from + BLOCK);
    const measure = async (): Promise<ClimbedSentence[]> => {
      scorer ??= await trainedScorer(io, train, dev, options);
      status(io, `sentences ${from + 1} to ${from + sentences.length} of ${dev.length}`);
      const block: ClimbedSentence[] = [];
      scorer(sentences, (problem) => block.push(climbSentence(problem, Math.max(...climbs), seed)));
      return block;
    };
    climbed.push(...(await run.once(`sentences from ${from + 1}`, measure)));
  }
  return climbed;
}

/** Calls `visit` with the scores of each sentence. */
type Scorer = (sentences: Split, visit: (problem: ParsingProblem) => void) => void;

async function trainedScorer(
  io: Io,
  train: Split,
  dev: Split,
  { order, epochs, seed }: OptimalityArguments,
): Promise<Scorer> {
  status(io, "pruning");
  const settings = { order, epochs, seed, aggressiveness: AGGRESSIVENESS };
  const data = await prepareCondition(train, dev, settings);
  const { weights } = await trainCondition(data, CONDITION_LOSSES[0]!, settings, (epoch) =>
    status(io, `epoch ${epoch}/${epochs}`),
  );
  const { prepared, decoder } = data;
  return (sentences, visit) => {
    decoder.run = (problem) => {
      visit(problem);
      return Int32Array.from({ length: problem.arcs.n + 1 }, (_, m) => m - 1);
    };
    prepared.evaluate(weights, sentences);
  };
}

function section(
  climbed: readonly ClimbedSentence[],
  shares: readonly OptimalShare[],
  climbs: readonly number[],
): Section {
  const proved = climbed.filter((sentence) => sentence.proved).length;
  return {
    title: "Sentences whose best tree is found",
    text: `The best tree is proved for ${formatInteger(proved)} of ${formatInteger(climbed.length)} sentences.`,
    figures: [],
    tables: [
      {
        title: "By length, in percent",
        columns: [left("words"), right("sentences"), ...climbs.map((count) => right(`${count} climbs`))],
        rows: shares.map(({ from, to, sentences, optimal }) => [
          to < Infinity ? `${from} to ${to}` : from > 1 ? `more than ${from - 1}` : "all",
          formatInteger(sentences),
          ...optimal.map((value) => (sentences === 0 ? "" : value.toFixed(1))),
        ]),
        note: "The first climb starts at the maximum arborescence, the others at trees drawn by arc scores.",
      },
    ],
  };
}
