import { type ConlluSentence, sentenceId, sentenceText, type WordRow, writeSentence } from "@arcwise/conllu";
import type { SearchMatch } from "@arcwise/conllu/search";
import { type DrawingOptions, jsonWriter, type SentenceWriter } from "../analysis/sentence-writer.ts";
import { printable } from "../files/io.ts";

/** The matches in a sentence, of which there is one at least. */
export interface SentenceMatches {
  /** Name of its file in messages. */
  readonly file: string;
  readonly sentence: ConlluSentence;
  /** They are found while they are read, and read once. */
  readonly matches: Iterable<SearchMatch>;
}

/** Returns the names of the words of a match by their positions, in their order; "" for those without a name. */
export function markedWords({ nodes, names }: SearchMatch): ReadonlyMap<number, string> {
  const named = new Map(Object.entries(names).map(([name, id]) => [id, name]));
  const ids = [...new Set(nodes)].filter((id) => id > 0).sort((a, b) => a - b);
  return new Map(ids.map((id) => [id, named.get(id) ?? ""]));
}

/** Formats of matches. */
export const SEARCH_FORMATS = ["text", "conllu", "json", "jsonl", "html"] as const;
export type SearchFormat = (typeof SEARCH_FORMATS)[number];

/** How matches are written: words are marked by the escape sequences of terminals, or by brackets. */
type SearchWriterOptions = Pick<DrawingOptions, "hasColour" | "title">;

/** Writes the matches of one output: the pieces of a sentence while its matches are found, which may be millions. */
type MatchWriter = SentenceWriter<SentenceMatches, Iterable<string>>;

/** Returns a writer of a format. Drawings are loaded when they are asked for. */
export async function searchWriter(
  format: SearchFormat,
  { hasColour, title }: SearchWriterOptions,
): Promise<MatchWriter> {
  switch (format) {
    case "conllu":
      return { sentence: conlluText };
    case "json":
    case "jsonl": {
      const { start, sentence, end } = jsonWriter(format, (match: object) => [match]);
      return {
        start,
        *sentence(found) {
          for (const match of describedMatches(found)) yield sentence(match);
        },
        end: () => end?.() ?? "",
      };
    }
    case "html": {
      const { htmlWriter } = await import("@arcwise/draw");
      const page = htmlWriter({ title });
      return {
        ...page,
        sentence: ({ sentence, matches }) => {
          const marked = new Set<number>();
          for (const match of matches) for (const id of markedWords(match).keys()) marked.add(id);
          return [page.sentence(sentence, { marked: [...marked] })];
        },
      };
    }
    default:
      return { sentence: (found) => textLines(found, hasColour) };
  }
}

/** The sentence with a comment `# match = verb:3 noun:5` for each match; nodes without a name have the name `_`. */
function* conlluText({ sentence, matches }: SentenceMatches): Generator<string> {
  for (const comment of sentence.comments) yield `${comment}\n`;
  for (const match of matches) {
    yield `# match = ${[...markedWords(match)].map(([id, name]) => `${name || "_"}:${id}`).join(" ")}\n`;
  }
  yield writeSentence({ ...sentence, comments: [] });
}

function* describedMatches({ file, sentence, matches }: SentenceMatches): Generator<object> {
  const { words, text } = described(sentence);
  for (const match of matches) {
    const { names, relations } = match;
    yield {
      file,
      line: sentence.line,
      id: sentenceId(sentence),
      text,
      words: [...markedWords(match).keys()].map((id) => ({ id, form: words[id - 1]!.form })),
      names,
      relations,
    };
  }
}

/** A line per match: file, line, ID, and the words, with the words of the match marked. */
function* textLines({ file, sentence, matches }: SentenceMatches, hasColour: boolean): Generator<string> {
  const id = sentenceId(sentence);
  const place = printable(`${file}:${sentence.line}:${id === undefined ? "" : ` ${id}:`}`);
  const forms = described(sentence).words.map(({ form }) => printable(form));
  for (const match of matches) {
    const shown = [...forms];
    for (const [word, name] of markedWords(match)) shown[word - 1] = mark(forms[word - 1]!, name, hasColour);
    yield `${hasColour ? `${SOFT}${place}${OFF}` : place} ${shown.join(" ")}\n`;
  }
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
