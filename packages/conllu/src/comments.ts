import { requireSentence } from "./sentence-check.ts";
import type { ConlluSentence } from "./types.ts";
import { endOfSpaces, trimmedEnd, trimmedStart } from "./white-space.ts";

/**
 * Returns the value of the first comment `# key = value`, or undefined. Reads the lines before the first
 * row.
 */
export function commentValue(lines: readonly string[], key: string): string | undefined {
  for (const line of lines) {
    if (!line.startsWith("#")) return undefined;
    const value = keyedValue(line, key);
    if (value !== undefined) return trimmedEnd(value);
  }
  return undefined;
}

/**
 * Returns the values of all comments `# key = value`, with trailing spaces, and the indices of the comments.
 */
export function commentValues(comments: readonly string[], key: string): { value: string; index: number }[] {
  const values: { value: string; index: number }[] = [];
  for (let index = 0; index < comments.length; index++) {
    const value = keyedValue(comments[index]!, key);
    if (value !== undefined) values.push({ value, index });
  }
  return values;
}

/** Returns the value of a comment `# key = value`, with trailing spaces; undefined of another one. */
export function keyedValue(comment: string, key: string): string | undefined {
  const equals = comment.indexOf("=");
  if (equals < 0 || trimmedEnd(trimmedStart(comment.slice(1, equals))) !== key) return undefined;
  return trimmedStart(comment.slice(equals + 1));
}

/** Returns what a comment `# newdoc` or `# newpar` begins, with or without an ID; undefined of another one. */
export function breakOf(comment: string): "doc" | "par" | undefined {
  const text = trimmedStart(comment.slice(1));
  const kind = /^new(doc|par)/.exec(text)?.[1] as "doc" | "par" | undefined;
  return text.length > LENGTH && endOfSpaces(text, LENGTH) === LENGTH ? undefined : kind;
}

/** Length of `newdoc` and `newpar`. */
const LENGTH = 6;

/** Returns the `sent_id` of a sentence, or undefined. */
export function sentenceId(sentence: ConlluSentence): string | undefined {
  requireSentence(sentence, "sentenceId");
  return commentValue(sentence.comments, "sent_id");
}

/** Returns the `text` of a sentence as its comment gives it, or undefined. */
export function sentenceText(sentence: ConlluSentence): string | undefined {
  requireSentence(sentence, "sentenceText");
  return commentValue(sentence.comments, "text");
}
