import {
  gatherSentence,
  type Matrix,
  type MatrixMemory,
  matrix,
  type RowPair,
  rowsOf,
  type SentenceBatch,
  sequenceRows,
} from "@arcwise/neural";
import type { ArcNetwork, KnownInput, NetworkInput, WordInput } from "./arc-network.ts";

/** Outputs of one network for the words of one sentence, a row for each position. */
interface MemberStates {
  /** Contributions of a word to the units of an arc, as its head and as its modifier: `units` columns. */
  readonly heads: Float32Array;
  readonly modifiers: Float32Array;
}

/** Hidden units from which columns of the sentences of a batch are predicted. It owns its memory. */
interface BatchColumns {
  /** Number of rows of the batch. */
  readonly count: number;
  /** The states of each network, 2 `units` columns in each row of the batch; empty once the scores are known. */
  states: readonly Float32Array[];
  /** Scores of the labels of each column in each row of the batch; undefined until they are asked for. */
  scores: readonly LabelScores[] | undefined;
}

/** The output of the networks for one sentence of n words. It owns its memory. */
export interface EnsembleReading {
  /** n + 1 positions. */
  readonly length: number;
  /** The score of head h for modifier m at `m length + h`, averaged over the networks. */
  readonly arcs: Float32Array;
  readonly members: readonly MemberStates[];
  /** Shared by the sentences of a batch, and the row of each position there. */
  readonly columns: BatchColumns;
  readonly rows: Int32Array;
}

/** Scores of labels: the score of label l in row r is at `r row + l`. */
export interface LabelScores {
  readonly values: Float32Array;
  readonly row: number;
}

/** A network, and the offset at which its scratch memory begins. */
interface Member {
  readonly network: ArcNetwork;
  readonly mark: number;
}

/** A member with its states of a sentence. */
type Loaded = MemberStates & { readonly network: ArcNetwork };

/**
 * Networks whose scores are averaged, as if they were one: the mean of scores is the geometric mean of the
 * probabilities, but for a constant per word.
 */
export class NetworkEnsemble {
  readonly #members: readonly Member[];

  /** @param networks of the same shape, at least one */
  constructor(networks: readonly ArcNetwork[]) {
    if (networks.length === 0) throw new RangeError("expected at least one network");
    this.#members = networks.map((network) => ({ network, mark: network.memory.mark }));
  }

  get shape(): ArcNetwork["shape"] {
    return this.#members[0].network.shape;
  }

  /** Computes what depends on words alone: see `ArcNetwork.know`. */
  know(words: WordInput, first: number): void {
    if (words.start.length === 1) return;
    for (const { network, mark } of this.#members) {
      network.memory.release(mark);
      network.know(words, first);
    }
  }

  /** Reads the sentences of a batch, in its order. O(n units² + n² units) per sentence and network. */
  read(input: NetworkInput | KnownInput): EnsembleReading[] {
    const { batch } = input;
    const found = this.#members.map(({ network, mark }) => {
      network.memory.release(mark);
      return readMember(network, input);
    });
    const columns = { count: rowsOf(batch), states: found.map(({ columns }) => columns), scores: undefined };
    return batch.lengths.map((length, s) => ({
      length,
      arcs: mean(found.map(({ arcs }) => arcs[s])),
      members: found.map(({ states }) => states[s]),
      columns,
      rows: sequenceRows(batch, s),
    }));
  }

  /**
   * Scores the labels of each column in all rows of the batch of a reading, once. O(rows units labels) at the first call
   * for a batch.
   */
  columnScores({ columns }: Pick<EnsembleReading, "columns">): readonly LabelScores[] {
    columns.scores ??= this.#columnScores(columns);
    columns.states = [];
    return columns.scores;
  }

  #columnScores({ count, states }: BatchColumns): LabelScores[] {
    const found = this.#members.map(({ network, mark }, k) => {
      const { memory } = network;
      memory.release(mark);
      const traces = network.columnScores(load(memory, states[k], count), count);
      return traces.map(({ scores }) => copyOf(memory, scores.outputs, count));
    });
    return found[0].map(({ row }, c) => ({ values: mean(found.map((own) => own[c].values)), row }));
  }

  /**
   * Scores the labels of arcs: a row each, in their order. O(arcs units labels).
   *
   * @param arcs positions of head and modifier
   */
  labelScores(reading: EnsembleReading, arcs: readonly RowPair[]): LabelScores {
    const found = this.#each(reading, ({ network, heads, modifiers }) => {
      const { memory } = network;
      const first = load(memory, heads, reading.length);
      const second = load(memory, modifiers, reading.length);
      return copyOf(memory, network.labelScores({ first, second }, arcs), arcs.length);
    });
    return { values: mean(found.map(({ values }) => values)), row: found[0].row };
  }

  #each<T>({ members }: EnsembleReading, compute: (of: Loaded) => T): T[] {
    return this.#members.map(({ network, mark }, k) => {
      network.memory.release(mark);
      return compute({ ...members[k], network });
    });
  }
}

/** Returns the reading of a sentence whose blocks of words were read one by one. It scores labels, not arcs. */
export function joinReadings(blocks: readonly EnsembleReading[]): EnsembleReading {
  const members = blocks[0].members.map((_, k) => {
    // The root of the first block is the root of the sentence.
    const rows = (name: keyof MemberStates) =>
      Float32Array.from(
        blocks.flatMap(({ length, members: own }, b) => {
          const states = own[k][name];
          return [...states.subarray(b === 0 ? 0 : states.length / length)];
        }),
      );
    return { heads: rows("heads"), modifiers: rows("modifiers") };
  });
  const length = 1 + blocks.reduce((sum, block) => sum + block.length - 1, 0);
  const columns = { count: 0, states: [], scores: [] };
  return { length, arcs: new Float32Array(0), members, columns, rows: new Int32Array(length) };
}

/** Reads a batch by one network: the scores of arcs, and the states of each sentence. */
function readMember(network: ArcNetwork, input: NetworkInput | KnownInput) {
  const { memory, shape } = network;
  const { batch } = input;
  const trace = network.read(input);
  const hasColumns = (shape.columns ?? []).length > 0;
  const { columnStates } = trace;
  return {
    arcs: trace.sentences.map(({ scores, length }) => {
      const arcs = new Float32Array(length * length);
      for (let m = 0; m < length; m++) copyRow(memory.values, scores.at + m * scores.row, arcs, m, length);
      return arcs;
    }),
    states: batch.lengths.map((_, s): MemberStates => {
      const rows = (from: Matrix) => sentenceRows(memory, batch, from, s);
      return { heads: rows(trace.labels.first), modifiers: rows(trace.labels.second) };
    }),
    columns: hasColumns
      ? memory.values.slice(columnStates.at, columnStates.at + rowsOf(batch) * columnStates.row)
      : new Float32Array(0),
  };
}

/** Copies the rows of one sentence of a batch. */
function sentenceRows(memory: MatrixMemory, batch: SentenceBatch, from: Matrix, s: number): Float32Array {
  const { mark } = memory;
  const { at, row } = gatherSentence(memory, batch, from, s);
  const rows = memory.values.slice(at, at + batch.lengths[s] * row);
  memory.release(mark);
  return rows;
}

function copyRow(values: Float32Array, from: number, into: Float32Array, row: number, columns: number): void {
  const at = row * columns;
  for (let k = 0; k < columns; k++) into[at + k] = values[from + k];
}

/** Allocates a matrix with the given rows. */
function load(memory: MatrixMemory, rows: Float32Array, length: number): Matrix {
  const { at, row } = memory.unsetMatrix(length, rows.length / length);
  memory.values.set(rows, at);
  return matrix(at, row);
}

function copyOf(memory: MatrixMemory, { at, row }: Matrix, rows: number): LabelScores {
  return { values: memory.values.slice(at, at + rows * row), row };
}

/** Replaces the first of some arrays by their mean. */
function mean([first, ...others]: readonly Float32Array[]): Float32Array {
  const sum = first!;
  if (others.length === 0) return sum;
  const share = 1 / (1 + others.length);
  for (const other of others) for (let i = 0; i < sum.length; i++) sum[i] += other[i];
  for (let i = 0; i < sum.length; i++) sum[i] *= share;
  return sum;
}
