/** Returns a value that this browser keeps; undefined on a page without storage, or for a value of another program. */
export function keptValue(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return undefined;
  }
}

/** Keeps a value in this browser; undefined removes it. On a page without storage, it lasts as long as the page. */
export function keep(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A page without storage.
  }
}
