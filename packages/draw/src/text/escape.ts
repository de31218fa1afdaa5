/** Control characters, and characters that change the direction of their neighbours. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/** Returns a text that is safe to show on a terminal: control characters become U+FFFD. */
export function escapeTerminal(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd");
}
