import { countLines } from "@arcwise/tokenize";

/** Returns a note if a text has lines that are read as sentences although no mark ends them. O(length). */
export function lineNotes(text: string): string[] {
  const counter = countLines();
  counter.push(text);
  const { lines, open } = counter.end();
  if (open === 0) return [];
  return [
    `${open} of ${lines} lines end without punctuation: read as one sentence a line. The options have a switch.`,
  ];
}
