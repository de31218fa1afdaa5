import { useState } from "preact/hooks";

/**
 * Returns a value that can be edited, and a function that sets it. The value begins anew whenever its source changes,
 * in the same render and without an effect: what is typed right after a render stays.
 *
 * @param source compared by identity
 */
export function useDraft<Value>(source: Value): readonly [Value, (value: Value) => void] {
  const [draft, setDraft] = useState({ source, value: source });
  const value = draft.source === source ? draft.value : source;
  return [value, (next) => setDraft({ source, value: next })];
}
