import type { Environment } from "../environment.ts";

/** A column of a table. Text is flush left, figures flush right. */
export interface Column {
  readonly name: string;
  readonly align: "left" | "right";
}

/** A table whose cells are text; a second line, after a line feed, is drawn smaller. */
export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** How to read it. */
  readonly note?: string;
}

export interface LegendItem {
  readonly label: string;
  readonly color: string;
}

/** A picture. */
export interface Figure {
  readonly title: string;
  readonly note?: string;
  /** The `<svg>` element. */
  readonly svg: string;
  readonly legend?: readonly LegendItem[];
}

export interface Section {
  readonly title: string;
  readonly text?: string;
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

export const left = (name: string): Column => ({ name, align: "left" });
export const right = (name: string): Column => ({ name, align: "right" });
