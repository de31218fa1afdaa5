import {
  confusionMatrix,
  ERROR_CLASSES,
  type ErrorAnalysis,
  type ErrorClasses,
  errorAnalysis,
  type TreePair,
} from "@arcwise/evaluate";
import { formatInteger, formatPercent } from "../results/format.ts";
import type { PlainTree, SentenceTrees } from "../results/results.ts";
import { type Figure, left, right, type SectionPart, type Table } from "./report.ts";
import { type ClassPoint, classPlot, matrixPlot, rowPlot } from "./row-plots.ts";

/** Number of contestants in figures: more curves cannot be distinguished. */
const MAX_DRAWN = 6;
/** Classes of fewer gold words or arcs are not drawn: their scores are noise. */
const FEWEST = 20;
/** Number of labels in figures and in tables, and of confusions. */
const LABELS = { drawn: 12, listed: 40, confusions: 30 };

/** A contestant and its errors. */
interface Analysed {
  readonly name: string;
  readonly las: number;
  readonly errors: ErrorAnalysis;
}

const { sentenceLength: LENGTH, arcLength: ARC_LENGTH, depth: DEPTH, label: LABEL } = ERROR_CLASSES;

/**
 * Returns figures and tables of the errors of contestants by length, depth and label (McDonald and Nivre
 * 2007), and the confusions of labels of the most accurate one. Figures have `MAX_DRAWN` contestants, evenly
 * spread from the most to the least accurate; tables have all. Nothing without sentences.
 */
export function errorParts(
  contestants: readonly string[],
  sentences: readonly SentenceTrees[],
): SectionPart[] {
  if (sentences.length === 0 || contestants.length === 0) return [];
  const analysed = contestants.map((name, which) => analyse(name, which, sentences));
  const ranked = analysed.toSorted((a, b) => b.las - a.las);
  const kept = new Set(spreadEvenly(ranked, MAX_DRAWN));
  const drawn = analysed.filter((one) => kept.has(one));
  const best = ranked[0]!;
  const omitted =
    analysed.length > drawn.length ? ` Drawn are ${MAX_DRAWN}, from the lowest to the highest LAS.` : "";
  const domain = domainOf(drawn);
  return [
    {
      title: "Errors",
      text:
        `Of ${formatInteger(sentences.length)} sentences. Lines across points: 95 % intervals (Wilson). ` +
        `Classes of fewer than ${FEWEST} words or arcs are left out.${omitted}`,
      figures: [
        ...[LENGTH, ARC_LENGTH, DEPTH].flatMap((property) => curveFigure(property, drawn, domain)),
        ...labelFigure(drawn, domain),
      ],
      tables: [LENGTH, ARC_LENGTH, DEPTH, LABEL].map((property) => propertyTable(property, analysed)),
    },
    {
      title: `Labels that ${best.name} confuses`,
      figures: [confusionFigure(best)],
      tables: [confusionTable(best)],
    },
  ];
}

/** Returns the percentages that all figures of errors have on their axes: multiples of ten. */
function domainOf(drawn: readonly Analysed[]): readonly [number, number] {
  const lows = [LENGTH, ARC_LENGTH, DEPTH].flatMap((property) =>
    pointsOf(property, drawn).map(({ low }) => low!),
  );
  const labels = drawnLabels(drawn);
  for (const point of pointsOf(LABEL, drawn)) if (labels.includes(point.class)) lows.push(point.low!);
  return [Math.floor(Math.min(90, ...lows) / 10) * 10, 100];
}

/** Returns the bounds of the 95 % interval of a share of `count` (Wilson 1927). */
function wilson(share: number, count: number): readonly [number, number] {
  const z = 1.96;
  const shrunk = (share + (z * z) / (2 * count)) / (1 + (z * z) / count);
  const half =
    (z / (1 + (z * z) / count)) * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  return [Math.max(0, shrunk - half), Math.min(1, shrunk + half)];
}

/** Returns at most `count` items, the first and the last among them. */
function spreadEvenly<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, i) => items[Math.round((i * (items.length - 1)) / (count - 1))]!);
}

function analyse(name: string, which: number, sentences: readonly SentenceTrees[]): Analysed {
  const pairs = sentences.map(({ forms, trees, found }): TreePair => {
    const words = forms.map((form) => ({ form }));
    return { words, gold: treeOf(trees[0]!), predicted: treeOf(trees[found[which]!]!) };
  });
  const errors = errorAnalysis(pairs);
  const sum = (of: "words" | "correctArcs"): number =>
    errors.sentenceLength.reduce((total, row) => total + row[of], 0);
  return { name, las: sum("correctArcs") / sum("words"), errors };
}

function treeOf({ heads, labels }: PlainTree): TreePair["gold"] {
  return { heads: Int32Array.from(heads), labels };
}

function pointsOf({ scores, classes, metric }: ErrorClasses, drawn: readonly Analysed[]): ClassPoint[] {
  return drawn.flatMap(({ name, errors }) =>
    scores(errors)
      .filter(({ count }) => count >= FEWEST)
      .map(({ key, count, score }) => {
        const [low, high] = wilson(score, count);
        const interval = `${formatPercent(low, 1)} to ${formatPercent(high, 1)}`;
        return {
          series: name,
          class: key,
          value: 100 * score,
          low: 100 * low,
          high: 100 * high,
          title: `${name}, ${classes} ${key} (${formatInteger(count)}): ${metric} ${formatPercent(score)} % (${interval})`,
        };
      }),
  );
}

/** Returns the classes that gold trees have, in the order of the analysis. */
function classesOf({ scores }: ErrorClasses, analysed: readonly Analysed[]) {
  return scores(analysed[0]!.errors).filter(({ count }) => count > 0);
}

/** Returns the labels in figures. */
function drawnLabels(analysed: readonly Analysed[]): string[] {
  return classesOf(LABEL, analysed)
    .filter(({ count }) => count >= FEWEST)
    .slice(0, LABELS.drawn)
    .map(({ key }) => key);
}

function curveFigure(
  property: ErrorClasses,
  drawn: readonly Analysed[],
  domain: readonly [number, number],
): Figure[] {
  const { title, classes, metric, note } = property;
  const keys = classesOf(property, drawn)
    .filter(({ count }) => count >= FEWEST)
    .map(({ key }) => key);
  if (keys.length === 0) return [];
  const axes = { x: classes, y: `${metric} (%)`, domain };
  return [{ title, note, drawing: classPlot(keys, pointsOf(property, drawn), axes) }];
}

function labelFigure(drawn: readonly Analysed[], domain: readonly [number, number]): Figure[] {
  const { title, note, metric } = LABEL;
  const keys = drawnLabels(drawn);
  if (keys.length === 0) return [];
  const points = pointsOf(LABEL, drawn).filter((point) => keys.includes(point.class));
  return [{ title, note, drawing: rowPlot(keys, points, `${metric} (%)`, domain) }];
}

/** Returns the matrix of the labels that take part in most confusions. */
function confusionFigure({ errors }: Analysed): Figure {
  const { labels, words } = confusionMatrix(errors.confusions);
  const wrong = labels.map((_, g) =>
    labels.reduce((sum, _label, p) => sum + (g === p ? 0 : words[g]![p]! + words[p]![g]!), 0),
  );
  const order = labels.map((_, i) => i).sort((a, b) => wrong[b]! - wrong[a]!);
  const cells = order.flatMap((g) =>
    order.map((p) => ({ row: labels[g]!, column: labels[p]!, count: words[g]![p]! })),
  );
  return {
    title: "Gold and predicted labels",
    note: "Words by gold and predicted label, the labels with most confusions. Right labels have no shade.",
    drawing: matrixPlot(
      order.map((i) => labels[i]!),
      cells,
      { row: "gold", column: "predicted" },
    ),
  };
}

function propertyTable(property: ErrorClasses, analysed: readonly Analysed[]): Table {
  const { title, classes, metric, note } = property;
  const rows = classesOf(property, analysed).slice(0, LABELS.listed);
  const scores = analysed.map(
    ({ errors }) => new Map(property.scores(errors).map(({ key, score }) => [key, score])),
  );
  return {
    title: `${title}: ${metric} %`,
    columns: [left(classes), right("gold"), ...analysed.map(({ name }) => right(name))],
    rows: rows.map(({ key, count }) => [
      key,
      formatInteger(count),
      ...scores.map((own) => formatPercent(own.get(key) ?? 0)),
    ]),
    note,
    isDetail: true,
  };
}

function confusionTable({ errors }: Analysed): Table {
  const wrong = errors.confusions.filter(({ gold, predicted }) => gold !== predicted);
  return {
    title: "The most frequent confusions",
    columns: [left("gold"), left("predicted"), right("words"), right("with the right head")],
    rows: wrong
      .slice(0, LABELS.confusions)
      .map(({ gold, predicted, words, rightHeads }) => [
        gold,
        predicted,
        formatInteger(words),
        formatInteger(rightHeads),
      ]),
    isDetail: true,
  };
}
