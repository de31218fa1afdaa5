import type { ConlluSentence } from "@arcwise/conllu";

/** Returns a sentence as plain data, which messages to a worker can carry. */
export function plainSentence({ comments, rows, line }: ConlluSentence): ConlluSentence {
  return { comments, rows, line };
}
