import { columnsLine } from "@arcwise/conllu";
import { checkArgument, integer, oneOf, series, string } from "@arcwise/core/options";
import type { ChunkFormat } from "./parse-jobs.ts";

/** Number of characters of a chunk by default: some thousand sentences. */
export const CHUNK = 2 ** 20;

/** Where a format may be cut, and whether the cut is before or after what matches. */
export const CUTS: Readonly<Record<ChunkFormat, { readonly at: RegExp; readonly isBefore: boolean }>> = {
  // An empty line may also end with a carriage return.
  conllu: { at: /\n\r?\n/g, isBefore: false },
  // White space belongs to what follows it: a tokeniser sees by it that a paragraph begins.
  text: { at: /\n[ \t\r]*\n/g, isBefore: true },
  "no-lines": { at: /\n[ \t\r]*\n/g, isBefore: true },
  lines: { at: /\n/g, isBefore: true },
};

/** Accepts formats of chunks. */
export const chunkFormat = oneOf(...(Object.keys(CUTS) as ChunkFormat[]));

/**
 * Cuts CoNLL-U or text into chunks where a sentence ends: CoNLL-U after empty lines, text before blank lines, lines
 * before the end of any line. All chunks but the last have `size` characters or more: a chunk ends at the first such
 * place from `size` on. Chunks of CoNLL-U Plus begin with the line of its columns. Memory: a chunk and a piece.
 */
export async function* cutChunks(
  pieces: AsyncIterable<string> | Iterable<string>,
  format: ChunkFormat = "conllu",
  size: number = CHUNK,
): AsyncGenerator<string> {
  checkArgument(series<string>("texts"), pieces, "cutChunks: pieces");
  checkArgument(chunkFormat, format, "cutChunks: format");
  checkArgument(integer(1), size, "cutChunks: size");
  let columns: string | undefined;
  let text = "";
  for await (const piece of pieces) {
    checkArgument(string, piece, "cutChunks: pieces");
    text += piece;
    for (let end = cutFrom(text, format, size); end > 0; end = cutFrom(text, format, size)) {
      yield (columns ?? "") + text.slice(0, end);
      columns ??= format === "conllu" ? columnsLine(text) : "";
      text = text.slice(end);
    }
  }
  if (text !== "") yield (columns ?? "") + text;
}

/** Returns the first offset where a text may be cut, from `size` on; 0 when there is none yet. */
export function cutFrom(text: string, format: ChunkFormat, size: number): number {
  if (text.length < size) return 0;
  const { at, isBefore } = CUTS[format];
  at.lastIndex = Math.max(isBefore ? 1 : 0, isBefore ? size : size - 1);
  const found = at.exec(text);
  return found === null ? 0 : isBefore ? found.index : at.lastIndex;
}
