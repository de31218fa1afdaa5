import type { Comparison, ParserComparison, ParserResult, SeedScores } from "../jobs/compare-parsers.ts";
import type { Reference, ReferenceRow } from "../jobs/reference.ts";
import type { Speed } from "../measures/in-turn.ts";
import { formatInteger, formatPercent } from "../results/format.ts";
import type { Contestant } from "../results/results.ts";
import { differenceTable, spreadTable } from "./comparison-tables.ts";
import { unsigned, verdictOf } from "./findings.ts";
import { accuracyPlot, FRONT_NOTE } from "./plots.ts";
import { contestant, type Quantity, quantityTable } from "./quantities.ts";
import { reliabilityOf } from "./reliability.ts";
import { left, right, type Section, type Table } from "./report.ts";

/** A parser of this or of another program, whose figures may be known in part. */
type Row = Pick<ParserResult, "parser"> &
  Partial<Omit<ParserResult, "parser" | "scores" | "speed">> & {
    readonly scores: Pick<ParserResult["scores"], "uas" | "las">;
    /** Without a range: measured once. */
    readonly speed:
      | Speed
      | (Pick<Speed, "value"> & { readonly [Name in Exclude<keyof Speed, "value">]?: never });
  };

const QUANTITIES: readonly Quantity<Row>[] = [
  {
    ...{ name: "UAS", measure: "UAS", unit: "share", of: ({ scores }) => scores.uas },
    hint: "Percentage of words with the right head; gold tags, punctuation counted.",
  },
  {
    ...{ name: "LAS", measure: "LAS", unit: "share", of: ({ scores }) => scores.las },
    hint: "Percentage of words with the right head and full label.",
  },
  {
    ...{ name: "words/s", measure: "words/s", unit: "words/s" },
    of: ({ speed }) => (speed.low === undefined ? speed.value : speed),
    hint:
      "Parsing without reading, loading and writing: words per second of processor time, and the quartiles of the " +
      "rounds. ≈: the range is wider than the difference to the nearest other speed.",
  },
  { measure: "compiling", unit: "s", of: ({ speed }) => speed.compiling },
  {
    ...{ name: "training s", measure: "training", unit: "s", of: ({ trainingSeconds }) => trainingSeconds },
    hint: "From sentences in memory to a model.",
  },
  {
    ...{ name: "training CPU s", measure: "training CPU", unit: "s" },
    of: ({ trainingProcessorSeconds }) => trainingProcessorSeconds,
    hint: "The same in processor time of all threads.",
  },
  {
    ...{ name: "training MB", measure: "training memory", unit: "bytes" },
    of: ({ trainingMemory }) => trainingMemory,
    hint: "The largest resident set of the process at the end of training.",
  },
  {
    ...{ name: "peak MB", measure: "peak memory", unit: "bytes", of: ({ peakMemory }) => peakMemory },
    hint: "The largest resident set of the process in training and parsing together.",
  },
  {
    ...{ name: "model MB", measure: "model file", unit: "bytes", of: ({ modelBytes }) => modelBytes },
    hint: "The model file.",
  },
  {
    ...{ name: "heads per word", unit: "count", of: ({ candidates }) => candidates },
    format: (value) => value.toFixed(2),
    hint: "Candidates that pruning leaves.",
  },
  {
    ...{ name: "recall %", unit: "share", of: ({ recall }) => recall },
    hint: "Percentage of the gold heads that are among the candidates.",
  },
];

/** Returns parsers as contestants. */
export function comparedParsers(parsers: readonly ParserResult[]): Contestant[] {
  return parsers.map((one) =>
    contestant(
      { group: `${one.treebank}, ${one.split}`, name: one.parser, sentences: one.rights },
      one,
      QUANTITIES,
    ),
  );
}

function referenceRow(row: ReferenceRow): Row {
  return {
    parser: row.parser,
    scores: { uas: row.uas / 100, las: row.las / 100 },
    speed: { value: row.words_per_second },
    trainingSeconds: row.train_s,
    trainingMemory: 1e6 * row.train_mb,
    modelBytes: 1e6 * row.model_mb,
  };
}

/** A section for each treebank: the parsers, how they differ, and other parsers for reference. */
export function parserSections(
  { parsers, comparisons, refused, failed, seeds }: ParserComparison,
  reference: Reference | undefined,
): Section[] {
  const treebanks = [...new Set([...parsers, ...refused, ...failed].map(({ treebank }) => treebank))];
  return treebanks.map((treebank): Section => {
    const isHere = (one: { readonly treebank: string }): boolean => one.treebank === treebank;
    const split = parsers.find(isHere)?.split ?? "test";
    const others = split === "test" ? (reference?.rows ?? []).filter(isHere).map(referenceRow) : [];
    // "Arcwise" distinguishes parsers from those that were measured before.
    const nameOf = (parser: string) => (others.length > 0 ? parser : parser.replace(/^Arcwise /, ""));
    const named = <T extends { readonly treebank: string; readonly parser: string }>(
      all: readonly T[],
    ): T[] => all.filter(isHere).map((one) => ({ ...one, parser: nameOf(one.parser) }));
    const own = named(parsers);
    const reliability = reliabilityOf(own.map(({ parser: name, reliability }) => ({ name, reliability })));
    const pairs = comparisons
      .filter(isHere)
      .map((pair) => ({ ...pair, first: nameOf(pair.first), second: nameOf(pair.second) }));
    return {
      title: `${treebank}, ${split}`,
      finding: findingOf(own, pairs),
      text: aboutOf(own, named([...refused, ...failed])),
      figures: own.length === 0 ? [] : [accuracyFigure(own, others), ...reliability.figures],
      tables: [
        quantityTable(
          {
            title: "Parsers",
            note: others.length > 0 ? `Other parsers, measured before: ${reference?.note}` : undefined,
          },
          ["parser", ({ parser }) => parser],
          [...own, ...others],
          QUANTITIES,
        ),
        ...seedTable(named(seeds)),
        ...matrixTable(own),
        ...differenceTable("Differences", pairs),
        ...reliability.tables,
      ],
    };
  });
}

function seedTable(seeds: readonly SeedScores[]): Table[] {
  const [first] = seeds;
  if (first === undefined) return [];
  const title = `Trained with ${first.seeds.length} seeds`;
  return [spreadTable({ title }, ["parser", ({ parser }) => parser], "seeds", seeds)];
}

/** Returns how the two most accurate parsers differ, and which parser is the fastest. */
function findingOf(own: readonly ParserResult[], pairs: readonly Comparison[]): string | undefined {
  const [best, next] = own.toSorted((a, b) => b.scores.las - a.scores.las);
  if (best === undefined) return undefined;
  const highest = `${best.parser} has the highest LAS, ${formatPercent(best.scores.las)} %`;
  if (next === undefined)
    return `${highest}, and parses ${formatInteger(best.speed.value)} words per second.`;
  const pair = pairs.find(
    ({ first, second }) =>
      (first === best.parser && second === next.parser) || (first === next.parser && second === best.parser),
  );
  const than =
    pair === undefined
      ? ""
      : `, ${unsigned(pair.las.difference)} above ${next.parser} (${verdictOf(pair.las)})`;
  const fastest = own.reduce((a, b) => (b.speed.value > a.speed.value ? b : a));
  return `${highest}${than}; ${fastest.parser} is the fastest, ${formatInteger(fastest.speed.value)} words per second.`;
}

/** Returns sizes and epochs of training, and what is missing. */
function aboutOf(
  own: readonly ParserResult[],
  missing: readonly { readonly parser: string; readonly reason: string }[],
): string | undefined {
  const values = (of: (one: ParserResult) => number): string =>
    [...new Set(own.map(of))].map(formatInteger).join(" or ");
  const sizes =
    own.length === 0
      ? []
      : [
          `Sentences of training: ${values((one) => one.trainingSentences)}; epochs: ${values((one) => one.epochs)}; ` +
            `sentences of the test: ${values((one) => one.rights.words.length)}, with ${values((one) => one.words)} words.`,
        ];
  const reasons = missing.map(({ parser, reason }) => `${parser}: ${reason}.`);
  const all = reasons.length === 0 ? sizes : [...sizes, `Not there: ${reasons.join(" ")}`];
  return all.length === 0 ? undefined : all.join(" ");
}

function accuracyFigure(own: readonly Row[], others: readonly Row[]) {
  const pointOf =
    (suffix: string) =>
    ({ parser, speed: { value, low, high }, scores: { las } }: Row) => ({
      ...{ label: `${parser}${suffix}`, wordsPerSecond: value, low, high, las },
    });
  const points = [...own.map(pointOf("")), ...others.map(pointOf(", measured before"))];
  return { title: "Accuracy against speed", note: FRONT_NOTE, drawing: accuracyPlot(points) };
}

/** Returns LAS by the parser that was trained and the decoder that it parses with. */
function matrixTable(own: readonly ParserResult[]): Table[] {
  const decoders = [...new Set(own.flatMap(({ otherDecoders }) => otherDecoders.map((one) => one.decoder)))];
  if (decoders.length === 0) return [];
  return [
    {
      title: "LAS by the decoder of training and the decoder of parsing",
      columns: [left("trained"), ...decoders.map((name) => right(`by ${name}`))],
      rows: own.map(({ parser, otherDecoders }) => [
        parser,
        ...decoders.map((name) => {
          const scores = otherDecoders.find(({ decoder }) => decoder === name);
          return scores === undefined ? "–" : formatPercent(scores.las);
        }),
      ]),
      note: "–: the decoder does not score the parts of the model.",
    },
  ];
}
