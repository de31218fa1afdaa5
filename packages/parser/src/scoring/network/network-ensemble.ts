import type { Matrix, RowPair } from "@arcwise/neural";
import type { ArcNetwork, NetworkInput, Trace } from "./arc-network.ts";
import type { ColumnTrace } from "./column-layers.ts";

/** A network besides the first one. */
interface Member {
  readonly network: ArcNetwork;
  /** Offset at which the memory of a reading begins. */
  readonly mark: number;
}

/**
 * Networks whose scores are averaged, as if they were one: the mean of scores is the geometric mean of the
 * probabilities, but for a constant a word. Results are in the memory of the first one.
 */
export class NetworkEnsemble {
  readonly #first: ArcNetwork;
  readonly #others: readonly Member[];
  /** The traces of the other networks. */
  #traces: readonly Trace[] = [];

  /** @param networks of the same shape, at least one */
  constructor([first, ...others]: readonly ArcNetwork[]) {
    if (first === undefined) throw new RangeError("expected at least one network");
    this.#first = first;
    this.#others = others.map((network) => ({ network, mark: network.memory.mark }));
  }

  /** The memory of the results. */
  get memory(): ArcNetwork["memory"] {
    return this.#first.memory;
  }

  get shape(): ArcNetwork["shape"] {
    return this.#first.shape;
  }

  /** Reads sentences. The results stay in memory until it is released. */
  read(input: NetworkInput): Trace {
    const trace = this.#first.read(input);
    this.#traces = this.#others.map(({ network, mark }) => {
      network.memory.release(mark);
      return network.read(input);
    });
    for (const [s, { scores, length }] of trace.sentences.entries()) {
      this.#average(scores, length * scores.row, (other) => other.sentences[s]!.scores);
    }
    return trace;
  }

  /** Scores of columns, see `ArcNetwork.columnScores`, of the last sentences that were read. */
  columnScores(trace: Trace): ColumnTrace[] {
    const columns = this.#first.columnScores(trace);
    const others = this.#others.map(({ network }, k) => network.columnScores(this.#traces[k]!));
    for (const [c, { scores }] of columns.entries()) {
      const { outputs, rows } = scores;
      const ofOther = (other: Trace) => others[this.#traces.indexOf(other)]![c]!.scores.outputs;
      this.#average(outputs, rows * outputs.row, ofOther);
    }
    return columns;
  }

  /** Scores of the labels of arcs, see `ArcNetwork.labelScores`, of the last sentences that were read. */
  labelScores(trace: Trace, arcs: readonly RowPair[]): Matrix {
    const scores = this.#first.labelScores(trace, arcs);
    const marks = this.#others.map(({ network }) => network.memory.mark);
    this.#average(scores, arcs.length * scores.row, (other, { network }) => network.labelScores(other, arcs));
    for (const [k, { network }] of this.#others.entries()) network.memory.release(marks[k]!);
    return scores;
  }

  /** Replaces scores by the mean of them and those of the other networks. */
  #average(scores: Matrix, length: number, of: (trace: Trace, member: Member) => Matrix): void {
    if (this.#others.length === 0) return;
    const { values } = this.memory;
    const share = 1 / (1 + this.#others.length);
    for (const [k, member] of this.#others.entries()) {
      const { at } = of(this.#traces[k]!, member);
      const own = member.network.memory.values;
      for (let i = 0; i < length; i++) values[scores.at + i]! += own[at + i]!;
    }
    for (let i = 0; i < length; i++) values[scores.at + i]! *= share;
  }
}
