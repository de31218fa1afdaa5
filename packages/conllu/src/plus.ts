import { checkArgument, string } from "@arcwise/core/options";
import { commentValue } from "./comments.ts";

/** The columns of CoNLL-U, by the names that CoNLL-U Plus gives them. */
const COLUMNS = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"] as const;
const MISC = COLUMNS.indexOf("MISC");
/** Values of a column that annotates nothing. */
const EMPTY: ReadonlySet<string> = new Set(["_", "*"]);

/** The columns of a file in CoNLL-U Plus. */
export interface PlusColumns {
  readonly count: number;
  /** Whether there are an ID and a form. */
  readonly hasWords: boolean;
  /** The first name that stands twice. */
  readonly repeated: string | undefined;
  /** Returns the columns of a row in CoNLL-U: `_` for those that the file lacks, and others as attributes of MISC. */
  fields(row: readonly string[]): readonly string[];
}

/**
 * Returns the columns that the comments of the first sentence of a file state by `# global.columns`; undefined if they do
 * not, or are those of CoNLL-U.
 *
 * https://universaldependencies.org/ext-format.html
 */
export function plusColumns(comments: readonly string[]): PlusColumns | undefined {
  const names = commentValue(comments, "global.columns")?.trim().split(/\s+/);
  if (names === undefined || names.join() === COLUMNS.join()) return undefined;
  const places = COLUMNS.map((name) => names.indexOf(name));
  const others = names.flatMap((name, i) =>
    (COLUMNS as readonly string[]).includes(name) ? [] : [{ name, i }],
  );
  return {
    count: names.length,
    hasWords: places[0]! >= 0 && places[1]! >= 0,
    repeated: names.find((name, i) => names.indexOf(name) < i),
    fields(row) {
      const fields = places.map((place) => row[place] ?? "_");
      const attributes = others
        .filter(({ i }) => !EMPTY.has(row[i]!))
        // A bar would end the attribute.
        .map(({ name, i }) => `${name}=${row[i]!.replaceAll("|", "\\p")}`);
      if (attributes.length > 0)
        fields[MISC] = [...(fields[MISC] === "_" ? [] : [fields[MISC]!]), ...attributes].join("|");
      return fields;
    },
  };
}

/**
 * Returns the first line of a text in CoNLL-U Plus, which states its columns: parts of the text are read with it before
 * them. Empty for other texts. O(length of the line).
 */
export function columnsLine(text: string): string {
  checkArgument(string, text, "columnsLine: text");
  return /^\ufeff?(#\s*global\.columns\s*=[^\n]*\n)/.exec(text)?.[1] ?? "";
}
