import { setImmediate } from "node:timers/promises";
import { type ConlluSentence, readConllu } from "@arcwise/conllu";
import { tokenizedSentence } from "@arcwise/tokenize";
import { UsageError } from "../command/errors.ts";
import type { FormattedInputs } from "./input-format.ts";
import type { AnalysisInput } from "./inputs.ts";
import { runningText, verticalSentences } from "./text-source.ts";

/** How text is cut into sentences. */
export interface TextOptions {
  /** The file with the tokeniser. */
  readonly model: string;
  /** Its bytes, where they were read before. */
  readonly bytes?: Uint8Array | undefined;
  /** Whether each line ends a sentence. */
  readonly lines: boolean;
}

/** A source of items, and how many bytes of it were read so far. */
export interface CountedSource<T> {
  readonly items: AsyncIterable<T>;
  bytes(): number;
}

/** A source of sentences of several inputs. */
export interface SentenceSource extends CountedSource<ConlluSentence> {
  /** Returns the name of the input of a sentence that was read, as messages have it. */
  nameOf(sentence: ConlluSentence): string;
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
 * input is read before its first sentence is asked for.
 *
 * @throws ModelError when text is to be cut and the model has no tokeniser
 * @throws UsageError when lines are to end sentences of another format
 */
export async function sentenceSource(
  { inputs, format }: FormattedInputs,
  options: TextOptions,
): Promise<SentenceSource> {
  if (options.lines && format !== "text") throw new UsageError("--lines requires text (--input text)");
  const cut = format === "text" ? await cutterOf(options) : undefined;
  const names = new WeakMap<ConlluSentence, string>();
  let bytes = 0;
  let count = 0;
  async function* items() {
    for (const input of inputs) {
      const counted = countedBytes(input);
      const before = bytes;
      for await (const sentence of sentencesOf(counted.items, input.name)) {
        names.set(sentence, input.name);
        yield sentence;
        bytes = before + counted.bytes();
      }
    }
  }
  function sentencesOf(chunks: AsyncIterable<Uint8Array>, file: string): AsyncIterable<ConlluSentence> {
    if (format === "conllu") return readConllu(chunks, { file });
    const read = { bytes: chunks, file };
    return cut === undefined ? verticalSentences(read, () => ++count) : cut(runningText(read), () => ++count);
  }
  return { items: items(), bytes: () => bytes, nameOf: (sentence) => names.get(sentence) ?? inputs[0]!.name };
}

/**
 * UTF-16 code units of a text that are cut into words at a time. Between two pieces, threads that parse get their
 * next batches: they would wait for a chunk of 64 KB to be cut.
 */
const PIECE = 4096;

/** Cuts a text that arrives in pieces into sentences, which it numbers. */
type Cutter = (text: AsyncIterable<string>, nextId: () => number) => AsyncGenerator<ConlluSentence>;

/** @throws ModelError when the model has no tokeniser */
async function cutterOf({ model, bytes, lines }: TextOptions): Promise<Cutter> {
  const { modelTokenizer } = await import("./model-tokenizer.ts");
  const tokenizer = await modelTokenizer(model, bytes, { paragraphs: lines ? "line" : "blank-line" });
  return async function* cut(text, nextId) {
    const session = tokenizer.session();
    for await (const chunk of text) {
      for (let at = 0; at < chunk.length; at += PIECE) {
        for (const sentence of session.push(chunk.slice(at, at + PIECE)))
          yield tokenizedSentence(sentence, nextId());
        await setImmediate();
      }
    }
    for (const sentence of session.end()) yield tokenizedSentence(sentence, nextId());
  };
}
