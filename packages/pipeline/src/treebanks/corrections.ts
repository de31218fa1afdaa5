import type { ConlluSentence, Row, WordRow } from "@arcwise/conllu";
import { itemsOf, withItem } from "./items.ts";

type RangeRow = Extract<Row, { readonly kind: "range" }>;

/** The correct form of a word that should not be there. */
const NONE = "_";
/** A correction of features, such as `CorrectNumber=Sing`, whose other columns the treebank does not give. */
const CORRECT_FEATURE = /(?:^|\|)Correct(?!Form=|SpaceAfter=)[A-Za-z]+=/;

/** Returns the correct form of a word, or undefined for a word without a correction. */
export function correctForm({ misc }: Row): string | undefined {
  return misc.includes("CorrectForm=") ? itemsOf(misc).get("CorrectForm") : undefined;
}

/**
 * Returns a sentence as it would be written without its typing errors, by `CorrectForm` and `CorrectSpaceAfter`
 * of MISC; undefined for a sentence without errors, or whose corrections do not determine the text. A word whose
 * correct form is `_` is left out; its dependents attach to its head. O(rows).
 */
export function corrected({ rows, line }: ConlluSentence): ConlluSentence | undefined {
  if (!rows.some(({ misc }) => misc.includes("Correct"))) return undefined;
  if (rows.some(({ misc }) => CORRECT_FEATURE.test(misc))) return undefined;
  const kept = withoutSuperfluous(rows.filter(({ kind }) => kind !== "empty"));
  const words = kept.filter((row): row is WordRow => row.kind === "word").map(correctedWord);
  const ranges = kept.filter((row): row is RangeRow => row.kind === "range");
  const own = new Map<number, RangeRow>();
  for (const range of ranges) {
    const form = correctedRange(range, kept, words);
    if (form === undefined) return undefined;
    own.set(range.first, { ...range, form, misc: correctedSpace(range.misc) });
  }
  const found = words.flatMap((word): Row[] => {
    const range = own.get(word.id);
    return range === undefined ? [word] : [range, word];
  });
  return words.length === 0 ? undefined : { comments: ["# newpar"], rows: found, line };
}

function correctedWord(word: WordRow): WordRow {
  const form = correctForm(word) ?? word.form;
  return { ...word, form, feats: withItem(word.feats, "Typo"), misc: correctedSpace(word.misc), deps: "_" };
}

/** Returns MISC without corrections, with the white space that they state. */
function correctedSpace(misc: string): string {
  const space = itemsOf(misc).get("CorrectSpaceAfter");
  const own = withItem(withItem(misc, "CorrectForm"), "CorrectSpaceAfter");
  if (space === undefined) return own;
  return withItem(own, "SpaceAfter", space === "No" ? "No" : undefined);
}

/** Returns the form of a multiword token; undefined if it changes and is not the forms of its words in sequence. */
function correctedRange(
  { form, first, last }: RangeRow,
  rows: readonly Row[],
  words: readonly WordRow[],
): string | undefined {
  const before = rows.filter((row) => row.kind === "word" && row.id >= first && row.id <= last);
  const after = words.slice(first - 1, last).map((word) => word.form);
  if (before.every((row, w) => row.form === after[w])) return form;
  return before.map((row) => row.form).join("") === form ? after.join("") : undefined;
}

/** Returns the rows without the words whose correct form is `_`, numbered anew. */
function withoutSuperfluous(rows: readonly Row[]): Row[] {
  const words = rows.filter((row): row is WordRow => row.kind === "word");
  const isKept = words.map((word) => correctForm(word) !== NONE);
  if (isKept.every(Boolean)) return [...rows];
  const ids = [0];
  for (const keeps of isKept) ids.push(ids.at(-1)! + (keeps ? 1 : 0));
  const headOf = (id: number): number => {
    let head = id;
    for (let step = 0; head > 0 && !isKept[head - 1] && step < words.length; step++)
      head = words[head - 1]!.head;
    return head > 0 ? ids[head]! : head;
  };
  return rows.flatMap((row): Row[] => {
    if (row.kind === "word")
      return isKept[row.id - 1] ? [{ ...row, id: ids[row.id]!, head: headOf(row.head) }] : [];
    if (row.kind !== "range") return [];
    const [first, last] = [ids[row.first - 1]! + 1, ids[row.last]!];
    return last > first ? [{ ...row, first, last }] : [];
  });
}
