import { counted } from "@arcwise/core/errors";
import type { ColumnShares, InputColumn } from "@arcwise/parser";
import { addCounts, type InputCounts, isMostlyUnknown, noInput, type PipelineFacts } from "@arcwise/pipeline";
import { countLines } from "@arcwise/tokenize";
import { DataError } from "../errors.ts";
import { type Io, printLine } from "../files/io.ts";

/** The columns that a model may have been trained with, as messages call them. */
const NAMES: Readonly<Record<InputColumn, string>> = {
  upos: "a UPOS tag",
  xpos: "an XPOS tag",
  feats: "features (FEATS)",
  lemma: "a lemma",
};
const COLUMNS = Object.keys(NAMES) as InputColumn[];

/**
 * A column is missing when less than half as many words have it as in training, and `words` fewer.
 */
const MISSING = { share: 0.5, words: 5 };
/** Tags are strange when most are unknown. */
const UNKNOWN_TAGS = { share: 0.5, words: 5 };

/**
 * Returns how the input differs from the training data of the model, and what to do; undefined if it does not. Columns
 * that a tagger has filled in may be empty: few words have features in some texts.
 *
 * @param tagging the columns that a tagger has filled in, and the option that gives words their tags
 */
export function misfit(
  counts: InputCounts,
  columns: ColumnShares,
  { tagged, option }: Pick<FitOptions, "tagged" | "option">,
): string | undefined {
  const { words, having, letterWords, unknownForms, unknownTags } = counts;
  const given = COLUMNS.filter((column) => !tagged.includes(column));
  const missing = given.filter((column) => {
    const expected = columns[column] * words;
    return having[column] < MISSING.share * expected && expected - having[column] >= MISSING.words;
  });
  if (missing.length > 0) {
    const shares = missing.map((column) => `${percent(words - having[column], words)} lack ${NAMES[column]}`);
    const advice = tagged.length > 0 ? "use a tagger that gives them" : `tag them first, or give ${option}`;
    return `of the words, ${list(shares)}, and the model was trained with them; ${advice}`;
  }
  // Where no training word had a tag, the model does not read them.
  if (
    columns.upos > 0 &&
    having.upos >= UNKNOWN_TAGS.words &&
    unknownTags > UNKNOWN_TAGS.share * having.upos
  ) {
    const share = percent(unknownTags, having.upos);
    return (
      `${share} of the words have a UPOS tag that the model was not trained with; tag them with the ` +
      "same tags"
    );
  }
  if (isMostlyUnknown(counts)) {
    const share = percent(unknownForms, letterWords);
    return (
      `the model does not know ${share} of the words; is it a model of the language and script of the ` +
      "text?"
    );
  }
  return undefined;
}

/** How a command reports input that does not fit. */
export interface FitSettings {
  /** The option of the command that gives words their tags, with its value. */
  readonly option: string;
  /** Whether input that does not fit is refused. */
  readonly strict: boolean;
}

/** Options of `fitWatch`. */
export interface FitOptions extends FitSettings {
  /** The columns that a tagger has filled in. */
  readonly tagged: PipelineFacts["tagged"];
  warn(text: string): void;
}

/** Compares the input with the model while it is parsed. */
export function fitWatch(file: string, columns: ColumnShares, { tagged, option, strict, warn }: FitOptions) {
  const total = noInput();
  let warned = false;
  return {
    add: (counts: InputCounts): void => addCounts(total, counts),
    /** Warns once. */
    check(): void {
      if (warned) return;
      const found = misfit(total, columns, { tagged, option });
      if (found === undefined) return;
      if (strict) throw new DataError(`${file}: ${found} (--strict)`);
      warned = true;
      warn(`warning: ${file}: ${found}`);
    },
  };
}

function percent(count: number, all: number): string {
  return `${Math.floor((100 * count) / all)} %`;
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** How DEPS are treated: see `AnalysisSettings` of @arcwise/pipeline. */
export type DepsSetting = "drop" | "keep" | "enhance";

/**
 * Returns a note on the graphs of the input that were left out or replaced; undefined if none was.
 *
 * @param deps as the command line has it
 * @param graphs the graph parser of the model, which makes DEPS unless the command line says otherwise
 */
export function graphNote(
  { replacedDeps: words, replacedNodes: nodes }: InputCounts,
  deps: DepsSetting | undefined,
  graphs?: PipelineFacts["graphs"],
): string | undefined {
  const parts = [
    ...(words > 0 ? [`DEPS of ${counted(words, "word")}`] : []),
    ...(nodes > 0 ? [counted(nodes, "empty node")] : []),
  ];
  if (parts.length === 0) return undefined;
  const text = parts.join(" and ");
  const isFilled = deps === undefined && graphs !== undefined && graphs.kind !== "semantic";
  if (deps === "enhance" || isFilled) return `${text} of the input replaced by new DEPS`;
  const advice =
    deps === "drop" ? "" : ": --deps keep keeps them, --deps enhance makes DEPS anew by rules of English";
  return `${text} of the input left out, which belong to other trees${advice}`;
}

/**
 * Notes on the lines of texts that are recognised as sentences.
 *
 * @param lines whether each line ends a sentence, if an option says so: then there is nothing to note
 */
export function lineNotes(io: Io, lines: boolean | undefined) {
  const notes: string[] = [];
  return {
    /** Yields the pieces of a text, whose lines are counted. */
    async *counted(text: AsyncIterable<string>, file: string): AsyncGenerator<string> {
      const counter = lines === undefined ? countLines() : undefined;
      for await (const piece of text) {
        counter?.push(piece);
        yield piece;
      }
      const { lines: count = 0, open = 0 } = counter?.end() ?? {};
      if (open === 0) return;
      const found = `${open} of ${counted(count, "line")} end without punctuation`;
      notes.push(`${file}: ${found}: read as one sentence per line (--no-lines: as running text)`);
    },
    /** Prints a note for each text that has such lines without punctuation. */
    print(): void {
      for (const note of notes) printLine(io, `arcwise: ${note}`);
    },
  };
}
