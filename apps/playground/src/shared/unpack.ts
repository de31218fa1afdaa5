/** Returns bytes through a stream that compresses or decompresses; undefined if there are more than `limit`. */
async function throughStream(
  bytes: Uint8Array,
  stream: GenericTransformStream,
  limit = Number.POSITIVE_INFINITY,
): Promise<Uint8Array | undefined> {
  const transformed = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair);
  const pieces: BlobPart[] = [];
  let length = 0;
  for (const reader = transformed.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      return undefined;
    }
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Compresses bytes. O(length). */
export async function pack(bytes: Uint8Array, format: CompressionFormat): Promise<Uint8Array> {
  return (await throughStream(bytes, new CompressionStream(format)))!;
}

/**
 * Decompresses bytes; undefined if the result is longer than `limit` bytes. O(length of the result, at most `limit`).
 */
export function unpack(
  bytes: Uint8Array,
  format: CompressionFormat,
  limit: number,
): Promise<Uint8Array | undefined> {
  return throughStream(bytes, new DecompressionStream(format), limit);
}
