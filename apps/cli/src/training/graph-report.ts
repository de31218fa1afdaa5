import type { BootstrapResult, GraphClasses, GraphScores, MetricScore } from "@arcwise/evaluate";

/** The results of an evaluation of graphs. */
export interface GraphReport {
  /** Scores of edges alone. */
  readonly scores: GraphScores;
  readonly withTops: GraphScores;
  readonly withSenses: GraphScores;
  readonly withTopsAndSenses: GraphScores;
  /** The metrics of the IWPT shared tasks, of CoNLL-U files. */
  readonly ELAS?: MetricScore | undefined;
  readonly EULAS?: MetricScore | undefined;
  readonly classes: GraphClasses;
  readonly comparison?: Readonly<Record<"labelled" | "unlabelled", BootstrapResult>> | undefined;
}

const HEAD = "Items                | Precision |    Recall |  F1 Score |     Exact";
const RULE = "---------------------+-----------+-----------+-----------+----------";

/** Returns the tables of an evaluation in percent; rows of tops, senses and classes if there are any. */
export function graphReport(report: GraphReport, classes: boolean): string {
  const { scores, ELAS, EULAS, comparison } = report;
  const hasTops = scores.tops.gold + scores.tops.predicted > 0;
  const hasPredicates = scores.predicates.gold + scores.predicates.predicted > 0;
  const lines = [HEAD, RULE, ...edgeRows("", scores)];
  if (hasTops) lines.push(...edgeRows(" + tops", report.withTops));
  if (hasPredicates) lines.push(...edgeRows(" + senses", report.withSenses));
  if (hasTops && hasPredicates) lines.push(...edgeRows(" + both", report.withTopsAndSenses));
  if (hasTops) lines.push(row("Tops", scores.tops));
  if (hasPredicates) lines.push(row("Predicates", scores.predicates), row("Senses", scores.senses));
  if (ELAS !== undefined) lines.push(row("ELAS", ELAS));
  if (EULAS !== undefined) lines.push(row("EULAS", EULAS));
  if (hasPredicates)
    lines.push("", `sense accuracy of the predicates found: ${percent(scores.senseAccuracy)}`);
  if (classes) lines.push(...classRows("Label", report.classes.label));
  if (classes) lines.push(...classRows("Distance", report.classes.distance));
  for (const [metric, result] of Object.entries(comparison ?? {})) lines.push("", difference(metric, result));
  return `${lines.join("\n")}\n`;
}

function edgeRows(what: string, { labelled, unlabelled }: GraphScores): string[] {
  return [row(`Labelled${what}`, labelled), row(`Unlabelled${what}`, unlabelled)];
}

function row(
  name: string,
  score: Pick<GraphScores["tops"], "precision" | "recall" | "f1"> | GraphScores["labelled"],
): string {
  const { precision, recall, f1 } = score;
  const exact = "exactMatch" in score ? percent(score.exactMatch) : "";
  const cells = [percent(precision), percent(recall), percent(f1), exact];
  return [name.padEnd(20), ...cells.map((cell) => cell.padStart(9))].join(" | ").trimEnd();
}

function classRows(name: string, rows: GraphClasses["label"]): string[] {
  const head = `${name.padEnd(20)} |      Gold | Predicted | Precision |    Recall |  F1 Score | Unlab. F1`;
  const lines = rows.map(({ key, gold, predicted, labelled, unlabelled }) => {
    const shares = [labelled.precision, labelled.recall, labelled.f1, unlabelled.f1].map(percent);
    const cells = [`${gold}`, `${predicted}`, ...shares];
    return [key.padEnd(20), ...cells.map((cell) => cell.padStart(9))].join(" | ");
  });
  return ["", head, ...lines];
}

function difference(metric: string, { a, b, interval, pValue, samples }: BootstrapResult): string {
  const [low, high] = interval.map(percent);
  const range = `95 % interval ${low} to ${high}`;
  const change = `${percent(a)} -> ${percent(b)}, difference ${percent(b - a)} (${range})`;
  return `${metric} F1, baseline -> system: ${change}, p = ${pValue.toPrecision(2)} in ${samples} samples`;
}

function percent(share: number): string {
  return (100 * share).toFixed(2);
}
