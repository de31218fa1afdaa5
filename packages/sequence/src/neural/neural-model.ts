import type { Sentence } from "@arcwise/core";
import type { SequenceTemplate } from "../features/templates.ts";
import { ChainNetwork, type PairScores } from "./chain-network.ts";
import type { LabelNetwork } from "./label-network.ts";
import { dense, type LayerFactory, lstm } from "./layers.ts";
import { NeuralInput, type NeuralInputData } from "./neural-input.ts";
import { Recurrent } from "./recurrent.ts";

/** The sizes of a network that scores labels. */
export interface NeuralShape {
  /**
   * "feed-forward": labels in a chain, exact or beam search; "lstm": the same, with a long short-term memory in
   * both directions as the hidden layer; "recurrent": greedy or beam search.
   */
  readonly kind: "feed-forward" | "lstm" | "recurrent";
  /** Templates of the network's input: one embedding each. */
  readonly templates: readonly SequenceTemplate[];
  /** Length of an embedding, a multiple of 4. Default: 16. */
  readonly embedding?: number | undefined;
  /**
   * Units of one or two hidden layers, of one for a recurrent network, of one direction for an LSTM: multiples of
   * 4. Default: [64].
   */
  readonly hidden?: readonly number[] | undefined;
  /**
   * The input of the scores of pairs of labels, in networks whose labels form a chain: "labels", a parameter
   * for each pair; "words", a vector for each pair too, multiplied with the hidden units of the second word.
   * Default: "labels".
   */
  readonly pairs?: PairScores | undefined;
  /**
   * Hypotheses of the search; 1 is greedy. Default: 1 for a recurrent network; exact search for the others.
   */
  readonly beam?: number | undefined;
}

/** A trained network. Plain data. */
export interface NeuralModel {
  readonly shape: NeuralShape;
  readonly labels: readonly string[];
  readonly input: NeuralInputData;
  readonly parameters: Float32Array;
}

/**
 * Makes the network of a shape.
 *
 * @param learning whether to allocate gradients
 */
export function networkOf(
  shape: NeuralShape,
  sizes: readonly number[],
  labels: number,
  learning: boolean,
): LabelNetwork {
  const { kind, embedding = 16, hidden = [64], pairs = "labels", beam } = shape;
  for (const width of [embedding, ...hidden]) {
    if (!(Number.isInteger(width) && width > 0 && width % 4 === 0))
      throw new RangeError(`expected a width that is a positive multiple of 4, got ${width}`);
  }
  if (kind !== "feed-forward" && kind !== "lstm" && kind !== "recurrent")
    throw new RangeError(`kind must be feed-forward, lstm or recurrent, got "${String(kind)}"`);
  const limit = kind === "feed-forward" ? 2 : 1;
  if (hidden.length < 1 || hidden.length > limit)
    throw new RangeError(`expected ${limit > 1 ? "one or two layers" : "one layer"}, got ${hidden.length}`);
  if (kind === "recurrent") {
    if (pairs === "words") throw new RangeError("a recurrent network has no scores of pairs of labels");
    return new Recurrent({ sizes, labels, embedding, hidden: hidden[0], beam: beam ?? 1 }, learning);
  }
  if (pairs !== "labels" && pairs !== "words")
    throw new RangeError(`pairs must be labels or words, got "${String(pairs)}"`);
  const widths = [sizes.length * embedding, ...hidden];
  const layers: LayerFactory[] =
    kind === "lstm"
      ? [lstm(widths[0], widths[1])]
      : hidden.map((outputs, k) => dense(widths[k], outputs, "tanh"));
  const outputs = (kind === "lstm" ? 2 : 1) * hidden.at(-1)!;
  return new ChainNetwork({ sizes, labels, embedding, layers, hidden: outputs, pairs, beam }, learning);
}

/**
 * Makes a labeller from a network. Not for concurrent use.
 *
 * @throws RangeError when the parts of the model do not fit each other
 */
export function createNeuralLabeller(model: NeuralModel): { label(sentence: Sentence): string[] } {
  const input = new NeuralInput(model.input);
  const network = networkOf(model.shape, input.sizes, model.labels.length, false);
  const { size } = network.parameters;
  if (size !== model.parameters.length) {
    throw new RangeError(`expected ${size} parameters, got ${model.parameters.length}`);
  }
  network.parameters.values.set(model.parameters);
  return {
    label: (sentence) => {
      if (sentence.length === 0) return [];
      return Array.from(network.decode(input.read(sentence)), (y) => model.labels[y]);
    },
  };
}
