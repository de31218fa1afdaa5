import { report, reportError } from "../app/store.ts";
import type { Edit, EditKind, OwnEdit } from "./edits.ts";
import { parseSentence } from "./follow.ts";
import { type EditHistory, perform } from "./history.ts";
import { update } from "./navigation.ts";
import * as state from "./state.ts";

/** Edits after which the rest of the tree may follow. */
const DECISIONS: ReadonlySet<EditKind> = new Set([
  "head",
  "columns",
  "splitWord",
  "joinWords",
  "insertWord",
  "deleteWord",
]);

/** Performs edits of the current sentence as one step. An edit that does not fit is reported; returns whether all did. */
export function edit(name: string, ...edits: readonly OwnEdit[]): boolean {
  const sentence = state.currentKey.value;
  return editAll(
    name,
    edits.map((one) => ({ ...one, sentence }) as Edit),
  );
}

/** Performs edits of any sentences as one step. */
export function editAll(name: string, edits: readonly Edit[]): boolean {
  const before = state.history.value;
  if (before === undefined || edits.length === 0) return false;
  let after: EditHistory;
  try {
    after = perform(before, name, edits);
  } catch (error) {
    reportError(error);
    return false;
  }
  if (after === before) return true;
  update(after);
  const { remarks = [] } = after.past.at(-1)!;
  if (remarks.length > 0) report(remarks.join(" "));
  const decides = edits.some(
    (one) => DECISIONS.has(one.kind) && !(one.kind === "columns" && one.columns.deprel === undefined),
  );
  if (decides && state.follows.value) void parseSentence(state.currentKey.value, true);
  return true;
}

/** Gives the selected word another head. @returns whether the edit fits */
export function setHead(word: number, head: number): boolean {
  return edit("Head", { kind: "head", word, head });
}

/** A column that a field sets. */
export type FieldColumn = "form" | "lemma" | "upos" | "xpos" | "feats" | "deprel" | "misc";

/** Returns the place of the selected row: a field still belongs to it when another row is selected. */
export function selectedPlace() {
  return { sentence: state.currentKey.value, row: state.selected.value };
}

/** Sets a column of a row; "" is `_`. @returns whether the edit fits */
export function setColumn(column: FieldColumn, value: string, place = selectedPlace()): boolean {
  const columns = { [column]: value === "" ? "_" : value };
  return editAll(column.toUpperCase(), [{ kind: "columns", ...place, columns }]);
}
