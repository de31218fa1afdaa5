import { type ConlluSentence, readConllu } from "@arcwise/conllu";
import { allWithinLimits } from "../analysis/analyse.ts";
import { lineSentences, textSentences, wordSentences } from "../analysis/text.ts";
import { badRequest } from "../requests/failures.ts";
import type { Work } from "../requests/work.ts";
import { formatIn, optionsIn, type Parameters } from "./parameters.ts";
import { withSpaces } from "./spaces.ts";

/** The formats of `input`. */
export const INPUT_FORMATS = ["conllu", "generic_tokenizer", "horizontal", "vertical"] as const;

/** Sentences, and whether they were cut from a text. */
export interface UdpipeInput {
  readonly sentences: AsyncIterable<ConlluSentence> | readonly ConlluSentence[];
  readonly isText: boolean;
}

/**
 * Returns the sentences of the parameters `data`, `input` and `tokenizer`. The data are in the normal form NFC first, as in
 * UDPipe 2.
 *
 * @throws RequestFailure for data that is missing, or a format that does not exist
 * @throws ConlluError for data that is not CoNLL-U
 */
export function inputOf(parameters: Parameters, work: Work): UdpipeInput {
  const data = parameters.get("data")?.normalize("NFC");
  if (data === undefined) throw badRequest("The parameter 'data' is required.");
  const tokenizer = parameters.get("tokenizer");
  const { name } = formatIn(parameters.get("input") ?? "conllu");
  if (tokenizer !== undefined || name === "generic_tokenizer")
    return { sentences: marked(tokenized(data, optionsIn(tokenizer ?? ""), work)), isText: true };
  switch (name) {
    case "conllu":
      return { sentences: allWithinLimits([...readConllu(data)], work), isText: false };
    case "horizontal":
      return {
        sentences: allWithinLimits(given(data.split("\n").map(horizontalWords)), work),
        isText: false,
      };
    case "vertical":
      return { sentences: allWithinLimits(given(verticalWords(data)), work), isText: false };
    default:
      throw badRequest(
        `The requested input '${name}' does not exist: expected one of ${INPUT_FORMATS.join(", ")}.`,
      );
  }
}

function tokenized(
  data: string,
  options: ReadonlySet<string>,
  { model, signal }: Work,
): AsyncIterable<ConlluSentence> {
  const cut = options.has("presegmented") ? lineSentences : textSentences;
  return withSpaces(cut(data, model.analyser, signal), data, {
    ranges: options.has("ranges"),
    normalized: options.has("normalized_spaces"),
  });
}

/** Marks the first sentence as the first one of a document. */
async function* marked(sentences: AsyncIterable<ConlluSentence>): AsyncGenerator<ConlluSentence> {
  let isFirst = true;
  for await (const sentence of sentences) {
    yield isFirst ? { ...sentence, comments: ["# newdoc", ...sentence.comments] } : sentence;
    isFirst = false;
  }
}

/** The words of a line; no-break spaces stand for spaces within words. */
function horizontalWords(line: string): string[] {
  return line
    .split(/[ \t\r]+/)
    .filter((form) => form !== "")
    .map((form) => form.replaceAll("\u00a0", " "));
}

/** The first columns of lines; blank lines end sentences. An empty sentence stands for further blank lines. */
function verticalWords(data: string): string[][] {
  const sentences: string[][] = [[]];
  for (const line of data.split("\n")) {
    const form = line.replace(/^\t+/, "").split(/[\t\r]/, 1)[0]!;
    if (form === "") sentences.push([]);
    else sentences.at(-1)!.push(form);
  }
  return sentences;
}

/** Returns sentences of lines of forms. An empty line precedes a paragraph. */
function given(lines: readonly (readonly string[])[]): ConlluSentence[] {
  const sentences = [...wordSentences(lines.filter((forms) => forms.length > 0))];
  let next = 0;
  let isAfterBlank = true;
  return lines.flatMap((forms) => {
    const before = isAfterBlank;
    isAfterBlank = forms.length === 0;
    if (forms.length === 0) return [];
    const sentence = sentences[next++]!;
    const marks = [...(next === 1 ? ["# newdoc"] : []), ...(before ? ["# newpar"] : [])];
    return [{ ...sentence, comments: [...marks, ...sentence.comments] }];
  });
}
