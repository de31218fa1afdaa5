import type { ConlluSentence } from "@arcwise/conllu";
import { batch, computed, signal } from "@preact/signals";

/** The text of the view Parse, which stays while other views are shown; undefined until the view has one. */
export const typed = signal<string | undefined>(undefined);
/** The sentences at hand, which all views share. They are replaced, never changed. */
export const sentences = signal<readonly ConlluSentence[]>([]);
/** Index of the current sentence, from 0. */
export const current = signal(0);
/** The current sentence; undefined without sentences. */
export const sentence = computed(() => sentences.value[current.value]);

/** Replaces the sentences at hand, and makes one of them the current sentence. */
export function showSentences(next: readonly ConlluSentence[], index = 0): void {
  batch(() => {
    sentences.value = next;
    current.value = Math.max(0, Math.min(index, next.length - 1));
  });
}

/** A message about the last action, which screen readers read out; "" for none. */
export const notice = signal<{ readonly text: string; readonly isError: boolean }>({
  text: "",
  isError: false,
});

/** Shows a message about an action that succeeded. */
export function report(text: string): void {
  notice.value = { text, isError: false };
}

/** Shows why an action failed. */
export function reportError(error: unknown): void {
  notice.value = { text: error instanceof Error ? error.message : String(error), isError: true };
}
