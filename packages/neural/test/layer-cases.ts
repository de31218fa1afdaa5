import { type Random, random } from "@arcwise/core";
import {
  addRows,
  biaffineLayer,
  copyRows,
  denseLayer,
  elmanLayer,
  embeddingLayer,
  encoderLayers,
  type Matrix,
  MatrixMemory,
  matrix,
  Parameters,
  padded,
  pairLayer,
  rowFrom,
  sentenceBatch,
} from "@arcwise/neural";
import type { Activation } from "../src/layers/dense.ts";
import { type Batched, naive, type Rows } from "./naive-layers.ts";

/** Widths and sequences for the test of a layer. */
export interface Sizes {
  readonly inputs: number;
  readonly units: number;
  /** Lengths of the sequences, descending. */
  readonly lengths: readonly number[];
  readonly seed: number;
}

/** A layer with random parameters and inputs. */
export interface LayerCase {
  readonly memory: MatrixMemory;
  readonly parameters: Parameters;
  /** Rows of inputs; a layer without inputs (embeddings) has none. */
  readonly inputs: Matrix;
  readonly inputRows: number;
  forward(): LayerRun;
  /** The outputs of the last run by plain loops in 64 bits. */
  expected(): Rows;
  /** First output row whose gradient counts. */
  readonly firstRow?: number;
}

/** The outputs of a run of a layer. */
interface LayerRun {
  readonly outputs: Matrix;
  readonly rows: number;
  /** Adds gradients of parameters and inputs, given the gradients of the outputs. */
  backward(outputs: Matrix, inputs: Matrix): void;
}

type Factory = (sizes: Sizes) => LayerCase;

/** Makes the common parts of cases: parameters, inputs, and random values for both. */
function setUp({ inputs: columns, lengths, seed }: Sizes, size: number) {
  const memory = new MatrixMemory();
  const stream = random(seed);
  const batch = sentenceBatch(lengths);
  const inputRows = batch.start.at(-1)!;
  const parameters = new Parameters(memory, size, true);
  const inputs = memory.matrix(inputRows, columns);
  for (let i = 0; i < size; i++) parameters.values[i] = 0.4 * stream.normal();
  for (let i = 0; i < inputRows * columns; i++) memory.values[inputs.at + i] = 0.5 * stream.normal();
  const read = ({ at, row }: Matrix, count: number, width: number): Rows =>
    Array.from({ length: count }, (_, r) =>
      Array.from({ length: width }, (_, c) => memory.values[at + r * row + c]),
    );
  const batched: Batched = { lengths, row: (t, s) => batch.start[t] + s };
  const { first, gradient } = parameters;
  return { memory, stream, batch, parameters, first, gradient, inputs, inputRows, read, batched };
}

/** Moves biases away from 0, so that no finite difference steps over the kink of a ReLU. */
function awayFromKinks(values: Float32Array, { at }: Matrix, length: number, stream: Random): void {
  for (let i = at; i < at + length; i++) values[i] = stream.int(2) === 0 ? -8 : 8;
}

const dense =
  (activation: Activation): Factory =>
  (sizes) => {
    const own = setUp(sizes, denseLayer.size(sizes.inputs, sizes.units));
    const { memory, stream, inputs: x, inputRows: rows, read } = own;
    const shape = denseLayer.at(own.first, sizes.inputs, sizes.units, activation);
    if (activation === "leaky-relu") awayFromKinks(memory.values, shape.bias, sizes.units, stream);
    return {
      ...own,
      forward() {
        const trace = denseLayer.forward(memory, shape, x, rows);
        const backward = (outputs: Matrix, inputs: Matrix) =>
          denseLayer.backward(memory, shape, trace, { outputs, inputs, parameters: own.gradient });
        return { outputs: trace.outputs, rows, backward };
      },
      expected: () =>
        naive.dense(
          read(x, rows, sizes.inputs),
          read(shape.weights, sizes.inputs, sizes.units),
          read(shape.bias, 1, sizes.units)[0],
          activation,
        ),
    };
  };

const elman: Factory = (sizes) => {
  const { units } = sizes;
  const own = setUp(sizes, elmanLayer.size(sizes.inputs, units));
  const { memory, inputs: x, inputRows: rows, read } = own;
  const shape = elmanLayer.at(own.first, sizes.inputs, units);
  return {
    ...own,
    forward() {
      const trace = elmanLayer.forward(memory, shape, own.batch, x);
      const backward = (states: Matrix, inputs: Matrix) =>
        elmanLayer.backward(memory, shape, trace, { states, inputs, parameters: own.gradient });
      return { outputs: trace.states, rows, backward };
    },
    expected: () =>
      naive.elman(own.batched, read(x, rows, sizes.inputs), {
        input: read(shape.input, sizes.inputs, units),
        state: read(shape.state, units, units),
        bias: read(shape.bias, 1, units)[0],
      }),
  };
};

/** Two layers of long short-term memories in both directions, with dropout at a rate. */
const encoder =
  (rate: number): Factory =>
  (sizes) => {
    const { units, seed } = sizes;
    const widths = { inputs: sizes.inputs, units, layers: 2 };
    const own = setUp(sizes, encoderLayers.size(widths));
    const { memory, inputs: x, inputRows: rows, read } = own;
    const shape = encoderLayers.at(own.first, widths);
    let factors: readonly Matrix[];
    const expectedLayer = (below: Rows, layer: number): Rows => {
      const [forward, backward] = shape.layers[layer].map(({ input, state, bias, backward: isBackward }) => {
        const weights = {
          input: read(input, below[0].length, 4 * units),
          state: read(state, units, 4 * units),
          bias: read(bias, 1, 4 * units)[0],
        };
        return naive.lstm(own.batched, below, weights, isBackward);
      });
      return forward!.map((row, r) => [...row, ...backward![r]]);
    };
    const dropped = (values: Rows, layer: number) => {
      const columns = values[0].length;
      const kept = read(matrix(factors[layer].at, columns), rows, columns);
      return values.map((row, r) => row.map((value, k) => value * kept[r][k]));
    };
    return {
      ...own,
      forward() {
        // Dropout changes its inputs.
        const given = memory.matrix(rows, sizes.inputs);
        copyRows(memory.values, given, x, rows, sizes.inputs);
        const rates = { inputs: rate, layers: rate, stream: random(seed) };
        const trace = encoderLayers.forward(memory, shape, own.batch, given, rates);
        factors = trace.factors;
        const backward = (states: Matrix, inputs: Matrix) => {
          const gradients = { states, parameters: own.gradient };
          const found = encoderLayers.backward(memory, shape, trace, gradients);
          addRows(memory.values, inputs, found, rows, sizes.inputs);
        };
        return { outputs: trace.states.at(-1)!, rows, backward };
      },
      expected: () =>
        [0, 1].reduce(
          (below, layer) => dropped(expectedLayer(below, layer), layer + 1),
          dropped(read(x, rows, sizes.inputs), 0),
        ),
    };
  };

/** Heads are the inputs; modifiers are the same rows in reverse order. */
const biaffine: Factory = ({ units, lengths, seed }) => {
  const length = lengths[0];
  const own = setUp({ inputs: units, units, lengths: [length], seed }, biaffineLayer.size(units));
  const { memory, inputs: x, read } = own;
  const shape = biaffineLayer.at(own.first, units);
  const order = Array.from({ length }, (_, m) => length - 1 - m);
  return {
    ...own,
    firstRow: 1,
    forward() {
      const reversed = memory.matrix(length, units);
      for (const [m, h] of order.entries())
        copyRows(memory.values, rowFrom(reversed, m), rowFrom(x, h), 1, units);
      const trace = biaffineLayer.forward(memory, shape, x, reversed, length);
      const backward = (scores: Matrix, heads: Matrix) => {
        const modifiers = memory.matrix(length, units);
        const gradients = { scores, heads, modifiers, parameters: own.gradient };
        biaffineLayer.backward(memory, shape, trace, gradients);
        for (const [m, h] of order.entries())
          addRows(memory.values, rowFrom(heads, h), rowFrom(modifiers, m), 1, units);
      };
      return { outputs: trace.scores, rows: length, backward };
    },
    expected() {
      const heads = read(x, length, units);
      return naive.biaffine(
        heads,
        order.map((h) => heads[h]),
        {
          weights: read(shape.weights, units, units),
          head: read(shape.head, 1, units)[0],
          distance: read(shape.distance, 1, 63)[0],
        },
        padded(length),
      );
    },
  };
};

const pairs: Factory = (sizes) => {
  const { units } = sizes;
  const own = setUp(sizes, pairLayer.size(sizes.inputs, units));
  const { memory, stream, inputs: x, inputRows: rows, read } = own;
  const shape = pairLayer.at(own.first, sizes.inputs, units);
  awayFromKinks(memory.values, shape.bias, units, stream);
  const list = Array.from({ length: 1 + stream.int(6) }, () => ({
    first: stream.int(rows),
    second: stream.int(rows),
  }));
  return {
    ...own,
    forward() {
      const inputs = pairLayer.inputs(memory, shape, x, rows);
      const outputs = pairLayer.forward(memory, shape, inputs, list);
      const trace = { inputs, pairs: list, outputs };
      const backward = (gradients: Matrix, states: Matrix) =>
        pairLayer.backward(memory, shape, trace, { outputs: gradients, states, parameters: own.gradient });
      return { outputs, rows: list.length, backward };
    },
    expected: () =>
      naive.pairs(
        read(x, rows, sizes.inputs),
        list.map(({ first, second }) => [first, second]),
        {
          first: read(shape.first, sizes.inputs, units),
          second: read(shape.second, sizes.inputs, units),
          bias: read(shape.bias, 1, units)[0],
        },
      ),
  };
};

const embedding: Factory = (sizes) => {
  const { units } = sizes;
  const entries = 5;
  const own = setUp(sizes, embeddingLayer.size(entries, units));
  const { memory, stream, inputRows: rows } = own;
  const shape = embeddingLayer.at(own.first, entries, units);
  const lists = Array.from({ length: rows }, () =>
    Array.from({ length: stream.int(4) }, () => stream.int(entries)),
  );
  const start = Int32Array.from([0, ...lists.map((_, r) => lists.slice(0, r + 1).flat().length)]);
  const lookups = { start, entries: Int32Array.from(lists.flat()) };
  return {
    ...own,
    inputRows: 0,
    forward() {
      const into = memory.matrix(rows, units);
      embeddingLayer.forward(memory, shape, lookups, into);
      const backward = (outputs: Matrix) =>
        embeddingLayer.backward(memory, shape, lookups, { outputs, parameters: own.gradient });
      return { outputs: into, rows, backward };
    },
    expected: () => naive.embedding(lists, own.read(shape.table, entries, units)),
  };
};

export const layerCases: Readonly<Record<string, Factory>> = {
  embedding,
  "dense, linear": dense("none"),
  "dense, leaky ReLU": dense("leaky-relu"),
  "dense, tanh": dense("tanh"),
  elman,
  encoder: encoder(0),
  "encoder, with dropout": encoder(0.3),
  biaffine,
  pairs,
};
