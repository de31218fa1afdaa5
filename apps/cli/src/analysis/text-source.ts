import type { ConlluSentence } from "@arcwise/conllu";
import { DataError } from "../errors.ts";

/** Formats of the input of a parser: CoNLL-U, raw text, a word a line with blank lines between sentences. */
export const INPUT_FORMATS = ["conllu", "text", "vertical"] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

/** The bytes of a file, and its name in messages. */
export interface TextInput {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly file: string;
}

/**
 * Reads a word a line, with blank lines between sentences. White space around a word, and other columns after a
 * tab, are left out.
 *
 * @throws DataError when the text is not UTF-8
 */
export async function* verticalSentences(input: TextInput): AsyncGenerator<ConlluSentence> {
  let forms: string[] = [];
  let id = 0;
  for await (const line of textLines(input)) {
    const form = line.replaceAll("\0", "").trim().split("\t", 1)[0]!.trimEnd();
    if (form !== "") forms.push(form);
    else if (forms.length > 0) {
      yield wordsSentence(forms, ++id);
      forms = [];
    }
  }
  if (forms.length > 0) yield wordsSentence(forms, ++id);
}

/** The lines of a text, without their ends: LF, CR LF or CR. @throws DataError when it is not UTF-8 */
export async function* textLines(input: TextInput): AsyncGenerator<string> {
  let parts: string[] = [];
  let end = "";
  for await (const chunk of decodedText(input)) {
    const text = end + chunk;
    // A CR at the end of a chunk may be the first half of a line end.
    end = text.endsWith("\r") ? "\r" : "";
    const [first, ...lines] = text.slice(0, text.length - end.length).split(/\r\n|\r|\n/);
    parts.push(first!);
    for (const line of lines) {
      yield parts.join("");
      parts = [line];
    }
  }
  yield parts.join("");
}

function wordsSentence(forms: readonly string[], id: number): ConlluSentence {
  const empty = { lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", deps: "_", misc: "_" };
  return {
    comments: [`# sent_id = ${id}`, `# text = ${forms.join(" ")}`],
    rows: forms.map((form, i) => ({ kind: "word", id: i + 1, form, head: -1, ...empty })),
    line: 0,
  };
}

/** A text, a piece at a time, with its byte-order mark, which offsets count. @throws DataError when it is not UTF-8 */
export async function* decodedText({ bytes, file }: TextInput): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      throw new DataError(`${file}: expected text in UTF-8, found bytes that are not`, { cause: error });
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}
