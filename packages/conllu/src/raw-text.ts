import type { ConlluSentence, RangeRow, WordRow } from "./types.ts";

/** A token of a raw text: a word, or a multiword token with its words. */
export interface RawToken {
  /** Offsets into the text, in UTF-16 code units: `text.slice(start, end)` is the form. */
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
 * Returns the text that sentences were cut from: forms, each followed by what `SpacesAfter` says, by nothing
 * if `SpaceAfter=No`, or by a space. Sentences with a comment `# newpar` or `# newdoc` begin after a blank
 * line, and the text ends with a line feed. O(length).
 *
 * Forms count, not `# text`: the two are equal in valid files.
 */
export function rawText(sentences: Iterable<ConlluSentence>): RawText {
  const writer = new RawTextWriter();
  const tokens = Array.from(sentences, (sentence) => writer.add(sentence));
  return { text: writer.end(), sentences: tokens };
}

/** Appends sentences to a text one at a time; `take` returns what is complete, so that memory is bounded. */
export class RawTextWriter {
  #parts: string[] = [];
  /** Length of the text without the space after its last token. */
  #length = 0;
  /** What follows the last token, unless a paragraph ends there. */
  #space = "";
  #isEmpty = true;

  /** Appends a sentence; returns its tokens. */
  add(sentence: ConlluSentence): RawToken[] {
    const tokens: RawToken[] = [];
    if (!this.#isEmpty && startsParagraph(sentence)) this.#space = "\n\n";
    for (const { form, misc, words } of surfaceTokens(sentence)) {
      const before = misc.includes("SpacesBefore=") ? (spaces(misc, "SpacesBefore") ?? "") : "";
      this.#append(this.#space + before);
      const start = this.#length;
      this.#append(form);
      tokens.push({ start, end: this.#length, words });
      this.#space = spaceAfter(misc);
      this.#isEmpty = false;
    }
    return tokens;
  }

  /** Returns the text since the last call, without the space after its last token. */
  take(): string {
    const text = this.#parts.join("");
    this.#parts = [];
    return text;
  }

  /** Ends the text with a line feed, and returns what was not taken. */
  end(): string {
    if (!this.#isEmpty) this.#append("\n");
    return this.take();
  }

  #append(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }
}

/** Returns whether a sentence begins a paragraph or document. */
function startsParagraph({ comments }: ConlluSentence): boolean {
  return comments.some((comment) => /^#\s*new(?:par|doc)(?:\s|$)/.test(comment));
}

interface SurfaceToken {
  readonly form: string;
  readonly misc: string;
  readonly words: readonly string[];
}

/** Yields the tokens of a sentence: ranges, and words outside of them. */
function* surfaceTokens({ rows }: ConlluSentence): Generator<SurfaceToken> {
  const words = rows.filter((row): row is WordRow => row.kind === "word");
  let covered = 0;
  for (const row of rows) {
    if (row.kind === "range") {
      covered = row.last;
      yield { form: row.form, misc: row.misc, words: formsOf(row, words) };
    } else if (row.kind === "word" && row.id > covered) {
      yield { form: row.form, misc: row.misc, words: [] };
    }
  }
}

function formsOf({ first, last }: RangeRow, words: readonly WordRow[]): string[] {
  return words.slice(first - 1, last).map(({ form }) => form);
}

function spaceAfter(misc: string): string {
  if (misc === "_") return " ";
  if (/(?:^|\|)SpaceAfter=No(?:\||$)/.test(misc)) return "";
  return spaces(misc, "SpacesAfter") ?? " ";
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\s": " ",
  "\\t": "\t",
  "\\n": "\n",
  "\\r": "\r",
  "\\p": "|",
  "\\\\": "\\",
};

/** Returns the value of a MISC field in UDPipe's escapes, when it is spaces; undefined otherwise. */
function spaces(misc: string, name: string): string | undefined {
  const value = misc
    .split("|")
    .find((item) => item.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  const text = value?.replace(/\\[stnrp\\]/g, (escaped) => ESCAPES[escaped]!);
  return text !== undefined && /^\s*$/.test(text) ? text : undefined;
}
