import { type ConlluSentence, sentenceId, sentenceText, type WordRow, writeSentence } from "@arcwise/conllu";
import { jsonWriter } from "../analysis/json-writer.ts";
import type { SentenceWriter } from "../analysis/sentence-writer.ts";
import { printable } from "../files/printable.ts";
import { markedWords, type SentenceMatches } from "./matches.ts";

/** Formats of matches. */
export const SEARCH_FORMATS = ["text", "conllu", "json", "jsonl", "html"] as const;
export type SearchFormat = (typeof SEARCH_FORMATS)[number];

/** How matches are written. */
export interface SearchWriterOptions {
  /** Whether words are marked by the escape sequences of terminals, not by brackets. */
  readonly hasColour: boolean;
  /** The title of a page. */
  readonly title: string;
}

/** Returns a writer of a format. Drawings are loaded when they are asked for. */
export async function searchWriter(
  format: SearchFormat,
  { hasColour, title }: SearchWriterOptions,
): Promise<SentenceWriter<SentenceMatches>> {
  switch (format) {
    case "conllu":
      return { sentence: conlluText };
    case "json":
    case "jsonl":
      return jsonWriter(format, describedMatches);
    case "html": {
      const { HTML_END, htmlSentence, htmlStart } = await import("@arcwise/draw");
      let count = 0;
      return {
        start: htmlStart({ title }),
        sentence: ({ sentence, matches }) =>
          htmlSentence(sentence, ++count, {
            marked: matches.flatMap((match) => [...markedWords(match).keys()]),
          }),
        end: () => HTML_END,
      };
    }
    default:
      return { sentence: (found) => textLines(found, hasColour) };
  }
}

/** The sentence with a comment `# match = verb:3 noun:5` for each match; nodes without a name have the name `_`. */
function conlluText({ sentence, matches }: SentenceMatches): string {
  const comments = matches.map(
    (match) => `# match = ${[...markedWords(match)].map(([id, name]) => `${name || "_"}:${id}`).join(" ")}`,
  );
  return writeSentence({ ...sentence, comments: [...sentence.comments, ...comments] });
}

/** The matches of a sentence, as JSON has them. */
function describedMatches({ file, sentence, matches }: SentenceMatches): object[] {
  const { words, text } = described(sentence);
  return matches.map((match) => {
    const { names, relations } = match;
    return {
      file,
      line: sentence.line,
      id: sentenceId(sentence),
      text,
      words: [...markedWords(match).keys()].map((id) => ({ id, form: words[id - 1]!.form })),
      names,
      relations,
    };
  });
}

/** A line per match: file, line, ID, and the words, with the words of the match marked. */
function textLines({ file, sentence, matches }: SentenceMatches, hasColour: boolean): string {
  const { words } = described(sentence);
  const id = sentenceId(sentence);
  const place = `${file}:${sentence.line}:${id === undefined ? "" : ` ${id}:`}`;
  const lines = matches.map((match) => {
    const marked = markedWords(match);
    const forms = words.map(({ form }, i) => {
      const name = marked.get(i + 1);
      const shown = printable(form);
      return name === undefined ? shown : mark(shown, name, hasColour);
    });
    return `${hasColour ? `${SOFT}${printable(place)}${OFF}` : printable(place)} ${forms.join(" ")}\n`;
  });
  return lines.join("");
}

const [SOFT, BOLD, OFF] = ["\x1b[2m", "\x1b[1;31m", "\x1b[0m"];

function mark(form: string, name: string, hasColour: boolean): string {
  const prefix = name === "" ? "" : `${name}:`;
  return hasColour ? `${SOFT}${prefix}${OFF}${BOLD}${form}${OFF}` : `[${prefix}${form}]`;
}

function described(sentence: ConlluSentence): { readonly words: readonly WordRow[]; readonly text: string } {
  const words = sentence.rows.filter((row) => row.kind === "word");
  return { words, text: sentenceText(sentence) ?? words.map(({ form }) => form).join(" ") };
}
