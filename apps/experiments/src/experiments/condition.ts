import { share, threeDigits } from "@arcwise/bench/command";
import { readSplit, treebankName } from "@arcwise/bench/data";
import { table } from "@arcwise/bench/report";
import { defineOptions, list, oneOf } from "@arcwise/core/options";
import {
  type ClimbEnds,
  CONDITION_LOSSES,
  type ConditionData,
  type ConditionResult,
  measureCondition,
  PAIR_SOURCES,
  prepareCondition,
  trainCondition,
} from "../climbing/measure-condition.ts";
import { experiment } from "../experiment.ts";
import { EPOCHS, natural, ORDER, SENTENCES, TREEBANK } from "../options.ts";

const NAMES = CONDITION_LOSSES.map(({ name }) => name);
const AGGRESSIVENESS = 0.1;

/** The columns that name a training. */
const TRAINING = {
  losses: ({ losses }: ConditionResult) => losses,
  seed: ({ seed }: ConditionResult) => `${seed}`,
};

export const condition = experiment({
  name: "condition",
  claim: "learn the condition under which one climb suffices, by losses on pairs of trees",
  options: defineOptions({
    treebank: TREEBANK,
    order: { ...ORDER, default: 2 },
    sentences: SENTENCES,
    epochs: { ...EPOCHS, default: 5 },
    dev: natural("--dev <n>", "measure on the first development sentences only"),
    seeds: { ...natural("--seeds <n>", "number of trainings with each loss"), default: 3 },
    losses: {
      check: list(oneOf(...NAMES)),
      help: `only these losses: ${NAMES.join("; ")}`,
      default: NAMES,
      defaultHelp: "all",
      flag: "--losses <name...>",
    },
  }),
  quick: { epochs: 1, sentences: 20, dev: 20, seeds: 1, losses: [NAMES[0]!] },
  async *measure({ treebank, order, sentences, epochs, dev: most, seeds, losses: chosen }, run) {
    const [train, dev] = [
      readSplit(treebank, "train").slice(0, sentences),
      readSplit(treebank, "dev").slice(0, most),
    ];
    for (let seed = 1; seed <= seeds; seed++) {
      const settings = { order, epochs, seed, aggressiveness: AGGRESSIVENESS };
      // The pruner is trained when the first loss of a seed is measured.
      let data: Promise<ConditionData> | undefined;
      for (const losses of CONDITION_LOSSES.filter(({ name }) => chosen.includes(name))) {
        const name = `seed ${seed}, ${losses.name}`;
        yield run.once(name, async (): Promise<ConditionResult> => {
          run.tell(name);
          data ??= prepareCondition(train, dev, settings);
          const prepared = await data;
          const { weights, seconds } = await trainCondition(prepared, losses, settings, (epoch) =>
            run.tell(`${name}: epoch ${epoch}`),
          );
          return { losses: losses.name, seed, seconds, ...measureCondition(prepared, weights, seed) };
        });
      }
    }
  },
  title: (_rows, { treebank, sentences = Infinity }) =>
    `Learning condition (2): ${treebankName(treebank)}, ` +
    `${Math.min(sentences, readSplit(treebank, "train").length)} training sentences`,
  sections: (rows) => [
    {
      title: "Pairs, climbs and accuracy",
      text: "Pairs of a tree and its correction: the trees met on climbs, random trees, and the worst pairs by search.",
      figures: [],
      tables: [
        table("Pairs that fulfil condition (2), in percent", rows, {
          ...TRAINING,
          ...pairColumns("dev", "pairs"),
          ...pairColumns("train", "trained"),
          seconds: ({ seconds }) => threeDigits(seconds),
        }),
        table("Sentences by the ends of all climbs from random starts, in percent", rows, {
          ...TRAINING,
          ...endColumns("dev", "ends"),
          ...endColumns("train", "trainedEnds"),
        }),
        table("Climbs from random starts, and UAS on the development split", rows, {
          ...TRAINING,
          "end at best %": ({ endAtBest }) => endAtBest.toFixed(1),
          "climbs needed": ({ needed }) => needed.toFixed(2),
          "one climb": ({ oneRandom }) => oneRandom.uas.toFixed(2),
          "from the arborescence": ({ one }) => one.uas.toFixed(2),
          "up to 30": ({ many }) => many.uas.toFixed(2),
        }),
      ],
    },
  ],
  contestants: (rows, { treebank }) =>
    rows.map((result) => ({
      group: treebankName(treebank),
      name: `${result.losses}, seed ${result.seed}`,
      measures: {
        "UAS, one climb": share(result.oneRandom.uas / 100),
        "UAS, many climbs": share(result.many.uas / 100),
        "end at the best tree": share(result.endAtBest / 100),
      },
    })),
});

type Columns = Readonly<Record<string, (result: ConditionResult) => string>>;

function pairColumns(split: string, key: "pairs" | "trained"): Columns {
  return Object.fromEntries(
    PAIR_SOURCES.map((source) => [
      `${split}, ${source}`,
      (result) => result[key][source].fulfilled.toFixed(1),
    ]),
  );
}

function endColumns(split: string, key: "ends" | "trainedEnds"): Columns {
  const names: Readonly<Record<keyof ClimbEnds, string>> = {
    atGold: "climbs at gold",
    allAtGold: "all at gold",
    allAtBest: "all at best",
  };
  return Object.fromEntries(
    Object.entries(names).map(([end, name]) => [
      `${split}, ${name}`,
      (result) => result[key][end as keyof ClimbEnds].toFixed(1),
    ]),
  );
}
