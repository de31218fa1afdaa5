import type { EditDocument, EditSentence } from "./document.ts";
import { Draft } from "./draft.ts";
import { applyEdit, type Edit } from "./edits.ts";

/** A step that can be undone: sentences in place of others. */
export interface Step {
  /** Says what was done, as menus name it. */
  readonly name: string;
  readonly index: number;
  readonly removed: readonly EditSentence[];
  readonly added: readonly EditSentence[];
  /** What had to be changed or left out beyond what was asked for. */
  readonly remarks?: readonly string[] | undefined;
}

/** A document with the steps that led to it, and the steps that were undone. Never changed. */
export interface EditHistory {
  readonly document: EditDocument;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
  /** The last step that is in the file; undefined: the file is as it was opened. */
  readonly savedAt: Step | undefined;
  /** The sentences that are in the file. */
  readonly saved: readonly EditSentence[];
}

/** Returns the history of a document that was just opened. */
export function startHistory(document: EditDocument): EditHistory {
  return { document, past: [], future: [], savedAt: undefined, saved: document.sentences };
}

/** Applies edits as one step. All of them are applied, or none. O(sentences + length of the edited sentences). */
export function perform(history: EditHistory, name: string, edits: readonly Edit[]): EditHistory {
  const { document } = history;
  const draft = new Draft(document);
  for (const edit of edits) applyEdit(draft, edit);
  const { sentences, nextKey, remarks } = draft;
  const step = difference(name, document.sentences, sentences);
  if (step === undefined) return history;
  const past = [...history.past, { ...step, remarks }];
  return { ...history, document: { ...document, sentences, nextKey }, past, future: [] };
}

/** Returns a history whose last two steps are one step, with the name of the first. */
export function mergeLast(history: EditHistory): EditHistory {
  const { past, document, savedAt } = history;
  const [first, second] = past.slice(-2);
  if (first === undefined || second === undefined || savedAt === first) return history;
  const before = swapped(swapped(document, second, "back"), first, "back");
  const step = difference(first.name, before.sentences, document.sentences);
  const kept = past.slice(0, -2);
  return { ...history, past: step === undefined ? kept : [...kept, step] };
}

function difference(
  name: string,
  before: readonly EditSentence[],
  after: readonly EditSentence[],
): Step | undefined {
  let index = 0;
  const shortest = Math.min(before.length, after.length);
  while (index < shortest && isSame(before[index]!, after[index]!)) index++;
  let tail = 0;
  while (tail < shortest - index && isSame(before.at(-1 - tail)!, after.at(-1 - tail)!)) tail++;
  const removed = before.slice(index, before.length - tail);
  const added = after.slice(index, after.length - tail);
  return removed.length + added.length === 0 ? undefined : { name, index, removed, added };
}

function isSame(a: EditSentence, b: EditSentence): boolean {
  if (a === b) return true;
  if (a.key !== b.key || a.text !== b.text || a.gap !== b.gap) return false;
  return JSON.stringify([a.fixed, a.notes]) === JSON.stringify([b.fixed, b.notes]);
}

/** Returns a document with a step undone or done again. */
function swapped(
  document: EditDocument,
  { index, removed, added }: Step,
  direction: "back" | "forth",
): EditDocument {
  const { sentences } = document;
  const [from, to] = direction === "back" ? [added, removed] : [removed, added];
  const rest = sentences.slice(index + from.length);
  return { ...document, sentences: [...sentences.slice(0, index), ...to, ...rest] };
}

/** Undoes the last step; returns the history as it is if nothing can be undone. */
export function undo(history: EditHistory): EditHistory {
  const step = history.past.at(-1);
  if (step === undefined) return history;
  const [past, future] = [history.past.slice(0, -1), [step, ...history.future]];
  return { ...history, document: swapped(history.document, step, "back"), past, future };
}

/** Repeats the last step that was undone; returns the history as it is if nothing was undone. */
export function redo(history: EditHistory): EditHistory {
  const [step, ...future] = history.future;
  if (step === undefined) return history;
  const past = [...history.past, step];
  return { ...history, document: swapped(history.document, step, "forth"), past, future };
}

/** Returns the steps from what is in the file to the document: one step if the steps since it was saved are not known. */
export function unsavedSteps({ document, past, savedAt, saved }: EditHistory): Step[] {
  const from = savedAt === undefined ? 0 : past.indexOf(savedAt) + 1;
  if (from > 0 || savedAt === undefined) return past.slice(from);
  const step = difference("Edits that were not saved", saved, document.sentences);
  return step === undefined ? [] : [step];
}

/**
 * Returns the history of a document after further steps, each of which can be undone. The steps may be of a document that
 * was opened before: its sentences had other keys. O(steps * sentences).
 */
export function continued(history: EditHistory, steps: readonly Step[]): EditHistory {
  let after = history;
  for (const step of steps) after = redo({ ...after, ...rekeyed(after.document, step) });
  return after;
}

/** Returns a step with the keys of a document, to be repeated in it, and the document without the keys that are new. */
function rekeyed(document: EditDocument, step: Step): Pick<EditHistory, "document" | "future"> {
  let { nextKey } = document;
  const { index } = step;
  const removed = document.sentences.slice(index, index + step.removed.length);
  const keys = new Map(step.removed.map(({ key }, i) => [key, removed[i]?.key]));
  const added = step.added.map((one) => ({ ...one, key: keys.get(one.key) ?? nextKey++ }));
  return { document: { ...document, nextKey }, future: [{ ...step, removed, added }] };
}

/** Returns a history whose file has its present state, or the state that it had before. */
export function markSaved(history: EditHistory, written: EditHistory = history): EditHistory {
  return { ...history, savedAt: written.past.at(-1), saved: written.document.sentences };
}

/** Whether the file differs from the document. */
export function isChanged({ past, savedAt }: EditHistory): boolean {
  return past.at(-1) !== savedAt;
}
