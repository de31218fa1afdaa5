import { ArcwiseError, counted } from "@arcwise/core/errors";

/** Which of the two inputs an error is about. */
export type Side = "gold" | "system";

/** A location in one of the two inputs. */
export interface Place {
  /** Number of the sentence, from 1; 0 = after the last one. */
  readonly sentence: number;
  /** Value of its `sent_id` comment, when it has one. */
  readonly sentenceId?: string | undefined;
  /** Line of the source, from 1; 0 when the sentence comes from no file. */
  readonly line: number;
  /** Form of the token; the empty string after the last one. */
  readonly token: string;
  /** The next characters, without spaces. */
  readonly text: string;
}

/** Thrown when the characters of the two inputs (spaces not counted) differ, so that no alignment exists. */
export class TextMismatch extends ArcwiseError {
  override readonly name = "TextMismatch";
  /** Number of characters (UTF-16 units, without spaces) before the first difference. */
  readonly offset: number;
  readonly gold: Place;
  readonly system: Place;

  constructor(offset: number, gold: Place, system: Place) {
    super(
      "text-mismatch",
      `the texts differ after ${counted(offset, "character")} (spaces not counted): ` +
        `expected ${describe(gold)} in gold, got ${describe(system)} in system`,
    );
    this.offset = offset;
    this.gold = gold;
    this.system = system;
  }
}

function describe(place: Place): string {
  if (place.sentence === 0) return "the end of the text";
  return `"${place.text}" (${position(place)}, token "${place.token}")`;
}

function position(place: Pick<Place, "sentence" | "sentenceId" | "line">): string {
  const id = place.sentenceId === undefined ? "" : ` "${place.sentenceId}"`;
  return `sentence ${place.sentence}${id}${place.line > 0 ? `, line ${place.line}` : ""}`;
}

/** Thrown for a sentence whose IDs, heads or forms do not describe a tree over words. */
export class InvalidSentence extends ArcwiseError {
  override readonly name = "InvalidSentence";
  readonly side: Side;
  /** Number of the sentence, from 1. */
  readonly sentence: number;
  /** Line of the source, from 1; 0 when the sentence comes from no file. */
  declare readonly line: number;

  constructor(side: Side, place: Pick<Place, "sentence" | "sentenceId" | "line">, detail: string) {
    super("invalid-sentence", `${side}, ${position(place)}: ${detail}`, { line: place.line });
    this.side = side;
    this.sentence = place.sentence;
  }
}

/**
 * Thrown when gold and system do not have the same sentences and words, which scores over gold tokens
 * require.
 */
export class SentenceMismatch extends ArcwiseError {
  override readonly name = "SentenceMismatch";
  /** Number of the sentence, from 1. */
  readonly sentence: number;

  constructor(sentence: number, detail: string) {
    super("sentence-mismatch", `sentence ${sentence}: ${detail}`);
    this.sentence = sentence;
  }
}
