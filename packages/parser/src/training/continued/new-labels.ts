import type { EncodedSentence } from "@arcwise/core/features";
import type { Matrix } from "@arcwise/neural";
import { layersAt, type NetworkShape } from "../../scoring/network/network-layout.ts";

/**
 * How far the score of a new label must be below the score of the right one, and above it for words that have the label:
 * logarithms of odds. The new sentences have the label far more often than other texts. Chosen in docs/notes, *New labels and
 * tags*.
 */
const MARGIN = { others: 6, own: 2 };

/** Initial state of the training of a continued network. Plain data. */
export interface KnownNetwork {
  /** The number of labels of arcs that the network knows, then of each column. */
  readonly labels: readonly number[];
  readonly rehearsed: readonly EncodedSentence[];
}

/** The labels that a network did not know before it was continued: of arcs (layer 0), and of each column. */
export class NewLabels {
  /** The number of labels of each layer that were known, and of all. */
  readonly #layers: readonly { readonly known: number; readonly labels: number }[];
  /** Offsets of the weights and biases of new labels among the parameters. */
  readonly #entries: Int32Array;

  /** @param known number of known labels of each layer */
  constructor(shape: NetworkShape, known: readonly number[]) {
    const { labels, columns } = layersAt(0, shape);
    const layers = [{ scores: labels.scores, labels: shape.labels }, ...columns];
    this.#layers = layers.map(({ labels: all }, c) => ({ known: known[c]!, labels: all }));
    this.#entries = Int32Array.from(
      layers.flatMap(({ scores: { weights, bias, inputs }, labels: all }, c) => {
        const rows = Array.from({ length: inputs }, (_, r) => weights.at + r * weights.row);
        const added = Array.from({ length: all - known[c]! }, (_, k) => known[c]! + k);
        return [...rows, bias.at].flatMap((row) => added.map((label) => row + label));
      }),
    );
  }

  /** Returns the number of known labels of a layer. */
  known(layer: number): number {
    return this.#layers[layer]!.known;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Whether some of the labels of words are new. */
  has(layer: number, labels: Int32Array): boolean {
    const { known } = this.#layers[layer]!;
    return labels.some((label) => label >= known);
  }

  /** Adds the margins to the scores of new labels. @param labels of rows; absent: rows have no new ones */
  addMargin(values: Float32Array, layer: number, scores: Matrix, rows: number, labels?: Int32Array): void {
    const { known, labels: all } = this.#layers[layer]!;
    for (let row = 0; row < rows; row++) {
      const at = scores.at + row * scores.row;
      for (let label = known; label < all; label++)
        values[at + label]! += label === labels?.[row] ? -MARGIN.own : MARGIN.others;
    }
  }

  /** Sets all gradients but those of new labels to 0. */
  keepGradients(gradients: Float32Array): void {
    const kept = Float32Array.from(this.#entries, (at) => gradients[at]!);
    gradients.fill(0);
    for (const [k, at] of this.#entries.entries()) gradients[at] = kept[k]!;
  }
}
