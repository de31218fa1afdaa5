import type { TextRest, TextSession, TokenizedSentence } from "@arcwise/tokenize";
import { limitExceeded } from "../failures.ts";
import type { CompleteLimits } from "../server-options.ts";
import { Grouping } from "./pieces.ts";
import type { CutOptions, Piece } from "./plan.ts";

/** A line with words in a text whose lines blank lines separate. */
interface Line {
  /** Offset of its end in that text, in code points. */
  end: number;
  /** Number of line ends that were added before it. */
  readonly added: number;
  readonly startsParagraph: boolean;
}

/** What is known of the lines of a text that arrives in chunks. */
interface LinesState {
  end: number;
  added: number;
  isBlankBefore: boolean;
  /** The last line, if its end has not arrived. */
  open: Line | undefined;
  lines: Line[];
  /** The line whose tokens have not all been found. */
  waiting: { readonly line: Line; readonly start: number; tokens: TokenizedSentence["tokens"] } | undefined;
}

/** What cutting a text resumes from. Plain data. */
export interface CutState {
  readonly rest?: TextRest | undefined;
  readonly sentences: number;
  readonly words: number;
  readonly lines?: LinesState | undefined;
  /** The last sentence, if its piece needs what follows it. */
  readonly held?: TokenizedSentence | undefined;
}

/** The state before a text. */
export const NOTHING_CUT: CutState = { sentences: 0, words: 0 };

/** A chunk of a text to be cut. Plain data. */
export interface CutTask {
  readonly chunk: string;
  readonly isEnd: boolean;
  readonly state: CutState;
  readonly options: CutOptions;
  readonly limits: CompleteLimits;
}

/** The pieces that a chunk completes. */
export interface CutText {
  readonly pieces: readonly Piece[];
  readonly state: CutState;
}

/**
 * Cuts a chunk of a text into sentences.
 *
 * @param begin begins a session of the tokeniser, or resumes one
 */
export function cutChunk(begin: (rest?: TextRest) => TextSession, task: CutTask): CutText {
  const { chunk, isEnd, state, options, limits } = task;
  const session = begin(state.rest);
  const lines = options.isPresegmented ? (state.lines ?? noLines()) : undefined;
  const text = lines === undefined ? chunk : spaced(chunk, lines);
  const cut = session.push(text);
  if (isEnd) cut.push(...session.end());
  const found = lines === undefined ? cut : [...byLines(cut, lines, isEnd, limits)];
  const grouping = new Grouping(limits, options.trees, state);
  const all = state.held === undefined ? found : [state.held, ...found];
  const held = options.spaces && !isEnd ? all.pop() : undefined;
  for (const { tokens } of all) grouping.add(wordsOf(tokens));
  const pieces = grouping.groups.map(({ from, count }): Piece => {
    const at = from - state.sentences;
    const own = all.slice(at, at + count);
    const next = all[at + count] ?? held;
    const piece = { kind: "cut", data: JSON.stringify(own), from, count } as const;
    if (!options.spaces) return piece;
    const [first] = own;
    const window =
      from === 0 ? { from: 0, points: 0 } : { from: first!.start!, points: first!.tokens[0]!.start };
    return {
      ...piece,
      window: { ...window, to: next?.start },
      next: next && (next.startsParagraph ? ["# newpar"] : []),
    };
  });
  return { pieces, state: { ...grouping.counts, rest: session.rest!(), lines, held } };
}

/** Returns the sentences of a short text. */
export function cutShort(session: TextSession, text: string, limits: CompleteLimits): TokenizedSentence[] {
  const found = [...session.push(text), ...session.end()];
  for (const [index, { tokens }] of found.entries())
    if (wordsOf(tokens) > limits.sentence)
      throw limitExceeded("sentence", limits, `${wordsOf(tokens)} in sentence ${index + 1}`);
  return found;
}

function wordsOf(tokens: TokenizedSentence["tokens"]): number {
  return tokens.reduce((sum, { words }) => sum + Math.max(1, words.length), 0);
}

function noLines(): LinesState {
  return { end: 0, added: 0, isBlankBefore: true, open: undefined, lines: [], waiting: undefined };
}

/** Adds a line end after each line end of a chunk: sentences end there. */
function spaced(chunk: string, state: LinesState): string {
  const pieces: string[] = [];
  for (const piece of chunk.split(/(?<=\n)/)) {
    if (state.open === undefined && piece.trim() !== "") {
      state.open = { end: Infinity, added: state.added, startsParagraph: state.isBlankBefore };
      state.lines.push(state.open);
    }
    state.end += [...piece].length;
    pieces.push(piece);
    if (!piece.endsWith("\n")) continue;
    if (state.open !== undefined) state.open.end = state.end;
    state.isBlankBefore = state.open === undefined;
    state.open = undefined;
    pieces.push("\n");
    state.end++;
    state.added++;
  }
  return pieces.join("");
}

/** Joins the sentences of each line; offsets become offsets in the text without the added line ends. */
function* byLines(
  sentences: readonly TokenizedSentence[],
  state: LinesState,
  isEnd: boolean,
  limits: CompleteLimits,
): Generator<TokenizedSentence> {
  const sentence = ({ line, start, tokens }: NonNullable<LinesState["waiting"]>) => {
    const { startsParagraph } = line;
    return { tokens, startsParagraph, start };
  };
  let next = 0;
  for (const { tokens, start = 0 } of sentences) {
    const [first] = tokens;
    if (first === undefined) continue;
    while (state.lines[next] !== undefined && state.lines[next]!.end <= first.start) next++;
    const line = state.lines[next]!;
    const { added } = line;
    const placed = tokens.map((token) => ({ ...token, start: token.start - added, end: token.end - added }));
    if (state.waiting?.line === line) state.waiting.tokens = [...state.waiting.tokens, ...placed];
    else {
      if (state.waiting !== undefined) yield sentence(state.waiting);
      state.waiting = { line, start: start - added, tokens: placed };
    }
    // A line without end would be copied again and again.
    if (state.waiting.tokens.length > limits.sentence) throw limitExceeded("sentence", limits);
  }
  state.lines.splice(0, next);
  if (!isEnd || state.waiting === undefined) return;
  yield sentence(state.waiting);
  state.waiting = undefined;
}
