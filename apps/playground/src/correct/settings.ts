import type { ValueKeys } from "./hot-keys.ts";
import type { OwnLists } from "./inventory.ts";
import * as state from "./state.ts";
import { keep, keptValue } from "./storage.ts";

const KEY = "arcwise-correct";

/** Reads the lists and keys that were stored in this browser. */
export function restoreLists(): void {
  const { lists = {}, keys = {} } = (keptValue(KEY) ?? {}) as { lists?: OwnLists; keys?: ValueKeys };
  state.ownLists.value = lists;
  state.ownKeys.value = keys;
}

/** Uses lists and keys from now on, and keeps them in this browser. */
export function storeLists(lists: OwnLists, keys: ValueKeys): void {
  state.ownLists.value = lists;
  state.ownKeys.value = keys;
  keep(KEY, { lists, keys });
}
