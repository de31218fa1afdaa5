import { reportError } from "../app/store.ts";
import { running } from "../model/model.ts";
import { plainSentence } from "../shared/sentences.ts";
import { contentOf, type EditSentence } from "./document.ts";
import { listSentences, showSentence } from "./navigation.ts";
import { statedProbabilities } from "./order.ts";
import * as state from "./state.ts";

/** Sentences that the worker scores at a time, and milliseconds between two orders of the list. */
const BATCH = 16;
const LIST_EVERY = 3000;

let work: AbortController | undefined;

/** Ends the scoring of sentences. */
export function stopDoubts(): void {
  work?.abort();
  work = undefined;
  state.scored.value = undefined;
}

/**
 * Finds the probabilities of all heads of the document, from MISC or by the model, and keeps the list in order. Shows the
 * most uncertain sentence at the end, unless another sentence was chosen meanwhile.
 */
export async function scoreDocument(): Promise<void> {
  stopDoubts();
  const own = new AbortController();
  const { signal } = own;
  work = own;
  const sentences = state.treebank.peek()?.sentences ?? [];
  const waiting = sentences.filter((one) => !isKnown(one) && contentOf(one).sentence !== undefined);
  const shown = state.currentKey.peek();
  let listedAt = performance.now();
  try {
    for (let at = 0; at < waiting.length && running.peek() !== undefined; at += BATCH) {
      state.scored.value = sentences.length - waiting.length + at;
      await score(waiting.slice(at, at + BATCH), signal);
      if (performance.now() - listedAt < LIST_EVERY) continue;
      listSentences();
      listedAt = performance.now();
    }
  } catch (error) {
    if (signal.aborted) return;
    reportError(error);
  }
  state.scored.value = undefined;
  listSentences();
  const first = state.listed.peek()[0];
  if (first !== undefined && state.currentKey.peek() === shown) showSentence(first);
}

/** Finds the probabilities of the heads of one sentence. */
export async function scoreSentence(sentence: EditSentence): Promise<readonly number[] | undefined> {
  if (contentOf(sentence).sentence === undefined) return undefined;
  if (!isKnown(sentence)) await score([sentence]);
  return state.probabilities.get(sentence);
}

function isKnown(sentence: EditSentence): boolean {
  if (state.probabilities.has(sentence)) return true;
  const { sentence: content } = contentOf(sentence);
  const stated = content === undefined ? undefined : statedProbabilities(content);
  if (stated !== undefined) state.probabilities.set(sentence, stated);
  return stated !== undefined;
}

async function score(batch: readonly EditSentence[], signal?: AbortSignal): Promise<void> {
  const plain = batch.map((one) => plainSentence(contentOf(one).sentence!));
  const results = await running.peek()!.call("headProbabilities", { sentences: plain }, signal);
  for (const [i, sentence] of batch.entries()) state.probabilities.set(sentence, results[i]!);
}
