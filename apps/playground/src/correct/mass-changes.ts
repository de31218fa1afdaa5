import type { ConlluSentence } from "@arcwise/conllu";
import { compilePattern, type SearchMatch, type SearchPattern } from "@arcwise/conllu/search";
import { invalidArgument } from "@arcwise/core/errors";
import { wordsOf } from "../shared/sentences.ts";
import { contentOf, type EditDocument } from "./document.ts";
import type { Edit } from "./edits.ts";
import { withAttribute, withFeature } from "./misc.ts";

const COLUMNS = ["form", "lemma", "upos", "xpos", "feats", "head", "deprel", "misc"] as const;
const SYNTAX = "NODE.COLUMN = VALUE, as in v.upos = NOUN";

/** A value that words of matches get: `v.upos = NOUN`, `v.feats.Number = Plur`, `o.head = v`. */
export interface Assignment {
  /** Name of a node of the pattern. */
  readonly node: string;
  readonly column: (typeof COLUMNS)[number];
  /** Name of a feature or an attribute of MISC. */
  readonly item?: string | undefined;
  /** Empty: `_`, or the feature is removed. For heads: the name of a node, a number, or `root`. */
  readonly value: string;
}

/** A pattern, and what becomes of the words that it finds. */
export interface MassChange {
  readonly pattern: SearchPattern;
  readonly assignments: readonly Assignment[];
}

/** One value that a mass change replaces. */
export interface PlannedChange {
  /** Position and form of the word. */
  readonly word: number;
  readonly form: string;
  readonly column: string;
  readonly before: string;
  readonly after: string;
  readonly edit: Edit;
}

/** The changes of one sentence. */
export interface PlannedSentence {
  /** Key of the sentence. */
  readonly sentence: number;
  readonly changes: readonly PlannedChange[];
}

/**
 * Compiles a mass change: a pattern of Semgrex, and assignments with `;` between them.
 *
 * @example
 * compileMassChange("{lemma:like}=v >obj {}=o", "v.upos = VERB; o.feats.Case = Acc");
 */
export function compileMassChange(source: string, text: string): MassChange {
  const pattern = compilePattern(source);
  const parts = text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length === 0) throw invalidArgument("changes", SYNTAX, "nothing");
  return { pattern, assignments: parts.map((part) => assignmentOf(part, pattern)) };
}

function assignmentOf(text: string, { names }: SearchPattern): Assignment {
  const equals = text.indexOf("=");
  const [node = "", column, item, ...rest] = text.slice(0, Math.max(0, equals)).trim().split(".");
  const value = text.slice(equals + 1).trim();
  const refuse = (expected: string, found: string) => invalidArgument("changes", expected, `"${found}"`);
  if (column === undefined || rest.length > 0 || item === "") throw refuse(SYNTAX, text);
  const named = names.length === 0 ? "the pattern names none: {}=v" : `the pattern names ${names.join(", ")}`;
  if (!names.includes(node)) throw refuse(`the name of a node (${named})`, node);
  const found = COLUMNS.find((one) => one === column);
  if (found === undefined) throw refuse(`a column (${COLUMNS.join(", ")})`, column);
  if (item !== undefined && found !== "feats" && found !== "misc")
    throw refuse("feats.NAME or misc.NAME", `${column}.${item}`);
  const isHead = value === "root" || /^\d+$/.test(value) || names.includes(value);
  if (found === "head" && !isHead) throw refuse(`the name of a node (${named}), a number or root`, value);
  return { node, column: found, item, value };
}

/**
 * Yields the sentences that a mass change would change, with each change. Sentences that cannot be read, and values
 * that are as they should be, are left out. Cost: a search of the document.
 */
export function* planMassChange(
  { sentences }: EditDocument,
  { pattern, assignments }: MassChange,
): Generator<PlannedSentence> {
  for (const one of sentences) {
    const { sentence } = contentOf(one);
    if (sentence === undefined) continue;
    const changes = [...plannedIn(sentence, one.key, pattern, assignments)];
    if (changes.length > 0) yield { sentence: one.key, changes };
  }
}

function* plannedIn(
  sentence: ConlluSentence,
  key: number,
  pattern: SearchPattern,
  assignments: readonly Assignment[],
): Generator<PlannedChange> {
  const words = wordsOf(sentence);
  // Columns with the changes so far: features of one word may be changed one by one.
  const now = new Map<string, string>();
  for (const match of pattern.matches(sentence)) {
    for (const assignment of assignments) {
      const word = match.names[assignment.node];
      const row = words[(word ?? 0) - 1];
      if (word === undefined || row === undefined) continue;
      const { column } = assignment;
      const cell = `${word} ${column}`;
      const before = now.get(cell) ?? `${row[column]}`;
      const after = valueAfter(assignment, before, match, words.length);
      if (after === undefined || after === before || (column === "head" && Number(after) === word)) continue;
      now.set(cell, after);
      const edit: Edit =
        column === "head"
          ? { kind: "head", sentence: key, word, head: Number(after) }
          : { kind: "columns", sentence: key, row: `${word}`, columns: { [column]: after } };
      yield { word, form: row.form, column, before, after, edit };
    }
  }
}

function valueAfter(
  { column, item, value }: Assignment,
  before: string,
  { names }: SearchMatch,
  n: number,
): string | undefined {
  if (item !== undefined)
    return column === "feats" ? withFeature(before, item, value) : withAttribute(before, item, value);
  if (column !== "head") return value === "" ? "_" : value;
  const head = value === "root" ? 0 : /^\d+$/.test(value) ? Number(value) : names[value];
  return head === undefined || head > n ? undefined : `${head}`;
}
