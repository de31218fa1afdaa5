/** A file in pieces, which need not be in memory as a whole. */
export interface FilePieces {
  /** Number of bytes of the file. */
  readonly bytes: number;
  /** Returns the pieces in their order. Each is valid until the next one is asked for. */
  pieces(): Iterable<Uint8Array>;
}

/** Returns the whole file. O(bytes). */
export function joinPieces({ bytes, pieces }: FilePieces): Uint8Array {
  const file = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces()) {
    file.set(piece, at);
    at += piece.length;
  }
  return file;
}
