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

/** The labels that are learned before all else: of arcs (layer 0), and of each column. */
export class NewLabels {
  readonly #layers: readonly ReadonlySet<number>[];
  /** Offsets of the weights and biases of new labels among the parameters. */
  readonly #entries: Int32Array;

  /** @param layers numbers of the new labels of each layer */
  constructor(shape: NetworkShape, layers: readonly ReadonlySet<number>[]) {
    const { labels, columns } = layersAt(0, shape);
    this.#layers = layers;
    this.#entries = Int32Array.from(
      [labels, ...columns].flatMap(({ scores: { weights, bias, inputs } }, c) => {
        const rows = Array.from({ length: inputs }, (_, r) => weights.at + r * weights.row);
        return [...rows, bias.at].flatMap((row) => Array.from(layers[c], (label) => row + label));
      }),
    );
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  has(layer: number, label: number): boolean {
    return this.#layers[layer].has(label);
  }

  /** Adds the margins to the scores of new labels. @param labels of rows; absent: rows have no new ones */
  addMargin(values: Float32Array, layer: number, scores: Matrix, rows: number, labels?: Int32Array): void {
    for (let row = 0; row < rows; row++) {
      const at = scores.at + row * scores.row;
      for (const label of this.#layers[layer])
        values[at + label] += label === labels?.[row] ? -MARGIN.own : MARGIN.others;
    }
  }

  /** Sets all gradients but those of new labels to 0. */
  keepGradients(gradients: Float32Array): void {
    const kept = Float32Array.from(this.#entries, (at) => gradients[at]);
    gradients.fill(0);
    for (const [k, at] of this.#entries.entries()) gradients[at] = kept[k];
  }
}
