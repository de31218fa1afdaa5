import { formatInteger, formatPercent, type Measure } from "@arcwise/bench/command";
import { table } from "@arcwise/bench/report";
import { defineOptions } from "@arcwise/core/options";
import { experiment } from "../experiment.ts";
import { natural, naturals, SEED } from "../options.ts";
import { simulateGeneralisation } from "../perceptrons/generalisation.ts";

/** Noise of the distributions, whose other members are the same. */
const NOISES = [0, 0.05, 0.1];
const DISTRIBUTION = { dimension: 10, margin: 0.3 };

export const generalisation = experiment({
  name: "generalisation",
  claim: "simulate the bound of the voted perceptron's error on new examples",
  options: defineOptions({
    examples: {
      ...naturals("--examples <n...>", "numbers of training examples"),
      default: [10, 30, 100, 300, 1000],
    },
    samples: { ...natural("--samples <n>", "training sets of each number"), default: 50 },
    tested: { ...natural("--tested <n>", "new examples for each training set"), default: 200 },
    seed: { ...SEED, help: "random seed of the examples" },
  }),
  quick: { examples: [10, 50], samples: 10, tested: 50 },
  async *measure(options, run) {
    for (const noise of NOISES) {
      for (const n of options.examples) {
        yield run.once(`noise ${noise}, ${n}`, () => {
          run.tell(`simulating: noise ${noise} with ${n} examples`);
          return simulateGeneralisation({ ...DISTRIBUTION, noise }, n, options);
        });
      }
    }
  },
  title: () => "Generalisation of the voted perceptron",
  sections: (rows) => [
    {
      title: "Errors after one epoch, and their bounds",
      text:
        `Examples of length 1 in ${DISTRIBUTION.dimension} dimensions, at least ${DISTRIBUTION.margin} from a ` +
        "plane; noise is the probability of the wrong class. Mistakes bound: 2 / (n + 1) times the mistakes on " +
        "n + 1 examples. Theorem 3: 2 / (n + 1) times the least (R + D)² / γ². Bounds are of the vote.",
      figures: [],
      tables: [
        table("Means over training sets", rows, {
          noise: ({ noise }) => `${noise}`,
          examples: ({ examples }) => formatInteger(examples),
          "voted %": ({ voted }) => formatPercent(voted),
          "averaged %": ({ averaged }) => formatPercent(averaged),
          "last %": ({ last }) => formatPercent(last),
          "mistakes bound %": ({ mistakes }) => formatPercent(mistakes),
          "theorem 3 %": ({ bound }) => formatPercent(bound),
        }),
      ],
    },
  ],
  contestants: (rows) =>
    rows.flatMap(({ noise, examples, voted, averaged, last }) =>
      Object.entries({ voted, averaged, last }).map(([name, value]) => ({
        group: `noise ${noise}, ${examples} examples`,
        name,
        measures: { error: { value, unit: "share", better: "lower" } satisfies Measure },
      })),
    ),
});
