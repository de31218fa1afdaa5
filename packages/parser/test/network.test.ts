import { random } from "@arcwise/core";
import { toHalves } from "@arcwise/core/encoders";
import {
  type EncoderDropout,
  type Matrix,
  MatrixMemory,
  rowsOf,
  sentenceBatch,
  softmaxLosses,
} from "@arcwise/neural";
import { describe, expect, test } from "vitest";
import { ArcNetwork, type NetworkInput } from "../src/scoring/network/arc-network.ts";
import { LearningNetwork } from "../src/training/learning-network.ts";
import { headLoss } from "../src/training/tree-network-jobs.ts";
import { naiveScores } from "./network-oracle.ts";

describe("a network", () => {
  /** Three sentences of different lengths, with features at random. */
  function example(features: number, seed: number): { input: NetworkInput; heads: Int32Array[] } {
    const stream = random(seed);
    const batch = sentenceBatch([5, 3, 2]);
    const rows = Array.from({ length: 10 }, () =>
      Array.from({ length: 1 + stream.int(3) }, () => stream.int(features)),
    );
    const start = Int32Array.from([0, ...rows.map((_, r) => rows.slice(0, r + 1).flat().length)]);
    const heads = batch.lengths.map((length) =>
      Int32Array.from({ length }, (_, m) => (m === 0 ? -1 : (m + 1 + stream.int(length - 1)) % length)),
    );
    return { input: { batch, start, features: Int32Array.from(rows.flat()) }, heads };
  }

  /** Rows of the head and the modifier of each arc. */
  function arcsOf({ batch: { start } }: NetworkInput, heads: Int32Array[]) {
    return heads.flatMap((own, s) =>
      Array.from(own.subarray(1), (h, k) => ({ first: start[h]! + s, second: start[k + 1]! + s })),
    );
  }

  const LABELS = 3;
  const gold = Int32Array.from([0, 2, -1, 1, 1, 2, 0]);

  function lossOf(
    network: LearningNetwork,
    input: NetworkInput,
    heads: Int32Array[],
    rates: () => EncoderDropout,
  ): number {
    let loss = 0;
    network.learn(input, rates(), arcsOf(input, heads), {
      heads: (s, scores, gradients) => {
        loss += headLoss(network.memory.values, heads[s]!, scores, gradients);
      },
      labels: (scores, gradients) => {
        loss += softmaxLosses(network.memory.values, scores, gradients, gold, LABELS);
      },
      column: (c, scores, gradients) => {
        const { labels } = network.shape.columns![c]!;
        const wanted = Int32Array.from({ length: 10 }, (_, r) => (r < 3 ? -1 : (r * (c + 2)) % labels));
        loss += softmaxLosses(network.memory.values, scores, gradients, wanted, labels);
      },
    });
    return loss;
  }

  /** A column whose labels have parts, and one whose labels have none. */
  const COLUMNS = [
    { labels: 4, parts: [[0], [0, 1], [], [1]] },
    { labels: 2, parts: [] },
  ];

  /** Given vectors of three words. */
  const VECTORS = {
    dimension: 3,
    words: ["a", "b", "c"],
    values: Int8Array.from([100, -50, 20, 0, 0, 127, -70, 70, -70]),
    scales: Float32Array.from([0.01, 0.008, 0.009]),
  };

  /** An encoder of five numbers per word, and its vectors for the ten rows of the example. */
  const ENCODER = {
    ...{ name: "toy", width: 5, fingerprint: "toy" },
    means: Float32Array.from([0, 1, 0, -1, 0.5]),
    scales: Float32Array.from([1, 0.5, 2, 1, 0.25]),
  };
  const encoded = Array.from({ length: 10 }, (_, row) =>
    row < 3
      ? undefined
      : toHalves(Float32Array.from({ length: 5 }, (_, d) => ((row * 7 + d * 3) % 11) / 4 - 1)),
  );

  test.each([
    { rate: 0, columns: undefined },
    { rate: 0.4, columns: undefined },
    { rate: 0.4, columns: COLUMNS },
    { rate: 0.4, columns: undefined, vectors: VECTORS },
    { rate: 0.4, columns: COLUMNS, vectors: VECTORS, embeddingUnits: 4, hiddenUnits: 12 },
    { rate: 0.4, columns: COLUMNS, firstLayerColumns: true },
    { rate: 0.4, columns: undefined, encoder: ENCODER },
    { rate: 0.4, columns: COLUMNS, vectors: VECTORS, encoder: ENCODER, embeddingUnits: 4 },
  ])("has the gradient of its loss: $rate dropped, columns $columns, $vectors", (given) => {
    const { rate, columns, vectors, ...widths } = { vectors: undefined, encoder: undefined, ...given };
    const shape = { features: 6, units: 8, ...widths, labels: LABELS, columns, vectors };
    const network = new LearningNetwork(new MatrixMemory(), shape);
    // With this seed no unit of a leaky ReLU is at 0.
    network.initialize(vectors ? 7 : 5);
    // Larger weights than those of the beginning, so that no gradient drowns in the rounding of 32 bits.
    for (let i = 0; i < network.parameters.size; i++) network.parameters.values[i]! *= 1.5;
    const { input: features, heads } = example(6, 3);
    const input = { ...features, vectors: Int32Array.from([0, 1, 2, 3, 0, 1, 2, 3, 1, 1]), encoded };
    const dropout = () => ({ inputs: rate, layers: rate, stream: random(11) });
    lossOf(network, input, heads, dropout);
    const gradient = network.parameters.gradients.slice();
    const stream = random(1);
    let compared = 0;
    for (let k = 0; k < 600; k++) {
      const i = k < 100 ? network.parameters.size - 1 - k : stream.int(network.parameters.size);
      const was = network.parameters.values[i]!;
      const width = 5e-4;
      network.parameters.values[i] = was + width;
      const above = lossOf(network, input, heads, dropout);
      network.parameters.values[i] = was - width;
      const below = lossOf(network, input, heads, dropout);
      network.parameters.values[i] = was;
      const difference = (above - below) / (2 * width);
      expect(Math.abs(difference - gradient[i]!)).toBeLessThan(2e-3 + 0.01 * Math.abs(difference));
      if (Math.abs(difference) > 0.01) compared++;
    }
    expect(compared).toBeGreaterThan(100);
  });

  test("scores the labels of columns alike when it is finished", () => {
    const scoresOf = (finish: boolean) => {
      const shape = { features: 6, units: 8, labels: LABELS, columns: COLUMNS };
      const network = new ArcNetwork(new MatrixMemory(), shape, false);
      network.initialize(7);
      if (finish) network.finish();
      const trace = network.read(example(6, 8).input);
      const columns = network.columnScores(trace.states, rowsOf(trace.batch));
      return columns.map(({ scores: { outputs } }, c) =>
        Array.from({ length: 10 * COLUMNS[c]!.labels }, (_, k) => {
          const [row, label] = [k % 10, Math.floor(k / 10)];
          return network.memory.values[outputs.at + row * outputs.row + label]!;
        }),
      );
    };
    const [before, after] = [scoresOf(false), scoresOf(true)];
    for (const [c, scores] of before.entries()) {
      for (const [k, score] of scores.entries()) expect(after[c]![k]).toBeCloseTo(score, 5);
    }
  });

  test.each([{}, { embeddingUnits: 4 }, { hiddenUnits: 12 }])(
    "scores as its formulas do, word by word: %o",
    (widths) => {
      const shape = { features: 6, units: 8, ...widths, labels: LABELS };
      const network = new ArcNetwork(new MatrixMemory(), shape, false);
      network.initialize(7);
      // Biases of 0 would show nothing.
      const stream = random(2);
      for (let i = 0; i < network.parameters.size; i++)
        network.parameters.values[i]! += 0.3 * stream.normal();
      const { input } = example(6, 8);
      const trace = network.read(input);
      const { lengths, start } = input.batch;
      const { values } = network.memory;
      for (const [s, length] of lengths.entries()) {
        const rows = Array.from({ length }, (_, t) => start[t]! + s);
        const naive = naiveScores(
          network,
          rows.map((r) => [...input.features.subarray(input.start[r]!, input.start[r + 1]!)]),
        );
        const { scores } = trace.sentences[s]!;
        for (let m = 1; m < length; m++) {
          for (let h = 0; h < length; h++) {
            expect(values[scores.at + m * scores.row + h]).toBeCloseTo(naive.head(h, m), 4);
            const labelRow = network.labelScores(trace.labels, [{ first: rows[h]!, second: rows[m]! }]);
            for (const [l, score] of naive.labels(h, m).entries()) {
              expect(network.memory.values[labelRow.at + l]).toBeCloseTo(score, 4);
            }
          }
        }
      }
    },
  );

  test.each([
    [false, undefined],
    [true, undefined],
    [false, ENCODER],
    [true, ENCODER],
  ])("reads words that it knows as it reads their features: finished %s, %j", (finish, encoder) => {
    const shape = { features: 6, units: 8, hiddenUnits: 4, labels: LABELS, encoder };
    const network = new ArcNetwork(new MatrixMemory(), shape, false);
    network.initialize(5);
    if (finish) network.finish();
    network.reserve(30);
    const { input } = example(6, 3);
    const { start, features, batch } = input;
    // The words of the rows in the opposite order, in two parts.
    const own = (rows: number[]) => rows.map((r) => features.subarray(start[r]!, start[r + 1]!));
    const know = (rows: number[], first: number) => {
      const words = own(rows);
      const ends = words.map((_, k) => words.slice(0, k + 1).reduce((sum, word) => sum + word.length, 0));
      const given = {
        start: Int32Array.from([0, ...ends]),
        features: Int32Array.from(words.flatMap((w) => [...w])),
      };
      network.know(given, first);
    };
    know([9, 8, 7, 6, 5, 4], 3);
    know([3, 2, 1, 0], 9);
    const entries = Int32Array.from({ length: 10 }, (_, r) => 12 - r);
    const scores = ({ sentences }: ReturnType<ArcNetwork["read"]>) =>
      sentences.map(({ scores: { at, row }, length }) => network.memory.values.slice(at, at + length * row));
    const expected = scores(network.read({ ...input, encoded }));
    expect(scores(network.read({ batch, entries, encoded }))).toEqual(expected);
    if (encoder === undefined) return;
    const others = encoded.with(4, encoded[5]);
    expect(scores(network.read({ batch, entries, encoded: others }))).not.toEqual(expected);
  });

  test("scores each sentence of a batch as it does alone", () => {
    const network = new ArcNetwork(new MatrixMemory(), { features: 6, units: 8, labels: LABELS }, false);
    network.initialize(5);
    const { input } = example(6, 3);
    const { memory } = network;
    const numbers = ({ at, row }: Matrix, rows: number) => [...memory.values.subarray(at, at + row * rows)];
    const together = network.read(input);
    const { lengths, start } = input.batch;
    for (const [s, length] of lengths.entries()) {
      const rows = Array.from({ length }, (_, t) => start[t]! + s);
      const features = rows.map((r) => [...input.features.subarray(input.start[r]!, input.start[r + 1]!)]);
      const own = Int32Array.from([0, ...features.map((_, t) => features.slice(0, t + 1).flat().length)]);
      const alone = network.read({
        batch: sentenceBatch([length]),
        start: own,
        features: Int32Array.from(features.flat()),
      });
      expect(numbers(alone.sentences[0]!.scores, length)).toEqual(
        numbers(together.sentences[s]!.scores, length),
      );
      expect(numbers(network.labelScores(alone.labels, [{ first: 0, second: 1 }]), 1)).toEqual(
        numbers(network.labelScores(together.labels, [{ first: rows[0]!, second: rows[1]! }]), 1),
      );
    }
  });
});
