import type { Environment } from "../results/environment.ts";

/** A column of a table. Text is flush left, figures flush right. */
export interface Column {
  readonly name: string;
  readonly align: "left" | "right";
  /** A sentence that explains it. */
  readonly hint?: string | undefined;
}

/** A table whose cells are text; a second line, after a line feed, is drawn smaller. */
export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** How to read it. */
  readonly note?: string | undefined;
  /** Whether only the page shows it. */
  readonly isDetail?: boolean | undefined;
}

/** A picture. */
export interface Figure {
  readonly title: string;
  readonly note?: string | undefined;
  /** The plot or diagram as HTML or SVG. */
  readonly drawing: string;
  /** A diagram for phones, if it has other lines there. */
  readonly narrow?: string | undefined;
  /** `wide` figures have the whole width of the page. */
  readonly size?: "wide" | undefined;
}

export interface Section {
  readonly title: string;
  /** The part of the report that the section belongs to: a heading above the first of its sections. */
  readonly chapter?: string | undefined;
  /** The result in one sentence: the first line of the section, and of the report. */
  readonly finding?: string | undefined;
  readonly text?: string | undefined;
  readonly figures: readonly Figure[];
  readonly tables: readonly Table[];
}

/** The output of a command: tables on the terminal, everything as HTML. */
export interface Report {
  readonly title: string;
  /** The command line that reproduces it. */
  readonly command: string;
  readonly environment: Environment;
  readonly sections: readonly Section[];
}

/** Returns a column of text. */
export const left = (name: string, hint?: string): Column => ({ name, align: "left", hint });
/** Returns a column of figures. */
export const right = (name: string, hint?: string): Column => ({ name, align: "right", hint });

/**
 * Returns a table with a row for each item.
 *
 * @param columns by name, the text of the cell of an item; the first `labels` columns are flush left
 */
export function table<Item>(
  title: string,
  items: readonly Item[],
  columns: Readonly<Record<string, (item: Item) => string>>,
  { labels = 1, note }: { readonly labels?: number; readonly note?: string | undefined } = {},
): Table {
  const cells = Object.entries(columns);
  return {
    title,
    columns: cells.map(([name], k) => (k < labels ? left(name) : right(name))),
    rows: items.map((item) => cells.map(([, cell]) => cell(item))),
    note,
  };
}
