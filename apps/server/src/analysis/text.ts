import type { ConlluSentence } from "@arcwise/conllu";
import type { Analyser } from "@arcwise/pipeline";
import { type TokenizedSentence, tokenizedSentence } from "@arcwise/tokenize";

/** UTF-16 code units of a text that are cut into words at a time: a thread is free for other requests after them. */
const PIECE = 2 ** 14;

/** Cuts a text into sentences, and numbers them from 1. */
export async function* textSentences(
  text: string,
  analyser: Analyser,
  signal: AbortSignal,
): AsyncGenerator<ConlluSentence> {
  let count = 0;
  for await (const sentence of cut(text, analyser, signal)) yield tokenizedSentence(sentence, ++count);
}

/** Cuts each line of a text into tokens, as one sentence. Offsets are offsets in the text. */
export async function* lineSentences(
  text: string,
  analyser: Analyser,
  signal: AbortSignal,
): AsyncGenerator<ConlluSentence> {
  const { spaced, lines } = separatedLines(text);
  let waiting: { readonly line: Line; start: number; tokens: TokenizedSentence["tokens"] } | undefined;
  let next = 0;
  let count = 0;
  const sentence = ({ line, start, tokens }: NonNullable<typeof waiting>) => {
    const { startsParagraph } = line;
    return tokenizedSentence({ tokens, startsParagraph, start }, ++count);
  };
  for await (const { tokens, start = 0 } of cut(spaced, analyser, signal)) {
    const [first] = tokens;
    if (first === undefined) continue;
    while (lines[next] !== undefined && lines[next]!.end <= first.start) next++;
    const line = lines[next]!;
    const placed = tokens.map((token) => ({
      ...token,
      start: token.start - line.added,
      end: token.end - line.added,
    }));
    if (waiting?.line === line) waiting.tokens = [...waiting.tokens, ...placed];
    else {
      if (waiting !== undefined) yield sentence(waiting);
      waiting = { line, start: start - line.added, tokens: placed };
    }
  }
  if (waiting !== undefined) yield sentence(waiting);
}

/** A line with words in a text whose lines blank lines separate. */
interface Line {
  /** Offset of its end in that text, in code points. */
  readonly end: number;
  /** Number of line ends that were added before it. */
  readonly added: number;
  readonly startsParagraph: boolean;
}

/** Adds a line end after each line end: sentences end there. */
function separatedLines(text: string): { readonly spaced: string; readonly lines: readonly Line[] } {
  const lines: Line[] = [];
  const pieces: string[] = [];
  let [end, added] = [0, 0];
  let isBlankBefore = true;
  for (const piece of text.split(/(?<=\n)/)) {
    end += [...piece].length;
    const isBlank = piece.trim() === "";
    if (!isBlank) lines.push({ end, added, startsParagraph: isBlankBefore });
    isBlankBefore = isBlank;
    if (piece.endsWith("\n")) {
      pieces.push(piece, "\n");
      end++;
      added++;
    } else pieces.push(piece);
  }
  return { spaced: pieces.join(""), lines };
}

async function* cut(
  text: string,
  analyser: Analyser,
  signal: AbortSignal,
): AsyncGenerator<TokenizedSentence> {
  const session = analyser.session({ signal });
  try {
    for (let at = 0; at < text.length; at += PIECE) yield* await session.push(text.slice(at, at + PIECE));
    yield* await session.end();
  } finally {
    session.leave?.();
  }
}

/** Returns sentences of given forms, numbered from 1. */
export function* wordSentences(sentences: Iterable<readonly string[]>): Generator<ConlluSentence> {
  let count = 0;
  for (const forms of sentences) {
    const empty = { lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", deps: "_", misc: "_" };
    yield {
      comments: [`# sent_id = ${++count}`, `# text = ${forms.join(" ")}`],
      rows: forms.map((form, i) => ({ kind: "word", id: i + 1, form, head: -1, ...empty })),
      line: 0,
    };
  }
}
