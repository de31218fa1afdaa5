import { formatInteger, type Run, share } from "@arcwise/bench/command";
import { readSplit, treebankName } from "@arcwise/bench/data";
import { table } from "@arcwise/bench/report";
import type { ParsingProblem } from "@arcwise/core";
import { defineOptions } from "@arcwise/core/options";
import type { TrainingExample } from "@arcwise/parser";
import { CONDITION_LOSSES, prepareCondition, trainCondition } from "../climbing/measure-condition.ts";
import {
  type ClimbedSentence,
  climbSentence,
  type OptimalShare,
  optimalShares,
} from "../climbing/measure-optimality.ts";
import { experiment } from "../experiment.ts";
import { EPOCHS, natural, naturals, ORDER, SEED, SENTENCES, TREEBANK } from "../options.ts";

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

export const optimality = experiment({
  name: "optimality",
  claim: "measure how often climbs find the best tree, which AD3 with branch and bound proves",
  options: defineOptions({
    treebank: TREEBANK,
    order: { ...ORDER, default: 2 },
    sentences: SENTENCES,
    epochs: { ...EPOCHS, default: 5 },
    dev: natural("--dev <n>", "measure on the first sentences only"),
    climbs: { ...naturals("--climbs <n...>", "numbers of climbs"), default: [1, 2, 5, 10, 20, 50] },
    seed: { ...SEED, help: "random seed of the order of sentences and of the starts" },
  }),
  quick: { epochs: 1, sentences: 40, dev: 10, climbs: [1, 5] },
  async *measure({ treebank, sentences, dev: most, climbs, ...settings }, run) {
    const [train, dev] = [
      readSplit(treebank, "train").slice(0, sentences),
      readSplit(treebank, "dev").slice(0, most),
    ];
    const climbed: ClimbedSentence[] = [];
    // The parser is trained when the first block is measured, and again if an interrupted run lacks blocks.
    let scorer: Promise<Scorer> | undefined;
    for (let from = 0; from < dev.length; from += BLOCK) {
      const block = dev.slice(from, from + BLOCK);
      const measured = await run.once(`sentences from ${from + 1}`, async () => {
        scorer ??= trainedScorer(run, train, dev, settings);
        const visit = await scorer;
        run.tell(`sentences ${from + 1} to ${from + block.length} of ${dev.length}`);
        const found: ClimbedSentence[] = [];
        visit(block, (problem) => found.push(climbSentence(problem, Math.max(...climbs), settings.seed)));
        return found;
      });
      climbed.push(...measured);
    }
    yield { trained: train.length, sentences: climbed, shares: optimalShares(climbed, LENGTHS, climbs) };
  },
  results: ([row]) => ({ sentences: row!.sentences, shares: row!.shares }),
  title: ([row], { treebank }) =>
    `Optimality of hill climbing: ${treebankName(treebank)}, ${row!.trained} training sentences`,
  sections: (rows, { climbs }) =>
    rows.map(({ sentences: climbed, shares }) => ({
      title: "Sentences whose best tree is found",
      text:
        `The best tree is proved for ${formatInteger(climbed.filter(({ proved }) => proved).length)} of ` +
        `${formatInteger(climbed.length)} sentences.`,
      figures: [],
      tables: [
        table(
          "By length, in percent",
          shares,
          {
            words: ({ from, to }) =>
              to < Infinity ? `${from} to ${to}` : from > 1 ? `more than ${from - 1}` : "all",
            sentences: ({ sentences }) => formatInteger(sentences),
            ...Object.fromEntries(
              climbs.map((count, k) => [
                `${count} climbs`,
                ({ sentences, optimal }: OptimalShare) => (sentences === 0 ? "" : optimal[k]!.toFixed(1)),
              ]),
            ),
          },
          {
            note: "The first climb starts at the maximum arborescence, the others at trees drawn by arc scores.",
          },
        ),
      ],
    })),
  contestants: ([row], { treebank, climbs }) =>
    row!.shares.at(-1)!.optimal.map((optimal, k) => ({
      group: treebankName(treebank),
      name: `${climbs[k]} climbs`,
      measures: { optimal: share(optimal / 100) },
    })),
});

/** Calls `visit` with the scores of each sentence. */
type Scorer = (sentences: readonly TrainingExample[], visit: (problem: ParsingProblem) => void) => void;

/** Trains a parser with the usual loss. */
async function trainedScorer(
  run: Run,
  train: readonly TrainingExample[],
  dev: readonly TrainingExample[],
  options: { readonly order: 1 | 2 | 3; readonly epochs: number; readonly seed: number },
): Promise<Scorer> {
  run.tell("pruning");
  const settings = { ...options, aggressiveness: AGGRESSIVENESS };
  const data = await prepareCondition(train, dev, settings);
  const { weights } = await trainCondition(data, CONDITION_LOSSES[0]!, settings, (epoch) =>
    run.tell(`epoch ${epoch}/${options.epochs}`),
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
