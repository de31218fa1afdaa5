/** A block of a document that is run: TypeScript, with JSX or without, or a component of Vue that others import. */
export interface Example {
  /** `parser-2`: the document and the number of the block. */
  readonly name: string;
  readonly language: "ts" | "tsx" | "vue";
  readonly code: string;
  /** The text from the end of the block to the next one, which may state the output. */
  readonly after: string;
}

/** The values of a call of `console.log`, as text and as JSON. */
export interface Logged {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Returns the blocks of a document that are marked `ts`, `tsx` or `vue`. */
export function examplesOf(document: string, markdown: string): Example[] {
  const blocks = [...markdown.matchAll(/^```(tsx?|vue)\n(.*?)^```$/gms)];
  return blocks.map((block, i) => ({
    name: `${document}-${i + 1}`,
    language: block[1] as Example["language"],
    code: block[2]!,
    after: markdown.slice(block.index + block[0].length, blocks[i + 1]?.index),
  }));
}

/**
 * Compares the output of an example with the output that its document states.
 *
 * `console.log(...); // OUTPUT` states the output of that call. Every other line of output must be a comment of
 * the block or a line of the text after it. The output of an example that reads files depends on the files:
 * only its stated output is checked. Output is stated as text or as JSON.
 *
 * Returns the lines of output that are not stated, and the stated ones that were not printed.
 */
export function misstatements({ code, after }: Example, printed: readonly Logged[]): string[] {
  const promised = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line!);
  const forms = printed.flatMap(linesOf).map(formsOf);
  const missing = promised.filter((line) => !forms.some((lines) => lines.includes(line)));
  if (code.includes("readFile(")) return missing;
  const stated = `${code}${after}`.split("\n").map((line) => line.replace(/^.*?\/\/ /, "").trim());
  let next = 0;
  const unstated = forms.filter((lines) => {
    const at = stated.findIndex((line, i) => i >= next && lines.includes(line));
    if (at >= 0) next = at + 1;
    return at < 0;
  });
  return [...missing, ...unstated.map(([text]) => text!)];
}

/** Returns an output of several lines as one output per line. */
function linesOf(logged: Logged): Logged[] {
  const lines = logged.text.trimEnd().split("\n");
  return lines.length === 1 ? [logged] : lines.map((text) => ({ text, values: [text] }));
}

function formsOf({ text, values }: Logged): string[] {
  return [text.trim(), JSON.stringify(values), JSON.stringify(values[0])];
}
