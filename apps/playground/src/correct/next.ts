import { report } from "../app/store.ts";
import { running } from "../model/model.ts";
import { differencesOf } from "./agreement.ts";
import { contentOf, type EditSentence } from "./document.ts";
import { scoreSentence } from "./doubts.ts";
import { findingsOf } from "./findings.ts";
import { showSentence } from "./navigation.ts";
import * as state from "./state.ts";

/**
 * Selects the next word of the list that a function finds, from the selected word on, or reports that there is none.
 *
 * @param find returns words of a sentence, ascending; 0 is the sentence itself
 */
async function goToNext(
  noun: string,
  find: (own: EditSentence) => readonly number[] | Promise<readonly number[]>,
): Promise<void> {
  const [from, word] = [state.currentKey.value, Number.parseInt(state.selected.value, 10)];
  const { value: listed } = state.listed;
  for (const [i, key] of listed.slice(Math.max(0, listed.indexOf(from))).entries()) {
    const own = state.sentenceOf(key)?.sentence;
    const found = own === undefined ? [] : await find(own);
    // Somebody went elsewhere meanwhile.
    if (state.currentKey.value !== from) return;
    const next = found.find((id) => i > 0 || id > word);
    if (next !== undefined) return showSentence(key, `${Math.max(1, next)}`);
  }
  report(`No further ${noun} down to the end of the list.`);
}

/** Probability of a head below which a word that nobody fixed is doubtful. */
const DOUBTFUL = 0.9;

/** Goes to the next word whose head the parser is not sure of. */
export async function nextDoubt(): Promise<void> {
  if (running.value === undefined) return report("The model is still loading.");
  return goToNext("doubtful word", async (own) => {
    const known = (await scoreSentence(own)) ?? [];
    const isDecided = new Set(own.fixed.heads);
    return known.flatMap((one, i) => (one < DOUBTFUL && !isDecided.has(i + 1) ? [i + 1] : []));
  });
}

/** Goes to the next word, or sentence, that breaks a rule. */
export async function nextFinding(): Promise<void> {
  state.showsSide.value = true;
  const words = (own: EditSentence) => findingsOf(own).map(({ row }) => Number.parseInt(row ?? "0", 10));
  return goToNext("finding", (own) => words(own).sort((a, b) => a - b));
}

/** Goes to the next word on which the annotations differ. */
export async function nextDifference(): Promise<void> {
  const { value: second } = state.second;
  if (second === undefined) return report("Compare with a second annotation first: Compare…");
  return goToNext("difference", (own) => {
    const [content, other] = [contentOf(own).sentence, second.pairs.get(own.key)];
    const found = content && other && differencesOf(content, other, second.columns);
    return found?.map(({ word }) => word) ?? [];
  });
}
