import { batch } from "@preact/signals";
import { differencesOf } from "./agreement.ts";
import { contentOf, type EditDocument } from "./document.ts";
import { type EditHistory, redo, type Step, undo } from "./history.ts";
import { keepNotes } from "./notes-store.ts";
import { orderedKeys } from "./order.ts";
import * as state from "./state.ts";

/** Shows a history: the list follows its sentences, and the selection stays within the current sentence. */
export function update(next: EditHistory): void {
  const before = state.treebank.peek();
  batch(() => {
    state.history.value = next;
    if (before !== undefined && before.sentences.length !== next.document.sentences.length)
      state.listed.value = reconciled(state.listed.peek(), next.document);
    if (state.sentenceOf(state.currentKey.peek()) === undefined)
      state.currentKey.value = next.document.sentences[0]?.key ?? -1;
    keepSelection();
  });
  keepNotes(next.document);
}

/** Returns listed keys without sentences that are gone; new sentences follow the sentence before them in the file. */
function reconciled(listed: readonly number[], { sentences }: EditDocument): number[] {
  const there = new Set(sentences.map(({ key }) => key));
  const known = new Set(listed);
  const kept = listed.filter((key) => there.has(key));
  for (const [i, { key }] of sentences.entries()) {
    if (known.has(key)) continue;
    const before = sentences[i - 1]?.key;
    const at = before === undefined ? -1 : kept.indexOf(before);
    if (before === undefined || at >= 0) kept.splice(at + 1, 0, key);
  }
  return kept;
}

function keepSelection(): void {
  const { value: ids } = state.nodeIds;
  if (!ids.includes(state.selected.peek())) state.selected.value = ids.at(-1) ?? "1";
  state.aim.value = undefined;
}

/** Undoes or repeats a step, and shows the sentence that it changed. */
export function travel(direction: "undo" | "redo"): void {
  const now = state.history.value;
  if (now === undefined) return;
  const step: Step | undefined = direction === "undo" ? now.past.at(-1) : now.future[0];
  if (step === undefined) return;
  update(direction === "undo" ? undo(now) : redo(now));
  const changed = (direction === "undo" ? step.removed : step.added)[0]?.key;
  if (changed !== undefined && changed !== state.currentKey.value) showSentence(changed);
}

/**
 * Lists the sentences in the chosen order, as far as they contain the text of the filter, and if only these are asked for,
 * differ from the second annotation.
 */
export function listSentences(): void {
  const document = state.treebank.peek();
  if (document === undefined) return;
  const keys = orderedKeys(document, state.order.peek(), {
    probabilities: (sentence) => state.probabilities.get(sentence),
    differences: differenceCount,
  });
  const wanted = state.filter.peek().toLowerCase();
  const isListed = (key: number) =>
    (wanted === "" || state.sentenceOf(key)!.sentence.text.toLowerCase().includes(wanted)) &&
    (!state.onlyDiffering.peek() || differenceCount(key) > 0);
  state.listed.value = keys.filter(isListed);
}

/** Returns the number of words on which the annotations of a sentence differ; Infinity for other words. */
export function differenceCount(key: number): number {
  const second = state.second.peek();
  const [own, other] = [state.sentenceOf(key), second?.pairs.get(key)];
  const content = own === undefined ? undefined : contentOf(own.sentence).sentence;
  if (content === undefined || other === undefined) return 0;
  return differencesOf(content, other, second!.columns)?.length ?? Number.POSITIVE_INFINITY;
}

/** Makes a sentence the current one, with its first word or another one selected. */
export function showSentence(key: number, word = "1"): void {
  batch(() => {
    state.currentKey.value = key;
    state.selected.value = word;
    state.labelling.value = false;
    state.chosenEdge.value = undefined;
    keepSelection();
  });
}

/** Shows the sentence some places on in the list. @param word "first" or "last" selects that word */
export function stepSentence(by: number, word: "first" | "last" = "first"): void {
  const { listed, currentKey } = state;
  const at = listed.value.indexOf(currentKey.value);
  const key = listed.value[at < 0 ? 0 : Math.max(0, Math.min(listed.value.length - 1, at + by))];
  if (key === undefined || key === currentKey.value) return;
  showSentence(key);
  if (word === "last") select(state.nodeIds.value.at(-1) ?? "1");
}

/** Selects a word or an empty node. */
export function select(id: string): void {
  batch(() => {
    if (id !== state.selected.value) state.chosenEdge.value = undefined;
    state.selected.value = id;
    state.labelling.value = false;
    state.aim.value = undefined;
  });
}

/** Selects the word some places on. Beyond the last word comes the first word of the next sentence in the list. */
export function stepWord(by: number): void {
  const { value: ids } = state.nodeIds;
  const at = ids.indexOf(state.selected.value) + by;
  if (at < 0) stepSentence(-1, "last");
  else if (at >= ids.length) stepSentence(1);
  else select(ids[at]!);
}
