import { anyOf, type Check, list, number, optional, record, string } from "@arcwise/core/options";
import { DataError } from "../errors.ts";

/** Notes of a card in addition to the facts of the model: a JSON file of the author. */
export interface CardNotes {
  /** A description of the model in one sentence. */
  readonly summary?: string | undefined;
  /** The data that it was trained on, and to whom they are owed. */
  readonly data?: readonly string[] | undefined;
  /** Permissions and conditions of its licence. */
  readonly use?: string | undefined;
  /** The command that trains it. */
  readonly command?: string | undefined;
  /** Tables of figures: the name of each column, and rows of values. */
  readonly figures?: readonly FigureTable[] | undefined;
  /** Known weaknesses. */
  readonly limits?: readonly string[] | undefined;
}

/** A table of a card. */
export interface FigureTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

const texts = optional(list(string));
const FIGURES = record<FigureTable>({
  title: string,
  columns: list(string),
  rows: list(list(anyOf(string, number(-Number.MAX_VALUE, Number.MAX_VALUE)))),
});
const NOTES: Check = record<CardNotes>({
  summary: optional(string),
  data: texts,
  use: optional(string),
  command: optional(string),
  figures: optional(list(FIGURES)),
  limits: texts,
});

/** Returns the notes of a JSON text. */
export function cardNotes(text: string, file: string): CardNotes {
  try {
    const notes: unknown = JSON.parse(text);
    NOTES(notes, "the card");
    return notes as CardNotes;
  } catch (error) {
    throw new DataError(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
