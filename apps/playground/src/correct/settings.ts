import type { OwnLists } from "./inventory.ts";
import * as state from "./state.ts";

const KEY = "arcwise-correct";

/** Reads the lists and keys that were stored in this browser. */
export function restoreLists(): void {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as {
      lists?: OwnLists;
      keys?: Record<string, string>;
    };
    state.ownLists.value = stored.lists ?? {};
    state.ownKeys.value = stored.keys ?? {};
  } catch {
    // A page without storage, or with another program's value: nothing of one's own.
  }
}

/** Uses lists and keys from now on, and keeps them in this browser. */
export function storeLists(lists: OwnLists, keys: Readonly<Record<string, string>>): void {
  state.ownLists.value = lists;
  state.ownKeys.value = keys;
  try {
    localStorage.setItem(KEY, JSON.stringify({ lists, keys }));
  } catch {
    // They last as long as the page.
  }
}
