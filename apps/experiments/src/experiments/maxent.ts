import {
  type Contestant,
  count,
  formatInteger,
  formatPercent,
  lower,
  type Run,
  seconds as secondsOf,
  share,
  threeDigits,
} from "@arcwise/bench/command";
import { planFile } from "@arcwise/bench/data";
import { type CoursePoint, coursePlot, type Section, table } from "@arcwise/bench/report";
import { writeWith } from "@arcwise/cli/command";
import { type Complete, defineOptions, list, oneOf, positive, string } from "@arcwise/core/options";
import type { MaxentDesign, MaxentMethod } from "@arcwise/learn/maxent";
import { experiment } from "../experiment.ts";
import { markovContexts } from "../maxent/contexts.ts";
import { CORPORA, type CorpusName, readCorpus } from "../maxent/corpora.ts";
import { designLines } from "../maxent/design-lines.ts";
import { markovDesign } from "../maxent/markov.ts";
import { maxentReference } from "../maxent/maxent-reference.ts";
import { type MaxentCourse, type MaxentPoint, measureMaxent } from "../maxent/measure-maxent.ts";
import { natural, SEED, SENTENCES, TEST } from "../options.ts";

/** Names of the methods in tables and figures. */
export const METHOD_NAMES = {
  cd: "CD",
  "exact-cd": "exact CD",
  scgis: "SCGIS",
  gis: "GIS",
  iis: "IIS",
  lbfgs: "L-BFGS",
} as const satisfies Readonly<Record<MaxentMethod, string>>;
const METHODS = Object.keys(METHOD_NAMES) as readonly MaxentMethod[];

const CORPUS_TITLES: Readonly<Record<CorpusName, string>> = {
  brown: "tagging, Brown corpus",
  conll2000: "chunking, CoNLL-2000",
  ewt: "tagging, UD_English-EWT",
};

/** Relative distances from the minimum whose times are listed. */
const NEAR = [1e-1, 1e-2, 1e-3];

/** The corpora of experiments of maximum entropy, and the seed of the split of Brown. */
export const CORPUS = {
  corpus: {
    check: list(oneOf(...CORPORA)),
    help: `what to label: ${CORPORA.join(", ")}`,
    default: ["brown", "conll2000"],
    flag: "--corpus <name...>",
  },
  seed: { ...SEED, help: "decides what sentences of Brown are for testing" },
} as const;

const OPTIONS = defineOptions({
  ...CORPUS,
  method: {
    check: list(oneOf(...METHODS)),
    help: "only these methods",
    default: METHODS,
    flag: "--method <name...>",
  },
  sentences: SENTENCES,
  test: TEST,
  cutoff: { ...natural("--cutoff <n>", "leave out features of fewer events"), default: 1 },
  variance: { check: positive, help: "of the Gaussian prior", default: 10, flag: "--variance <x>" },
  seconds: { ...natural("--seconds <n>", "processor time of each method"), default: 60 },
  iterations: {
    ...natural("--iterations <n>", "maximum number of iterations of each method"),
    default: 1000,
  },
  reference: natural("--reference <n>", "find the minimum to compare with, in this processor time at most"),
  export: {
    check: string,
    help: "write the training events for other programs, and end",
    flag: "--export <dir>",
  },
});
type MaxentOptions = Complete<typeof OPTIONS>;

export const maxent = experiment({
  name: "maxent",
  claim: "compare training methods of maximum entropy models: value and accuracy against time",
  options: OPTIONS,
  quick: { sentences: 300, test: 100, seconds: 3, iterations: 20 },
  async *measure(options, run) {
    const { corpus, export: folder } = options;
    for (const name of corpus) {
      const prepared = () => prepare(name, options, run);
      if (folder === undefined) yield run.once(name, () => measureCorpus(name, prepared(), options, run));
      else await exportEvents(name, prepared().design, folder, run);
    }
  },
  title: () => "Maximum entropy: training methods",
  sections: (rows) => rows.map(section),
  contestants: (rows) =>
    rows.flatMap(({ corpus, measure, courses }) =>
      courses.flatMap(({ method, points }): Contestant[] => {
        const last = points.at(-1);
        if (last === undefined) return [];
        const { score, value, iteration } = last;
        const measures = {
          ...(score !== undefined && { [measure]: share(score) }),
          value: lower(value),
          training: secondsOf(last.seconds),
          iterations: count(iteration),
        };
        return [{ group: corpus, name: method, measures }];
      }),
    ),
});

/** Returns the first sentences of a corpus, their contexts, and the design matrix of the training sentences. */
function prepare(name: CorpusName, options: MaxentOptions, run: Run) {
  const corpus = readCorpus(name, run.env, options.seed);
  const train = corpus.train.slice(0, options.sentences);
  const sentences = corpus.test.slice(0, options.test);
  const contexts = markovContexts(name, train);
  run.tell(`${name}: the design matrix of ${train.length} sentences`);
  return { train, sentences, contexts, design: markovDesign(train, contexts, options.cutoff) };
}

async function exportEvents(name: CorpusName, design: MaxentDesign, folder: string, run: Run): Promise<void> {
  const planned = await planFile(folder, `${name}.svm`);
  await writeWith(process, planned, async (output) => {
    for (const lines of designLines(design)) await output.write(lines);
  });
  run.tell(`wrote ${planned.path}`);
}

async function measureCorpus(
  name: CorpusName,
  { train, sentences, contexts, design }: ReturnType<typeof prepare>,
  { variance, seconds, iterations, reference: most, method: methods }: MaxentOptions,
  run: Run,
) {
  const keep = run.under(name);
  const metric = name === "conll2000" ? "F1" : "accuracy";
  if (most !== undefined) run.tell(`${name}: the minimum`);
  const reference =
    most === undefined ? undefined : await keep("the minimum", () => maxentReference(design, variance, most));
  const courses: MaxentCourse[] = [];
  for (const method of methods) {
    const onPoint = ({ iteration, seconds: time, value, score }: MaxentPoint) => {
      const tested = score === undefined ? "" : `, test ${(100 * score).toFixed(2)} %`;
      run.tell(`${name}: ${method} ${iteration}, ${time.toFixed(1)} s, value ${value.toFixed(1)}${tested}`);
    };
    const test = { sentences, contexts, metric } as const;
    const limits = { variance, seconds, iterations, onPoint };
    courses.push(await keep(`method ${method}`, () => measureMaxent(design, method, test, limits)));
  }
  return {
    corpus: CORPUS_TITLES[name],
    measure: metric,
    sentences: train.length,
    testSentences: sentences.length,
    variance,
    size: {
      events: design.events,
      classes: design.classes.length,
      features: design.features.length,
      dimension: design.dimension,
      nonZeros: design.nonZeros,
    },
    courses,
    reference,
  };
}

/** Results on one corpus. */
type MaxentResults = Awaited<ReturnType<typeof measureCorpus>>;

/** Returns the relative distance from the minimum and the score on test sentences, against training time. */
function section(results: MaxentResults): Section {
  const { corpus, measure, courses, size } = results;
  const { value: lowest, certificate } = lowestOf(results);
  const differences = courses.flatMap(({ method, points }): CoursePoint[] =>
    points.map(({ seconds, value }) => ({
      series: METHOD_NAMES[method],
      seconds,
      value: (value - lowest) / lowest,
    })),
  );
  const scores = courses.flatMap(({ method, points }): CoursePoint[] =>
    points.flatMap(({ seconds, score }) =>
      score === undefined ? [] : [{ series: METHOD_NAMES[method], seconds, value: 100 * score }],
    ),
  );
  const last = ({ points }: MaxentCourse) => points.at(-1)!;
  return {
    title: `Maximum entropy: ${corpus}`,
    text:
      `${formatInteger(results.sentences)} sentences, ${formatInteger(size.events)} events of ` +
      `${formatInteger(size.classes)} classes, ${formatInteger(size.features)} context features, ` +
      `${formatInteger(size.dimension)} weights, ${formatInteger(size.nonZeros)} non-zeros; variance ` +
      `${results.variance}. Test: ${formatInteger(results.testSentences)} sentences, beam search of ` +
      "width 5 over predicted labels. Seconds are processor time of training alone.",
    figures: [
      {
        title: "Function value",
        note:
          `Value above the ${results.reference ? "minimum" : "lowest that any method found"}, as a ` +
          "share of that; down and to the left is better.",
        drawing: coursePlot(differences, { label: "relative difference", type: "log" }),
      },
      { title: `Test ${measure}`, drawing: coursePlot(scores, { label: `${measure} (%)`, type: "linear" }) },
    ],
    tables: [
      table(
        "Methods",
        courses,
        {
          method: ({ method }) => METHOD_NAMES[method],
          iterations: (course) => formatInteger(last(course).iteration),
          seconds: (course) => threeDigits(last(course).seconds),
          "words/s": (course) => formatInteger((size.events * last(course).iteration) / last(course).seconds),
          value: (course) => formatInteger(last(course).value),
          "relative difference": (course) => ((last(course).value - lowest) / lowest).toExponential(1),
          ...Object.fromEntries(
            NEAR.map((near) => [
              `s to ${near}`,
              ({ points }: MaxentCourse) => {
                const time = points.find(({ value }) => value <= (1 + near) * lowest)?.seconds;
                return time === undefined ? "–" : threeDigits(time);
              },
            ]),
          ),
          [`best ${measure} %`]: ({ points }) =>
            formatPercent(Math.max(...points.flatMap(({ score }) => score ?? []))),
          [`last ${measure} %`]: ({ points }) =>
            formatPercent(points.flatMap(({ score }) => score ?? []).at(-1)!),
        },
        {
          note:
            "words/s: events times iterations, over seconds. A dash: not reached. By its gradient, " +
            `the lowest value is above the minimum by at most ${certificate.toExponential(1)} of it.`,
        },
      ),
    ],
  };
}

/** Returns the value for comparisons, and an upper bound of its relative distance from the minimum. */
function lowestOf({ courses, reference }: MaxentResults) {
  const found = courses.map(({ certificate, points }) => {
    const { value } = points.at(-1)!;
    return { value, certificate: certificate / value };
  });
  const all = [...found, ...(reference ? [reference] : [])];
  return {
    value: Math.min(...all.map(({ value }) => value)),
    certificate: Math.min(...all.map(({ certificate }) => certificate)),
  };
}
