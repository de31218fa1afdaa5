/** Texts of at most this many characters stay readable in a link. */
const READABLE = 200;

/**
 * Returns a text for a link: as it is, or compressed if it is long. `unpackText` returns the text.
 *
 * @example await packText("Dogs bark."); // "Dogs bark."
 */
export async function packText(text: string): Promise<string> {
  if (text.length <= READABLE && !text.startsWith("~")) return text;
  const bytes = await throughStream(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `~${btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Returns the text that `packText` packed. @throws Error when the link is damaged */
export async function unpackText(packed: string): Promise<string> {
  if (!packed.startsWith("~")) return packed;
  try {
    const characters = atob(packed.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    return new TextDecoder().decode(await throughStream(bytes, new DecompressionStream("deflate-raw")));
  } catch (cause) {
    throw new Error("the link is damaged: its text cannot be read", { cause });
  }
}

async function throughStream(bytes: Uint8Array, stream: GenericTransformStream): Promise<Uint8Array> {
  const transformed = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair);
  return new Uint8Array(await new Response(transformed).arrayBuffer());
}
