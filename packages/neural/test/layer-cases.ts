import { type Random, random } from "@arcwise/core";
import {
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
  sentenceBatch,
} from "@arcwise/neural";
import type { Activation } from "../src/layers/dense.ts";
import { lstmAt, lstmBackward, lstmForward, lstmSize } from "../src/layers/lstm.ts";
import { addRows } from "../src/rows.ts";
import { type Batched, naive, type Rows } from "./naive-layers.ts";

/** Widths and sequences for the test of a layer. */
export interface Sizes {
  readonly inputs: number;
  readonly units: number;
  /** Lengths of the sequences, descending. */
  readonly lengths: readonly number[];
  readonly seed: number;
}

/** A layer with random parameters and inputs, ready to run forward and backward. */
export interface LayerCase {
  readonly memory: MatrixMemory;
  readonly parameters: Parameters;
  /** Rows of inputs; a layer without inputs (embeddings) has none. */
  readonly inputs: Matrix;
  readonly inputRows: number;
  /** Runs the layer and keeps its trace: the outputs and their number of rows. */
  forward(): { readonly outputs: Matrix; readonly rows: number };
  /** Adds gradients of parameters and inputs, given the gradients of the outputs of the last run. */
  backward(outputs: Matrix, inputs: Matrix): void;
  /** The outputs by plain loops in 64 bits. */
  expected(): Rows;
  /** First output row whose gradient counts. */
  readonly firstRow?: number;
}

type Factory = (sizes: Sizes) => LayerCase;

/** Makes the common parts of cases: parameters, inputs, and random values for both. */
function setUp({ inputs, lengths, seed }: Sizes, size: number, deviation = 0.4) {
  const memory = new MatrixMemory();
  const stream = random(seed);
  const batch = sentenceBatch(lengths);
  const rows = batch.start.at(-1)!;
  const parameters = new Parameters(memory, size, true);
  const x = memory.matrix(rows, inputs);
  for (let i = 0; i < size; i++) parameters.values[i] = deviation * stream.normal();
  for (let i = 0; i < rows * inputs; i++) memory.values[x.at + i] = 0.5 * stream.normal();
  const read = ({ at, row }: Matrix, count: number, columns: number): Rows =>
    Array.from({ length: count }, (_, r) =>
      Array.from({ length: columns }, (_, c) => memory.values[at + r * row + c]),
    );
  const batched: Batched = { lengths, row: (t, s) => batch.start[t] + s };
  return { memory, stream, batch, rows, parameters, x, read, batched };
}

/** Moves biases away from 0, so that no finite difference steps over the kink of a ReLU. */
function awayFromKinks(values: Float32Array, { at }: Matrix, length: number, stream: Random): void {
  for (let i = at; i < at + length; i++) values[i] = stream.int(2) === 0 ? -8 : 8;
}

const dense =
  (activation: Activation): Factory =>
  (sizes) => {
    const { inputs, units } = sizes;
    const { memory, stream, rows, parameters, x, read } = setUp(sizes, denseLayer.size(inputs, units));
    const shape = denseLayer.at(parameters.first, inputs, units, activation);
    if (activation === "leaky-relu") awayFromKinks(memory.values, shape.bias, units, stream);
    let trace: ReturnType<typeof denseLayer.forward>;
    return {
      memory,
      parameters,
      inputs: x,
      inputRows: rows,
      forward() {
        trace = denseLayer.forward(memory, shape, x, rows);
        return { outputs: trace.outputs, rows };
      },
      backward: (outputs, into) =>
        denseLayer.backward(memory, shape, trace, { outputs, inputs: into, parameters: parameters.gradient }),
      expected: () =>
        naive.dense(
          read(x, rows, inputs),
          read(shape.weights, inputs, units),
          read(shape.bias, 1, units)[0],
          activation,
        ),
    };
  };

const elman: Factory = (sizes) => {
  const { inputs, units } = sizes;
  const { memory, batch, rows, parameters, x, read, batched } = setUp(sizes, elmanLayer.size(inputs, units));
  const shape = elmanLayer.at(parameters.first, inputs, units);
  let trace: ReturnType<typeof elmanLayer.forward>;
  return {
    memory,
    parameters,
    inputs: x,
    inputRows: rows,
    forward() {
      trace = elmanLayer.forward(memory, shape, batch, x);
      return { outputs: trace.states, rows };
    },
    backward: (states, into) =>
      elmanLayer.backward(memory, shape, trace, { states, inputs: into, parameters: parameters.gradient }),
    expected: () =>
      naive.elman(batched, read(x, rows, inputs), {
        input: read(shape.input, inputs, units),
        state: read(shape.state, units, units),
        bias: read(shape.bias, 1, units)[0],
      }),
  };
};

const lstm =
  (isBackward: boolean): Factory =>
  (sizes) => {
    const { inputs, units } = sizes;
    const { memory, batch, rows, parameters, x, read, batched } = setUp(sizes, lstmSize(inputs, units));
    const shape = lstmAt(parameters.first, inputs, units, isBackward);
    let trace: ReturnType<typeof lstmForward>;
    return {
      memory,
      parameters,
      inputs: x,
      inputRows: rows,
      forward() {
        trace = lstmForward(memory, shape, batch, x, memory.matrix(rows, units));
        return { outputs: trace.states, rows };
      },
      backward: (states, into) =>
        lstmBackward(memory, shape, trace, { states, inputs: into, parameters: parameters.gradient }),
      expected: () =>
        naive.lstm(
          batched,
          read(x, rows, inputs),
          {
            input: read(shape.input, inputs, 4 * units),
            state: read(shape.state, units, 4 * units),
            bias: read(shape.bias, 1, 4 * units)[0],
          },
          isBackward,
        ),
    };
  };

/** Two layers, with dropout at a rate. */
const encoder =
  (rate: number): Factory =>
  (sizes) => {
    const { inputs, units, seed } = sizes;
    const widths = { inputs, units, layers: 2 };
    const { memory, batch, rows, parameters, x, read, batched } = setUp(sizes, encoderLayers.size(widths));
    const shape = encoderLayers.at(parameters.first, widths);
    const rates = { inputs: rate, layers: rate };
    let trace: ReturnType<typeof encoderLayers.forward>;
    const expectedLayer = (below: Rows, layer: number): Rows => {
      const [forward, backward] = shape.layers[layer].map(({ input, state, bias, backward: isBackward }) => {
        const weights = {
          input: read(input, below[0].length, 4 * units),
          state: read(state, units, 4 * units),
          bias: read(bias, 1, 4 * units)[0],
        };
        return naive.lstm(batched, below, weights, isBackward);
      });
      return forward!.map((row, r) => [...row, ...backward![r]]);
    };
    const dropped = (values: Rows, factors: Matrix) => {
      const columns = values[0].length;
      const own = read(matrix(factors.at, columns), rows, columns);
      return values.map((row, r) => row.map((value, k) => value * own[r][k]));
    };
    return {
      memory,
      parameters,
      inputs: x,
      inputRows: rows,
      forward() {
        const own = memory.matrix(rows, inputs);
        copyRows(memory.values, own, x, rows, inputs);
        trace = encoderLayers.forward(memory, shape, batch, own, { ...rates, stream: random(seed) });
        return { outputs: trace.states.at(-1)!, rows };
      },
      backward(states, into) {
        const gradients = encoderLayers.backward(memory, shape, trace, {
          states,
          parameters: parameters.gradient,
        });
        addRows(memory.values, into, gradients, rows, inputs);
      },
      expected: () =>
        [0, 1].reduce(
          (below, layer) => dropped(expectedLayer(below, layer), trace.factors[layer + 1]),
          dropped(read(x, rows, inputs), trace.factors[0]),
        ),
    };
  };

/** Heads are the inputs; modifiers are the same rows in reverse order. */
const biaffine: Factory = ({ units, lengths, seed }) => {
  const length = lengths[0];
  const sizes = { inputs: units, units, lengths: [length], seed };
  const { memory, parameters, x, read } = setUp(sizes, biaffineLayer.size(units));
  const shape = biaffineLayer.at(parameters.first, units);
  const reversed = memory.matrix(length, units);
  const order = Array.from({ length }, (_, m) => length - 1 - m);
  let trace: ReturnType<typeof biaffineLayer.forward>;
  return {
    memory,
    parameters,
    inputs: x,
    inputRows: length,
    firstRow: 1,
    forward() {
      for (const [m, h] of order.entries()) {
        memory.values.copyWithin(reversed.at + m * units, x.at + h * units, x.at + (h + 1) * units);
      }
      trace = biaffineLayer.forward(memory, shape, x, reversed, length);
      return { outputs: trace.scores, rows: length };
    },
    backward(scores, heads) {
      const modifiers = memory.matrix(length, units);
      const gradients = { scores, heads, modifiers, parameters: parameters.gradient };
      biaffineLayer.backward(memory, shape, trace, gradients);
      for (const [m, h] of order.entries()) {
        for (let k = 0; k < units; k++) {
          memory.values[heads.at + h * units + k] += memory.values[modifiers.at + m * units + k];
        }
      }
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
  const { inputs, units } = sizes;
  const { memory, stream, rows, parameters, x, read } = setUp(sizes, pairLayer.size(inputs, units));
  const shape = pairLayer.at(parameters.first, inputs, units);
  awayFromKinks(memory.values, shape.bias, units, stream);
  const list = Array.from({ length: 1 + stream.int(6) }, () => ({
    first: stream.int(rows),
    second: stream.int(rows),
  }));
  let prepared: ReturnType<typeof pairLayer.inputs>;
  let computed: Matrix;
  return {
    memory,
    parameters,
    inputs: x,
    inputRows: rows,
    forward() {
      prepared = pairLayer.inputs(memory, shape, x, rows);
      computed = pairLayer.forward(memory, shape, prepared, list);
      return { outputs: computed, rows: list.length };
    },
    backward: (outputs, states) =>
      pairLayer.backward(
        memory,
        shape,
        { inputs: prepared, pairs: list, outputs: computed },
        { outputs, states, parameters: parameters.gradient },
      ),
    expected: () =>
      naive.pairs(
        read(x, rows, inputs),
        list.map(({ first, second }) => [first, second]),
        {
          first: read(shape.first, inputs, units),
          second: read(shape.second, inputs, units),
          bias: read(shape.bias, 1, units)[0],
        },
      ),
  };
};

const embedding: Factory = (sizes) => {
  const { units } = sizes;
  const entries = 5;
  const { memory, stream, rows, parameters, read } = setUp(sizes, embeddingLayer.size(entries, units));
  const shape = embeddingLayer.at(parameters.first, entries, units);
  const lists = Array.from({ length: rows }, () =>
    Array.from({ length: stream.int(4) }, () => stream.int(entries)),
  );
  const start = Int32Array.from([0, ...lists.map((_, r) => lists.slice(0, r + 1).flat().length)]);
  const lookups = { start, entries: Int32Array.from(lists.flat()) };
  return {
    memory,
    parameters,
    inputs: memory.matrix(0, units),
    inputRows: 0,
    forward() {
      const outputs = memory.matrix(rows, units);
      embeddingLayer.forward(memory, shape, lookups, outputs);
      return { outputs, rows };
    },
    backward: (outputs) =>
      embeddingLayer.backward(memory, shape, lookups, { outputs, parameters: parameters.gradient }),
    expected: () => naive.embedding(lists, read(shape.table, entries, units)),
  };
};

export const layerCases: Readonly<Record<string, Factory>> = {
  embedding,
  "dense, linear": dense("none"),
  "dense, leaky ReLU": dense("leaky-relu"),
  "dense, tanh": dense("tanh"),
  elman,
  "lstm, forward": lstm(false),
  "lstm, backward": lstm(true),
  encoder: encoder(0),
  "encoder, with dropout": encoder(0.3),
  biaffine,
  pairs,
};
