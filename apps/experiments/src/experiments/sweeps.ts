import { formatInteger, threeDigits } from "@arcwise/bench/command";
import { table } from "@arcwise/bench/report";
import { defineOptions, flag } from "@arcwise/core/options";
import { type MaxentMethod, trainMaxent } from "@arcwise/learn/maxent";
import { experiment } from "../experiment.ts";
import { markovContexts } from "../maxent/contexts.ts";
import { readCorpus } from "../maxent/corpora.ts";
import { countOperations, type Operations } from "../maxent/count-operations.ts";
import { markovDesign } from "../maxent/markov.ts";
import { natural, SENTENCES } from "../options.ts";
import { CORPUS, METHOD_NAMES } from "./maxent.ts";

const METHODS = ["exact-cd", "cd", "scgis", "iis", "gis"] as const satisfies readonly MaxentMethod[];
/** Methods whose operations are counted. */
const COUNTED = [...METHODS, "lbfgs"] as const;
/** Iterations of SCGIS after which the methods are compared, and iterations whose operations are shown. */
const POINTS = [1, 2, 5, 10, 20, 50, 100];
/** Number of iterations whose operations are counted. */
const MOST_COUNTED = 20;

/** How much one iteration of each method lowers the value from the same weights. */
interface Sweep {
  readonly iteration: number;
  readonly value: number;
  /** In the order of `METHODS`. */
  readonly decrease: readonly number[];
}

/** What iterations of a method read. */
interface CountedMethod {
  readonly method: (typeof COUNTED)[number];
  readonly iterations: readonly Operations[];
}

export const sweeps = experiment({
  name: "sweeps",
  claim: "compare the decrease of the value by one iteration of each method of maximum entropy models",
  options: defineOptions({
    ...CORPUS,
    sentences: { ...SENTENCES, default: 300 },
    iterations: {
      ...natural("--iterations <n>", "iterations of SCGIS, whose weights are the starts"),
      default: 100,
    },
    operations: {
      check: flag,
      help: "also count what iterations of each method read, which takes long",
      default: false,
      flag: "--operations",
    },
  }),
  quick: { corpus: ["conll2000"], sentences: 30, iterations: 5 },
  async *measure({ corpus: corpora, sentences, iterations: most, operations, seed }, run) {
    for (const corpus of corpora) {
      const keep = run.under(corpus);
      yield run.once(corpus, async () => {
        const train = readCorpus(corpus, run.env, seed).train.slice(0, sentences);
        const design = markovDesign(train, markovContexts(corpus, train), 1);
        const found: Sweep[] = [];
        // Each point is an entry of the journal, with the weights from which the next point goes on.
        let initial: Float64Array | undefined;
        for (const iteration of POINTS.filter((point) => point <= most)) {
          const iterations = iteration - (found.at(-1)?.iteration ?? 0);
          const point = await keep(`after ${iteration}`, () => {
            run.tell(`${corpus}: scgis to ${iteration}`);
            const start = trainMaxent(design, { method: "scgis", iterations, tolerance: 0, initial });
            const decrease = METHODS.map((method) => {
              run.tell(`${corpus}: ${method} after ${iteration}`);
              const once = { method, iterations: 1, tolerance: 0, initial: start.weights };
              return start.value - trainMaxent(design, once).value;
            });
            return { sweep: { iteration, value: start.value, decrease }, weights: start.weights };
          });
          found.push(point.sweep);
          initial = point.weights;
        }
        const counted: CountedMethod[] = [];
        for (const method of operations ? COUNTED : []) {
          const iterations = await keep(`operations of ${method}`, () => {
            run.tell(`${corpus}: operations of ${method}`);
            return countOperations(design, method, Math.min(most, MOST_COUNTED));
          });
          counted.push({ method, iterations });
        }
        return { corpus, sentences: train.length, sweeps: found, operations: counted };
      });
    }
  },
  title: () => "One iteration of methods of maximum entropy",
  sections: (rows) =>
    rows.map(({ corpus, sentences, sweeps: all, operations }) => ({
      title: `${corpus}, ${formatInteger(sentences)} training sentences`,
      text: "All methods start from the weights that SCGIS has after the same number of iterations.",
      figures: [],
      tables: [
        table("Decrease of the value by one iteration", all, {
          after: ({ iteration }) => formatInteger(iteration),
          value: ({ value }) => value.toFixed(1),
          ...Object.fromEntries(
            METHODS.map((method, k) => [
              METHOD_NAMES[method],
              ({ decrease }: Sweep) => threeDigits(decrease[k]!),
            ]),
          ),
        }),
        ...(operations.length > 0 ? [operationsTable(operations)] : []),
      ],
    })),
  contestants: (rows) =>
    rows.flatMap(({ corpus, sweeps: all }) =>
      METHODS.map((method, k) => ({
        group: corpus,
        name: METHOD_NAMES[method],
        measures: Object.fromEntries(
          all.map(({ iteration, decrease }) => [
            `decrease after ${iteration}`,
            { value: decrease[k]!, unit: "score" as const, better: "higher" as const },
          ]),
        ),
      })),
    ),
});

function operationsTable(operations: readonly CountedMethod[]) {
  const rows = operations.flatMap(({ method, iterations }) =>
    iterations.filter(({ iteration }) => POINTS.includes(iteration)).map((counts) => ({ method, ...counts })),
  );
  return table(
    "Passes over the non-zeros by one iteration",
    rows,
    {
      method: ({ method }) => METHOD_NAMES[method],
      iteration: ({ iteration }) => formatInteger(iteration),
      passes: ({ passes }) => passes.toFixed(3),
      "in steps": ({ inSteps }) => inSteps?.toFixed(3) ?? "",
      "trials per direction": ({ trials }) => trials?.toFixed(4) ?? "",
    },
    {
      note:
        "Each method starts from weights of 0. Reads of non-zeros, as a multiple of their number: in steps on " +
        "single weights, and in scores of classes. The first iteration of L-BFGS includes the evaluation of the " +
        "first weights.",
    },
  );
}
