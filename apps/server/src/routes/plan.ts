import type { InputCounts } from "@arcwise/pipeline";
import type { CompleteLimits } from "../server-options.ts";

/** A request without its body. Plain data. */
export interface RequestHead {
  readonly method: string;
  /** The query of its address, without "?". */
  readonly query: string;
  readonly type: string | null;
  readonly accept: string | null;
}

/** A request as a job reads it. Plain data. */
export interface ReadTask {
  readonly head: RequestHead;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly limits: CompleteLimits;
}

/** The formats of the text of a piece. */
export type PieceKind = "conllu" | "cut" | "horizontal" | "text" | "vertical" | "words";

/** Some sentences of a request as text: a job makes objects of it, and answers it. Plain data. */
export interface Piece {
  readonly kind: PieceKind;
  readonly data: string;
  /** Index of its first sentence, and the number of its sentences; unknown of `text`. */
  readonly from: number;
  readonly count: number;
  /** The constraints of its sentences, as JSON. */
  readonly constraints?: string | undefined;
  /** Comments of the first sentence of the next piece, if the format of the answer depends on them. */
  readonly next?: readonly string[] | undefined;
  /** The text from its first sentence to the next piece, if its white space is asked for. */
  readonly window?: TextWindow | undefined;
}

/** A part of the text of a request. */
export interface TextWindow {
  /** Offsets in UTF-16 code units; without `to` up to the end. */
  readonly from: number;
  readonly to?: number | undefined;
  /** `from` in code points. */
  readonly points: number;
  /** The part itself, when a job has it. */
  readonly text?: string | undefined;
}

/** How a text is cut. */
export interface CutOptions {
  /** Whether each line ends a sentence; undefined: the tokeniser recognises such lines. */
  readonly lines?: boolean | undefined;
  /** Whether each line is one sentence, whatever the tokeniser finds in it. */
  readonly isPresegmented?: boolean | undefined;
  /** Whether pieces need their window, and know the sentence after them. */
  readonly spaces: boolean;
  /** Trees of each sentence: pieces are the smaller for it. */
  readonly trees: number;
}

/** The sentences of a request: a text to be cut, or pieces. */
export type Source =
  | {
      readonly text: string;
      readonly cut: CutOptions;
      /** The constraints of each sentence, as JSON. */
      readonly constraints?: readonly string[] | undefined;
    }
  | { readonly pieces: readonly Piece[] };

/** The formats of answers, with their media types. */
export const ANSWER_TYPES = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  conllu: "text/x-conllu",
} as const;
/** A format of answers. */
export type AnswerFormat = keyof typeof ANSWER_TYPES;

/** Returns the media type of an answer, with its charset if the type does not imply it. */
export function answerType(format: AnswerFormat): string {
  return format === "conllu" ? `${ANSWER_TYPES.conllu}; charset=utf-8` : ANSWER_TYPES[format];
}

/** Task of a request. Plain data. */
export interface Plan<Settings = object> {
  /** The name of a model. */
  readonly model: string | undefined;
  /** The format of the answer. Of ndjson, errors are lines. */
  readonly format: AnswerFormat;
  readonly settings: Settings;
  readonly source: Source;
  /** Maximum number of matches of the answer. */
  readonly limit?: number | undefined;
}

/** The answer to a piece. Plain data. */
export interface Written {
  /** Items of the answer, in UTF-8. */
  readonly body: Uint8Array;
  /** Members of the lists of the answer after its items, as JSON without brackets. */
  readonly lists: readonly string[];
  /** Sentences of the piece, and sentences and words that were analysed. */
  readonly count: number;
  readonly sentences: number;
  readonly words: number;
  /** Counts of the words that were analysed. */
  readonly input?: InputCounts | undefined;
  /** Matches, and whether there are more than were asked for. */
  readonly matches: number;
  readonly isCut: boolean;
}

/** Counts of an answer. */
export interface Totals {
  sentences: number;
  matches: number;
  isTruncated: boolean;
  readonly input: InputCounts;
  readonly lists: string[][];
}

/** The text around the items of an answer. */
export interface Frame {
  readonly start: string;
  readonly between: string;
  end(totals: Totals): string;
}
