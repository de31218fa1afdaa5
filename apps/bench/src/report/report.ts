import type { Environment } from "../results/environment.ts";
import type { SentenceSet } from "./page/sentences.ts";

/** A column of a table. Text is flush left, figures flush right. */
export interface Column {
  readonly name: string;
  readonly align: "left" | "right";
  /** What it is, in a sentence. */
  readonly hint?: string | undefined;
}

/** A table whose cells are text; a second line, after a line feed, is drawn smaller. */
export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** How to read it. */
  readonly note?: string | undefined;
  /** Whether the terminal leaves it out: details that the page has room for. */
  readonly isDetail?: boolean | undefined;
}

/** A name with the colour, the symbol and the dashes by which it is drawn. */
export interface LegendItem {
  readonly label: string;
  readonly color: string;
  /** The outline of the symbol around the origin, as the `d` of an SVG path. */
  readonly mark?: string | undefined;
  /** `stroke-dasharray` of lines. */
  readonly dash?: string | undefined;
}

/** A drawing in two sizes as `<svg>` elements: for screens and for phones. */
export interface Drawing {
  readonly svg: string;
  readonly narrow: string;
}

/** A picture. */
export interface Figure {
  readonly title: string;
  readonly note?: string | undefined;
  /** The `<svg>` element. */
  readonly svg: string;
  /** The same for phones. */
  readonly narrow?: string | undefined;
  readonly legend?: readonly LegendItem[] | undefined;
  /** The names of numbered points; a list below the drawing. */
  readonly key?: readonly string[] | undefined;
  /** `wide` figures have the whole width of the page. */
  readonly size?: "wide" | undefined;
}

export interface Section {
  readonly title: string;
  /** The part of the report that the section belongs to: a heading above the first of its sections. */
  readonly chapter?: string | undefined;
  /** What was found, in one sentence: the first line of the section, and of the report. */
  readonly finding?: string | undefined;
  readonly text?: string | undefined;
  /** One legend for all figures of the section that have none of their own. */
  readonly legend?: readonly LegendItem[] | undefined;
  readonly figures: readonly Figure[];
  readonly tables: readonly Table[];
  /** Figures and tables of their own headings, after the others. */
  readonly parts?: readonly SectionPart[] | undefined;
  /** Sentences with gold and predicted arcs, to browse. */
  readonly sentences?: SentenceSet | undefined;
}

/** A part of a section, with a heading of its own; folded on the page. */
export interface SectionPart {
  readonly title: string;
  readonly text?: string | undefined;
  readonly legend?: readonly LegendItem[] | undefined;
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
