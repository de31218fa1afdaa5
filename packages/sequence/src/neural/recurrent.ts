import {
  type BatchLoss,
  copyRows,
  logSumExponentials,
  type Matrix,
  padded,
  rowFrom,
  softmaxLosses,
} from "@arcwise/neural";
import { LabelNetwork, type NetworkShape } from "./label-network.ts";
import { dense, elman } from "./layers.ts";

/**
 * A recurrent scorer (Elman 1990): the state after a position is a function of embeddings of the words there,
 * of the previous label and of the previous state, and determines a probability for each label. A state
 * depends on all earlier labels, which rules out exact search: labels are chosen greedily, or by a beam.
 * Trained by the log-likelihood of gold labels after gold labels, with back-propagation through time.
 *
 * O(n weights) per sentence; decoding O(n beam weights).
 */
export class Recurrent extends LabelNetwork {
  readonly #templates: number;
  /** As the previous label, this number stands for the beginning. */
  readonly #labels: number;
  readonly #beam: number;
  readonly #hidden: number;

  constructor(shape: NetworkShape & { readonly hidden: number; readonly beam: number }, learning: boolean) {
    const { sizes, labels, embedding, hidden, beam } = shape;
    if (!Number.isInteger(beam) || beam < 1)
      throw new RangeError(`beam must be an integer >= 1, got ${beam}`);
    const tables = [...sizes, labels + 1];
    const layers = [elman(tables.length * embedding, hidden), dense(hidden, padded(labels), "none")];
    super(tables, embedding, layers, 0, learning);
    this.#templates = sizes.length;
    this.#labels = labels;
    this.#beam = beam;
    this.#hidden = hidden;
  }

  learn(rows: Int32Array, gold: Int32Array): BatchLoss {
    const { memory } = this.parameters;
    const mark = memory.mark;
    const entries = this.#entriesAfter(
      rows,
      Array.from(gold, (_, i) => ({ i, label: i > 0 ? gold[i - 1] : this.#labels })),
    );
    const { outputs, backward } = this.forward(entries);
    const gradients = memory.matrix(gold.length, outputs.row);
    const loss = softmaxLosses(memory.values, outputs, gradients, gold, this.#labels);
    backward(gradients);
    memory.release(mark);
    return { loss, count: 1, rows: entries };
  }

  /** Returns the entries that positions i look up, each after a label. */
  #entriesAfter(
    rows: Int32Array,
    places: readonly { readonly i: number; readonly label: number }[],
  ): Int32Array {
    const T = this.#templates;
    return this.entriesOf(
      Int32Array.from(places.flatMap(({ i, label }) => [...rows.subarray(i * T, (i + 1) * T), label])),
    );
  }

  decode(rows: Int32Array): Int32Array {
    const { memory } = this.parameters;
    const n = rows.length / this.#templates;
    const mark = memory.mark;
    let states = memory.matrix(1, this.#hidden);
    let beam: Hypothesis[] = [{ score: 0, label: this.#labels, row: 0, before: undefined }];
    for (let i = 0; i < n; i++) {
      const step = this.#step(rows, i, beam, states);
      beam = extend(memory.values, beam, step.scores, this.#labels)
        .sort((a, b) => b.score - a.score)
        .slice(0, this.#beam);
      states = step.states;
    }
    memory.release(mark);
    const found = new Int32Array(n);
    let at: Hypothesis | undefined = beam[0];
    for (let i = n - 1; i >= 0; i--, at = at!.before) found[i] = at!.label;
    return found;
  }

  /** Computes states and scores of labels at position i, one row per hypothesis. */
  #step(rows: Int32Array, i: number, beam: readonly Hypothesis[], states: Matrix) {
    const { memory } = this.parameters;
    const [state, output] = this.layers;
    const before = memory.matrix(beam.length, this.#hidden);
    for (const [b, { row }] of beam.entries())
      copyRows(memory.values, rowFrom(before, b), rowFrom(states, row), 1, this.#hidden);
    const inputs = this.embed(
      this.#entriesAfter(
        rows,
        beam.map(({ label }) => ({ i, label })),
      ),
    );
    const after = state.step!(memory, inputs, before, beam.length);
    return { states: after, scores: output.forward(memory, after, beam.length).outputs };
  }
}

/** A prefix of a labelling. */
interface Hypothesis {
  /** Logarithm of its probability. */
  readonly score: number;
  /** Its last label. */
  readonly label: number;
  /** Row of its state. */
  readonly row: number;
  readonly before: Hypothesis | undefined;
}

/** Returns every hypothesis extended by every label. */
function extend(values: Float32Array, beam: readonly Hypothesis[], scores: Matrix, labels: number) {
  return beam.flatMap((before, row) => {
    const first = scores.at + row * scores.row;
    const normaliser = logSumExponentials(values, first, labels);
    return Array.from({ length: labels }, (_, label): Hypothesis => {
      return { score: before.score + values[first + label] - normaliser, label, row, before };
    });
  });
}
