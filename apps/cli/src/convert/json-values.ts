import { DataError } from "../command/errors.ts";

/** A text of JSON and the line on which it begins. */
export interface JsonText {
  readonly text: string;
  readonly line: number;
}

/**
 * Yields the texts of the objects of a file: an object per line, objects in any layout, or one list of objects. Keeps
 * one object in memory.
 *
 * @param lines the lines of the file with their numbers from 1
 * @param file its name in errors
 * @throws DataError when there is something else than objects, or the end is missing
 */
export async function* jsonValues(
  lines: AsyncIterable<readonly [text: string, line: number]>,
  file: string,
): AsyncGenerator<JsonText> {
  const splitter = jsonSplitter(file);
  for await (const [text, line] of lines) yield* splitter.push(text, line);
  splitter.end();
}

/** Characters that open or close strings, objects and lists, and escapes inside of strings. */
const STRUCTURE = /\\.|["{}[\]]/g;

interface JsonSplitter {
  push(text: string, line: number): JsonText[];
  end(): void;
}

function jsonSplitter(file: string): JsonSplitter {
  let depth = 0;
  let isInString = false;
  let count = 0;
  /** Whether the file is a list: not yet known, no, open, or closed. */
  let list: "unknown" | "none" | "open" | "closed" = "unknown";
  let parts: string[] = [];
  let begin = 1;
  let last = 1;
  /** The text between two values. */
  let between = "";

  const refuse = (expected: string, found: string, line: number) =>
    new DataError(`${file}:${line}: expected ${expected}, found ${found}`, { file, line, expected, found });
  const checkBetween = (expected: RegExp, what: string, line: number) => {
    if (!expected.test(between)) throw refuse(what, JSON.stringify(between.trim() || "nothing"), line);
    between = "";
  };
  const beginValue = (line: number) => {
    if (list === "unknown") list = "none";
    const isNext = list === "open" && count > 0;
    checkBetween(
      isNext ? /^\s*,\s*$/ : /^\s*$/,
      isNext ? "a comma between objects" : "an object of JSON",
      line,
    );
    if (list === "closed") throw refuse("the end of the file after the list", "an object", line);
    begin = line;
  };
  const outside = (character: string, line: number): void => {
    if (character === "[" && list === "unknown") {
      checkBetween(/^\s*$/, "an object or a list of JSON", line);
      list = "open";
    } else if (character === "]" && list === "open") {
      checkBetween(/^\s*$/, "an object or the end of the list", line);
      list = "closed";
    } else between += character;
  };

  function push(text: string, line: number): JsonText[] {
    const values: JsonText[] = [];
    last = line;
    let from = 0;
    for (const { 0: found, index } of text.matchAll(STRUCTURE)) {
      if (isInString || (depth > 0 && found === '"')) {
        if (found === '"') isInString = !isInString;
        continue;
      }
      if (depth === 0) {
        between += text.slice(from, index);
        from = index;
        if (found !== "{") {
          outside(found, line);
          from += found.length;
          continue;
        }
        beginValue(line);
      }
      if (found === "{" || found === "[") depth++;
      else if (found === "}" || found === "]") depth--;
      if (depth > 0) continue;
      parts.push(text.slice(from, index + 1));
      values.push({ text: parts.join("\n"), line: begin });
      [parts, from, count] = [[], index + 1, count + 1];
    }
    if (depth > 0) parts.push(text.slice(from));
    else between += `${text.slice(from)}\n`;
    return values;
  }

  function end(): void {
    if (depth > 0) throw refuse("the end of an object of JSON", "the end of the file", begin);
    if (list === "open") throw refuse("] at the end of the list", "the end of the file", last);
    checkBetween(/^\s*$/, "an object of JSON", last);
  }
  return { push, end };
}
