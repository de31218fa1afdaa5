import { ERROR_CLASSES, type ErrorAnalysis, type ErrorClasses } from "@arcwise/evaluate";
import type { TreeErrors } from "./tree-errors.ts";

type Confusions = ErrorAnalysis["confusions"];

/** A table of texts. */
export interface Table {
  readonly title: string;
  readonly note?: string | undefined;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

/** A column; counts and percentages are aligned to the right. */
export interface Column {
  readonly name: string;
  readonly isNumber: boolean;
}

/** Number of rows at most: rare labels and confusions are in the JSON. */
const MAX_ROWS = 25;

const name = (title: string): Column => ({ name: title, isNumber: false });
const number = (title: string): Column => ({ name: title, isNumber: true });

/** Returns columns of texts, and after them columns of numbers. */
export function columnsOf(names: readonly string[], numbers: readonly string[]): Column[] {
  return [...names.map(name), ...numbers.map(number)];
}

/** Returns the tables of the errors of a file, without empty tables. */
export function errorTables({ analysis, worst }: TreeErrors): Table[] {
  const classes = Object.values<ErrorClasses>(ERROR_CLASSES).map((one): Table => {
    const rows = one.scores(analysis).slice(0, MAX_ROWS);
    return {
      title: one.title,
      note: one.note,
      columns: columnsOf([one.classes], ["gold", `${one.metric} %`]),
      rows: rows.map(({ key, count, score }) => [key, `${count}`, percent(score)]),
    };
  });
  const { confusions, headConfusions, tagConfusions } = analysis;
  const tables = [
    ...classes,
    confusionTable("Confusions of labels", "Words with another label than in gold.", different(confusions)),
    {
      title: "Confusions of heads",
      note: "Words with a wrong head, by the gold tags of the gold head and of the predicted head.",
      columns: columnsOf(["gold head", "predicted head"], ["words"]),
      rows: wrongHeads(headConfusions).map(([gold, predicted, words]) => [gold, predicted, `${words}`]),
    },
    confusionTable("Confusions of tags", "Words with another UPOS than in gold.", different(tagConfusions)),
    worstTable(worst),
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

function confusionTable(title: string, note: string, confusions: Confusions): Table {
  return {
    title,
    note,
    columns: columnsOf(["gold", "predicted"], ["words", "with the right head"]),
    rows: confusions.map(({ gold, predicted, words, rightHeads }) => [
      gold,
      predicted,
      `${words}`,
      `${rightHeads}`,
    ]),
  };
}

function different(confusions: Confusions): Confusions {
  return confusions.filter(({ gold, predicted }) => gold !== predicted).slice(0, MAX_ROWS);
}

function wrongHeads(confusions: Confusions): (readonly [string, string, number])[] {
  return confusions
    .map(({ gold, predicted, words, rightHeads }) => [gold, predicted, words - rightHeads] as const)
    .filter(([, , words]) => words > 0)
    .sort(([, , a], [, , b]) => b - a)
    .slice(0, MAX_ROWS);
}

function worstTable(worst: TreeErrors["worst"]): Table {
  return {
    title: "Worst sentences",
    note: "Sentences with the most words that have a wrong head or label.",
    columns: [
      number("sentence"),
      name("ID"),
      number("line"),
      number("words"),
      number("wrong heads"),
      number("wrong arcs"),
      number("LAS %"),
      name("text"),
    ],
    rows: worst.map(({ index, id = "", lines, words, wrongHeads: heads, wrongArcs, las, text }) => [
      `${index + 1}`,
      id,
      `${lines[0]}`,
      `${words}`,
      `${heads}`,
      `${wrongArcs}`,
      percent(las),
      text,
    ]),
  };
}

/** Returns a share in per cent with two decimals. */
export function percent(share: number): string {
  return (100 * share).toFixed(2);
}
