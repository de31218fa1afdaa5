import { random, type Sentence } from "@arcwise/core";
import { vocabularyCounter } from "@arcwise/core/features";
import { yieldToEventLoop } from "@arcwise/learn";
import type { LabelledSentence } from "../chain/chain-model.ts";
import type { SequenceTemplate } from "../features/templates.ts";
import { FeedForward } from "./feed-forward.ts";
import { collectInput, NeuralInput, type NeuralInputData } from "./neural-input.ts";
import { Recurrent } from "./recurrent.ts";

/** A differentiable scorer of labels over one vector of parameters, embeddings first. */
export interface NeuralNetwork {
  /** Number of parameters. */
  readonly size: number;
  /** How many of them are embeddings of words, of which a sentence touches few: they come first. */
  readonly embeddings: number;
  /** Length of an embedding. */
  readonly embedding: number;
  /** Where the embeddings of each template begin. */
  readonly tables: readonly number[];
  /** Random parameters. The same seed gives the same. */
  initial(seed: number): Float64Array;
  /** The negative log-likelihood of gold labels; adds its gradient. */
  loss(parameters: Float64Array, rows: Int32Array, gold: Int32Array, gradient: Float64Array): number;
  /** The labels of a sentence. */
  decode(parameters: Float64Array, rows: Int32Array): Int32Array;
}

export interface NeuralShape {
  /** "feed-forward": labels in a chain, searched exactly; "recurrent": greedy or beam search. */
  readonly kind: "feed-forward" | "recurrent";
  /** What the network reads around a word: an embedding each. */
  readonly templates: readonly SequenceTemplate[];
  /** Length of an embedding. Default: 16. */
  readonly embedding?: number;
  /** Units of one or two hidden layers; of one for a recurrent network. Default: [64]. */
  readonly hidden?: readonly number[];
  /** Hypotheses of the recurrent network's search; 1 is greedy. Default: 1. */
  readonly beam?: number;
}

export interface NeuralTrainOptions extends NeuralShape {
  /** What is seen fewer times is unknown. Default: 2. */
  readonly minimum?: number;
  /** Default: 10. */
  readonly epochs?: number;
  /** Length of a parameter's first steps (AdaGrad). Default: 0.05. */
  readonly rate?: number;
  /** Default: 1. */
  readonly seed?: number;
  /** Called after each epoch: the mean loss of a sentence, and a function that makes the model of now. */
  readonly onEpoch?: (epoch: number, loss: number, model: () => NeuralModel) => void;
  readonly signal?: AbortSignal;
}

/** A trained network. Plain data. */
export interface NeuralModel {
  readonly shape: NeuralShape;
  readonly labels: readonly string[];
  readonly input: NeuralInputData;
  readonly parameters: Float64Array;
}

/** The network of a shape. @throws RangeError when there is no such kind, or layers are not as many as it has */
export function networkOf(shape: NeuralShape, sizes: readonly number[], labels: number): NeuralNetwork {
  const { kind, embedding = 16, hidden = [64], beam = 1 } = shape;
  for (const width of [embedding, ...hidden]) {
    if (!Number.isInteger(width) || width < 1) throw new RangeError(`expected a width >= 1, got ${width}`);
  }
  if (kind === "feed-forward") return new FeedForward({ sizes, labels, embedding, hidden });
  if (kind !== "recurrent") throw new RangeError(`no network is of the kind "${String(kind)}"`);
  if (hidden.length !== 1) throw new RangeError(`a recurrent network has one layer, got ${hidden.length}`);
  return new Recurrent({ sizes, labels, embedding, hidden: hidden[0]!, beam });
}

/**
 * Trains a network by stochastic gradient with AdaGrad's steps (Duchi, Hazan and Singer 2011), a sentence at a time.
 * The same examples, options and seed give the same model on the same engine (`Math.tanh` may differ between engines).
 *
 * @throws RangeError when there is nothing to learn from, or an option is out of its range
 * @throws the reason of the signal once that is aborted
 */
export async function trainNeural(
  examples: readonly LabelledSentence[],
  options: NeuralTrainOptions,
): Promise<NeuralModel> {
  const { templates, minimum = 2, epochs = 10, rate = 0.05, seed = 1, onEpoch, signal } = options;
  if (!(rate > 0 && rate < Infinity)) throw new RangeError(`rate must be > 0, got ${rate}`);
  if (!Number.isInteger(epochs) || epochs < 1) throw new RangeError(`epochs must be >= 1, got ${epochs}`);
  const used = examples.filter(({ labels }) => labels.length > 0);
  if (used.length === 0) throw new RangeError("expected at least one sentence to learn from, got none");
  const counter = vocabularyCounter();
  for (const { labels } of used) for (const label of labels) counter.add(label);
  const vocabulary = counter.vocabulary();
  const data = collectInput(
    used.map(({ sentence }) => sentence),
    templates,
    minimum,
  );
  const input = new NeuralInput(data);
  const network = networkOf(options, input.sizes, vocabulary.strings.length);
  const rows = used.map(({ sentence }) => input.read(sentence));
  const golds = used.map(({ labels }) => Int32Array.from(labels, (label) => vocabulary.id(label) - 1));
  const { kind, embedding, hidden, beam } = options;
  const shape: NeuralShape = {
    kind,
    templates,
    ...(embedding !== undefined && { embedding }),
    ...(hidden && { hidden }),
    ...(beam !== undefined && { beam }),
  };
  const steps = new Steps(network, rate, seed);
  const model = (): NeuralModel => ({
    shape,
    labels: vocabulary.strings,
    input: data,
    parameters: steps.parameters.slice(),
  });
  const pause = yieldToEventLoop(signal);
  const shuffles = random(seed);
  for (let epoch = 1; epoch <= epochs; epoch++) {
    let loss = 0;
    for (const k of shuffles.fork(epoch).shuffle(Int32Array.from(used, (_, index) => index))) {
      loss += steps.update(rows[k]!, golds[k]!);
      await pause();
    }
    onEpoch?.(epoch, loss / used.length, model);
  }
  return model();
}

/** AdaGrad on a network: of the embeddings only those that have a slope. */
class Steps {
  readonly parameters: Float64Array;
  readonly #network: NeuralNetwork;
  readonly #rate: number;
  readonly #gradient: Float64Array;
  readonly #squares: Float64Array;

  constructor(network: NeuralNetwork, rate: number, seed: number) {
    this.#network = network;
    this.#rate = rate;
    this.parameters = network.initial(seed);
    this.#gradient = new Float64Array(network.size);
    this.#squares = new Float64Array(network.size).fill(1e-4);
  }

  update(rows: Int32Array, gold: Int32Array): number {
    const { embeddings, embedding, tables } = this.#network;
    const loss = this.#network.loss(this.parameters, rows, gold, this.#gradient);
    for (let k = 0; k < rows.length; k++) {
      const from = tables[k % tables.length]! + rows[k]! * embedding;
      this.#step(from, from + embedding);
    }
    this.#step(embeddings, this.#gradient.length);
    return loss;
  }

  /** Steps down the slopes of a range, and clears them. */
  #step(from: number, end: number): void {
    for (let k = from; k < end; k++) {
      const slope = this.#gradient[k]!;
      if (slope === 0) continue;
      this.#squares[k]! += slope * slope;
      this.parameters[k]! -= (this.#rate * slope) / Math.sqrt(this.#squares[k]!);
      this.#gradient[k] = 0;
    }
  }
}

/** Labels sentences by a network. Serves one caller at a time. @throws RangeError when the model does not fit together */
export function createNeuralLabeller(model: NeuralModel): { label(sentence: Sentence): string[] } {
  const input = new NeuralInput(model.input);
  const network = networkOf(model.shape, input.sizes, model.labels.length);
  if (network.size !== model.parameters.length) {
    throw new RangeError(`expected ${network.size} parameters, got ${model.parameters.length}`);
  }
  return {
    label: (sentence) => {
      if (sentence.length === 0) return [];
      return Array.from(network.decode(model.parameters, input.read(sentence)), (y) => model.labels[y]!);
    },
  };
}
