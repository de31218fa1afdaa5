import {
  type CommandFactory,
  type Io,
  Run,
  share,
  status,
  threeDigits,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import { checkTreebanks, readSplit, treebankName, treebanksStamp } from "@arcwise/bench/data";
import { left, right, type Section } from "@arcwise/bench/report";
import { integer } from "@arcwise/cli/command";
import { Command, Option } from "commander";
import {
  CONDITION_LOSSES,
  type ConditionData,
  type ConditionResult,
  measureCondition,
  PAIR_SOURCES,
  prepareCondition,
  trainCondition,
} from "../climbing/measure-condition.ts";
import { type TrainingArguments, withTraining } from "./training.ts";

interface ConditionArguments extends TrainingArguments {
  readonly dev?: number | undefined;
  readonly seeds: number;
  readonly losses: readonly string[];
}

const NAMES = CONDITION_LOSSES.map(({ name }) => name);
const AGGRESSIVENESS = 0.1;

/** With `--quick`. */
const FEW = { epochs: 1, sentences: 20, dev: 20, seeds: 1, losses: [NAMES[0]] };

/** `arcwise-experiments condition ...`: learning condition (2) of hill climbing. */
export const conditionCommand: CommandFactory = (io) =>
  withOutputs(
    withTraining(withQuick(new Command("condition"), FEW), { order: 2, epochs: 5 })
      .description("learn the condition under which one climb suffices, by losses on pairs of trees")
      .option("--dev <n>", "measure on the first development sentences only", integer(1))
      .option("--seeds <n>", "number of trainings with each loss", integer(1), 3)
      .addOption(new Option("--losses <name...>", "only these losses").choices(NAMES).default(NAMES)),
  ).action((options: ConditionArguments) => condition(io, options));

async function condition(io: Io, options: ConditionArguments): Promise<void> {
  const { treebank, order, sentences, epochs, seeds, losses: chosen } = options;
  checkTreebanks([treebank], ["train", "dev"]);
  const run = new Run(io, options, treebanksStamp([treebank]));
  const train = readSplit(treebank, "train").slice(0, sentences);
  const dev = readSplit(treebank, "dev").slice(0, options.dev);
  const results: ConditionResult[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const settings = { order, epochs, seed, aggressiveness: AGGRESSIVENESS };
    // The pruner is trained when the first loss of a seed is measured.
    let data: Promise<ConditionData> | undefined;
    for (const losses of CONDITION_LOSSES.filter(({ name }) => chosen.includes(name))) {
      const measure = async (): Promise<ConditionResult> => {
        status(io, `seed ${seed}, ${losses.name}`);
        data ??= prepareCondition(train, dev, settings);
        const prepared = await data;
        const { weights, seconds } = await trainCondition(prepared, losses, settings, (epoch) =>
          status(io, `seed ${seed}, ${losses.name}: epoch ${epoch}`),
        );
        return { losses: losses.name, seed, seconds, ...measureCondition(prepared, weights, seed) };
      };
      results.push(await run.once(`seed ${seed}, ${losses.name}`, measure));
    }
  }
  const name = treebankName(treebank);
  await run.publish({
    title: `Learning condition (2): ${name}, ${train.length} training sentences`,
    sections: [section(results)],
    seed: 1,
    results,
    contestants: results.map((result) => ({
      group: name,
      name: `${result.losses}, seed ${result.seed}`,
      measures: {
        "UAS, one climb": share(result.oneRandom.uas / 100),
        "UAS, many climbs": share(result.many.uas / 100),
        "end at the best tree": share(result.endAtBest / 100),
      },
    })),
  });
}

function section(results: readonly ConditionResult[]): Section {
  const head = [left("losses"), right("seed")];
  return {
    title: "Pairs, climbs and accuracy",
    text: "Pairs of a tree and its correction: the trees met on climbs, random trees, and the worst pairs by search.",
    figures: [],
    tables: [
      {
        title: "Pairs that fulfil condition (2), in percent",
        columns: [
          ...head,
          ...PAIR_SOURCES.map((source) => right(`dev, ${source}`)),
          ...PAIR_SOURCES.map((source) => right(`train, ${source}`)),
          right("seconds"),
        ],
        rows: results.map(({ losses, seed, pairs, trained, seconds }) => [
          losses,
          `${seed}`,
          ...[pairs, trained].flatMap((of) => PAIR_SOURCES.map((source) => of[source].fulfilled.toFixed(1))),
          threeDigits(seconds),
        ]),
      },
      {
        title: "Sentences by the ends of all climbs from random starts, in percent",
        columns: [
          ...head,
          ...["dev", "train"].flatMap((split) =>
            ["climbs at gold", "all at gold", "all at best"].map((name) => right(`${split}, ${name}`)),
          ),
        ],
        rows: results.map(({ losses, seed, ends, trainedEnds }) => [
          losses,
          `${seed}`,
          ...[ends, trainedEnds].flatMap(({ atGold, allAtGold, allAtBest }) =>
            [atGold, allAtGold, allAtBest].map((share) => share.toFixed(1)),
          ),
        ]),
      },
      {
        title: "Climbs from random starts, and UAS on the development split",
        columns: [
          ...head,
          ...["end at best %", "climbs needed", "one climb", "from the arborescence", "up to 30"].map(
            (name) => right(name),
          ),
        ],
        rows: results.map(({ losses, seed, endAtBest, needed, oneRandom, one, many }) => [
          losses,
          `${seed}`,
          endAtBest.toFixed(1),
          needed.toFixed(2),
          ...[oneRandom, one, many].map(({ uas }) => uas.toFixed(2)),
        ]),
      },
    ],
  };
}
