import { counted } from "@arcwise/core/errors";
import { countLines } from "@arcwise/tokenize";
import type { Io } from "../files/io.ts";
import { printLine } from "../files/printable.ts";

/** Notes on the lines of texts that are recognised as sentences. */
export interface LineNotes {
  /** Yields the pieces of a text, whose lines are counted. */
  counted(text: AsyncIterable<string>, file: string): AsyncGenerator<string>;
  /** Prints a note for each text that has such lines without punctuation. */
  print(): void;
}

/** @param lines whether each line ends a sentence, if an option says so: then there is nothing to note */
export function lineNotes(io: Io, lines: boolean | undefined): LineNotes {
  const notes: string[] = [];
  return {
    async *counted(text, file) {
      const counter = lines === undefined ? countLines() : undefined;
      for await (const piece of text) {
        counter?.push(piece);
        yield piece;
      }
      const { lines: count = 0, open = 0 } = counter?.end() ?? {};
      if (open === 0) return;
      const found = `${open} of ${counted(count, "line")} end without punctuation`;
      notes.push(`${file}: ${found}: read as one sentence per line (--no-lines: as running text)`);
    },
    print() {
      for (const note of notes) printLine(io, `arcwise: ${note}`);
    },
  };
}
