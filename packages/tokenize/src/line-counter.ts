import { checkArgument, string } from "@arcwise/core/options";
import { CharacterReader } from "./text/character-reader.ts";
import { EDGE, LineBlocks, type LineCounts } from "./text/line-blocks.ts";

/** Chunks are taken in pieces of this many UTF-16 code units, which bounds the memory for a long one. */
export const PIECE = 2 ** 12;

/** Counts the lines of a text that are read as sentences, unless `lines` says how. */
export interface LineCounter {
  /** Appends a chunk. O(length). */
  push(chunk: string): void;
  /** Ends the text. */
  end(): LineCounts;
}

/**
 * Begins to count the lines of a text that a tokeniser recognises as sentences: of 14, 12 may end without a mark that
 * ends a sentence.
 */
export function countLines(): LineCounter {
  const characters = new CharacterReader();
  const counts = { lines: 0, open: 0 };
  const blocks = new LineBlocks({ option: undefined, isLines: undefined, marked: 0 }, counts);
  const count = (isEnd: boolean) => {
    // The last character may go on.
    const marked = Math.min(blocks.mark(characters, isEnd), characters.length - 1);
    const kept = Math.max(0, marked - EDGE);
    characters.drop(kept);
    blocks.drop(kept);
  };
  return {
    push(chunk) {
      checkArgument(string, chunk, "push: chunk");
      for (let at = 0; at < chunk.length; at += PIECE) {
        characters.push(chunk.slice(at, at + PIECE));
        count(false);
      }
    },
    end() {
      characters.end();
      count(true);
      return counts;
    },
  };
}
