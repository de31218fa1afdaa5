import { report, reportError } from "../app/store.ts";
import type { Edit, EditKind } from "./edits.ts";
import { followTree } from "./follow.ts";
import { type EditHistory, perform } from "./history.ts";
import { update } from "./navigation.ts";
import * as state from "./state.ts";

/** An edit of the current sentence. */
export type OwnEdit = Edit extends infer One ? (One extends Edit ? Omit<One, "sentence"> : never) : never;

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
  return editAll(
    name,
    edits.map((one) => ({ ...one, sentence: state.currentKey.value }) as Edit),
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
  if (decides && state.follows.value) void followTree(state.currentKey.value);
  return true;
}

/** Gives the selected word another head. @returns whether the edit fits */
export function setHead(word: number, head: number): boolean {
  return edit("Head", { kind: "head", word, head });
}

/** A row of a sentence: the selected row, or a row that was selected when a field began to be typed in. */
export interface RowPlace {
  readonly sentence: number;
  readonly row: string;
}

/** Returns the place of the selected row. */
export function selectedPlace(): RowPlace {
  return { sentence: state.currentKey.value, row: state.selected.value };
}

/** Sets a column of a row; "" is `_`. @returns whether the edit fits */
export function setColumn(
  column: "form" | "lemma" | "upos" | "xpos" | "feats" | "deprel" | "misc",
  value: string,
  { sentence, row }: RowPlace = selectedPlace(),
): boolean {
  const columns = { [column]: value === "" ? "_" : value };
  return editAll(column.toUpperCase(), [{ kind: "columns", sentence, row, columns }]);
}
