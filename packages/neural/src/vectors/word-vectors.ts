import { type Random, random } from "@arcwise/core";
import { epochShare, type TrainingProgress } from "@arcwise/core/training";
import { type Corpus, readCorpus } from "./corpus.ts";
import { NegativeSampling } from "./negative-sampling.ts";
import { type NgramOptions, type Subwords, subwords } from "./subwords.ts";

/**
 * Vectors of words: the vector of `words[i]` is `values[dimension i .. dimension (i + 1) - 1]`. Plain data.
 */
export interface WordVectorTable {
  readonly dimension: number;
  /** Distinct words, the most frequent first. */
  readonly words: readonly string[];
  readonly values: Float32Array;
}

/** Options of `trainWordVectors`. */
export interface WordVectorTrainOptions {
  /** "skip-gram": a word predicts those around it; "cbow": they predict it. Default: "skip-gram". */
  readonly objective?: "skip-gram" | "cbow" | undefined;
  /** Numbers of a vector. Default: 100. */
  readonly dimension?: number | undefined;
  /**
   * Maximum distance of the words of a context; the distance of each word is drawn from 1 to this. Default:
   * 5.
   */
  readonly window?: number | undefined;
  /** Default: 5. */
  readonly epochs?: number | undefined;
  /** Words that occur fewer times are left out. Default: 5. */
  readonly minimumCount?: number | undefined;
  /** Random words that each prediction is compared with. Default: 5. */
  readonly negatives?: number | undefined;
  /** Step size at the beginning; it falls to 0. Default: 0.05. */
  readonly rate?: number | undefined;
  /** Share of the text above which occurrences of a word are left out at random. Default: 0.0001. */
  readonly subsample?: number | undefined;
  /**
   * Lengths of the character n-grams that words share, and the number of their vectors; false: none. Default:
   * from 3 to 6, 200,000.
   */
  readonly ngrams?: NgramOptions | false | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Words between two turns of the event loop. */
const TURN = 10_000;
const NGRAMS: NgramOptions = { from: 3, to: 6, buckets: 200_000 };

/**
 * Learns vectors of words from a text, by skip-grams or continuous bags of words with negative sampling
 * (Mikolov et al. 2013), of words that consist of character n-grams (Bojanowski et al. 2017). The same text,
 * options and seed give the same vectors on every machine.
 *
 * Cost: O(window · negatives · dimension) a word. Memory: 4 bytes a word of the text, and 4 bytes a number of
 * three tables, of words, contexts and n-grams.
 *
 * @param sentences the words of each sentence; read once
 * @throws ArcwiseError `invalid-data` with the number of a sentence that is not a list of words
 * @throws RangeError when an option is out of range, or no word occurs often enough
 * @throws the reason of the signal once that is aborted
 */
export async function trainWordVectors(
  sentences: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
  options: WordVectorTrainOptions = {},
): Promise<WordVectorTable> {
  const { dimension = 100, minimumCount = 5, seed = 1, epochs = 5, onProgress, signal } = options;
  checkOptions({ dimension, minimumCount, epochs, window: options.window, negatives: options.negatives });
  const corpus = await readCorpus(sentences, minimumCount);
  const { words } = corpus;
  if (words.length === 0) throw new RangeError(`expected words that occur ${minimumCount} times, found none`);
  const rows = subwords(words, options.ngrams === false ? undefined : (options.ngrams ?? NGRAMS));
  const training = new VectorTraining(corpus, rows, random(seed), options);
  for (let epoch = 1; epoch <= epochs; epoch++) {
    training.startEpoch(epoch - 1, epochs);
    for (let done = false; !done; ) {
      signal?.throwIfAborted();
      done = training.advance(TURN);
      const at = training.progress();
      const share = epochShare(epoch, epochs, at.done, at.total);
      const common = { step: "vectors", epoch, epochs, epochDone: at.done === at.total, share } as const;
      onProgress?.({ ...common, trainingShare: share, loss: { value: at.loss, per: "word" } });
      await new Promise<void>((resolve) => setTimeout(resolve));
    }
  }
  signal?.throwIfAborted();
  return { dimension, words, values: training.vectors() };
}

function checkOptions(counts: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(counts)) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1)) {
      throw new RangeError(`${name} must be an integer >= 1, got ${value}`);
    }
  }
}

/** The tables of a training, and its place in the text. */
class VectorTraining {
  readonly #corpus: Corpus;
  readonly #rows: Subwords;
  readonly #rng: Random;
  readonly #options: WordVectorTrainOptions;
  readonly #dimension: number;
  readonly #input: Float32Array;
  readonly #output: NegativeSampling;
  /** Probability that an occurrence of a word is kept. */
  readonly #retention: Float64Array;
  /** The words of a sentence that are kept. */
  #sentence = new Int32Array(64);
  #next = 0;
  #epoch = 0;
  #epochs = 1;

  constructor(corpus: Corpus, rows: Subwords, rng: Random, options: WordVectorTrainOptions) {
    const { dimension = 100, negatives = 5, subsample = 1e-4 } = options;
    this.#corpus = corpus;
    this.#rows = rows;
    this.#rng = rng;
    this.#options = options;
    this.#dimension = dimension;
    this.#input = new Float32Array(rows.rows * dimension);
    for (let k = 0; k < this.#input.length; k++) this.#input[k] = (2 * rng.next() - 1) / dimension;
    this.#output = new NegativeSampling(corpus.counts, dimension, negatives, rng);
    const { length } = corpus.tokens;
    this.#retention = corpus.counts.map((count) => {
      const share = (subsample * length) / count;
      return Math.sqrt(share) + share;
    });
  }

  startEpoch(epoch: number, epochs: number): void {
    this.#epoch = epoch;
    this.#epochs = epochs;
    this.#next = 0;
    this.#output.loss = 0;
    this.#output.steps = 0;
  }

  /** Returns the words of this epoch that are done, all of them, and the mean loss of a prediction. */
  progress(): { readonly done: number; readonly total: number; readonly loss: number } {
    const { start, tokens } = this.#corpus;
    const { loss, steps } = this.#output;
    return { done: start[this.#next], total: tokens.length, loss: loss / Math.max(1, steps) };
  }

  /** Learns from sentences of at least as many words; returns whether the epoch is done. */
  advance(words: number): boolean {
    const { start, tokens } = this.#corpus;
    const sentences = start.length - 1;
    const { rate = 0.05, objective = "skip-gram" } = this.#options;
    const end = start[this.#next] + words;
    while (this.#next < sentences && start[this.#next] < end) {
      const done = (this.#epoch + start[this.#next] / tokens.length) / this.#epochs;
      const step = rate * (1 - done);
      const n = this.#sample(this.#next++);
      for (let i = 0; i < n; i++) {
        const reach = 1 + this.#rng.int(this.#options.window ?? 5);
        const from = Math.max(0, i - reach);
        const last = Math.min(n - 1, i + reach);
        if (objective === "cbow") this.#fromContext(i, from, last, step);
        else this.#fromWord(i, from, last, step);
      }
    }
    return this.#next === sentences;
  }

  /** Copies the words of a sentence that are kept; returns their number. */
  #sample(sentence: number): number {
    const { start, tokens } = this.#corpus;
    const [from, end] = [start[sentence], start[sentence + 1]];
    if (this.#sentence.length < end - from) this.#sentence = new Int32Array(2 * (end - from));
    let n = 0;
    for (let i = from; i < end; i++) {
      const word = tokens[i];
      if (this.#retention[word] >= 1 || this.#rng.next() < this.#retention[word]) this.#sentence[n++] = word;
    }
    return n;
  }

  /** The word at i predicts each word of its context. */
  #fromWord(i: number, from: number, last: number, rate: number): void {
    if (from === last) return;
    const output = this.#output;
    const word = this.#sentence[i];
    output.hidden.fill(0);
    output.change.fill(0);
    this.#read(word);
    this.#scale(1 / this.#size(word));
    for (let c = from; c <= last; c++) if (c !== i) output.step(this.#sentence[c], rate);
    this.#write(word);
  }

  /** The words of a context predict that at i. */
  #fromContext(i: number, from: number, last: number, rate: number): void {
    if (from === last) return;
    const output = this.#output;
    output.hidden.fill(0);
    output.change.fill(0);
    let size = 0;
    for (let c = from; c <= last; c++) {
      if (c === i) continue;
      this.#read(this.#sentence[c]);
      size += this.#size(this.#sentence[c]);
    }
    this.#scale(1 / size);
    output.step(this.#sentence[i], rate);
    for (let c = from; c <= last; c++) if (c !== i) this.#write(this.#sentence[c]);
  }

  /** Number of rows of a word. */
  #size(word: number): number {
    return this.#rows.start[word + 1] - this.#rows.start[word];
  }

  #scale(factor: number): void {
    const { hidden } = this.#output;
    for (let d = 0; d < hidden.length; d++) hidden[d] *= factor;
  }

  /** Adds the rows of a word to the input of the output layer. */
  #read(word: number): void {
    const { hidden } = this.#output;
    const input = this.#input;
    const { start, list } = this.#rows;
    for (let k = start[word]; k < start[word + 1]; k++) {
      const from = list[k] * hidden.length;
      for (let d = 0; d < hidden.length; d++) hidden[d] += input[from + d];
    }
  }

  /** Adds what was learned to the rows of a word. */
  #write(word: number): void {
    const { change } = this.#output;
    const input = this.#input;
    const { start, list } = this.#rows;
    for (let k = start[word]; k < start[word + 1]; k++) {
      const from = list[k] * change.length;
      for (let d = 0; d < change.length; d++) input[from + d] += change[d];
    }
  }

  /** Returns the vector of each word: the mean of its rows. */
  vectors(): Float32Array {
    const { words } = this.#corpus;
    const values = new Float32Array(words.length * this.#dimension);
    const { hidden } = this.#output;
    for (let w = 0; w < words.length; w++) {
      hidden.fill(0);
      this.#read(w);
      this.#scale(1 / this.#size(w));
      values.set(hidden, w * this.#dimension);
    }
    return values;
  }
}
