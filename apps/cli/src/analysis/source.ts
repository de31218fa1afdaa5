import { type ConlluSentence, readConllu } from "@arcwise/conllu";
import type { Analyser } from "@arcwise/pipeline";
import { tokenizedSentence } from "@arcwise/tokenize";
import type { ReadSentence } from "../files/sentences.ts";
import type { FormattedInputs } from "./input-format.ts";
import type { AnalysisInput } from "./inputs.ts";
import { runningText, verticalSentences } from "./text-source.ts";

/** A source of items, and how many bytes of it were read so far. */
export interface CountedSource<T> {
  readonly items: AsyncIterable<T>;
  bytes(): number;
}

/** Counts the bytes of an input while they are read. */
export function countedBytes(input: AnalysisInput): CountedSource<Uint8Array> {
  let bytes = 0;
  async function* items() {
    for await (const chunk of input.bytes()) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { items: items(), bytes: () => bytes };
}

/**
 * The sentences of inputs, one input after the other. Sentences of text and of lists of words are numbered. No
 * input is read before its first sentence is needed.
 *
 * @param pipeline cuts text
 */
export function sentenceSource(
  { inputs, format }: FormattedInputs,
  pipeline: Pick<Analyser, "session">,
): CountedSource<ReadSentence> {
  let bytes = 0;
  let count = 0;
  const nextId = () => ++count;
  async function* items() {
    for (const input of inputs) {
      const counted = countedBytes(input);
      const before = bytes;
      for await (const sentence of sentencesOf(counted.items, input.name)) {
        yield { sentence, file: input.name };
        bytes = before + counted.bytes();
      }
    }
  }
  function sentencesOf(chunks: AsyncIterable<Uint8Array>, file: string): AsyncIterable<ConlluSentence> {
    if (format === "conllu") return readConllu(chunks, { file });
    const read = { bytes: chunks, file };
    return format === "text" ? cutText(runningText(read), pipeline, nextId) : verticalSentences(read, nextId);
  }
  return { items: items(), bytes: () => bytes };
}

/** UTF-16 code units of a text that are cut into words at a time: a thread is free for other batches after them. */
const PIECE = 4096;

/** Cuts a text that arrives in pieces into sentences, and numbers them. */
async function* cutText(
  text: AsyncIterable<string>,
  pipeline: Pick<Analyser, "session">,
  nextId: () => number,
): AsyncGenerator<ConlluSentence> {
  const session = pipeline.session();
  for await (const chunk of text)
    for (let at = 0; at < chunk.length; at += PIECE)
      for (const sentence of await session.push(chunk.slice(at, at + PIECE)))
        yield tokenizedSentence(sentence, nextId());
  for (const sentence of await session.end()) yield tokenizedSentence(sentence, nextId());
}
