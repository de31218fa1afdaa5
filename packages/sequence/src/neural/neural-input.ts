import type { Sentence } from "@arcwise/core";
import { type EncodedSequence, frequentFormsOf, SequenceEncoder } from "../features/attributes.ts";
import { KeyExtractor } from "../features/extraction.ts";
import type { GazetteerData } from "../features/gazetteers.ts";
import { indexOf, KeyCounter, type KeyIndex } from "../features/hash-index.ts";
import type { SequenceTemplate } from "../features/templates.ts";

/**
 * Input of a network: for each template a vocabulary of its values, with index 0 for rare or unknown ones.
 */
export interface NeuralInputData {
  readonly templates: readonly SequenceTemplate[];
  readonly keys: readonly Int32Array[];
  readonly frequentForms: Int32Array;
  /** The lists of names that templates look up. */
  readonly gazetteers?: readonly GazetteerData[] | undefined;
}

/** Converts sentences to rows of vocabulary indices: one per template for each word. */
export class NeuralInput {
  readonly data: NeuralInputData;
  /** Size of each template's vocabulary, including the unknown value. */
  readonly sizes: readonly number[];
  readonly #extractors: readonly KeyExtractor[];
  readonly #indices: readonly KeyIndex[];
  readonly #encoder: SequenceEncoder;
  readonly #key = new Int32Array(1);

  constructor(data: NeuralInputData) {
    this.data = data;
    this.#extractors = data.templates.map(extractorOf);
    this.#indices = data.keys.map(indexOf);
    this.sizes = data.keys.map((keys) => keys.length + 1);
    this.#encoder = encoderOf(this.#extractors, data.frequentForms, data.gazetteers);
  }

  /** Returns n rows with one index per template. */
  read(sentence: Sentence): Int32Array {
    const width = this.#extractors.length;
    const rows = new Int32Array(sentence.length * width);
    const encoded = this.#encoder.encode(sentence);
    for (let i = 0; i < sentence.length; i++) {
      for (let t = 0; t < width; t++) {
        const found = keyAt(this.#extractors[t], encoded, i, this.#key);
        rows[i * width + t] = found === undefined ? 0 : this.#indices[t].find(found) + 1;
      }
    }
    return rows;
  }
}

/**
 * Collects the vocabularies of training sentences. @param minimum values that occur fewer times are unknown
 */
export function collectInput(
  sentences: readonly Sentence[],
  templates: readonly SequenceTemplate[],
  minimum: number,
  gazetteers?: readonly GazetteerData[],
): NeuralInputData {
  const extractors = templates.map(extractorOf);
  const frequentForms = frequentFormsOf(sentences);
  const encoder = encoderOf(extractors, frequentForms, gazetteers);
  const counters = templates.map(() => new KeyCounter());
  const key = new Int32Array(1);
  for (const sentence of sentences) {
    const encoded = encoder.encode(sentence);
    for (let i = 0; i < sentence.length; i++) {
      for (const [t, extractor] of extractors.entries()) {
        const found = keyAt(extractor, encoded, i, key);
        if (found !== undefined) counters[t].add(found);
      }
    }
  }
  return { templates, keys: counters.map((counter) => counter.frequent(minimum)), frequentForms, gazetteers };
}

function extractorOf(template: SequenceTemplate): KeyExtractor {
  const extractor = new KeyExtractor([template]);
  if (extractor.order > 1) throw new RangeError(`template "${template}": a network reads words, not labels`);
  return extractor;
}

function encoderOf(
  extractors: readonly KeyExtractor[],
  frequentForms: Int32Array,
  gazetteers: readonly GazetteerData[] | undefined,
): SequenceEncoder {
  const attributes = extractors.flatMap((extractor) => [...extractor.attributes]);
  return new SequenceEncoder(attributes, frequentForms, gazetteers);
}

function keyAt(
  extractor: KeyExtractor,
  encoded: EncodedSequence,
  i: number,
  key: Int32Array,
): number | undefined {
  return extractor.extract(1, encoded, i, key, 0) === 1 ? key[0] : undefined;
}
