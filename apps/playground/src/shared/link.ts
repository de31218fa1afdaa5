import { ArcwiseError } from "@arcwise/core/errors";
import { pack, unpack } from "./unpack.ts";

/** Maximum length of the text of a link, in bytes of UTF-8: a page draws no more in a reasonable time. */
const MAX_TEXT = 1_000_000;
/** Texts of at most this many characters stay readable in a link. */
const READABLE = 200;

/**
 * Returns a text for a link: as it is, or compressed if it is long. `unpackText` returns the text.
 *
 * @example await packText("Dogs bark."); // "Dogs bark."
 */
export async function packText(text: string): Promise<string> {
  if (text.length <= READABLE && !text.startsWith("~")) return text;
  const bytes = await pack(new TextEncoder().encode(text), "deflate-raw");
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `~${btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Returns the text that `packText` packed. */
export async function unpackText(packed: string): Promise<string> {
  if (packed.length > MAX_TEXT) throw tooLong();
  if (!packed.startsWith("~")) return packed;
  let unpacked: Uint8Array | undefined;
  try {
    const characters = atob(packed.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    unpacked = await unpack(bytes, "deflate-raw", MAX_TEXT);
  } catch (cause) {
    throw new ArcwiseError("invalid-data", "the link is damaged: its text cannot be read", { cause });
  }
  if (unpacked === undefined) throw tooLong();
  return new TextDecoder().decode(unpacked);
}

function tooLong(): ArcwiseError {
  const most = MAX_TEXT.toLocaleString("en");
  return new ArcwiseError(
    "invalid-data",
    `link: expected a text of at most ${most} bytes, found more: open it as a file`,
  );
}
