/** Returns a count with its noun, which gets an s unless the count is 1. A count may be written already, as "1,234". */
export function counted(count: number | string, noun: string): string {
  return `${count} ${noun}${String(count) === "1" ? "" : "s"}`;
}
