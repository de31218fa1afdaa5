import type { ConlluSentence } from "./types.ts";

/**
 * Returns the value of the first comment `# key = value`, or undefined. Reads the lines before the first
 * row.
 */
export function commentValue(lines: readonly string[], key: string): string | undefined {
  for (const line of lines) {
    if (!line.startsWith("#")) return undefined;
    const equals = line.indexOf("=");
    if (equals >= 0 && line.slice(1, equals).trim() === key) return line.slice(equals + 1).trim();
  }
  return undefined;
}

/**
 * Returns the values of all comments `# key = value`, with trailing spaces, and the indices of the comments.
 */
export function commentValues(comments: readonly string[], key: string): { value: string; index: number }[] {
  const values: { value: string; index: number }[] = [];
  for (let index = 0; index < comments.length; index++) {
    const comment = comments[index]!;
    const equals = comment.indexOf("=");
    if (equals < 0 || comment.slice(1, equals).trim() !== key) continue;
    values.push({ value: comment.slice(equals + 1).trimStart(), index });
  }
  return values;
}

/** Returns the `sent_id` of a sentence, or undefined. */
export function sentenceId(sentence: ConlluSentence): string | undefined {
  return commentValue(sentence.comments, "sent_id");
}

/** Returns the `text` of a sentence as its comment gives it, or undefined. */
export function sentenceText(sentence: ConlluSentence): string | undefined {
  return commentValue(sentence.comments, "text");
}
