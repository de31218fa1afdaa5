import type { ConlluSentence } from "@arcwise/conllu";
import type { SentenceVectors } from "@arcwise/core/encoders";
import type { AnalysisPipeline } from "@arcwise/pipeline";
import { failureOf } from "../failures.ts";
import type { CompleteLimits } from "../server-options.ts";
import type { FieldTable, Schema } from "./fields.ts";
import type { AnswerFormat, Frame, Piece, Plan, ReadTask, Written } from "./plan.ts";

/** A piece of a request to be answered. */
export interface PieceTask<Settings = object> {
  readonly piece: Piece;
  readonly settings: Settings;
  /** Name and file of the model. */
  readonly model: { readonly name: string; readonly path: string };
  /** Maximum number of matches. */
  readonly limit: number;
  /** The sentence of the piece that is answered alone. Default: all. */
  readonly only?: number | undefined;
  /** Whether that sentence has ended its thread: it is a failure. */
  readonly isLost?: boolean | undefined;
  /** The vectors of the words of the sentences, for a model with an encoder. */
  readonly vectors?: readonly SentenceVectors[] | undefined;
}

/** The means to answer a piece. */
export interface PieceContext<Settings = object> extends PieceTask<Settings> {
  readonly pipeline: AnalysisPipeline;
  /** The sentences of the piece. */
  readonly sentences: readonly ConlluSentence[];
  /** Index of the first one in the request. */
  readonly from: number;
}

/** What the document of the server says of a path. */
export interface Described {
  readonly summary: string;
  /** The bodies of its answers, by format; without one: a text. */
  readonly answers?: Readonly<Partial<Record<AnswerFormat, Schema>>>;
}

/** A kind of request: all but its frame is made by jobs. */
export interface Route<Settings = object> extends Described {
  /** Whether its body is a form, and its failures are texts, as in UDPipe. */
  readonly isForm?: boolean;
  /** Returns the fields of requests. */
  fields(limits: CompleteLimits): FieldTable;
  /** Reads a request. */
  read(task: ReadTask): Plan<Settings> | Promise<Plan<Settings>>;
  /** Returns whether sentences are analysed, for which a model with an encoder needs vectors. */
  analyses(settings: Settings): boolean;
  /** Returns the sentences of a piece that is not of `/v1`. */
  sentences?(piece: Piece, settings: Settings): ConlluSentence[] | undefined;
  /** Answers a piece. */
  write(context: PieceContext<Settings>): Written;
  /** Returns the text around the items of an answer: in the main thread, where no request waits for it. */
  frame(settings: Settings, model: string): Frame;
}

/** A sentence that could not be analysed, as JSON. */
export interface FailureLine {
  /** Its index among the sentences of the input, from 0. */
  readonly index: number;
  readonly error: { readonly code: string; readonly message: string };
}

/** Returns a failure as JSON. */
export function failureLine(index: number, error: unknown, { name, path }: PieceTask["model"]): FailureLine {
  const { code, message } = failureOf(error, new Map([[path, name]]));
  return { index, error: { code, message } };
}

/** Returns an answer to a piece whose items are a text. */
export function writtenText(
  text: string,
  { sentences }: Pick<PieceContext, "sentences">,
  more: Partial<Written> = {},
): Written {
  const counts = { count: sentences.length, sentences: 0, words: 0, matches: 0, isCut: false };
  return { body: new TextEncoder().encode(text), lists: [], ...counts, ...more };
}
