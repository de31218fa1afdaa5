/** Arrow keys by the direction that they move in. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * Moves the focus between the elements of a group by arrow keys, Home and End. For `onKeyDown` of the group.
 *
 * @param selector of the elements that take the focus
 */
export function moveFocus(event: KeyboardEvent, selector: string): void {
  const group = event.currentTarget as Element;
  const items = [...group.querySelectorAll<HTMLElement | SVGElement>(selector)];
  const from = items.indexOf(document.activeElement as HTMLElement);
  const to = targetOf(event.key, from, items.length);
  if (to === undefined) return;
  event.preventDefault();
  items[to]!.focus();
}

/** Returns the index that a key moves to, from one of `count` elements; undefined for other keys. */
export function targetOf(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = STEPS[key];
  return step === undefined ? undefined : (from + step + count) % count;
}

/** Whether a key was pressed where text is typed: hot keys leave it alone. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

/**
 * Calls the function of a hot key, written as `Ctrl+Shift+z`, `j` or `?`; `Ctrl` is also the command key of a Mac. Hot keys
 * without `Ctrl` are left alone where text is typed.
 */
export function hotKeys(keys: Readonly<Record<string, () => void>>): (event: KeyboardEvent) => void {
  return (event) => {
    const name = keyName(event);
    if (isTyping(event) && !name.startsWith("Ctrl+")) return;
    const action = keys[name];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
}

/** Returns the name of a hot key. Shift is named for letters and named keys, since `?` implies it. */
export function keyName({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const control = ctrlKey || metaKey ? "Ctrl+" : "";
  const alt = altKey ? "Alt+" : "";
  const isLetter = /^\p{L}$/u.test(key);
  const shift = shiftKey && (isLetter || key.length > 1) ? "Shift+" : "";
  return `${control}${alt}${shift}${isLetter ? key.toLowerCase() : key}`;
}
