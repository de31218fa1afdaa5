import type { ConlluSentence } from "@arcwise/conllu";
import { normalizeText } from "@arcwise/core";
import { badRequest } from "../failures.ts";
import {
  conlluSentences,
  cutSentences,
  type PlacedSentence,
  slicesOf,
  wordSentence,
} from "../routes/pieces.ts";
import type { Piece, Source } from "../routes/plan.ts";
import type { CompleteLimits } from "../server-options.ts";
import { formatIn, optionsIn, type Parameters } from "./parameters.ts";
import { type SpaceOptions, withSpaces } from "./spaces.ts";

/** The formats of `input`. */
export const INPUT_FORMATS = ["conllu", "generic_tokenizer", "horizontal", "vertical"] as const;

/** Sentences, how their white space is written if they are cut from a text, and whether all words have tags. */
export interface UdpipeInput {
  readonly source: Source;
  readonly spaces: SpaceOptions | undefined;
  readonly isTagged: boolean;
}

/**
 * Returns the sentences of the parameters `data`, `input` and `tokenizer`. The data are in the normal form NFC first, as in
 * UDPipe 2.
 */
export function inputOf(parameters: Parameters, limits: CompleteLimits): UdpipeInput {
  const given = parameters.get("data");
  if (given === undefined) throw badRequest("The parameter 'data' is required.");
  const data = normalizeText(given);
  const tokenizer = parameters.get("tokenizer");
  const { name } = formatIn(parameters.get("input") ?? "conllu");
  if (tokenizer !== undefined || name === "generic_tokenizer") {
    const options = optionsIn(tokenizer ?? "");
    const cut = { isPresegmented: options.has("presegmented"), spaces: true, trees: 1 };
    const spaces = { ranges: options.has("ranges"), normalized: options.has("normalized_spaces") };
    return { source: { text: data, cut }, spaces, isTagged: false };
  }
  let isTagged = true;
  const see = ({ rows }: ConlluSentence) => {
    isTagged &&= rows.every(({ kind, upos }) => kind !== "word" || upos !== "_");
  };
  switch (name) {
    case "conllu": {
      const pieces = slicesOf(name, data, conlluSentences(data, see), limits);
      return { source: { pieces }, spaces: undefined, isTagged };
    }
    case "horizontal":
    case "vertical": {
      const pieces = slicesOf(name, data, FORMS[name](data), limits);
      return { source: { pieces }, spaces: undefined, isTagged: pieces.length === 0 };
    }
    default:
      throw badRequest(
        `The requested input '${name.slice(0, 100)}' does not exist: expected one of ${INPUT_FORMATS.join(", ")}.`,
      );
  }
}

/** Returns the sentences of a piece of horizontal or vertical text, or of a text that was cut; undefined for others. */
export function sentencesIn(
  { kind, data, from, window }: Piece,
  spaces: SpaceOptions | undefined,
): ConlluSentence[] | undefined {
  if (kind === "horizontal" || kind === "vertical")
    return [...FORMS[kind](data, from === 0)].map(({ forms, comments }, k) =>
      withMarks(wordSentence(forms, from + k), comments, from + k),
    );
  if (kind !== "cut" || window === undefined || spaces === undefined) return undefined;
  return withSpaces(cutSentences(data, from), window, spaces).map((sentence, k) =>
    withMarks(sentence, [], from + k),
  );
}

/** Adds comments before others; the first sentence is the first one of a document. */
function withMarks(sentence: ConlluSentence, marks: readonly string[], index: number): ConlluSentence {
  const first = index === 0 ? ["# newdoc"] : [];
  return { ...sentence, comments: [...first, ...marks, ...sentence.comments] };
}

interface PlacedForms extends PlacedSentence {
  readonly forms: readonly string[];
}

const NEW_PARAGRAPH = ["# newpar"];

/** Yields lines of words; no-break spaces stand for spaces within words. An empty line precedes a paragraph. */
function* horizontal(text: string, isFirst = true): Generator<PlacedForms> {
  let isAfterBlank = isFirst;
  let begin = 0;
  for (const { line, end } of linesOf(text)) {
    const forms = line.split(/[ \t\r]+/).filter((form) => form !== "");
    if (forms.length > 0) {
      const comments = isAfterBlank ? NEW_PARAGRAPH : [];
      yield {
        begin,
        comments,
        words: forms.length,
        forms: forms.map((form) => form.replaceAll("\u00a0", " ")),
      };
      begin = end;
    }
    isAfterBlank = forms.length === 0;
  }
}

/** Yields the first columns of lines; blank lines end sentences. A second blank line precedes a paragraph. */
function* vertical(text: string, isFirst = true): Generator<PlacedForms> {
  let isAfterBlank = isFirst;
  let [begin, forms]: [number, string[]] = [0, []];
  for (const { line, end } of linesOf(text)) {
    const form = line.replace(/^\t+/, "").split(/[\t\r]/, 1)[0]!;
    if (form !== "") forms.push(form);
    if (form !== "" && end < text.length) continue;
    if (forms.length > 0)
      yield { begin, comments: isAfterBlank ? NEW_PARAGRAPH : [], words: forms.length, forms };
    isAfterBlank = forms.length === 0;
    [begin, forms] = [end, []];
  }
}

const FORMS = { horizontal, vertical } as const;

/** Yields the lines of a text, and where the next one begins. */
function* linesOf(text: string): Generator<{ readonly line: string; readonly end: number }> {
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf("\n", from);
    const end = at < 0 ? text.length : at + 1;
    yield { line: text.slice(from, at < 0 ? end : at), end };
    from = end;
  }
}
