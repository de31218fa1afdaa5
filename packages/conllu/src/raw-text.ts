import { checkArgument, list, shaped, string } from "@arcwise/core/options";
import { breakOf } from "./comments.ts";
import { spacesAfter, spacesBefore, statedSpacesAfter, tokenRows, tokenText } from "./sentence/tokens.ts";
import { requireSentence, sentencesCheck } from "./sentence-check.ts";
import type { ConlluSentence, WordRow } from "./types.ts";

/** A token of a raw text: a word, or a multiword token with its words. */
export interface RawToken {
  /**
   * Offsets into the text, in UTF-16 code units: `text.slice(start, end)` is the form, but for white space
   * inside.
   */
  readonly start: number;
  readonly end: number;
  /** Forms of the words of a multiword token; empty for a single word. */
  readonly words: readonly string[];
}

/** Sentences as the tokens of a text. */
export interface RawText {
  readonly text: string;
  /** Tokens of each sentence. */
  readonly sentences: readonly (readonly RawToken[])[];
}

/**
 * Returns the text that sentences were cut from: tokens with the white space that MISC gives, as UDPipe writes
 * it (`SpacesBefore`, `SpacesInToken`, `SpacesAfter`). Where MISC gives none, nothing follows a token with
 * `SpaceAfter=No`, and a space any other; a blank line precedes sentences with a comment `# newpar` or
 * `# newdoc`, and the text ends with a line feed. O(length).
 *
 * Tokens count, not `# text`: the two are equal in valid files.
 */
export function rawText(sentences: Iterable<ConlluSentence>): RawText {
  checkArgument(sentencesCheck, sentences, "rawText: sentences");
  const writer = new RawTextWriter();
  const tokens = Array.from(sentences, (sentence) => {
    requireSentence(sentence, "rawText");
    return writer.add(sentence);
  });
  return { text: writer.end(), sentences: tokens };
}

const COMMENTED = shaped<Pick<ConlluSentence, "comments">>("a sentence", { comments: list(string) });

/** Appends sentences to a text one at a time; `take` returns what is complete, so that memory is bounded. */
export class RawTextWriter {
  #parts: string[] = [];
  /** Length of the text without the white space after its last token. */
  #length = 0;
  /** MISC of the last token. */
  #misc: string | undefined;

  /** Appends a sentence; returns its tokens. */
  add(sentence: ConlluSentence): RawToken[] {
    requireSentence(sentence, "RawTextWriter.add");
    const words = sentence.rows.filter((row): row is WordRow => row.kind === "word");
    return tokenRows(sentence.rows).map(({ row, first, last }, t) => {
      const isParagraph = t === 0 && startsParagraph(sentence);
      this.#append(this.#spacesBefore(isParagraph) + spacesBefore(row.misc));
      const start = this.#length;
      this.#append(tokenText(row));
      this.#misc = row.misc;
      const forms = row.kind === "word" ? [] : words.slice(first - 1, last).map(({ form }) => form);
      return { start, end: this.#length, words: forms };
    });
  }

  /** Returns the text since the last call, without the white space after its last token. */
  take(): string {
    const text = this.#parts.join("");
    this.#parts = [];
    return text;
  }

  /** Returns what was not taken, with the white space before a sentence that another writer adds. */
  before(sentence: Pick<ConlluSentence, "comments">): string {
    checkArgument(COMMENTED, sentence, "before: sentence");
    this.#append(this.#spacesBefore(startsParagraph(sentence)));
    return this.take();
  }

  /** Ends the text, and returns what was not taken. */
  end(): string {
    if (this.#misc !== undefined) this.#append(statedSpacesAfter(this.#misc) ?? "\n");
    return this.take();
  }

  /** Returns the white space between the last token and the next one. */
  #spacesBefore(isParagraph: boolean): string {
    if (this.#misc === undefined) return "";
    return isParagraph ? (statedSpacesAfter(this.#misc) ?? "\n\n") : spacesAfter(this.#misc);
  }

  #append(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }
}

/** Returns whether a sentence begins a paragraph or document. */
function startsParagraph({ comments }: Pick<ConlluSentence, "comments">): boolean {
  return comments.some((comment) => breakOf(comment) !== undefined);
}
