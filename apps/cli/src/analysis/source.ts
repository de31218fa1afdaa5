import { type ConlluSentence, readConllu } from "@arcwise/conllu";
import { tokenizedSentence } from "@arcwise/tokenize";
import { UsageError } from "../errors.ts";
import { readBytes } from "../input.ts";
import { displayName, type Io } from "../io.ts";
import { type InputFormat, runningText, verticalSentences } from "./text-source.ts";

/** How text is cut into sentences. */
export interface TextOptions {
  /** The file with the tokeniser. */
  readonly model: string;
  /** Whether each line ends a sentence. */
  readonly lines: boolean;
}

/** A source of items, and how many bytes of it were read so far. */
export interface CountedSource<T> {
  readonly items: AsyncIterable<T>;
  bytes(): number;
}

/** Counts the bytes of a file while they are read. */
export function countedBytes(io: Io, input: string): CountedSource<Uint8Array> {
  let bytes = 0;
  async function* items() {
    for await (const chunk of readBytes(io, input)) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { items: items(), bytes: () => bytes };
}

/**
 * The sentences of a file in a format. The file is not read before the first one is asked for.
 *
 * @throws ModelError when text is to be cut and the model has no tokeniser
 * @throws UsageError when lines are to end sentences of another format
 */
export async function sentenceSource(
  io: Io,
  input: string,
  format: InputFormat,
  { model, lines }: TextOptions,
): Promise<CountedSource<ConlluSentence>> {
  if (lines && format !== "text") throw new UsageError("--lines requires --input text");
  const { items, bytes } = countedBytes(io, input);
  const file = displayName(input);
  if (format === "conllu") return { items: readConllu(items, { file }), bytes };
  if (format === "vertical") return { items: verticalSentences({ bytes: items, file }), bytes };
  const { openPipeline } = await import("@arcwise/pipeline/node");
  const paragraphs = lines ? "line" : "blank-line";
  const pipeline = await openPipeline({ model, parts: ["tokenizer"], tokenizer: { paragraphs } });
  async function* tokenized() {
    const session = pipeline.session();
    let id = 0;
    for await (const chunk of runningText({ bytes: items, file })) {
      for (const sentence of session.push(chunk)) yield tokenizedSentence(sentence, ++id);
    }
    for (const sentence of session.end()) yield tokenizedSentence(sentence, ++id);
  }
  return { items: tokenized(), bytes };
}
