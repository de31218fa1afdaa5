/** Characters that XML 1.0 does not allow, and controls that no page should show. */
const ILLEGAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Returns a text as content or attribute value of XML and HTML. Characters that XML does not allow become
 * U+FFFD.
 */
export function escapeXml(text: string): string {
  return text.replace(ILLEGAL, "\ufffd").replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Control characters, and characters that change the direction of their neighbours. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/** Returns a text that is safe to show on a terminal: control characters become U+FFFD. */
export function escapeTerminal(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd");
}
