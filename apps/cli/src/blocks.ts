/** Whole sentences of a CoNLL-U file, as bytes. */
export interface Block {
  readonly bytes: Uint8Array;
  /** Line of the file (from 1) at which the block starts. */
  readonly line: number;
}

const NEWLINE = 10;
const RETURN = 13;

/**
 * Cuts a stream of bytes after blank lines into blocks of at least `size` bytes (the last one may be shorter;
 * a sentence is never cut). The concatenation of the blocks is the stream.
 *
 * Cost: linear in the bytes. Memory: two blocks, or the longest sentence.
 */
export async function* sentenceBlocks(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Block> {
  let pending: Uint8Array[] = [];
  let length = 0;
  let target = size;
  let line = 1;
  for await (const chunk of source) {
    pending.push(chunk);
    length += chunk.length;
    if (length < target) continue;
    const bytes = Buffer.concat(pending);
    const end = lastSentenceEnd(bytes);
    if (end === 0) {
      // A long sentence: search again when there are twice as many bytes, so that the search stays linear.
      pending = [bytes];
      target = 2 * length;
      continue;
    }
    // A copy of its own, so that the block can be handed to another thread.
    yield { bytes: Uint8Array.prototype.slice.call(bytes, 0, end), line };
    line += countLines(bytes, end);
    pending = [bytes.subarray(end)];
    length = bytes.length - end;
    target = size;
  }
  if (length > 0) yield { bytes: Uint8Array.prototype.slice.call(Buffer.concat(pending)), line };
}

/** The position after the last blank line, 0 when there is none. */
function lastSentenceEnd(bytes: Uint8Array): number {
  for (let i = bytes.length - 1; i > 0; i--) {
    if (bytes[i] !== NEWLINE) continue;
    const before = bytes[i - 1] === RETURN ? i - 2 : i - 1;
    if (before >= 0 && bytes[before] === NEWLINE) return i + 1;
  }
  return 0;
}

function countLines(bytes: Uint8Array, end: number): number {
  let lines = 0;
  for (let i = 0; i < end; i++) if (bytes[i] === NEWLINE) lines++;
  return lines;
}

/** Counts the sentences in a block. Linear in the bytes. */
export function countSentences(block: Block): number {
  return sentenceStarts(block).length;
}

/**
 * Returns where the sentences of a block begin: offsets of stretches of lines that are not blank. Linear in
 * the bytes.
 */
export function sentenceStarts({ bytes, line }: Block): number[] {
  // A byte-order mark at the beginning of a file belongs to no line.
  const marked = line === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const starts: number[] = [];
  let inside = false;
  for (let from = marked ? 3 : 0; from < bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, from);
    const end = found < 0 ? bytes.length : found;
    const blank = end === from || (end === from + 1 && bytes[from] === RETURN);
    if (!blank && !inside) starts.push(from);
    inside = !blank;
    from = end + 1;
  }
  return starts;
}

/** Cuts a block at ascending offsets into blocks with lines of their own; empty ones are left out. */
export function cutBlock({ bytes, line }: Block, offsets: readonly number[]): Block[] {
  const pieces: Block[] = [];
  let first = line;
  for (const [k, end] of [...offsets, bytes.length].entries()) {
    // A copy of its own, so that the block can be handed to another thread.
    const piece = bytes.slice(k === 0 ? 0 : offsets[k - 1]!, end);
    if (piece.length > 0) pieces.push({ bytes: piece, line: first });
    first += countLines(piece, piece.length);
  }
  return pieces;
}
