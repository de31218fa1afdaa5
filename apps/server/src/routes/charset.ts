import { unsupportedType } from "../failures.ts";

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i;

/** Returns the charset that a media type declares. */
export function charsetOf(type: string): string | undefined {
  const [, quoted, plain] = CHARSET.exec(type) ?? [];
  return quoted ?? plain;
}

/**
 * Returns bytes as text, in the charset that a byte-order mark of UTF-16 or else their media type declares; UTF-8 by
 * default. Bytes that are not a part of the charset become U+FFFD; a byte-order mark is left out.
 */
export function decodeText(bytes: Uint8Array, type = ""): string {
  const decoder = decoderOf(markOf(bytes) ?? charsetOf(type) ?? "utf-8");
  const text = decoder.decode(bytes);
  if (decoder.encoding !== "windows-1252") return text;
  // Node 20 decodes windows-1252 as ISO 8859-1.
  return text.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80]!);
}

/** The characters of bytes 0x80 to 0x9f. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** @throws RequestFailure unless a media type declares UTF-8, or no charset */
export function requireUtf8(type: string): void {
  const charset = charsetOf(type);
  if (charset !== undefined && decoderOf(charset).encoding !== "utf-8")
    throw unsupportedType("the charset UTF-8", charset);
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    throw unsupportedType("the charset UTF-8, or another one of the Encoding Standard", charset);
  }
}

/** Returns the charset that a byte-order mark states. Bytes of UTF-8 do not begin so. */
function markOf([first, second, third, fourth]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? "utf-32le" : "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}
