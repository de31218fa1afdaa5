/** Control characters, and characters that change the direction or the order of their neighbours. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

const MAX_LENGTH = 1000;
const TAIL = 200;

/**
 * Returns a text as one line that is safe to show on a terminal: control characters escaped (`\x1b`), and the
 * middle of texts of more than 1,000 characters omitted.
 */
export function printable(text: string): string {
  const cut =
    text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - TAIL)} [...] ${text.slice(-TAIL)}`;
  return cut.replace(UNPRINTABLE, escaped);
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
